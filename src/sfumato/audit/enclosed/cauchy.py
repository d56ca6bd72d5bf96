"""Two Cauchy distributions, by closed forms."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flint import arb

from sfumato.audit.comparison import Interval, Least
from sfumato.audit.enclosed.candidates import Candidate, with_union
from sfumato.audit.enclosed.enclosed import EnclosedComparison
from sfumato.information.continuous.cauchy import (
    cauchy_maximum,
    cauchy_region,
    exact_cauchy_maximum,
)
from sfumato.numeric import Enclosure, as_ball, float_above, fraction_below
from sfumato.numeric.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from sfumato.information.continuous.cauchy import Cauchy
    from sfumato.numeric import Ln

__all__ = ["CauchyComparison"]


class CauchyComparison(EnclosedComparison):
    """One Cauchy distribution against another."""

    def __init__(self, p: Cauchy, q: Cauchy, *, effort: int) -> None:
        super().__init__(effort=effort)
        self._distributions = p, q

    @cached_property
    def exact_greatest(self) -> Ln | None:
        """See ``EnclosedComparison``."""
        return exact_cauchy_maximum(*self._distributions)

    def greatest(self) -> tuple[arb, arb]:
        """See ``EnclosedComparison``."""
        found = cauchy_maximum(*self._distributions)
        return found, found

    def excess(self, level: arb) -> arb:
        """See ``EnclosedComparison``."""
        if self.greatest()[1] <= level:
            return arb(0)
        region = cauchy_region(*self._distributions, level)
        if region is None:
            return arb(0.5, 0.5)
        p, q = (
            sum((_mass(each, *ends) for ends in region), arb(0)) for each in self._distributions
        )
        return (p - level.exp() * q).max(0)

    def events(self, level: arb) -> Iterator[Candidate]:
        """See ``EnclosedComparison``."""
        p, q = self._distributions
        near = [_near(*ends) for ends in cauchy_region(p, q, level) or []]
        yield from with_union([_candidate(p, q, low, high) for low, high in near])

    def event(self, interval: Interval) -> Candidate:
        """See ``EnclosedComparison``."""
        return _candidate(*self._distributions, interval.low, interval.high)

    def renyi(self, order: Fraction) -> Least:  # noqa: ARG002 - no closed form for any order
        """See ``Comparison``: the max divergence is a bound for every order."""
        return Least(Enclosure(0.0, float_above(self.greatest()[1])))


def _near(low: arb, high: arb) -> tuple[Fraction | None, Fraction | None]:
    """Return rational ends near those of an interval."""
    first, last = (
        None if math.isinf(float(end)) else fraction_below(end.mid()) for end in (low, high)
    )
    return first, last


def _candidate(p: Cauchy, q: Cauchy, low: Fraction | None, high: Fraction | None) -> Candidate:
    ends = (
        arb.neg_inf() if low is None else as_ball(low),
        arb.pos_inf() if high is None else as_ball(high),
    )
    return Candidate((Interval(low, high),), _mass(p, *ends), _mass(q, *ends))


def _mass(distribution: Cauchy, low: arb, high: arb) -> arb:
    """Return the probability between two points."""
    below = arb(0) if math.isinf(float(low)) else distribution.cdf(low)
    return (arb(1) if math.isinf(float(high)) else distribution.cdf(high)) - below
