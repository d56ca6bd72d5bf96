"""What single steps guarantee in numbers that add up: ε, and the ρ that follows from it."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING

from flint import arb

from sfumato.numeric import Enclosure, Ln, as_ball, float_below, working_precision
from sfumato.privacy import events as ev
from sfumato.privacy.events.structure import sample_of
from sfumato.privacy.theorems.certified import rounded_up

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.privacy.events import Event
    from sfumato.privacy.loss import Direction
    from sfumato.privacy.parameters import Epsilon

_BITS = 192
#: Sums of more different rationals than this have too many digits to be kept exactly.
_FEW = 256


def pure_total(steps: Mapping[Event, int], change: Direction | None = None) -> Enclosure | None:
    """Return the least epsilon of pure privacy of steps, each so many times; None if one is not.

    ``change`` is that of the table where only one counts; without it, each step has its worst.
    """
    with working_precision(_BITS):
        total = _total(steps, change)
        return None if total is None else Enclosure(float_below(total), rounded_up(total))


def covers_all(epsilon: Epsilon, steps: Mapping[Event, int]) -> bool:
    """Tell whether no loss of steps is above an epsilon, as far as can be proved."""
    logarithm = _logarithm(steps)
    if logarithm is not None:
        return epsilon >= logarithm
    with working_precision(_BITS):
        total = _total(steps)
        if total is None or isinstance(total, Fraction):
            return total is not None and epsilon >= total
        return bool(as_ball(epsilon) >= total)


def _logarithm(steps: Mapping[Event, int]) -> Ln | None:
    """Return the sum where all is logarithms of rationals, and few enough to stay exact."""
    found = [(exact_epsilon(event), count) for event, count in steps.items()]
    if sum(count for _, count in found) > _FEW:
        return None
    logs = [each * count for each, count in found if isinstance(each, Ln)]
    return sum(logs[1:], logs[0]) if len(logs) == len(found) else None


def _total(steps: Mapping[Event, int], change: Direction | None = None) -> Fraction | arb | None:
    total: Fraction | arb = Fraction(0) if len(steps) <= _FEW else arb(0)
    for event, count in steps.items():
        epsilon = _pure(event, change)
        if epsilon is None:
            return None
        total = _added(total, epsilon, count)
    return total


def _added(total: Fraction | arb, epsilon: Fraction | arb, count: int) -> Fraction | arb:
    """Add exactly where both are rational, in balls otherwise."""
    if isinstance(total, Fraction) and isinstance(epsilon, Fraction):
        return total + epsilon * count
    return as_ball(total) + as_ball(epsilon) * count


def exact_epsilon(event: Event) -> Epsilon | None:
    """Return the epsilon of a single step that is pure, where it is a rational or a logarithm."""
    if isinstance(event, (ev.Laplace, ev.DiscreteLaplace)):
        return Fraction(event.sensitivity) / event.scale
    if isinstance(event, (ev.Pure, ev.Exponential, ev.PermuteAndFlip, ev.RandomizedResponse)):
        return event.epsilon
    if isinstance(event, ev.Approximate) and event.delta == 0:
        return event.epsilon
    if isinstance(event, ev.SparseVector):
        return _both(event.threshold_epsilon, event.answers_epsilon)
    if isinstance(event, ev.Pair):
        found = _of_pair(event)
        return None if isinstance(found, arb) else found
    return Fraction(0) if _says_nothing_is_lost(event) else None


def _of_pair(pair: ev.Pair, change: Direction | None = None) -> Epsilon | arb | None:
    from sfumato.privacy.accounting.pairs import pair_epsilon
    from sfumato.privacy.loss import Direction

    return pair_epsilon(pair, change or Direction.EXCHANGED)


def stated_rho(event: Event) -> Fraction | None:
    """Return the ρ of zero-concentrated privacy of a step that is Gaussian noise, or is said.

    Noise of either Gaussian kind has Δ²/(2σ²) :cite:p:`bun2016concentrated,canonne2020discrete`.
    """
    if isinstance(event, (ev.Gaussian, ev.DiscreteGaussian)):
        return (event.sensitivity / event.sigma) ** 2 / 2
    return event.rho if isinstance(event, ev.ZeroConcentrated) else None


def squares_in_rho(event: Event) -> int:
    """Return over which number ε² is a ρ of a pure step.

    That is ε²/2, and ε²/8 for the exponential mechanism :cite:p:`cesar2021bounding`.
    """
    return 8 if isinstance(event, ev.Exponential) else 2


def _both(first: Epsilon, second: Epsilon) -> Epsilon | None:
    """Return a sum that stays exact, None for that of a rational and a logarithm."""
    if isinstance(first, Fraction) and isinstance(second, Fraction):
        return first + second
    return first + second if isinstance(first, Ln) and isinstance(second, Ln) else None


def _says_nothing_is_lost(event: Event) -> bool:
    """Tell whether a label leaves no difference: only equal distributions have divergence 0."""
    if isinstance(event, ev.ZeroConcentrated):
        return event.rho == 0
    return isinstance(event, ev.Renyi) and any(bound == 0 for _, bound in event.curve)


def _pure(event: Event, change: Direction | None = None) -> Fraction | arb | None:
    if isinstance(event, ev.Pair):
        found = _of_pair(event, change)
        return as_ball(found) if isinstance(found, Ln) else found
    exact = exact_epsilon(event)
    if exact is not None:
        return exact if isinstance(exact, Fraction) else as_ball(exact)
    if isinstance(event, ev.SparseVector):
        return as_ball(event.threshold_epsilon) + as_ball(event.answers_epsilon)
    if isinstance(event, (ev.Subsampled, ev.FixedSizeSubsampled)):
        inner, rate = sample_of(event)
        if isinstance(inner, ev.Pair) and isinstance(event, ev.Subsampled):
            return _amplified_pair(inner, rate, change)
        return _amplified(_pure(inner), rate)
    if isinstance(event, ev.Shuffled):
        return _pure(event.event)
    return _greatest(event, change) if isinstance(event, ev.Parallel) else None


def _amplified_pair(pair: ev.Pair, rate: Fraction, change: Direction | None) -> arb | None:
    """Return the epsilon of a pair on a Poisson sample, the greater one where both changes count.

    Adding a unit loses -ln(1 - q (1 - e^-ε)), with ε that of adding it without the sample.
    """
    from sfumato.privacy.loss import Direction

    found = []
    if change is not Direction.ADDED:
        found.append(_amplified(_pure(pair, Direction.REMOVED), rate))
    if change is not Direction.REMOVED:
        added = _pure(pair, Direction.ADDED)
        lost = arb(1) if added is None else -(-as_ball(added)).expm1()
        found.append(None if added is None and rate == 1 else -(-as_ball(rate) * lost).log1p())
    return None if None in found else reduce(arb.max, (each for each in found if each is not None))


def _amplified(epsilon: Fraction | arb | None, rate: Fraction) -> arb | None:
    if epsilon is None:
        return None
    return (as_ball(rate) * as_ball(epsilon).expm1()).log1p()


def _greatest(event: ev.Parallel, change: Direction | None) -> arb | None:
    """Return the greatest of the groups' totals."""
    greatest = arb(0)
    for group in event.events:
        total = arb(0)
        for step, count in group.parts():
            epsilon = _pure(step, change)
            if epsilon is None:
                return None
            total += as_ball(epsilon) * count
        greatest = greatest.max(total)
    return greatest
