"""From aggregates to outputs: which measurements answer a query, shared where they can be."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.data.policy.bounds import AUTO
from sfumato.errors import InputError
from sfumato.tables.columns import types
from sfumato.tables.expressions import Column, col, type_of
from sfumato.tables.plan.measurements import Factor, counting, of_factors
from sfumato.tables.plan.outputs import (
    CountOutput,
    CovarianceOutput,
    DeviationOutput,
    MeanOutput,
    Output,
    SumOutput,
    VarianceOutput,
)
from sfumato.tables.plan.selecting.assembling import favourites_output, numbers_output
from sfumato.tables.tree.aggregates import (
    Count,
    Covariance,
    Deviation,
    Mean,
    OfColumn,
    People,
    Variance,
)
from sfumato.tables.tree.selections import Extremum, Histogram, Quantiles, TopK

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.tables.columns import Known
    from sfumato.tables.expressions import Expression
    from sfumato.tables.plan.selecting.looks import CellOutput
    from sfumato.tables.tree.aggregates import Aggregate

__all__ = ["outputs_for"]

_NUMBERS = ("integer", "number", "boolean")
#: How a person's rows are weighed in means and other ratios, where that is chosen by itself.
RATIO = "ratio"
#: A column whose bounds are yet to be found.
_OPEN = Factor("", Fraction(-1), Fraction(1), of=col("open"), whole=True, is_open=True)
#: The least width of a column's bounds, and one over the greatest size of its values.
_FINEST = Fraction(1, 10**100)
#: Aggregates for which a person is limited in rows; sums beside them are limited so, too.
_BY_ROWS = (Count, Mean, Variance, Deviation, Covariance)
#: Aggregates of what falls into cells.
_CELLS = (Quantiles, Extremum, Histogram, TopK)


def outputs_for(
    aggregates: Sequence[tuple[str, Aggregate]],
    columns: Mapping[str, Known],
    *,
    norm: str = "l1",
    apart: bool = False,
) -> tuple[Output | CellOutput, ...]:
    """Return how each aggregate is made of measurements, or of what is chosen in cells.

    Choices are made by counts that are limited in the norm L1; they share the limit of counts
    where that one is in the same norm.

    Parameters
    ----------
    aggregates, columns
        What is asked, and of what.
    norm
        In which norm a person's counts and sums are limited.
    apart
        Whether ratios and choices have a limit of their own.  A count misses the rows beyond a
        limit and a mean hardly does, so that the best limits are far apart; where limits are
        declared, there is one for all, and measurements are shared.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.tables.columns import Known
    >>> from sfumato.tables.plan.assembling import outputs_for
    >>> age = {"age": Known("integer", bounds=(0, 110), complete=True)}
    >>> asked = [("n", sf.count()), ("age", sf.mean("age"))]
    >>> [str(each) for output in outputs_for(asked, age) for each in output.measurements]
    ['the number of rows', 'the sum of age - 55', 'the number of rows']
    """
    centred = frozenset() if apart else _centred(aggregates)
    ratio = RATIO if apart else "rows"
    counted = any(isinstance(each, _BY_ROWS) for _, each in aggregates)
    weighing = ratio if norm == "l1" else "choice"
    return tuple(
        _of_cells(name, each, columns, weighing=weighing)
        if isinstance(each, _CELLS)
        else _output(name, each, columns, centred=centred, counted=counted, ratio=ratio)
        for name, each in aggregates
    )


def _of_cells(
    name: str,
    aggregate: Quantiles | Extremum | Histogram | TopK,
    columns: Mapping[str, Known],
    *,
    weighing: str,
) -> CellOutput:
    if isinstance(aggregate, TopK):
        return favourites_output(name, aggregate, columns, counting(weighing=weighing))
    weighing = "rows" if isinstance(aggregate, Histogram) else weighing
    column = factor_for(aggregate.of, aggregate.bounds, columns, aggregate.word)
    needed = () if column.complete else (aggregate.of,)
    return numbers_output(name, aggregate, column, counting(*needed, weighing=weighing))


def _output(
    name: str,
    aggregate: Aggregate,
    columns: Mapping[str, Known],
    *,
    centred: frozenset[str],
    counted: bool,
    ratio: str,
) -> Output:
    if isinstance(aggregate, People):
        return CountOutput(name, counting(weighing="people"))
    if isinstance(aggregate, Count):
        _check_known(aggregate, columns)
        return CountOutput(name, counting(*aggregate.operands))
    if isinstance(aggregate, Covariance):
        return _covariance(name, aggregate, columns, ratio)
    if isinstance(aggregate, OfColumn):
        return _of_column(name, aggregate, columns, centred=centred, counted=counted, ratio=ratio)
    message = f"{aggregate} is not an aggregate of a private table; write sf.count(), say"
    raise InputError(message)


def _of_column(
    name: str,
    aggregate: OfColumn,
    columns: Mapping[str, Known],
    *,
    centred: frozenset[str],
    counted: bool,
    ratio: str,
) -> Output:
    column = factor_for(aggregate.of, aggregate.bounds, columns, aggregate.word)
    needed = () if column.complete else (aggregate.of,)
    if isinstance(aggregate, Mean):
        return MeanOutput.of(name, column, needed, ratio)
    if isinstance(aggregate, Variance):
        return VarianceOutput.of(name, column, needed, ratio)
    if isinstance(aggregate, Deviation):
        return DeviationOutput.of(name, column, needed, ratio)
    if column.text in centred:
        mean = MeanOutput.of(name, column, needed, ratio)
        return SumOutput(name, mean.total, mean.rows)
    weighing = "rows" if counted and ratio == "rows" else "value"
    return SumOutput(name, of_factors(column, needed=needed, weighing=weighing))


def _covariance(
    name: str, aggregate: Covariance, columns: Mapping[str, Known], ratio: str
) -> Output:
    pair = (
        factor_for(aggregate.of, aggregate.bounds, columns, "covariance"),
        factor_for(aggregate.other, aggregate.other_bounds, columns, "covariance"),
    )
    needed = tuple(each.of for each in pair if not each.complete)
    return CovarianceOutput.of(name, pair, needed, ratio)


def factor_for(of: Expression, given: Any, columns: Mapping[str, Known], word: str) -> Factor:
    """Return a column of numbers with the bounds that were given or declared.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.tables.columns import Known
    >>> from sfumato.tables.plan.assembling import factor_for
    >>> factor_for(sf.col("age"), None, {"age": Known("integer")}, "mean")
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: mean(age) needs bounds for age, between which its values are \
taken, and none are declared; write bounds={'age': (0, 100)} with bounds that you know without \
looking at the data, or 'auto' to find them privately
    """
    kind = type_of(of, types(columns))
    if kind not in _NUMBERS:
        message = f"{word} takes a column of numbers, and {of} is of type {kind}"
        raise InputError(message)
    known = columns[of.name] if isinstance(of, Column) else None
    bounds = asked_bounds(of, given, columns)
    if bounds is None:
        raise InputError(_no_bounds(of, word, known))
    complete = known is not None and known.complete
    if bounds == AUTO:
        return replace(_OPEN, text=str(of), of=of, complete=complete)
    low, high = map(Fraction, bounds)
    _check_size(of, low, high)
    return Factor(str(of), low, high, of=of, complete=complete, whole=_whole(kind, low, high))


def asked_bounds(of: Expression, given: Any, columns: Mapping[str, Known]) -> Any:
    """Return the bounds given for an expression, or those declared; "auto" if to be found.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.tables.columns import Known
    >>> from sfumato.tables.plan.assembling import asked_bounds
    >>> asked_bounds(sf.col("age"), None, {"age": Known("integer", bounds="auto")})
    'auto'
    """
    known = columns[of.name] if isinstance(of, Column) else None
    bounds = given if given is not None else (known.bounds if known else None)
    if bounds in (None, AUTO) and type_of(of, types(columns)) == "boolean":
        return (Fraction(0), Fraction(1))
    return bounds


def _whole(kind: str, low: Fraction, high: Fraction) -> bool:
    return kind != "number" and low.denominator == high.denominator == 1


def _check_size(of: Expression, low: Fraction, high: Fraction) -> None:
    """Refuse numbers of which sums of products would be too great for a float, or too small."""
    if max(abs(low), abs(high)) > 1 / _FINEST or high - low < _FINEST:
        message = (
            f"the bounds of {of} must lie between -1e100 and 1e100, at least 1e-100 apart; count "
            "in other units"
        )
        raise InputError(message)


def _no_bounds(of: Expression, word: str, known: Known | None) -> str:
    why = "none are declared" if known is None or known.declared else "it was derived anew"
    write = f"bounds={{'{of}': (0, 100)}}" if known is not None and known.declared else "(0, 100)"
    where = write if write.startswith("bounds") else f"sf.{word}(…, bounds={write})"
    return (
        f"{word}({of}) needs bounds for {of}, between which its values are taken, and {why}; "
        f"write {where} with bounds that you know without looking at the data, or 'auto' to "
        "find them privately"
    )


def _check_known(aggregate: Aggregate, columns: Mapping[str, Known]) -> None:
    for each in aggregate.operands:
        type_of(each, types(columns))


def _centred(aggregates: Sequence[tuple[str, Aggregate]]) -> frozenset[str]:
    """Return the columns of which a centred sum and a count are measured anyway."""
    kinds = (Mean, Variance, Deviation)
    return frozenset(str(each.of) for _, each in aggregates if isinstance(each, kinds))
