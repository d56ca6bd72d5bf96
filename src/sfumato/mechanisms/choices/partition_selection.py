"""Which groups of a table may be shown, where even their names are private."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb

from sfumato.errors import InputError
from sfumato.mechanisms.base import (
    ONE_ROW,
    GuaranteedMechanism,
    read_positive_delta,
    read_usable_epsilon,
)
from sfumato.mechanisms.choices.selection import rational_below
from sfumato.mechanisms.distributions.integers import floor_of, least_whole
from sfumato.mechanisms.distributions.output import FiniteDistribution
from sfumato.mechanisms.values import is_whole, refuse_masked
from sfumato.numeric import (
    Exponentials,
    as_ball,
    cached_property,
    float_above,
    fraction_below,
    read_count,
    shown,
    working_precision,
)
from sfumato.privacy import AddRemove, Epsilon, Relation, read_confidence
from sfumato.refusal import Argument, Bare
from sfumato.sampling import BitSource, coin_of_ball

if TYPE_CHECKING:
    from numpy.typing import NDArray


_FIRST_BITS = 128
#: The exact probability for more people is not told.
_MOST_TERMS = 512
_BITS = 256
_WORDS = 1 << 63


@dataclass(frozen=True)
class KeepRule:
    """π(n), the greatest probabilities with π(0) = 0 that one person's presence cannot show.

    The optimum of :cite:p:`desfontaines2022partition`: π(n+1) is the least of e^ε π(n) + δ,
    1 - e^{-ε}(1 - π(n) - δ) and 1.  The first is the least while π(n) ≤ (1-δ)/(1+e^ε), and solves
    to π(n) = κ(e^{nε} - 1) with κ = δ/(e^ε - 1); from there on 1 - π(n) + κ falls by e^{-ε} at
    each step, until π(n) would exceed 1.  So no step is ever taken.

    Parameters
    ----------
    epsilon
        Above 0, and rational: then e^ε is transcendental, and the turn is never a tie.
    delta
        Above 0 and below 1.
    """

    epsilon: Fraction
    delta: Fraction

    def probability(self, count: int) -> arb:
        """Return a ball around π of a number of people, at the precision in force."""
        if count <= 0 or count >= self.end:
            return arb(1 if count > 0 else 0)
        return self._rising(count) if count <= self.turn else 1 - self._falling(count)

    def exact_probability(self, count: int) -> Exponentials | None:
        """Return π as a sum of exponentials, None for so many people that it is too long.

        The quotients of the closed forms are finite geometric sums.
        """
        if count <= 0 or count >= self.end:
            return Exponentials(1 if count > 0 else 0)
        if count > _MOST_TERMS:
            return None
        if count <= self.turn:
            return self._powers(0, count)
        gone = count - self.turn
        left = (1 - self._powers(0, self.turn)) * Exponentials.exp(-gone * self.epsilon)
        return 1 - left + self._powers(-gone, 0)

    def _powers(self, first: int, after: int) -> Exponentials:
        """Return δ times the sum of e^{jε} from one j on and before another."""
        return Exponentials({j * self.epsilon: self.delta for j in range(first, after)})

    @cached_property
    def turn(self) -> int:
        """The first number of people for which π is above (1-δ)/(1+e^ε)."""
        return floor_of(self._crossing) + 1

    @cached_property
    def end(self) -> int:
        """A number of people from which on π is 1: the first, but for at most one."""
        with working_precision(_FIRST_BITS + self.turn.bit_length()):
            left = 1 - self._rising(self.turn)
            steps = (left / self._kappa()).log1p() / as_ball(self.epsilon)
            return self.turn + math.ceil(-fraction_below(-steps))

    def _kappa(self) -> arb:
        return as_ball(self.delta) / as_ball(self.epsilon).expm1()

    def _crossing(self) -> arb:
        """Return the real n at which κ(e^{nε} - 1) = (1-δ)/(1+e^ε)."""
        level = as_ball(1 - self.delta) / (1 + as_ball(self.epsilon).exp())
        return (level / self._kappa()).log1p() / as_ball(self.epsilon)

    def _rising(self, count: int) -> arb:
        return self._kappa() * as_ball(count * self.epsilon).expm1()

    def _falling(self, count: int) -> arb:
        """Return 1 - π(count) beyond the turn."""
        gone = as_ball(-(count - self.turn) * self.epsilon)
        left = 1 - self._rising(self.turn)
        return (left * gone.exp() + self._kappa() * gone.expm1()).max(arb(0))


@dataclass(frozen=True, init=False, repr=False)
class PartitionSelection(GuaranteedMechanism[Any, Any]):
    """Keep a group or drop it, by how many people are in it: the likeliest way that is private.

    A group that exists because of one person must hardly ever be shown: with one person it is kept
    with probability δ, and with many for certain.

    Parameters
    ----------
    epsilon
        ε, from 1e-12 to 10^6.
    delta
        δ, above 0 and below 1.
    partitions
        L, the most groups that one person is in.
    relation
        ``AddRemove`` of one row or one person.  Under substitution one person would leave some
        groups and enter others, twice as many as L; account for that by ``guarantee.for_relation``.

    Notes
    -----
    Proof: :doc:`/proofs/partition-selection`.

    (ε, δ)-differentially private, and no rule of the same guarantee keeps any group with a greater
    probability :cite:p:`desfontaines2022partition`; see :class:`KeepRule` for the rule.  For a
    person in L groups each is decided with (ε/L, 1 - (1-δ)^{1/L}), rounded down, which come to
    (ε, δ) together :cite:p:`kairouz2015composition`.

    A list or an array of counts is for groups that everybody may know of: how many there are
    shows in what is released.  Where the names themselves are private, give a mapping from the
    groups that have somebody in them to their counts, or a pandas Series of counts with the names
    as its index, as ``value_counts`` makes it: only the names that are kept come out.

    ==============================  ========================================================
    Edge cases                      What happens
    ==============================  ========================================================
    a number                        True or False is released
    a list or an array              an array of the same shape, each decided independently
    a mapping, a pandas Series      the set of the groups that are kept; nothing else shows
    a name twice in a Series        its counts are added up
    0 and negative counts           never kept
    great counts, beyond 2**63 too  kept for certain
    an empty list                   an empty array
    floats, NaN, infinity           refused: people are counted in whole numbers
    strings, booleans, None         refused, and so are ragged lists and durations
    frames, masked arrays           refused
    ε given as a logarithm          rounded down by less than one part in 2**120
    ==============================  ========================================================

    Examples
    --------
    >>> import sfumato as sf
    >>> shown = sf.mechanisms.PartitionSelection(epsilon=1, delta=1e-5)
    >>> shown.release([0, 1000]).value
    array([False,  True])
    >>> shown.release({"flu": 1000, "nobody's": 0}).value
    frozenset({'flu'})
    >>> round(shown.distribution(12).probability(True).upper, 10)
    0.7603109969
    """

    epsilon: Epsilon
    delta: Fraction
    partitions: int
    relation: Relation

    theorem = (
        "Keeping a group of n people with probability π(n), where π(0) = 0 and π(n+1) is the least "
        "of e^ε π(n) + δ, 1 - e^{-ε}(1 - π(n) - δ) and 1, is (ε, δ)-differentially private for "
        "adding or removing one unit."
    )
    citations = ("desfontaines2022partition", "kairouz2015composition")

    def __init__(
        self, *, epsilon: Any, delta: Any, partitions: int = 1, relation: Relation = ONE_ROW
    ) -> None:
        self._keep(
            epsilon=read_usable_epsilon(epsilon),
            delta=read_positive_delta(delta),
            partitions=read_count(partitions, "partitions"),
            relation=_read_one_unit(relation),
        )

    @cached_property
    def rule(self) -> KeepRule:
        """How likely a group is to be kept, by the people in it.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.mechanisms.PartitionSelection(epsilon=1, delta=1e-5).rule.end
        23
        """
        share = Fraction(1, self.partitions)
        epsilon = rational_below(self.epsilon) * share
        if self.partitions == 1:
            return KeepRule(epsilon, self.delta)
        with working_precision(_BITS):
            kept = (as_ball(-self.delta).log1p() * as_ball(share)).expm1()
            return KeepRule(epsilon, fraction_below(-kept))

    def distribution(self, value: Any) -> FiniteDistribution[bool]:
        """Return the exact distribution of whether one group is shown.

        Examples
        --------
        >>> import sfumato as sf
        >>> shown = sf.mechanisms.PartitionSelection(epsilon=1, delta=1e-5)
        >>> shown.distribution(1000).probability(True)
        Enclosure(lower=1.0, upper=1.0)
        """
        count = int(_read_counts(value, rows=0)[()])
        keep = partial(self.rule.probability, count)
        return FiniteDistribution(
            [False, True], [lambda: 1 - keep(), keep], partial(self._odds, count)
        )

    def neighbours(self) -> list[tuple[int, int]]:
        """Return numbers of people one apart: none, where the rule turns, and where it ends.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.mechanisms.PartitionSelection(epsilon=1, delta=1e-5).neighbours()
        [(0, 1), (10, 11), (11, 12), (22, 23)]
        """
        turn, end = self.rule.turn, self.rule.end
        return [(at - 1, at) for at in sorted({1, turn, turn + 1, end})]

    def _odds(self, count: int) -> tuple[Exponentials, Exponentials] | None:
        kept = self.rule.exact_probability(count)
        return None if kept is None else (1 - kept, kept)

    def error(self, *, confidence: Any = 0.95) -> float:
        """Return how many people a group needs to be kept with a confidence.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.mechanisms.PartitionSelection(epsilon=1, delta=1e-5).error(confidence=0.95)
        14.0
        """
        rule, level = self.rule, read_confidence(confidence)
        with working_precision(_BITS + rule.end.bit_length()):
            sure = as_ball(level)
            return float_above(Fraction(least_whole(lambda n: rule.probability(n) >= sure)))

    def _draw(self, value: Any, source: BitSource) -> Any:
        if isinstance(value, Mapping) or hasattr(value, "iloc"):
            names, counts = _read_groups(value)
            return frozenset(sorted(compress(names, self._decided(counts, source)), key=repr))
        counts = _read_counts(value)
        kept = self._decided(counts.ravel(), source)
        return kept.reshape(counts.shape) if counts.ndim else bool(kept[0])

    def _decided(self, counts: NDArray[Any], source: BitSource) -> NDArray[np.bool_]:
        """Toss a coin for each count, those of equal counts together."""
        clipped = _clipped(counts, self.rule.end)
        distinct, place, times = np.unique(clipped, return_inverse=True, return_counts=True)
        kept = np.empty(counts.size, dtype=np.bool_)
        tossed = [
            coin_of_ball(partial(self.rule.probability, int(count)), int(often), source=source)
            for count, often in zip(distinct, times, strict=True)
        ]
        kept[np.argsort(place, kind="stable")] = np.concatenate([kept[:0], *tossed])
        return kept


def _read_groups(value: Any) -> tuple[list[Any], NDArray[Any]]:
    """Return the names of a mapping or a pandas Series, each once, and their counts."""
    if isinstance(value, Mapping):
        return list(value), _read_counts(list(value.values()), rows=1)
    counts = _read_counts(value)
    total: dict[Any, int] = {}
    for name, count in zip(value.index, counts, strict=True):
        total[name] = total.get(name, 0) + int(count)
    return list(total), _read_counts(list(total.values()), rows=1)


def _read_counts(value: Any, *, rows: int | None = None) -> NDArray[Any]:
    """Return whole numbers in an array, of so many dimensions if said; no message shows one."""
    refuse_masked(value)
    array = np.array(None) if hasattr(value, "columns") else _as_array(value)
    whole = array.dtype.kind in "iu" or all(map(is_whole, array.flat))
    if not whole or (rows is not None and array.ndim != rows):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "a count must be a whole number of people",
            "to release, give one, or a list of them, or {{'flu': 12}}; for a distribution, one",
        )
    return array


def _as_array(value: Any) -> NDArray[Any]:
    """Return an array as it is, and else one of Python's own objects."""
    try:
        return value if isinstance(value, np.ndarray) else np.array(value, dtype=object)
    except ValueError:
        return np.array(None)


def _clipped(counts: NDArray[Any], most: int) -> NDArray[Any]:
    """Return counts within 0 and the most, whatever integers they are."""
    if np.can_cast(counts.dtype, np.int64) and most < _WORDS:
        return np.clip(counts.astype(np.int64), 0, most)
    return np.asarray(np.minimum(np.maximum(counts.astype(object), 0), most))


def _read_one_unit(relation: Any) -> Relation:
    if not isinstance(relation, AddRemove) or relation.count != 1:
        raise InputError(
            "E-RELATION-OTHER",
            "partition selection is for adding or removing one row or one person, not for "
            "{relation}",
            "write {example}",
            relation=shown(relation),
            example=Argument("relation", Bare("sf.privacy.AddRemove()")),
        )
    return relation
