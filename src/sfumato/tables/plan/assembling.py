"""From aggregates to outputs: which measurements answer a query, shared where they can be."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.data.policy import AUTO
from sfumato.errors import InputError
from sfumato.refusal import Call, Declaration, Either, Given, text
from sfumato.tables.column import types
from sfumato.tables.expressions import Column, col, type_of
from sfumato.tables.plan.measurements import Factor, counting, of_factors, parts_of, without
from sfumato.tables.plan.outputs import (
    CountOutput,
    CovarianceOutput,
    DeviationOutput,
    MeanOutput,
    Output,
    PublicMeanOutput,
    SumOfPartsOutput,
    SumOutput,
    VarianceOutput,
)
from sfumato.tables.tree.aggregates import (
    Count,
    Covariance,
    Deviation,
    Extremum,
    Histogram,
    Mean,
    OfColumn,
    People,
    Quantiles,
    Sum,
    TopK,
    Variance,
)
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.tables.column import KnownColumn
    from sfumato.tables.expressions import Expression
    from sfumato.tables.plan.measurements import Measurement
    from sfumato.tables.plan.selection import CellOutput
    from sfumato.tables.tree.aggregates import Aggregate

_NUMBERS = ("integer", "number", "boolean")
#: How a person's rows are weighed in means and other ratios, where that is chosen by itself.
RATIO = "ratio"
#: Bounds are no farther out, and no closer to each other relative to that.
_FARTHEST, _CLOSEST = Fraction(10**100), Fraction(1, 10**9)
#: A column whose bounds are yet to be found.
_OPEN = Factor("", Fraction(-1), Fraction(1), of=col("open"), whole=True, is_open=True)
#: The least width of a column's bounds, and one over the greatest size of its values.
_FINEST = Fraction(1, 10**100)
#: Ratios of which both parts of a column are measured.
_RATIOS = (Mean, Variance, Deviation)
#: Aggregates for which a person is limited in rows; sums beside them are limited so, too.
_BY_ROWS = (Count, *_RATIOS, Covariance)
#: Aggregates of what falls into cells.
_CELLS = (Quantiles, Extremum, Histogram, TopK)


def outputs_for(
    aggregates: Sequence[tuple[str, Aggregate]],
    columns: Mapping[str, KnownColumn],
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
    """
    ways = _Ways(aggregates, columns, apart=apart)
    weighing = ways.ratio if norm == "l1" else "choice"
    return tuple(
        _of_cells(name, each, columns, weighing=weighing)
        if isinstance(each, _CELLS)
        else ways.output(name, each)
        for name, each in aggregates
    )


def _of_cells(
    name: str,
    aggregate: Quantiles | Extremum | Histogram | TopK,
    columns: Mapping[str, KnownColumn],
    *,
    weighing: str,
) -> CellOutput:
    from sfumato.tables.plan.histograms import favourites_output, numbers_output

    if isinstance(aggregate, TopK):
        return favourites_output(name, aggregate, columns, counting(weighing=weighing))
    if isinstance(aggregate, Histogram) or (_is_ranked(aggregate) and weighing == RATIO):
        weighing = "rows"
    column = factor_for(aggregate.of, aggregate.bounds, columns, aggregate.word)
    needed = () if column.complete else (aggregate.of,)
    return numbers_output(name, aggregate, column, counting(*needed, weighing=weighing))


def _is_ranked(aggregate: Aggregate) -> bool:
    """Tell whether a row that is left out moves the answer by a rank, as it does a count."""
    return isinstance(aggregate, Quantiles)


class _Ways:
    """How the sums of a query are measured, so that they share what they can."""

    def __init__(
        self,
        aggregates: Sequence[tuple[str, Aggregate]],
        columns: Mapping[str, KnownColumn],
        *,
        apart: bool,
    ) -> None:
        asked = [each for _, each in aggregates]
        self.ratio = RATIO if apart else "rows"
        self._columns, self._apart = columns, apart
        counts = any(isinstance(each, _BY_ROWS) for each in asked)
        kinds = _RATIOS if apart or not counts else (*_RATIOS, Sum)
        in_parts = [each for each in asked if isinstance(each, kinds)]
        self._in_parts = [each for each in in_parts if getattr(each, "rows", None) is None]

    def output(self, name: str, aggregate: Aggregate) -> Output:
        """Return how an aggregate is made of measurements."""
        if isinstance(aggregate, People):
            return CountOutput(name, (counting(weighing="people"),))
        if isinstance(aggregate, Count):
            return CountOutput(name, self._counted(aggregate))
        if isinstance(aggregate, Covariance):
            return self._covariance(name, aggregate)
        if isinstance(aggregate, OfColumn):
            return self._of_column(name, aggregate)
        raise InputError(
            "E-AGGREGATE-NOT-HERE",
            "{aggregate} is not an aggregate of a private table",
            "write {call}, say",
            aggregate=aggregate,
            call=Call("count"),
        )

    def _of_column(self, name: str, aggregate: OfColumn) -> Output:
        column, needed = self._column(aggregate)
        if isinstance(aggregate, Variance):
            return VarianceOutput.of(name, column, needed, self.ratio)
        if isinstance(aggregate, Deviation):
            return DeviationOutput.of(name, column, needed, self.ratio)
        if isinstance(aggregate, Mean) and aggregate.rows is not None:
            centred = of_factors(column, needed=needed, centre=column.middle, weighing=self.ratio)
            return PublicMeanOutput(name, centred, aggregate.rows)
        if isinstance(aggregate, Mean):
            return MeanOutput(name, *parts_of(column, needed=needed, weighing=self.ratio))
        if not self._apart and str(aggregate.of) in {str(each.of) for each in self._in_parts}:
            return SumOfPartsOutput(name, *parts_of(column, needed=needed, weighing=self.ratio))
        return SumOutput(name, of_factors(column, needed=needed, weighing="value"))

    def _counted(self, aggregate: Count) -> tuple[Measurement, ...]:
        """Return what a count is the sum of: parts that are measured anyway, where there are."""
        for each in aggregate.operands:
            type_of(each, types(self._columns))
        of = None if aggregate.of is None else str(aggregate.of)
        alike = [each for each in self._in_parts if of in (None, str(each.of))]
        if self._apart or not alike:
            return (counting(*aggregate.operands),)
        column, needed = self._column(alike[0])
        parts = parts_of(column, needed=needed, weighing=self.ratio)
        return (*parts, without(*parts)) if of is None and needed else parts

    def _covariance(self, name: str, aggregate: Covariance) -> Output:
        pair = (
            factor_for(aggregate.of, aggregate.bounds, self._columns, "covariance"),
            factor_for(aggregate.other, aggregate.other_bounds, self._columns, "covariance"),
        )
        needed = {each.text: each.of for each in pair if not each.complete}
        return CovarianceOutput.of(name, pair, tuple(needed.values()), self.ratio)

    def _column(self, aggregate: OfColumn) -> tuple[Factor, tuple[Expression, ...]]:
        column = factor_for(aggregate.of, aggregate.bounds, self._columns, aggregate.word)
        return column, () if column.complete else (aggregate.of,)


def factor_for(of: Expression, given: Any, columns: Mapping[str, KnownColumn], word: str) -> Factor:
    """Return a column of numbers with the bounds that were given or declared."""
    kind = type_of(of, types(columns))
    if kind not in _NUMBERS:
        error = InputError(
            "E-AGGREGATE-TYPE",
            "{word} takes a column of numbers, and {of} is of type {kind}",
            word=word,
            of=of,
            kind=kind,
        )
        if kind == "text":
            declared = _number_for(of, columns)
            error.refusal = error.refusal.adding(
                "if it holds numbers, declare {declared}", declared=declared
            )
        raise error
    known = columns[of.name] if isinstance(of, Column) else None
    bounds = asked_bounds(of, given, columns)
    if bounds is None:
        raise _no_bounds(of, word, known)
    complete = known is not None and known.complete
    if bounds == AUTO:
        return replace(_OPEN, text=str(of), of=of, complete=complete)
    low, high = map(Fraction, bounds)
    _check_apart(of, low, high)
    _check_size(of, low, high)
    return Factor(str(of), low, high, of=of, complete=complete, whole=_whole(kind, low, high))


def _check_apart(of: Expression, low: Fraction, high: Fraction) -> None:
    """Refuse bounds that floats cannot tell apart, or that reach beyond what they can hold."""
    size = max(abs(low), abs(high))
    if not (size <= _FARTHEST and float(low) < float(high) and high - low >= size * _CLOSEST):
        raise InputError(
            "E-BOUNDS-WIDTH",
            "the bounds of {of} are too close to each other, or too far out, to be told "
            "apart in double precision",
            "write bounds such as (0, 100)",
            of=of,
        )


def asked_bounds(of: Expression, given: Any, columns: Mapping[str, KnownColumn]) -> Any:
    """Return the bounds given for an expression, or those declared; "auto" if to be found."""
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
        raise InputError(
            "E-BOUNDS-WIDTH",
            "the bounds of {of} must lie between -1e100 and 1e100, at least 1e-100 apart",
            "count in other units",
            of=of,
        )


def _bounds_for(of: Expression) -> Declaration:
    """Return how bounds are declared; a column goes by its name as it is, without quotes."""
    return Declaration("bounds", of.name if isinstance(of, Column) else str(of), (0, 100))


def _number_for(of: Expression, columns: Mapping[str, KnownColumn]) -> Declaration:
    """Return what to declare of a text that holds numbers."""
    known = columns[of.name] if isinstance(of, Column) else None
    if known is not None and known.is_public and known.own_name is not None:
        return Declaration("types", known.own_name, "number", whose="public")
    return _bounds_for(of)


def _no_bounds(of: Expression, word: str, known: KnownColumn | None) -> InputError:
    why = (
        mark("none are declared")
        if known is None or known.declared
        else mark("it was derived anew")
    )
    is_column = known is not None and known.declared
    auto: Given = Either(mark(", or 'auto' to find them privately"), "")
    write: Given = Either(
        text("{word}(…, bounds=(0, 100)), in SQL CLIP(…, 0, 100) in its brackets,", word=word),
        mark("CLIP(…, 0, 100) in its brackets,"),
    )
    if is_column:
        write, found = _bounds_for(of), replace(_bounds_for(of), value="auto")
        auto = text(", or {bounds} to find them privately", bounds=found)
    return InputError(
        "E-BOUNDS-MISSING",
        "{word}({of}) needs bounds for {of}, to which its values are clamped, and {why}",
        "write {write} with bounds that you know without looking at the data{auto}",
        word=word,
        of=of,
        why=why,
        write=write,
        auto=auto,
    )
