"""Two finite distributions side by side, and the outcomes likelier under the first by a factor."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from flint import arb

from sfumato.errors import InputError
from sfumato.information.arrays import in_base
from sfumato.information.distribution import Distribution, DistributionLike, as_distribution
from sfumato.numeric import Ln, as_ball, as_fmpq, exact, nearest_float, rational_exponential

if TYPE_CHECKING:
    from collections.abc import Hashable
    from decimal import Decimal

    from numpy.typing import NDArray

    from sfumato.information.validate import Floats

    Number = float | Fraction | Decimal
    Mask = NDArray[np.bool_]


_LARGEST_EXPONENT = 700.0
#: Far above the relative error of a float logarithm, and of rounding ε to a float.
_SURE = 1e-12


class DistributionPair(Protocol):
    """Two distributions in one arithmetic; what an event is, only the pair knows."""

    def number(self, value: Number) -> Any:
        """Return a number in the arithmetic of this pair."""

    def above(self, ratio: Any) -> Any:
        """Return the event p > ratio · q."""

    def beyond(self, epsilon: Number | Ln) -> Any:
        """Return the event p > e^ε q."""

    def masses(self, event: Any) -> tuple[Any, Any]:
        """Return P(event) and Q(event)."""

    def positions(self, event: Any) -> list[int]:
        """Return the positions of the outcomes in an event."""

    def greatest_excess(self, epsilon: Number | Ln) -> Fraction | float:
        """Return the greatest P(S) - e^ε Q(S): a Fraction where exact, else the nearest float."""


def pair_of(p: Distribution, q: Distribution) -> DistributionPair:
    """Return the pair in exact arithmetic if both are exact, and in floats otherwise."""
    if p.is_exact and q.is_exact:
        return ExactPair(p.integers, q.integers)
    return FloatPair(p.probabilities, q.probabilities)


class ExactPair:
    """Two lists of integers, each over its sum; an event is a list of positions."""

    def __init__(self, p: tuple[list[int], int], q: tuple[list[int], int]) -> None:
        (left, self._left_total), (right, self._right_total) = p, q
        self._pairs = list(zip(left, right, strict=True))

    @staticmethod
    def number(value: Number) -> Fraction:
        """Return a number in the arithmetic of this pair."""
        return exact(value)

    def above(self, ratio: Fraction) -> list[int]:
        """Return where p > ratio · q."""
        left = ratio.denominator * self._right_total
        right = ratio.numerator * self._left_total
        return [i for i, (a, b) in enumerate(self._pairs) if a * left > b * right]

    def beyond(self, epsilon: Number | Ln) -> list[int]:
        """Return where p > e^ε q, decided exactly."""
        if math.isinf(epsilon):
            return [i for i, (a, b) in enumerate(self._pairs) if a and (b == 0 or epsilon < 0)]
        if (rational := rational_exponential(epsilon)) is not None:
            return self.above(rational)
        return [i for i, (a, b) in enumerate(self._pairs) if a and self._exceeds(a, b, epsilon)]

    def greatest_excess(self, epsilon: Number | Ln) -> Fraction | float:
        """Return the greatest P(S) - e^ε Q(S): a Fraction if e^ε is rational, else a float."""
        mass_p, mass_q = self.masses(self.beyond(epsilon))
        if math.isinf(epsilon):
            return mass_p
        if (rational := rational_exponential(epsilon)) is not None:
            return mass_p - rational * mass_q
        if mass_q == 0:
            return float(mass_p)
        left, right = as_fmpq(mass_p), as_fmpq(mass_q)
        return nearest_float(lambda: arb(left) - as_ball(epsilon).exp() * arb(right))

    def masses(self, event: list[int]) -> tuple[Fraction, Fraction]:
        """Return P(event) and Q(event)."""
        chosen = [self._pairs[i] for i in event]
        left, right = sum(a for a, _ in chosen), sum(b for _, b in chosen)
        return Fraction(left, self._left_total), Fraction(right, self._right_total)

    @staticmethod
    def positions(event: list[int]) -> list[int]:
        """Return the positions in an event."""
        return event

    def _exceeds(self, a: int, b: int, epsilon: Number | Ln) -> bool:
        """Decide p > e^ε q by floats where they are surely far enough apart, else exactly."""
        if b == 0:
            return True
        logs = math.log(a * self._right_total), math.log(b * self._left_total), float(epsilon)
        gap = logs[0] - logs[1] - logs[2]
        if abs(gap) > _SURE * (1 + sum(map(abs, logs))):
            return gap > 0
        return Ln(Fraction(a * self._right_total, b * self._left_total)) > epsilon


class FloatPair:
    """Two arrays of floats; an event is a mask over the positions."""

    def __init__(self, p: Floats, q: Floats) -> None:
        self._p, self._q = p, q

    @staticmethod
    def number(value: Number) -> float:
        """Return a number in the arithmetic of this pair."""
        return float(value)

    def above(self, ratio: float) -> Mask:
        """Return where p > ratio · q."""
        return self._p > ratio * self._q

    def beyond(self, epsilon: Number | Ln) -> Mask:
        """Return where p > e^ε q."""
        return self._p > self._scaled(float(epsilon))

    def greatest_excess(self, epsilon: Number | Ln) -> float:
        """Return the greatest P(S) - e^ε Q(S)."""
        excess = float(np.maximum(self._p - self._scaled(float(epsilon)), 0.0).sum())
        return min(excess, 1.0)

    def masses(self, event: Mask) -> tuple[float, float]:
        """Return P(event) and Q(event)."""
        return float(self._p[event].sum()), float(self._q[event].sum())

    @staticmethod
    def positions(event: Mask) -> list[int]:
        """Return the positions in an event."""
        positions: list[int] = np.flatnonzero(event).tolist()
        return positions

    def _scaled(self, epsilon: float) -> Floats:
        """Return e^ε q, infinite where that overflows and 0 where q is."""
        if epsilon <= _LARGEST_EXPONENT:
            return math.exp(epsilon) * self._q
        scaled = np.zeros_like(self._q)
        with np.errstate(over="ignore"):
            scaled[self._q > 0] = np.exp(epsilon + np.log(self._q[self._q > 0]))
        return scaled


def align(p: DistributionLike, q: DistributionLike) -> tuple[Distribution, Distribution]:
    """Return two labelled distributions over the union of their outcomes; a missing one gets 0.

    Examples
    --------
    >>> from sfumato.information import align, statistical_distance
    >>> p, q = align({"flu": 1, "cold": 1}, {"flu": 1, "asthma": 1})
    >>> p.labels
    ('flu', 'cold', 'asthma')
    >>> statistical_distance(p, q)
    Fraction(1, 2)
    """
    left, right = as_distribution(p, "p"), as_distribution(q, "q")
    if not (left.is_labelled or right.is_labelled):
        raise InputError(
            "E-OUTCOMES-UNNAMED",
            "p and q must name their outcomes to be aligned",
            "give mappings to numbers",
        )
    union = tuple(dict.fromkeys((*left.labels, *right.labels)))
    return left.over(union), right.over(union)


def matched(p: DistributionLike, q: DistributionLike) -> tuple[Distribution, Distribution]:
    """Return two distributions whose outcomes correspond one to one, or refuse in one sentence.

    A distribution that does not name its outcomes numbers them from 0.
    """
    left, right = as_distribution(p, "p"), as_distribution(q, "q")
    if not (left.is_labelled or right.is_labelled):
        _check_lengths(left, right)
        return left, right
    if left.is_labelled and left.labels == right.labels:
        return left, right
    ours, theirs = set(left.labels), set(right.labels)
    if ours != theirs:
        raise _difference(left, right, len(ours - theirs), len(theirs - ours))
    return left.over(tuple(left.labels)), right.over(tuple(left.labels))


def _check_lengths(left: Distribution, right: Distribution) -> None:
    if len(left) != len(right):
        raise InputError(
            "E-LENGTHS-DIFFER",
            "p has {count} outcomes and q has {other_count}",
            "give both the same ones, with 0 for an outcome that cannot occur",
            count=len(left),
            other_count=len(right),
        )


def _difference(
    left: Distribution, right: Distribution, only_left: int, only_right: int
) -> InputError:
    if left.is_labelled != right.is_labelled:
        return InputError(
            "E-OUTCOMES-UNNAMED",
            "one of p and q names its outcomes and the other does not",
            "give both the same way",
        )
    return InputError(
        "E-OUTCOMES-DIFFER",
        "p and q are over different outcomes ({only_left} only in p, {only_right} only in q)",
        "write 0 for an outcome that cannot occur, or call align(p, q) first",
        only_left=only_left,
        only_right=only_right,
    )


@dataclass(frozen=True)
class MaxWitness:
    """A max divergence and an event that attains it.

    Attributes
    ----------
    value
        The logarithm of ``ratio``.
    ratio
        (P(event) - δ) / Q(event); a Fraction where everything given was exact.
    event
        The outcomes in the event; empty where δ is 1.
    p, q
        P(event) and Q(event).

    Examples
    --------
    >>> from sfumato.information import max_divergence
    >>> max_divergence([3, 1], [1, 1], witness=True).event
    (0,)
    """

    value: float
    ratio: Fraction | float
    event: tuple[Hashable, ...]
    p: Fraction | float
    q: Fraction | float


@dataclass(frozen=True)
class StickWitness:
    """A hockey-stick divergence and an event that attains it.

    Attributes
    ----------
    value
        P(event) - e^ε Q(event); a Fraction where that is rational and everything was exact.
    event
        The outcomes in the event; empty where no event has an excess.
    p, q
        P(event) and Q(event).

    Examples
    --------
    >>> from sfumato.information import hockey_stick
    >>> hockey_stick([3, 1], [1, 1], epsilon=0, witness=True)
    StickWitness(value=Fraction(1, 4), event=(0,), p=Fraction(3, 4), q=Fraction(1, 2))
    """

    value: Fraction | float
    event: tuple[Hashable, ...]
    p: Fraction | float
    q: Fraction | float


def max_witness(p: Distribution, q: Distribution, delta: Number, base: float) -> MaxWitness:
    """Return the greatest (P(S) - δ) / Q(S) over events with P(S) > δ, and such an event.

    Dinkelbach's iteration :cite:p:`dinkelbach1967`: at a ratio r the best event is {p > r q};
    its own ratio is the next r, and the events shrink until the ratio stays.
    """
    if delta >= 1:
        return MaxWitness(-math.inf, 0.0, (), 0.0, 0.0)
    pair = pair_of(p, q)
    ratio, event = _greatest_ratio(pair, pair.number(delta))
    if ratio == math.inf and pair.masses(event)[1] > 0:  # beyond the floats, but finite
        pair = ExactPair(p.integers, q.integers)
        ratio, event = _greatest_ratio(pair, pair.number(delta))
    named = tuple(p.labels[i] for i in pair.positions(event))
    return MaxWitness(in_base(_log(ratio), base), ratio, named, *pair.masses(event))


def greatest_excess(p: Distribution, q: Distribution, epsilon: Number | Ln) -> Fraction | float:
    """Return the greatest P(S) - e^ε Q(S) over events."""
    return pair_of(p, q).greatest_excess(epsilon)


def stick_witness(p: Distribution, q: Distribution, epsilon: Number | Ln) -> StickWitness:
    """Return the greatest P(S) - e^ε Q(S) over events, and such an event."""
    pair = pair_of(p, q)
    event = pair.beyond(epsilon)
    named = tuple(p.labels[i] for i in pair.positions(event))
    return StickWitness(pair.greatest_excess(epsilon), named, *pair.masses(event))


def _greatest_ratio(pair: DistributionPair, slack: Any) -> tuple[Any, Any]:
    """Return the greatest ratio and its event."""
    best = event = pair.above(0)
    ratio = pair.number(0)
    while True:
        mass_p, mass_q = pair.masses(event)
        if mass_q == 0:
            return (math.inf, event) if mass_p > slack else (ratio, best)
        if (mass_p - slack) / mass_q <= ratio:
            return ratio, best
        best, ratio = event, (mass_p - slack) / mass_q
        event = pair.above(ratio)


def _log(ratio: Fraction | float) -> float:
    if ratio == math.inf:
        return math.inf
    return float(Ln(ratio)) if ratio > 0 else -math.inf
