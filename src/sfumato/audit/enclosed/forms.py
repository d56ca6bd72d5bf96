"""The forms of distributions that can be compared by enclosures: what each must offer.

A distribution is judged by what it has, not by its class; so one of another's making counts as
well.  The first form that both distributions have is taken, in this order:

=============  ===================================================================================
form           what a distribution of it has
=============  ===================================================================================
independent    ``factors``: independent distributions, of which the output is the tuple
branches       ``branches``: disjoint alternatives, each a name, a probability and a distribution
processed      ``source`` and ``processing``: it is that of a function of another one's output
stretched      ``stretches``: finitely many stretches of equally likely outcomes, exactly
shaped         ``shape``: whole numbers whose log-odds are rational and piecewise linear
mixed          ``parts``: probabilities, and whole-number noise of one shape around several numbers
atomic         ``ball`` and ``cumulative`` alone
real           a ``cdf``: a density on the line, as ``information.continuous`` reads it
=============  ===================================================================================
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Protocol

from flint import arb

from sfumato.audit.comparison import Interval
from sfumato.audit.enclosed.enclosure import CandidateEvent
from sfumato.information.continuous import is_continuous

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence
    from fractions import Fraction

    from sfumato.numeric import Exponentials


class Atomic(Protocol):
    """A distribution on numbers, each with a probability, in balls at the precision in force."""

    def ball(self, outcome: Any) -> arb:
        """Return the probability of an outcome; 0 of what is none."""

    def cumulative(self, outcome: Any) -> arb:
        """Return the probability of all outcomes up to a number."""


class OddsShape(Protocol):
    """Log-odds on whole numbers: rational, and linear between turns but for a common bend.

    Attributes
    ----------
    step
        Outcomes are the multiples k·step.
    family
        Distributions of one family are shifts of each other: their odds have the same sum.
    core
        A first and a last k.  Beyond them there are no other turns than those of the period:
        level(k + period) = level(k) - fall upwards, and level(k - period) = level(k) - fall
        downwards, where there is no bend.
    period, fall
        How the odds go down outside the core; a period of 1 is a geometric tail.
    bend
        level(k) + bend·k²/2 is linear between turns.
    """

    @property
    def step(self) -> Fraction:
        """What outcomes are multiples of."""

    @property
    def family(self) -> Hashable:
        """Equal for distributions that are shifts of each other."""

    @property
    def core(self) -> tuple[int, int]:
        """Beyond it the odds repeat themselves, ever smaller."""

    @property
    def period(self) -> int:
        """After how many steps."""

    @property
    def fall(self) -> Fraction:
        """By how much the log-odds go down in a period."""

    @property
    def bend(self) -> Fraction:
        """How the log-odds curve."""

    def level(self, k: int) -> Fraction:
        """Return the log-odds of a whole number, up to a constant of the family."""

    def turns(self, low: int, high: int) -> Iterable[int]:
        """Return where stretches begin, above one number and up to another."""


class Shaped(Atomic, Protocol):
    """A distribution on the multiples of a step with a known shape."""

    @property
    def shape(self) -> OddsShape:
        """The log-odds."""


class Stretched(Atomic, Protocol):
    """A distribution on finitely many multiples of a step, equally likely within each stretch."""

    @property
    def step(self) -> Fraction:
        """What outcomes are multiples of."""

    @property
    def stretches(self) -> Sequence[tuple[int, int, Exponentials]]:
        """A first and a last k, and the odds of each k between, in order."""


class Processed(Atomic, Protocol):
    """The distribution of a function of another's output; the function does not fall."""

    @property
    def source(self) -> Any:
        """The other distribution."""

    @property
    def processing(self) -> Any:
        """The function, equal to another if it is the same; called with an exact number."""


class Branched(Protocol):
    """Disjoint alternatives, of which one is drawn first."""

    @property
    def branches(self) -> Sequence[tuple[Hashable, arb, Any]]:
        """A name, a probability, and the outcome's distribution, or None if it is the name."""


def has(distribution: Any, *names: str) -> bool:
    """Tell whether a distribution has all of some attributes, and none of them is None."""
    return not isinstance(distribution, type) and all(
        getattr(distribution, each, None) is not None for each in names
    )


def is_distribution(value: Any) -> bool:
    """Tell whether something is a distribution of one of the forms, and not a finite table."""
    if isinstance(value, type) or has(value, "outcomes"):
        return False
    known = has(value, "factors") or has(value, "branches") or has(value, "ball", "cumulative")
    return known or is_continuous(value)


def mass(distribution: Atomic, interval: Interval) -> arb:
    """Return a ball around the probability of a closed interval of outcomes."""
    up_to = arb(1) if interval.high is None else distribution.cumulative(interval.high)
    if interval.low is None:
        return up_to
    return (up_to - distribution.cumulative(interval.low) + distribution.ball(interval.low)).max(0)


def event_of(p: Atomic, q: Atomic, interval: Interval) -> CandidateEvent:
    """Return an interval as an event, with its probabilities under two distributions."""
    return CandidateEvent((interval,), mass(p, interval), mass(q, interval))


def merged(intervals: Iterable[Interval]) -> list[Interval]:
    """Return the same set of outcomes as disjoint intervals, in order."""
    whole: list[Interval] = []
    for each in sorted(intervals, key=_start):
        if whole and _start(each) <= _stop(whole[-1]):
            last = whole.pop()
            whole.append(Interval(last.low, max(last, each, key=_stop).high))
        else:
            whole.append(each)
    return whole


def _start(interval: Interval) -> Fraction | float:
    return -math.inf if interval.low is None else interval.low


def _stop(interval: Interval) -> Fraction | float:
    return math.inf if interval.high is None else interval.high
