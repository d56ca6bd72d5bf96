"""A mechanism that is given as a table: for every input, the probability of every output."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.information import PrivateChannel, are_consecutive, as_channel, greatest_ratio
from sfumato.mechanisms.base import ONE_ROW, PureMechanism
from sfumato.mechanisms.distributions.output import FiniteDistribution
from sfumato.mechanisms.values import is_number, is_whole
from sfumato.numeric import Ln, cached_property, float_above, shown
from sfumato.privacy import Epsilon, Relation, read_confidence, read_relation, usable_epsilon
from sfumato.refusal import Argument
from sfumato.sampling import BitSource, uniform_below

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from sfumato.information import Channel, Distribution


@dataclass(frozen=True, init=False, repr=False)
class Tabulated(PureMechanism[Any, Any]):
    """An output drawn from the row of a table that belongs to the private value.

    Parameters
    ----------
    channel
        What ``sf.information.private_channel`` found; or a ``Channel``, or what one is made of.
    neighbours
        Which inputs are neighbours: "adjacent" whole numbers, "all", or pairs of inputs.  What
        ``private_channel`` found says it by itself.
    epsilon
        ε, which the table is checked against; without it what ``private_channel`` was asked to
        keep, or else exactly what the table keeps, a logarithm.
    relation
        What one change of the data is: it moves the value from an input to a neighbour, or not.

    Attributes
    ----------
    channel
        The table.
    inputs, outputs
        The public values that may go in and come out.
    rows
        The distribution of the output for each input.
    pairs
        The inputs that are neighbours.

    Notes
    -----
    ε-differentially private where one change of the data moves the value along one pair of
    neighbours: of any output, hence of any set of them, the probabilities on two neighbours differ
    by a factor of e^ε at most, which is decided exactly when the table is read
    :cite:p:`dwork2014`.  A value is drawn by one comparison of whole numbers, so its distribution
    is that of the table and not one near it.  Proof: :doc:`/proofs/tabulated`.

    ==============================  ========================================================
    Edge cases                      What happens
    ==============================  ========================================================
    inputs 0, 1, ..., n             a whole number beyond an end counts as that end
    other inputs                    a value that is none of them is refused, without showing it
    floats in the table             the rationals that they store, divided by their exact sum
    NaN, None, text for a number    refused by their type
    an output of probability 0      refused, unless impossible on all neighbours as well
    ==============================  ========================================================

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.sampling import SeededSource
    >>> best = sf.information.private_channel(range(11), epsilon=1)
    >>> count = sf.mechanisms.Tabulated(best)
    >>> print(count.release(4, source=SeededSource(1)))
    4 NOT PRIVATE, drawn from a seed, 1-DP (add or remove one row)
    >>> sf.mechanisms.Tabulated([[3, 1], [1, 3]], neighbours="all").epsilon
    Ln(3)
    """

    channel: Channel = field(compare=False)
    epsilon: Epsilon
    relation: Relation
    inputs: tuple[Hashable, ...] = field(repr=False)
    rows: tuple[Distribution, ...] = field(repr=False)
    pairs: tuple[tuple[Hashable, Hashable], ...] = field(repr=False)

    theorem = (
        "Drawing an output from the row of a table that belongs to the private value is "
        "ε-differentially private where the probabilities of each output in two neighbouring "
        "rows differ by a factor of at most e^ε."
    )
    citations = ("dwork2014",)

    def __init__(
        self,
        channel: Any,
        *,
        neighbours: Any = None,
        epsilon: Any = None,
        relation: Relation = ONE_ROW,
    ) -> None:
        found = channel if isinstance(channel, PrivateChannel) else None
        table = found.channel if found else as_channel(channel)
        if found is not None and neighbours is None:
            neighbours = found.neighbours
        pairs, ratio = greatest_ratio(table, neighbours)
        if epsilon is None and found is not None and neighbours is found.neighbours:
            epsilon = found.epsilon
        self._keep(
            channel=table,
            epsilon=_kept(ratio, epsilon),
            relation=read_relation(relation),
            inputs=table.inputs,
            rows=table.rows,
            pairs=pairs,
        )

    @property
    def outputs(self) -> tuple[Hashable, ...]:
        """What may come out.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.mechanisms.Tabulated([[3, 1], [1, 3]], neighbours="all").outputs
        (0, 1)
        """
        return self.channel.outputs

    def neighbours(self) -> list[tuple[Any, Any]]:
        """Return all pairs of neighbouring inputs.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.mechanisms.Tabulated([[3, 1], [1, 3]], neighbours="all").neighbours()
        [(0, 1)]
        """
        return list(self.pairs)

    def distribution(self, value: Any) -> FiniteDistribution[Any]:
        """Return the exact output distribution for a value.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.mechanisms.Tabulated([[3, 1], [1, 3]], neighbours="all").distribution(0).exact(1)
        Fraction(1, 4)
        """
        row = self.rows[self._place(value)]
        return FiniteDistribution(self.outputs, row.fractions)

    def error(self, *, confidence: Any = 0.95) -> float:
        """Return a distance that the error of one release exceeds with at most 1 - confidence.

        Between numbers it is their difference; else 0.0 where the output is the value with the
        confidence, whatever the value, and 1.0 where it may be another.

        Examples
        --------
        >>> import sfumato as sf
        >>> best = sf.information.private_channel(range(11), epsilon=1)
        >>> sf.mechanisms.Tabulated(best).error(confidence=0.95)
        3.0
        """
        sure = read_confidence(confidence)
        return max(
            self._off(value, zip(self.outputs, row.fractions, strict=True), sure)
            for value, row in zip(self.inputs, self.rows, strict=True)
        )

    def _off(self, value: Any, row: Iterable[tuple[Any, Fraction]], sure: Fraction) -> float:
        far = sorted((_distance(value, output), chance) for output, chance in row)
        reached = Fraction(0)
        for distance, chance in far:
            reached += chance
            if reached >= sure:
                return float_above(distance)
        return float_above(far[-1][0])

    def _draw(self, value: Any, source: BitSource) -> Any:
        ends, total = self._ends[self._place(value)]
        point = int(uniform_below(total, 1, source=source)[0])
        return self.outputs[bisect_right(ends, point)]

    @cached_property
    def _ends(self) -> list[tuple[list[int], int]]:
        """Where each output ends on a line of whole numbers, for every input."""
        lines = (row.integers for row in self.rows)
        return [(list(accumulate(parts)), total) for parts, total in lines]

    def _place(self, value: Any) -> int:
        """Return the row of a value; one beyond consecutive whole numbers belongs to their end."""
        if are_consecutive(self.inputs):
            counts: Any = self.inputs
            if not is_whole(value):
                raise _no_input(f"whole numbers from {counts[0]:,} to {counts[-1]:,}")
            return self._places[min(max(int(value), counts[0]), counts[-1])]
        try:
            return self._places[value]
        except (KeyError, TypeError):
            raise _no_input(shown(self.inputs)) from None

    @cached_property
    def _places(self) -> dict[Hashable, int]:
        return {each: place for place, each in enumerate(self.inputs)}


def _distance(value: Any, output: Any) -> Fraction:
    if is_number(value) and is_number(output):
        return abs(Fraction(output) - Fraction(value))
    return Fraction(value != output)


def _kept(ratio: Fraction | None, epsilon: Any) -> Epsilon:
    """Return the ε of a table, or the greater one that was asked for."""
    if ratio is None:
        raise InputError(
            "E-GUARANTEE-TOO-WEAK",
            "an output of the table is possible on one of two neighbours and impossible on the "
            "other, so no ε is kept",
            "give every output a probability above 0 on both",
        )
    own = Ln(ratio) if ratio > 1 else Fraction(0)
    if epsilon is None:
        return own
    asked = usable_epsilon(epsilon)
    if own > asked:
        raise InputError(
            "E-GUARANTEE-TOO-WEAK",
            "the table keeps ε = {own}, which is above {epsilon}",
            "write {mend}, or leave it out",
            own=f"{float(own):.6g}",
            epsilon=shown(asked),
            mend=Argument("epsilon", float_above(Fraction(float(own))) + 1e-6),
        )
    return asked


def _no_input(inputs: str) -> InputError:
    return InputError(
        "E-INPUT-UNKNOWN",
        "the value is no input of this table: {inputs}",
        "give one of them",
        inputs=inputs,
    )
