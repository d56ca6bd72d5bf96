"""What a search for violations found: a witness that anyone can check, or none."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.mechanisms.sensitivity.declared import (
    Norm,
    Sensitivity,
    root_above,
    root_below,
    show_root,
)
from sfumato.mechanisms.sensitivity.rounding import allowance, grain
from sfumato.mechanisms.sensitivity.tables import Lengths, entries, is_number
from sfumato.numeric import any_float, exact, shown
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable

#: What is above a claim by more than this part of it is no rounding, whatever it comes from.
_SHARE = 10**6


@dataclass(frozen=True)
class Witness:
    """Two neighbouring tables whose outputs are farther apart than a declared sensitivity.

    Attributes
    ----------
    table, neighbour
        The two tables, in the order in which the function was given their rows.
    output, neighbour_output
        What the function returned; None where it raised.
    distance_squared
        The exact square of the distance of the outputs, in the norm that the reason names; None
        where they have none, because the function raised, returned no finite numbers, or returned
        numbers in another shape.
    reason
        What is wrong, in words.

    Examples
    --------
    >>> from sfumato.mechanisms.sensitivity import check_sensitivity
    >>> witness = check_sensitivity(sum, sensitivity=1, domain=[100, 101]).witness
    >>> witness.table, witness.neighbour, witness.distance
    ((), (100,), Fraction(100, 1))
    """

    table: tuple[Any, ...]
    neighbour: tuple[Any, ...]
    output: Any
    neighbour_output: Any
    distance_squared: Fraction | None
    reason: str

    @property
    def distance(self) -> Fraction | None:
        """The distance of the outputs, rounded down where it is irrational.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity import check_sensitivity
        >>> check_sensitivity(sum, sensitivity=1, domain=[0, 2]).witness.distance
        Fraction(2, 1)
        """
        return None if self.distance_squared is None else root_below(self.distance_squared)

    @property
    def seen(self) -> str:
        """The tables and the outputs, in words.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity import check_sensitivity
        >>> check_sensitivity(sum, sensitivity=1, domain=[0, 2]).witness.seen
        'tables [] and [2], outputs 0 and 2'
        """
        tables = tr(
            "{table} and {neighbour}",
            table=shown(list(self.table)),
            neighbour=shown(list(self.neighbour)),
        )
        outputs = tr(
            "{output} and {neighbour_output}",
            output=shown(self.output),
            neighbour_output=shown(self.neighbour_output),
        )
        return tr("tables {tables}, outputs {outputs}", tables=tables, outputs=outputs)

    def __str__(self) -> str:
        return tr("{reason}; {seen}", reason=self.reason, seen=self.seen)

    @property
    def in_floats(self) -> bool:
        """Whether an output was rounded, as floats and Decimals are.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity import check_sensitivity
        >>> check_sensitivity(sum, sensitivity=1, domain=[0, 2]).witness.in_floats
        False
        """
        return any(grain(each) for each in (self.output, self.neighbour_output))

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON; rows and outputs as they print.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity import check_sensitivity
        >>> check_sensitivity(sum, sensitivity=1, domain=[0, 2]).witness.as_dict()["distance"]
        '2'
        """
        return {
            "table": [shown(row) for row in self.table],
            "neighbour": [shown(row) for row in self.neighbour],
            "output": shown(self.output),
            "neighbour_output": shown(self.neighbour_output),
            "distance": None if self.distance_squared is None else show_root(self.distance_squared),
            "reason": self.reason,
        }


Table = tuple[Any, ...]
#: Exact; whole numbers as they are, since their arithmetic is faster.
Exact = int | Fraction
#: How many there are along each axis; where rows differ, the shape of each.
Shape = tuple[Any, ...]


@dataclass(frozen=True)
class Outcome:
    """What a function did on a table: numbers, or what went wrong."""

    table: Table
    output: Any
    numbers: tuple[Exact, ...] = ()
    shape: Shape = ()
    failure: str | None = None

    @classmethod
    def of(cls, function: Callable[[list[Any]], Any], table: Table) -> Outcome:
        """Return what a function does on a table; whatever it raises is an outcome too."""
        try:
            output = function(list(table))
        except Exception as error:  # noqa: BLE001
            return cls(
                table, None, failure=tr("the function raised {name}", name=type(error).__name__)
            )
        try:
            return cls(table, output, *_read(output))
        except InputError:
            failure = mark("the output is no finite number, nor a list of such")
            return cls(table, output, failure=failure)

    def is_like(self, other: Outcome) -> bool:
        """Tell whether nothing tells two outcomes apart but the table."""
        mine = (self.numbers, self.shape, self.failure)
        return mine == (other.numbers, other.shape, other.failure)


def _read(output: Any) -> tuple[tuple[Exact, ...], Shape]:
    if isinstance(output, (np.ndarray, np.generic)):
        return tuple(map(_number, entries(output.ravel()))), output.shape
    if not isinstance(output, (list, tuple)):
        return (_number(output),), ()
    parts = [_read(each) for each in output]
    numbers = chain.from_iterable(found for found, _ in parts)
    return tuple(numbers), _shape([shape for _, shape in parts])


def _shape(parts: list[Shape]) -> Shape:
    first = parts[0] if parts else ()
    return (len(parts), *first) if all(each == first for each in parts) else tuple(parts)


def _number(output: Any) -> Exact:
    if isinstance(output, bool) or (is_number(output) and isinstance(output, Integral)):
        return int(output)
    if is_number(output):
        return exact(output, mark("the output"))
    raise InputError(
        "E-FUNCTION-RESULT", "the output is a {kind}", "return numbers", kind=type(output).__name__
    )


@dataclass
class Judge:
    """Compares neighbours until one pair is a witness or the effort is spent.

    Each pair is held against all norms of the claim; the distances given back are in one of them.
    ``slack`` is by how much the claim itself may be rounded, and ``row`` how a row is given to the
    function.
    """

    function: Callable[[list[Any]], Any]
    claimed: Sensitivity
    norm: Norm
    effort: int
    slack: Fraction = Fraction(0)
    row: Callable[[Any], Any] = field(default=lambda row: row)
    pairs: int = 0
    largest: Lengths = field(default_factory=Lengths)
    witness: Witness | None = None
    rounding: Witness | None = None

    @property
    def done(self) -> bool:
        """Whether there is nothing left to do."""
        return self.witness is not None or self.pairs >= self.effort

    def compare(self, table: Table, neighbour: Table) -> Fraction:
        """Return the squared distance of the outputs on two tables, and keep a witness."""
        return self.weigh(self.outcome(table), self.outcome(neighbour))

    def outcome(self, table: Table) -> Outcome:
        """Return what the function does on a table."""
        return Outcome.of(self.function, tuple(map(self.row, table)))

    def afresh(self, **changes: Any) -> Judge:
        """Return a judge of the same claim that has seen nothing."""
        return replace(self, pairs=0, largest=Lengths(), witness=None, rounding=None, **changes)

    def weigh(self, one: Outcome, other: Outcome) -> Fraction:
        """Return the squared distance of two outcomes, and keep a witness."""
        self.pairs += 1
        failure = one.failure or other.failure or _unlike(one, other)
        if failure is not None:
            self.witness = _witness(one, other, None, failure)
            return Fraction(0)
        apart = Lengths.of([x - y for x, y in zip(one.numbers, other.numbers, strict=True)])
        self.largest = self.largest.longest(apart)
        for norm in self.claimed.norms:
            self._hold_against_claim(one, other, apart.squared(norm), norm)
        return apart.squared(self.norm)

    def _hold_against_claim(
        self, one: Outcome, other: Outcome, squared: Fraction, norm: Norm
    ) -> None:
        allowed = self.claimed.squared(norm)
        if self.witness is not None or squared <= allowed:
            return
        excess = root_above(squared) - root_below(allowed)
        claimed = root_above(allowed)
        room = max(min(_room(one, other, claimed), claimed / _SHARE), self.slack)
        if excess > room:
            self.witness = _witness(one, other, squared, _too_far(squared, allowed, norm))
        elif self.rounding is None:
            reason = _nearly(excess, room, show_root(allowed), norm)
            self.rounding = _witness(one, other, squared, reason)


def _witness(one: Outcome, other: Outcome, squared: Fraction | None, reason: str) -> Witness:
    return Witness(one.table, other.table, one.output, other.output, squared, reason)


def _room(one: Outcome, other: Outcome, claimed: Fraction) -> Fraction:
    sizes = (abs(Fraction(each)) for each in (*one.numbers, *other.numbers))
    tables, outputs = (one.table, other.table), (one.output, other.output)
    return allowance(tables, outputs, len(one.numbers), max(claimed, *sizes))


def _too_far(squared: Fraction, allowed: Fraction, norm: Norm) -> str:
    far, near = show_root(squared), show_root(allowed)
    words = tr(
        "{far} apart in {norm}, above the declared {near}", far=far, norm=norm.upper(), near=near
    )
    return tr("the outputs are {words}", words=words)


def _nearly(excess: Fraction, room: Fraction, near: str, norm: Norm) -> str:
    return tr(
        "the outputs are farther apart in {norm} than the declared {near} by {excess:.2g}, and "
        "rounding may come to {room:.2g}",
        norm=norm.upper(),
        near=near,
        excess=any_float(excess),
        room=any_float(room),
    )


def _unlike(one: Outcome, other: Outcome) -> str | None:
    if one.shape == other.shape:
        return None
    return tr(
        "the outputs have the shapes {one} and {other}",
        one=shown(one.shape),
        other=shown(other.shape),
    )
