"""Two distributions on whole numbers with rational log-odds: noise of one shape around two numbers.

Between the turns the log-ratio is linear with a rational slope, and outside it repeats itself: so
its greatest value is found among finitely many outcomes, exactly, and the outcomes at which it
exceeds a level are stretches, whose probabilities are differences of cumulative ones.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from sfumato.audit.comparison import Interval, Least
from sfumato.audit.enclosed.bounds import between, exactly
from sfumato.audit.enclosed.candidates import SPREAD, Candidate, with_union
from sfumato.audit.enclosed.enclosed import EnclosedComparison
from sfumato.audit.enclosed.masses import event_of
from sfumato.audit.enclosed.power_sums import log_power_sum
from sfumato.errors import InputError
from sfumato.numeric import (
    Enclosure,
    as_ball,
    float_above,
    float_below,
    fraction_below,
    working_precision,
)
from sfumato.numeric.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.audit.enclosed.forms import Shaped
    from sfumato.audit.enclosed.runs import Run

__all__ = ["ShapedComparison"]

#: How often a run that is repeated for ever is told of in an event.
_PERIODS = 48
_BITS = 192


class ShapedComparison(EnclosedComparison):
    """Two distributions of known shape, and the runs of their log-ratio."""

    def __init__(self, p: Shaped, q: Shaped, runs: list[Run], *, effort: int) -> None:
        super().__init__(effort=effort)
        self._distributions, self._runs = (p, q), runs
        self._same_family = p.shape.family == q.shape.family
        with working_precision(_BITS):
            self._refuse_another_shape()

    @cached_property
    def exact_greatest(self) -> Fraction | None:
        """See ``EnclosedComparison``."""
        most = self._greatest_gap
        return most if isinstance(most, Fraction) and self._same_family else None

    @property
    def half_line(self) -> Interval | None:
        """See ``EnclosedComparison``."""
        for run in self._runs:
            endless = run.first is None or run.last is None
            if endless and run.slope == 0 and run.gap == self.exact_greatest:
                return self._interval(run)
        return None

    def greatest(self) -> tuple[arb, arb]:
        """See ``EnclosedComparison``."""
        most = self._greatest_gap
        found = arb.pos_inf() if isinstance(most, float) else as_ball(most) + self._constant()
        return found, found

    def excess(self, level: arb) -> arb:
        """See ``EnclosedComparison``: where the level is not told from the ratio, little is lost.

        There P exceeds e^level Q by a factor of at most e to twice the radius of the threshold.
        """
        threshold = level - self._constant()
        parts = self._parts_above(threshold)
        sure = sum((self._excess_over(part, level) for part in parts), arb(0)).max(0)
        return between(sure, sure + (2 * threshold.rad()).expm1())

    def events(self, level: arb) -> Iterator[Candidate]:
        """See ``EnclosedComparison``."""
        parts = self._parts_above(level - self._constant())
        seen = (part.shifted(i) for part in parts for i in range(_PERIODS if part.period else 1))
        yield from with_union([self._event_of(part) for part in seen])

    def event(self, interval: Interval) -> Candidate:
        """See ``EnclosedComparison``."""
        return event_of(*self._distributions, interval)

    @property
    def landmarks(self) -> list[Fraction]:
        """See ``EnclosedComparison``."""
        shapes = [each.shape for each in self._distributions]
        low, high = min(each.core[0] for each in shapes), max(each.core[1] for each in shapes)
        unit = max(1, high - low, *(each.period for each in shapes))
        return sorted({self._near(low + unit * each) for each in SPREAD})

    def _near(self, k: Fraction) -> Fraction:
        return math.floor(k) * self._distributions[0].shape.step

    def renyi(self, order: Fraction) -> Least:
        """See ``Comparison``."""
        p, q = self._distributions
        known = Fraction(0) if p == q else self._exact_renyi(order)
        if known is not None:
            return exactly(known)
        with working_precision(_BITS):
            total = log_power_sum(p.shape, q.shape, self._runs, order)
            scaled = total + as_ball(order) * _log_share(p) + as_ball(1 - order) * _log_share(q)
            found = scaled / as_ball(order - 1)
            if found.is_nan():
                return Least(Enclosure(0.0, math.inf))
            return Least(Enclosure(max(0.0, float_below(found)), max(0.0, float_above(found))))

    def _exact_renyi(self, order: Fraction) -> Fraction | None:
        """Return α·bend·Δ²/2 for bent odds without turns, where α times the shift Δ is whole.

        Then the tilted odds are those of the family around a whole number, with the same sum.
        """
        p, q = (each.shape for each in self._distributions)
        low, high = sorted((p.core[0], q.core[0]))
        turns = (turn for shape in (p, q) for turn in shape.turns(low - 1, high))
        smooth = self._same_family and p.bend > 0 and next(iter(turns), None) is None
        whole = (order * (high - low)).denominator == 1
        return order * p.bend * (high - low) ** 2 / 2 if smooth and whole else None

    @cached_property
    def _greatest_gap(self) -> Fraction | float:
        return max(run.greatest() for run in self._runs)

    def _refuse_another_shape(self) -> None:
        one, other = map(_log_share, self._distributions)
        shifted = one.overlaps(other) or not self._same_family
        if not (shifted and all(map(_fits, self._distributions))):
            raise InputError(
                "E-DISTRIBUTION-INCONSISTENT",
                "the distribution's shape does not fit its probabilities: neighbouring outcomes "
                "must have the ratio e^(level(k + 1) - level(k)), cumulative must add them up, "
                "and distributions of one family must be shifts of each other",
            )

    def _constant(self) -> arb:
        """Return what log p/q is above the gap everywhere: 0 within a family."""
        if self._same_family:
            return arb(0)
        p, q = self._distributions
        return _log_share(p) - _log_share(q)

    def _parts_above(self, threshold: arb) -> list[Run]:
        """Return the parts of the runs on which the gap exceeds a threshold."""
        if not threshold.is_finite():
            return []
        level = fraction_below(threshold.mid())
        return [part for run in self._runs if (part := run.above(level)) is not None]

    def _excess_over(self, part: Run, level: arb) -> arb:
        """Return P - e^level Q over a part, and over all its repetitions, ever less likely."""
        once = self._event_of(part).excess(level)
        if not part.period:
            return once
        p = self._distributions[0].shape
        return once / -as_ball(-p.fall * (abs(part.period) // p.period)).expm1()

    def _event_of(self, part: Run) -> Candidate:
        return self.event(self._interval(part))

    def _interval(self, run: Run) -> Interval:
        step = self._distributions[0].shape.step
        low, high = (None if end is None else end * step for end in (run.first, run.last))
        return Interval(low, high)


def _fits(distribution: Shaped) -> bool:
    """Tell whether a few probabilities may have the log-odds that the shape tells."""
    low, high = distribution.shape.core
    return all(_fits_at(distribution, k) for k in (low - 1, high, high + distribution.shape.period))


def _fits_at(distribution: Shaped, k: int) -> bool:
    shape = distribution.shape
    step, gap = shape.step, as_ball(shape.level(k + 1) - shape.level(k))
    here, after = distribution.ball(k * step), distribution.ball((k + 1) * step)
    added = distribution.cumulative((k + 1) * step) - distribution.cumulative(k * step)
    return bool(after.overlaps(here * gap.exp()) and after.overlaps(added))


def _log_share(distribution: Shaped) -> arb:
    """Return the logarithm of what odds are multiplied by to become probabilities."""
    shape = distribution.shape
    k = shape.core[0]
    return distribution.ball(k * shape.step).log() - as_ball(shape.level(k))
