"""What is claimed of a mechanism, and what is proved about outputs on one input against another."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.numeric import (
    Enclosure,
    Ln,
    any_float,
    float_above,
    float_below,
    shown,
    working_precision,
)
from sfumato.privacy import Epsilon, read_delta, read_epsilon, written
from sfumato.refusal import Argument
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from flint import arb


#: A fraction is written as one up to here, and as a decimal beyond.
_LARGEST_DENOMINATOR = 1000
#: How many bits are tried first.
FIRST_BITS = 128
#: With how many a number with a name is enclosed.
_NAMED_BITS = 192


def name_of(value: Fraction | Ln) -> str:
    """Return an exact number by its name."""
    return f"ln({value.argument})" if isinstance(value, Ln) else str(value)


def plain(value: Fraction | Ln) -> str:
    """Return a claimed number as it was written, with no more digits than it has."""
    if isinstance(value, Ln):
        return name_of(value)
    if math.isinf(any_float(value)):
        return shown(value)
    for digits in (f"{float(value):g}", repr(float(value))):
        if Fraction(digits) == value:
            return digits
    return str(value) if value.denominator <= _LARGEST_DENOMINATOR else repr(float(value))


@dataclass(frozen=True)
class Claim:
    """P(S) ≤ e^ε Q(S) + δ for every event S; or, at an order, a Rényi divergence of at most ε.

    Attributes
    ----------
    epsilon
        A rational, or the logarithm of one.
    delta
        A rational; 0 for pure differential privacy.
    order
        The order of Rényi differential privacy; None for (ε, δ).

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.audit.comparison import Claim
    >>> print(Claim(Fraction(1), Fraction(1, 100000)))
    (1, 1e-05)-DP
    """

    epsilon: Epsilon
    delta: Fraction = Fraction(0)
    order: Fraction | None = None

    def __str__(self) -> str:
        epsilon = plain(self.epsilon)
        if self.order is not None:
            return f"({plain(self.order)}, {epsilon})-Rényi DP"
        return f"({epsilon}, {plain(self.delta)})-DP" if self.delta else f"{epsilon}-DP"


def read_claim(epsilon: Any, delta: Any = 0, order: Any = None) -> Claim:
    """Return a claim from what a person wrote: a float is the decimal that denotes it."""
    limit, failure = read_epsilon(epsilon), read_delta(delta)
    if order is None:
        return Claim(limit, failure)
    if failure:
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "a Rényi claim has an order and an epsilon, no delta",
            "leave order or delta out",
        )
    alpha = written(order, "order")
    if alpha <= 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{argument} must be above 1, not {order}",
            "for pure privacy leave it out",
            order=shown(order),
            argument=Argument("order"),
        )
    return Claim(limit, order=alpha)


@dataclass(frozen=True)
class Interval:
    """All outcomes from ``low`` to ``high``, both included; None is no end.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.audit.comparison import Interval
    >>> print(Interval(None, Fraction(1, 2)))
    at most 0.5
    """

    low: Fraction | None
    high: Fraction | None

    def __str__(self) -> str:
        ends = (self.low, self.high)
        low, high = ("" if each is None else f"{any_float(each):.12g}" for each in ends)
        if not low:
            return tr("at most {high}", high=high) if high else tr("anything")
        if low == high:
            return low
        if not high:
            return tr("at least {low}", low=low)
        return tr("from {low} to {high}", low=low, high=high)


@dataclass(frozen=True)
class WitnessEvent:
    """A set of outcomes, with how likely it is under P and under Q.

    Attributes
    ----------
    outcomes
        The outcomes in it, or intervals of them.
    p, q
        Its probabilities: a Fraction where it is known exactly, else certified bounds.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.audit.comparison import WitnessEvent
    >>> WitnessEvent(("yes",), Fraction(2, 3), Fraction(1, 3)).p
    Fraction(2, 3)
    """

    outcomes: tuple[Hashable, ...]
    p: Fraction | Enclosure
    q: Fraction | Enclosure


@dataclass(frozen=True)
class Least:
    """The least ε (or δ) that holds: certified bounds, and the number itself where it is known.

    Examples
    --------
    >>> from sfumato.audit.comparison import Least
    >>> from sfumato.numeric import Enclosure, Ln
    >>> Least(Enclosure(0.693, 0.694), Ln(2)).exact
    Ln(2)
    """

    bounds: Enclosure
    exact: Fraction | Ln | None = None


@dataclass(frozen=True)
class Judgement:
    """Whether a claim holds one way: True or False where that is proved, None where it is not.

    Attributes
    ----------
    holds
        Proved, refuted, or None for undecided.
    event
        Where refuted, an event that shows it; where it holds, the closest that was looked at, if
        any.  None for a Rényi claim, which no one event refutes.
    """

    holds: bool | None
    event: WitnessEvent | None = None


class Comparison(ABC):
    """The output distribution P on one input against the distribution Q on another, one way.

    Attributes
    ----------
    assumption
        What all answers rest on that was told and not proved, as a sentence; else empty.
    """

    assumption: str = ""

    @abstractmethod
    def least_epsilon(self, delta: Fraction) -> Least:
        """Return the least ε at which P(S) ≤ e^ε Q(S) + δ for every event S, and 0 at least."""

    @abstractmethod
    def least_delta(self, epsilon: Epsilon) -> Least:
        """Return the least δ at which P(S) ≤ e^ε Q(S) + δ for every event S."""

    @abstractmethod
    def renyi(self, order: Fraction) -> Least:
        """Return the Rényi divergence of an order above 1 of P from Q."""

    @abstractmethod
    def judge(self, claim: Claim) -> Judgement:
        """Decide a claim, or say that it is undecided; never guess."""


def precisions(most: int) -> Iterator[int]:
    """Yield how many bits to try: the first whatever the most is, then twice as many."""
    bits = FIRST_BITS
    yield bits
    while (bits := 2 * bits) <= most:
        yield bits


def known_least(value: Fraction | Ln) -> Least:
    """Return a least value that is known, with the floats around it."""
    if isinstance(value, Fraction):
        return Least(Enclosure(float_below(value), float_above(value)), value)
    with working_precision(_NAMED_BITS):
        return Least(Enclosure.of_ball(value.ball()), value)


def probability_bounds(ball: arb) -> Enclosure:
    """Return floats around a probability, within 0 and 1 whatever its ball."""
    found = Enclosure.of_ball(ball)
    return Enclosure(min(max(found.lower, 0.0), 1.0), max(min(found.upper, 1.0), 0.0))


def at_least_zero(low: arb, high: arb) -> Enclosure:
    """Return floats around a number that counts as 0 where it is less."""
    return Enclosure(max(0.0, float_below(low)) + 0.0, max(0.0, float_above(high)) + 0.0)
