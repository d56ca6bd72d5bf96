"""Which comparison two distributions get, of several independent parts or of one."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import inf, prod
from typing import TYPE_CHECKING, Any

from flint import arb

from sfumato.audit.comparison import (
    Claim,
    Comparison,
    Judgement,
    Least,
    WitnessEvent,
    known_least,
    probability_bounds,
)
from sfumato.audit.enclosed.composite import BranchedComparison, ProcessedComparison, read_branches
from sfumato.audit.enclosed.countable import SummedComparison, compare_stretches
from sfumato.audit.enclosed.discrete_noise import ShapedComparison, gap_runs
from sfumato.audit.enclosed.enclosure import (
    AdaptedComparison,
    EnclosedComparison,
    ball_around,
    settled,
)
from sfumato.audit.enclosed.forms import has
from sfumato.audit.enclosed.mixed_noise import compare_mixed_noise
from sfumato.audit.enclosed.real import CauchyComparison, RealComparison
from sfumato.audit.exact.distribution import is_finite_distribution
from sfumato.audit.exact.finite import EFFORT, compare_finite
from sfumato.audit.exact.independent import Parts
from sfumato.errors import InputError
from sfumato.information.continuous import Cauchy
from sfumato.numeric import (
    Enclosure,
    Ln,
    as_ball,
    exact,
    float_above,
    float_below,
    fraction_below,
    working_precision,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.privacy import Epsilon

_BITS = 128
_MOST = 2.0**20


def compare_parts(
    p: Sequence[Any], q: Sequence[Any], compare: Callable[[Any, Any], Comparison]
) -> Comparison:
    """Return the comparison of two distributions of independent parts: equal parts cancel."""
    if len(p) != len(q):
        raise InputError(
            "E-DISTRIBUTIONS-DIFFER",
            "distributions of {count} and of {other_count} independent parts are not compared",
            count=len(p),
            other_count=len(q),
        )
    pairs = enumerate(zip(p, q, strict=True))
    return PartsComparison({place: compare(*pair) for place, pair in pairs if pair[0] != pair[1]})


class PartsComparison(Comparison):
    """The parts that differ: ratios multiply, so that pure and Rényi bounds add.

    With a δ, one part may spend it while all others are bounded by their greatest ratio.
    """

    def __init__(self, parts: dict[int, Comparison]) -> None:
        self._parts = parts
        self.assumption = next(filter(None, (each.assumption for each in parts.values())), "")
        self._pure = {at: part.least_epsilon(Fraction(0)) for at, part in parts.items()}

    def least_epsilon(self, delta: Fraction) -> Least:
        """See ``Comparison``."""
        if delta == 0 or not self._parts:
            return _sum(list(self._pure.values()))
        alone = {at: part.least_epsilon(delta).bounds for at, part in self._parts.items()}
        low = max(each.lower for each in alone.values())
        most = min(_add(each.upper, self._others(at)) for at, each in alone.items())
        return Least(Enclosure(low, max(low, most)))

    def least_delta(self, epsilon: Epsilon) -> Least:
        """See ``Comparison``."""
        if settled(self.least_epsilon(Fraction(0)), epsilon):
            return known_least(Fraction(0))
        low = max(part.least_delta(epsilon).bounds.lower for part in self._parts.values())
        most = min(self._delta_of(at, epsilon) for at in self._parts)
        return Least(Enclosure(low, max(low, most)))

    def renyi(self, order: Fraction) -> Least:
        """See ``Comparison``."""
        return _sum([part.renyi(order) for part in self._parts.values()])

    def judge(self, claim: Claim) -> Judgement:
        """See ``Comparison``."""
        if claim.order is not None:
            return Judgement(holds=settled(self.renyi(claim.order), claim.epsilon))
        if settled(self.least_epsilon(Fraction(0)), claim.epsilon):
            return Judgement(holds=True)
        if claim.delta:
            proved = claim.delta >= exact(self.least_delta(claim.epsilon).bounds.upper)
            return Judgement(holds=True) if proved else self._refuted_by_one(claim)
        return self._refuted_together(claim)

    def _others(self, place: int) -> float:
        """Return a bound on the greatest ratio of all parts but one."""
        return _sum([each for at, each in self._pure.items() if at != place]).bounds.upper

    def _delta_of(self, place: int, epsilon: Epsilon) -> float:
        """Return a δ that holds where one part spends it."""
        others = self._others(place)
        left = Fraction(-1) if others == inf else _rational(epsilon) - exact(others)
        return self._parts[place].least_delta(left).bounds.upper if left >= 0 else 1.0

    def _refuted_by_one(self, claim: Claim) -> Judgement:
        for at, part in self._parts.items():
            found = part.judge(claim)
            if found.holds is False and found.event is not None:
                event = found.event
                return Judgement(
                    holds=False,
                    event=WitnessEvent((Parts({at: event.outcomes}),), event.p, event.q),
                )
        return Judgement(holds=None)

    def _refuted_together(self, claim: Claim) -> Judgement:
        """Refute ε by events of all parts, each beyond its share of ε."""
        lows = {at: exact(min(each.bounds.lower, _MOST)) for at, each in self._pure.items()}
        share = _rational(claim.epsilon, above=True) / (sum(lows.values()) or 1)
        shares = {at: Claim(share * low) for at, low in lows.items() if low}
        events = {at: self._parts[at].judge(each).event for at, each in shares.items()}
        found = {at: event for at, event in events.items() if event is not None}
        if len(found) < len(events) or not found or share >= 1:
            return Judgement(holds=None)
        outcomes = Parts({at: event.outcomes for at, event in found.items()})
        p, q = ([getattr(event, side) for event in found.values()] for side in ("p", "q"))
        return Judgement(holds=False, event=WitnessEvent((outcomes,), _product(p), _product(q)))


def _sum(values: Sequence[Least]) -> Least:
    """Return the sum of least values, exact where all are rationals or all are logarithms."""
    known = [each.exact for each in values]
    if all(isinstance(each, Fraction) for each in known):
        return known_least(sum((each for each in known if isinstance(each, Fraction)), Fraction(0)))
    if all(isinstance(each, Ln) for each in known):
        return known_least(Ln(prod(each.argument for each in known if isinstance(each, Ln))))
    low, high = 0.0, 0.0
    for each in values:
        low, high = _add(low, each.bounds.lower, up=False), _add(high, each.bounds.upper)
    return Least(Enclosure(low, high))


def _add(one: float, other: float, *, up: bool = True) -> float:
    if inf in (one, other):
        return inf
    total = exact(one) + exact(other)
    return float_above(total) if up else float_below(total)


def _rational(epsilon: Epsilon, *, above: bool = False) -> Fraction:
    """Return a rational next to ε, below it unless said otherwise."""
    if isinstance(epsilon, Fraction):
        return epsilon
    with working_precision(_BITS):
        return -fraction_below(-as_ball(epsilon)) if above else fraction_below(as_ball(epsilon))


def _product(bounds: Sequence[Fraction | Enclosure]) -> Enclosure:
    with working_precision(_BITS):
        return probability_bounds(prod((ball_around(each) for each in bounds), start=arb(1)))


def compare_distributions(p: Any, q: Any, *, effort: int = EFFORT) -> Comparison:
    """Return the comparison of two distributions of one form, one way; see ``forms`` for the forms.

    Parameters
    ----------
    p, q
        Distributions on numbers: densities, whole-number noise, rounded noise, mixtures, branches.
    effort
        The most bits that balls are refined to.
    """
    found = _made_of_others(p, q, effort) or _on_numbers(p, q, effort)
    if found is not None:
        return found
    raise InputError(
        "E-DISTRIBUTIONS-DIFFER",
        "two distributions of different forms are not compared",
        "give two densities, two distributions on whole numbers, or two outputs of one mechanism",
    )


def _made_of_others(p: Any, q: Any, effort: int) -> Comparison | None:
    """Return the comparison of two that are made of other distributions in the same way."""
    if _both(p, q, "factors"):
        return compare_parts(p.factors, q.factors, partial(_compared, effort=effort))
    if _both(p, q, "branches") and _alternatives(p) == _alternatives(q):
        return BranchedComparison(p, q, partial(_enclosed, effort=effort), effort=effort)
    if _both(p, q, "source", "processing") and p.processing == q.processing:
        return ProcessedComparison(p, q, _enclosed(p.source, q.source, effort), effort=effort)
    return None


def _on_numbers(p: Any, q: Any, effort: int) -> Comparison | None:
    """Return the comparison of two on numbers, by the form of both that says most."""
    if _both(p, q, "stretches", "step") and p.step == q.step:
        return compare_stretches(p, q, effort=effort)
    if _both(p, q, "shape") and (runs := gap_runs(p.shape, q.shape)) is not None:
        return ShapedComparison(p, q, runs, effort=effort)
    if (found := compare_mixed_noise(p, q, effort=effort)) is not None:
        return found
    if _both(p, q, "ball", "cumulative"):
        return SummedComparison(p, q, Fraction(1), effort=effort)
    if isinstance(p, Cauchy) and isinstance(q, Cauchy):
        return CauchyComparison(p, q, effort=effort)
    return RealComparison(p, q, effort=effort) if _both(p, q, "cdf") else None


def _both(p: Any, q: Any, *names: str) -> bool:
    return has(p, *names) and has(q, *names)


def _alternatives(distribution: Any) -> list[tuple[Any, bool]]:
    """Return the names of the alternatives, and which are outcomes themselves."""
    return [(name, rest is None) for name, _, rest in read_branches(distribution)]


def _compared(p: Any, q: Any, effort: int) -> Comparison:
    finite = is_finite_distribution(p) and is_finite_distribution(q)
    return (compare_finite if finite else compare_distributions)(p, q, effort=effort)


def _enclosed(p: Any, q: Any, effort: int) -> EnclosedComparison:
    found = _compared(p, q, effort)
    if isinstance(found, EnclosedComparison):
        return found
    return AdaptedComparison(found, effort=effort)
