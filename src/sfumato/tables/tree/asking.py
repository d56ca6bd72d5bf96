"""The words for aggregates: ``sf.count()``, ``sf.mean("age")`` and the others."""

from __future__ import annotations

from typing import Any

from sfumato.data.policy import read_bounds
from sfumato.errors import InputError
from sfumato.privacy.parameters import read_count
from sfumato.tables.expressions import Expression, col
from sfumato.tables.tree.aggregates import (
    Count,
    Covariance,
    Deviation,
    Mean,
    People,
    Sum,
    Variance,
)


def count(of: str | Expression | None = None) -> Count:
    """Ask how many rows there are, or how many in which a column is not missing.

    Examples
    --------
    >>> import sfumato as sf
    >>> print(sf.count())
    count(*)
    """
    return Count(None if of is None else column_of(of, "count"))


def people() -> People:
    """Ask how many different people own the rows.

    Examples
    --------
    >>> import sfumato as sf
    >>> print(sf.people())
    people(*)
    """
    return People()


def sum(of: str | Expression, *, bounds: Any = None) -> Sum:  # noqa: A001
    """Ask for the sum of a column.

    Parameters
    ----------
    of
        The name of a column of numbers, or an expression.
    bounds
        To which values are clamped.  Left out, the bounds declared for the column are taken;
        ``"auto"`` finds them privately.

    Examples
    --------
    >>> import sfumato as sf
    >>> print(sf.sum("cost", bounds=(0, 1000)))
    sum(cost)
    """
    return Sum(column_of(of, "sum"), bounds_of(bounds))


def mean(of: str | Expression, *, bounds: Any = None, rows: int | None = None) -> Mean:
    """Ask for the mean of a column, over the rows in which it is not missing.

    Parameters
    ----------
    of, bounds
        As in ``sum``.
    rows
        How many rows have a value, if that is public: then nothing is spent on counting them.  The
        guarantee holds whatever the number is; the answer is a mean if it is the right one.

    Examples
    --------
    >>> import sfumato as sf
    >>> print(sf.mean("age"))
    mean(age)
    """
    return Mean(
        column_of(of, "mean"), bounds_of(bounds), None if rows is None else read_count(rows, "rows")
    )


def variance(of: str | Expression, *, bounds: Any = None) -> Variance:
    """Ask for the variance of a column, with the number of rows as its divisor.

    Parameters
    ----------
    of, bounds
        As in ``sum``.

    Examples
    --------
    >>> import sfumato as sf
    >>> print(sf.variance("age"))
    variance(age)
    """
    return Variance(column_of(of, "variance"), bounds_of(bounds))


def std(of: str | Expression, *, bounds: Any = None) -> Deviation:
    """Ask for the standard deviation of a column.

    Parameters
    ----------
    of, bounds
        As in ``sum``.

    Examples
    --------
    >>> import sfumato as sf
    >>> print(sf.std("age"))
    std(age)
    """
    return Deviation(column_of(of, "std"), bounds_of(bounds))


def covariance(
    of: str | Expression,
    other: str | Expression,
    *,
    bounds: Any = None,
    other_bounds: Any = None,
) -> Covariance:
    """Ask for the covariance of two columns, over the rows that have both.

    Parameters
    ----------
    of, other
        The names of two columns of numbers, or expressions.
    bounds, other_bounds
        The bounds of each, as in ``sum``.

    Examples
    --------
    >>> import sfumato as sf
    >>> print(sf.tables.covariance("age", "cost"))
    covariance(age, cost)
    """
    first, second = column_of(of, "covariance"), column_of(other, "covariance")
    return Covariance(first, second, bounds_of(bounds), bounds_of(other_bounds))


def column_of(of: Any, word: str) -> Expression:
    """Return what an aggregate is computed of: a name is that of a column."""
    if isinstance(of, str):
        return col(of)
    if not isinstance(of, Expression):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{word} takes the name of a column or an expression, not {kind}",
            "write {word}('age') or {word}(sf.col('age') + 1)",
            word=word,
            kind=type(of).__name__,
        )
    return of


def bounds_of(bounds: Any) -> Any:
    """Return bounds that were given, "auto", or None for those declared."""
    return bounds if bounds is None or bounds == "auto" else read_bounds(bounds)
