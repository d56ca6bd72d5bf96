"""A pair of distributions as a step: what each change of the table makes of it, and its profile.

A pair that dominates a mechanism dominates what the mechanism does to a Poisson sample of rate γ,
with (1-γ)q + γp in place of p, for removing a unit, and the mirror image for adding one
:cite:p:`zhu2022`.  Of a sample of fixed size, under substitution, the excess at odds t of 1 or more
is γ times that at 1 + (t-1)/γ :cite:p:`balle2018subsampling`, the same mixture's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from flint import arb

from sfumato.errors import InputError, NoEnclosureError
from sfumato.numeric import Enclosure, Ln, as_ball, float_above, float_below
from sfumato.privacy import events as ev
from sfumato.privacy.events.structure import sample_of
from sfumato.privacy.loss.ratio_pair import RatioPair, worst_pair
from sfumato.privacy.loss.sampled import Direction
from sfumato.privacy.theorems.certified import enclosed, least_float

if TYPE_CHECKING:
    from sfumato.privacy.events import Event
    from sfumato.privacy.loss.density_pair import DensityPair
    from sfumato.privacy.parameters import Epsilon


@dataclass(frozen=True)
class DirectedPairs:
    """The pairs that a step may be, the first table first: the worst of them at each level counts.

    Attributes
    ----------
    sides
        One pair, or, under substitution, one for each order of the neighbours.
    is_finite
        Whether they are given by probabilities.
    mirrored
        Whether below odds of 1 the symmetry of the relation decides, not the pairs.
    """

    sides: tuple[tuple[Any, Any], ...]
    is_finite: bool
    mirrored: bool = False

    @property
    def finite(self) -> RatioPair:
        """The worst of finite pairs, exactly."""
        pairs = [RatioPair.of(*each) for each in self.sides]
        return pairs[0] if len(pairs) == 1 else worst_pair(pairs)


def pair_within(event: Event) -> ev.Pair | None:
    """Return the pair that a step is, or that is done to a sample; None where there is none."""
    if isinstance(event, (ev.Subsampled, ev.FixedSizeSubsampled)):
        event = sample_of(event)[0]
    return event if isinstance(event, ev.Pair) else None


@lru_cache(maxsize=256)
def directed_pairs(event: Event, change: Direction) -> DirectedPairs:
    """Return the pairs that a step is for a change of the table: a pair, or one on a sample."""
    pair: Any = pair_within(event)
    p, q = pair.p, pair.q
    both = ((p, q), (q, p))
    if isinstance(event, ev.FixedSizeSubsampled):
        rate = sample_of(event)[1]
        mixed = tuple((_mixture(here, there, rate), there) for here, there in both)
        return DirectedPairs(mixed, pair.is_finite, mirrored=True)
    if isinstance(event, ev.Subsampled):
        p = _mixture(p, q, sample_of(event)[1])
    if change is Direction.EXCHANGED:
        return DirectedPairs(both, pair.is_finite)
    return DirectedPairs(((p, q) if change is Direction.REMOVED else (q, p),), pair.is_finite)


def _mixture(p: Any, q: Any, rate: Fraction) -> Any:
    """Return (1-γ)q + γp."""
    if isinstance(p, tuple):
        return tuple(there + rate * (here - there) for here, there in zip(p, q, strict=True))
    from sfumato.information import continuous

    if rate == 1:
        return p
    if any(isinstance(each, continuous.Declared) for each in (p, q)):
        raise InputError(
            "E-DISTRIBUTION-UNKNOWN",
            "a distribution that was declared by functions cannot be mixed with another, as a "
            "sample does",
            "declare the mixture, or give one such as Gaussian, Laplace, Logistic, Exponential, "
            "Uniform or Mixture",
        )
    return continuous.Mixture([1 - rate, rate], [q, p])


@dataclass(frozen=True)
class FiniteProfile:
    """The profile of a finite pair, from sums of rationals."""

    pair: RatioPair

    def delta(self, epsilon: Epsilon) -> Enclosure:
        """Return the tightest floats around delta at an epsilon, exactly at a logarithm."""
        if isinstance(epsilon, Ln) or epsilon == 0:
            exact = self.pair.excess(epsilon.argument if isinstance(epsilon, Ln) else Fraction(1))
            return Enclosure(float_below(exact), float_above(exact))
        return enclosed(lambda: self.pair.excess_ball(as_ball(epsilon)), most=1.0)

    def epsilon(self, delta: Fraction, tolerance: float) -> Enclosure:  # noqa: ARG002
        """Return the tightest floats around the least epsilon at a delta."""
        odds = self.pair.odds_at(delta)
        if odds is None:
            return Enclosure(math.inf, math.inf)
        return enclosed(lambda: as_ball(Ln(odds)))

    def renyi(self, order: Fraction) -> float:
        """Return an upper bound on the Rényi divergence of an order above 1."""
        return least_float(lambda: self.pair.renyi_ball(order))


@dataclass(frozen=True)
class DensityProfile:
    """The greatest of the profiles of some pairs of densities."""

    pairs: DirectedPairs

    def delta(self, epsilon: Epsilon) -> Enclosure:
        """Return bounds on delta at an epsilon."""
        from sfumato.information import hockey_stick

        return _greatest([hockey_stick(p, q, epsilon=epsilon) for p, q in self.pairs.sides])

    def epsilon(self, delta: Fraction, tolerance: float) -> Enclosure:  # noqa: ARG002
        """Return bounds on the least epsilon at a delta."""
        from sfumato.information import max_divergence

        found = [max_divergence(p, q, delta=delta) for p, q in self.pairs.sides]
        return _greatest([Enclosure(0.0, 0.0), *found])

    def renyi(self, order: Fraction) -> float:
        """Return an upper bound on the Rényi divergence of an order above 1."""
        from sfumato.privacy.loss.density_pair import greatest_divergence

        return math.inf if self.pairs.mirrored else greatest_divergence(self.pairs.sides, order)


def _greatest(bounds: list[Enclosure]) -> Enclosure:
    return Enclosure(max(each.lower for each in bounds), max(each.upper for each in bounds))


def pair_profile(event: Event, change: Direction) -> FiniteProfile | DensityProfile:
    """Return the profile of a single step that is a pair, or one on a sample."""
    pairs = directed_pairs(event, change)
    return FiniteProfile(pairs.finite) if pairs.is_finite else DensityProfile(pairs)


@lru_cache(maxsize=256)
def pair_epsilon(pair: ev.Pair, change: Direction) -> Epsilon | arb | None:
    """Return the pure epsilon of a pair: exactly, or a ball around it; None where it has none."""
    pairs = directed_pairs(pair, change)
    if pairs.is_finite:
        odds = [RatioPair.of(*each).greatest for each in pairs.sides]
        return None if None in odds else Ln(max(each for each in odds if each is not None))
    return _density_epsilon(pairs.sides)


def _density_epsilon(sides: tuple[DensityPair, ...]) -> Epsilon | arb | None:
    from sfumato.information import continuous, max_divergence

    exact = [continuous.exact_maximum(p, q) for p, q in sides]
    if None not in exact:
        return max(each for each in exact if each is not None)
    try:
        both: list[Any] = [max_divergence(p, q) for p, q in sides]
    except NoEnclosureError:
        return None
    found = _greatest(both)
    return arb(found.lower).union(arb(found.upper)) if math.isfinite(found.upper) else None
