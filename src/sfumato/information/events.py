"""The event that tells two finite distributions apart best, found exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.information.likelihood import ExactPair, Pair, pair_of
from sfumato.information.logarithm import in_base
from sfumato.numeric import Ln

if TYPE_CHECKING:
    from collections.abc import Hashable
    from decimal import Decimal
    from fractions import Fraction

    from sfumato.information.distribution import Distribution

    Number = float | Fraction | Decimal

__all__ = ["MaxWitness", "StickWitness", "greatest_excess", "max_witness", "stick_witness"]


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


def _greatest_ratio(pair: Pair, slack: Any) -> tuple[Any, Any]:
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
