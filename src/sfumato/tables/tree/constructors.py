"""The words for quantiles, extremes, histograms and favourites."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from sfumato.data.policy import read_bounds
from sfumato.errors import InputError, UnknownNameError
from sfumato.numeric import read_count
from sfumato.privacy import written
from sfumato.refusal import Argument, Call
from sfumato.tables.expressions import Expression, col
from sfumato.tables.tree.aggregates import (
    Count,
    Covariance,
    Deviation,
    Histogram,
    Maximum,
    Mean,
    Median,
    Minimum,
    People,
    Quantile,
    Quantiles,
    Sum,
    TopK,
    Variance,
)

_METHODS = ("permute_and_flip", "exponential")
_CONFIDENCE = 0.95
#: Ranks are written with at most four digits, and confidences with nine.
_FINEST_RANK, _FINEST_CONFIDENCE = 10_000, Fraction(1, 10**9)
_MOST_RANKS, _MOST_BINS, _MOST_CHOICES = 100, 1_000, 1_000


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


def median(of: str | Expression, *, bounds: Any = None, confidence: Any = _CONFIDENCE) -> Median:
    """Ask for the value below which half of the rows lie, without those where it is missing.

    Parameters
    ----------
    of, bounds
        As in ``sum``.  The answer is a point of a grid between the bounds: each whole number, or
        one of some thousand steps.
    confidence
        For which intervals are made, in the same query: two more quantiles, further out.  With
        None there are none, and the answer itself has three times the budget.

    Examples
    --------
    >>> import sfumato as sf
    >>> print(sf.median("age"))
    median(age)
    """
    column = column_of(of, "median")
    return Median(column, bounds_of(bounds), confidence=_read_confidence(confidence))


def quantile(
    of: str | Expression, rank: Any, *, bounds: Any = None, confidence: Any = _CONFIDENCE
) -> Quantile:
    """Ask for the value below which a share of the rows lies.

    Parameters
    ----------
    of, bounds, confidence
        As in ``median``.
    rank
        The share: above 0 and below 1, 0.9 for the upper tenth.

    Examples
    --------
    >>> import sfumato as sf
    >>> print(sf.quantile("age", 0.9))
    quantile(age, 0.9)
    """
    ranks = (_read_rank(rank),)
    return Quantile(
        column_of(of, "quantile"), bounds_of(bounds), ranks, _read_confidence(confidence)
    )


def quantiles(
    of: str | Expression, ranks: Any, *, bounds: Any = None, confidence: Any = _CONFIDENCE
) -> Quantiles:
    """Ask for several quantiles at once, which is cheaper than one by one.

    The answer has a column for each: ``age_q25`` for the lower quarter of ``age``.

    Parameters
    ----------
    of, bounds, confidence
        As in ``median``; confidence intervals take half of the budget.
    ranks
        The shares, such as [0.25, 0.5, 0.75].

    Examples
    --------
    >>> import sfumato as sf
    >>> print(sf.tables.quantiles("age", [0.5, 0.25, 0.75]))
    quantiles(age, 0.25, 0.5, 0.75)
    """
    if not isinstance(ranks, (list, tuple)) or not 0 < len(ranks) <= _MOST_RANKS:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "ranks must be a list of 1 to {most_ranks} shares, such as [0.25, 0.5, 0.75]",
            most_ranks=_MOST_RANKS,
        )
    found = tuple(sorted(_read_rank(each) for each in ranks))
    if len(set(found)) < len(found):
        raise InputError(
            "E-ARGUMENT-TWICE",
            "ranks names a share twice",
            "write each once, as in [0.25, 0.5, 0.75]",
        )
    return Quantiles(
        column_of(of, "quantiles"), bounds_of(bounds), found, _read_confidence(confidence)
    )


def minimum(of: str | Expression, *, bounds: Any = None) -> Minimum:
    """Ask for a value near the least one.

    The least value is one person's, so a quantile close to it is answered, some rows inside.

    Parameters
    ----------
    of, bounds
        As in ``median``.

    Examples
    --------
    >>> import sfumato as sf
    >>> print(sf.minimum("age"))
    minimum(age)
    """
    return Minimum(column_of(of, "minimum"), bounds_of(bounds))


def maximum(of: str | Expression, *, bounds: Any = None) -> Maximum:
    """Ask for a value near the greatest one; see ``minimum``.

    Examples
    --------
    >>> import sfumato as sf
    >>> print(sf.maximum("age"))
    maximum(age)
    """
    return Maximum(column_of(of, "maximum"), bounds_of(bounds))


def histogram(of: str | Expression, edges: Any) -> Histogram:
    """Ask how many rows lie in each of some bins, without those where the column is missing.

    The answer has a column for each bin: ``age_18_to_65`` for 18 and more, and less than 65.  The
    last bin has its upper edge as well.  What lies beyond the outer edges counts in the nearest
    bin.

    Parameters
    ----------
    of
        The name of a column of numbers, or an expression.
    edges
        Two numbers or more, in order.

    Examples
    --------
    >>> import sfumato as sf
    >>> len(sf.histogram("age", [0, 18, 65, 110]).edges)
    4
    """
    if not isinstance(edges, (list, tuple, range)) or not 2 <= len(edges) <= _MOST_BINS + 1:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "edges must be a list of 2 to {most_bins:,} numbers, such as [0, 18, 65, 110]",
            most_bins=_MOST_BINS + 1,
        )
    found = tuple(written(each, "an edge") for each in edges)
    if any(low >= high for low, high in pairwise(found)):
        raise InputError(
            "E-ARGUMENT-RANGE",
            "edges must go up, each above the one before",
            "write [0, 18, 65, 110], say",
        )
    return Histogram(column_of(of, "histogram"), found)


def top_k(
    of: str | Expression, k: int, *, values: Any = None, method: str = "permute_and_flip"
) -> TopK:
    """Ask for the values that most rows have, the most frequent first.

    The answer has a column for each: ``city_1``, ``city_2`` and so on.

    Parameters
    ----------
    of
        The name of a column, or an expression.
    k
        How many values.
    values
        The values to choose from, known without looking at the data; left out, those declared
        for the column.  Rows with another value count for none.
    method
        "permute_and_flip", or "exponential", which costs less where many choices are made under
        an (ε, δ) or a ρ.

    Examples
    --------
    >>> import sfumato as sf
    >>> print(sf.tables.top_k("city", 3, values=["Lyon", "Oslo", "Rome", "Turin"]))
    top_k(city, 3)
    """
    most = read_count(k, "k", most=_MOST_CHOICES, write="top_k('city', 3)")
    return TopK(column_of(of, "top_k"), most, _listed(values), _read_method(method))


def mode(of: str | Expression, *, values: Any = None, method: str = "permute_and_flip") -> TopK:
    """Ask for the value that most rows have; see ``top_k``.

    Examples
    --------
    >>> import sfumato as sf
    >>> print(sf.tables.mode("city"))
    mode(city)
    """
    return TopK(column_of(of, "mode"), None, _listed(values), _read_method(method))


def _read_rank(rank: Any) -> Fraction:
    found = written(rank, "rank")
    if not 0 < found < 1 or found.denominator > _FINEST_RANK:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "rank must lie between 0 and 1, with no more than four digits, such as 0.25",
            "for the ends write {call} or {example}",
            call=Call("minimum", "age"),
            example=Call("maximum", "age"),
        )
    return found


def _read_confidence(confidence: Any) -> Fraction | None:
    if confidence is None:
        return None
    found = written(confidence, "confidence")
    if not 0 < found <= 1 - _FINEST_CONFIDENCE:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{confidence} must lie between 0 and 1, such as 0.95",
            "None makes no confidence intervals",
            confidence=Argument("confidence"),
        )
    return found


def _read_method(method: Any) -> str:
    if not isinstance(method, str):
        raise InputError(
            "E-ARGUMENT-CHOICE",
            "{method} must be 'permute_and_flip' or 'exponential'",
            method=Argument("method"),
        )
    if method not in _METHODS:
        raise UnknownNameError(kind="method", name=method, known=_METHODS)
    return method


def _listed(values: Any) -> tuple[Any, ...] | None:
    if values is None:
        return None
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "values must be a list of the values to choose from, such as ['Lyon', 'Oslo']",
        )
    return tuple(values)
