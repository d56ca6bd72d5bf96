"""The bounds of columns: asked for, declared, or found privately at a cost of their own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.data.policy import AUTO
from sfumato.errors import InputError
from sfumato.refusal import Declaration, Either, Given, text
from sfumato.tables.column import types
from sfumato.tables.expressions import Column, col, type_of
from sfumato.tables.notes import SAYS_NOTHING, note, percent_above
from sfumato.tables.plan.measurements import Factor, histogram_sensitivity
from sfumato.tables.plan.steps import PrivateStep
from sfumato.tables.tree.aggregates import Covariance, OfColumn
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sfumato.mechanisms import DiscreteGaussian, DiscreteLaplace
    from sfumato.privacy.events import Event
    from sfumato.tables.column import KnownColumn
    from sfumato.tables.expressions import Expression
    from sfumato.tables.notes import Note
    from sfumato.tables.plan.measurements import Contribution
    from sfumato.tables.tree.aggregates import Aggregate


_NUMBERS = ("integer", "number", "boolean")
#: Bounds are no farther out, and no closer to each other relative to that.
_FARTHEST, _CLOSEST = Fraction(10**100), Fraction(1, 10**9)
#: A column whose bounds are yet to be found.
_OPEN = Factor("", Fraction(-1), Fraction(1), of=col("open"), whole=True, is_open=True)
#: The least width of a column's bounds, and one over the greatest size of its values.
_FINEST = Fraction(1, 10**100)

#: The sizes of numbers that are told apart: from 2^-32 up to 2^64, by octaves.
LEAST_POWER, GREATEST_POWER = -32, 64
OCTAVES = GREATEST_POWER - LEAST_POWER
#: An octave is a bucket for each sign; one more is for what is smaller than all of them.
BUCKETS = 2 * OCTAVES + 1


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


@dataclass(frozen=True)
class FoundBounds:
    """Bounds that were found privately, and how much lies beyond them.

    Parameters
    ----------
    low, high
        The bounds: public numbers from here on.
    left_out
        The share of values beyond them, estimated from the same noisy histogram; each person
        counts once.
    at_most
        The share, with a confidence of 95 %.
    seen
        Whether anything rose above the noise; else the bounds are 0 and 1.
    """

    low: Fraction
    high: Fraction
    left_out: float
    at_most: float
    seen: bool = True

    def note(self, column: str) -> Note:
        """Return what is to be known of them beside an answer."""
        ends = {"low": f"{float(self.low):g}", "high": f"{float(self.high):g}"}
        if not self.seen:
            return note("N-BOUNDS-NOT-FOUND", column=column, **ends)
        if self.at_most >= SAYS_NOTHING:
            return note("N-BOUNDS-UNSURE", column=column, **ends)
        return note("N-BOUNDS-FOUND", column=column, share=percent_above(self.at_most), **ends)


@dataclass(frozen=True)
class FindBounds(PrivateStep):
    """Find bounds of a column by a noisy histogram of the sizes of its values.

    Parameters
    ----------
    of
        The column.
    whole
        Whether its values are whole numbers.
    contribution
        Which tables are neighbours: each person adds 1 in all, spread over their rows.
    """

    of: Expression
    whole: bool
    contribution: Contribution

    @property
    def mechanism(self) -> DiscreteLaplace | DiscreteGaussian:
        """The noise of each bucket, in fine steps."""
        relation = self.contribution.relation
        sensitivity = histogram_sensitivity(relation) * self.contribution.fine
        return self.share.noise(sensitivity, BUCKETS, relation)

    @property
    def event(self) -> Event:
        """What is charged for it."""
        return self.mechanism.event

    def __str__(self) -> str:
        return tr("find bounds for {of}: {share}", of=self.of, share=self.share)


def automatic_columns(
    aggregates: Sequence[tuple[str, Aggregate]], columns: Mapping[str, KnownColumn]
) -> dict[str, Expression]:
    """Return the columns whose bounds have to be found, in words and as they are."""
    return {
        str(of): of
        for _, aggregate in aggregates
        for _, of, given in bounded_columns(aggregate)
        if asked_bounds(of, given, columns) == "auto"
    }


def finding(
    of: Expression, share: Any, columns: Mapping[str, KnownColumn], contribution: Contribution
) -> FindBounds:
    """Return the step that finds the bounds of a column."""
    whole = type_of(of, types(columns)) == "integer"
    return FindBounds(share, of, whole, contribution)


def bounded_columns(aggregate: Aggregate) -> Iterator[tuple[str, Expression, Any]]:
    """Yield the columns of an aggregate that have bounds: the field, the column, what is given."""
    if isinstance(aggregate, Covariance):
        yield "other_bounds", aggregate.other, aggregate.other_bounds
    if isinstance(aggregate, (OfColumn, Covariance)):
        yield "bounds", aggregate.of, aggregate.bounds
