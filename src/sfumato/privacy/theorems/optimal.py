"""The optimal composition theorem: exactly what k private answers cost at worst.

Among all sequences of ε-differentially private mechanisms, adaptive ones included, the worst is
k-fold randomized response :cite:p:`kairouz2015composition`; with different ε the worst is
randomized response with each of them :cite:p:`murtagh2018complexity`.  A step with a δ is one that
fails openly with probability δ, and else keeps its ε, so

    1 - δ_g = Π(1 - δ_i) · (1 - Σ max(0, p - e^{ε_g} q))

over all outcomes, with p and q their probabilities for two neighbouring tables.  ``epsilon`` is
one number, repeated ``count`` times, or a list of different ones.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flint import arb

from sfumato.errors import InputError
from sfumato.numeric import Enclosure, as_ball, as_fmpq
from sfumato.privacy.parameters import read_delta, read_epsilon
from sfumato.privacy.theorems.certified import enclosed
from sfumato.privacy.theorems.mixed import MixedResponses
from sfumato.privacy.theorems.responses import RepeatedResponse
from sfumato.privacy.theorems.steps import EpsilonsLike, NumbersLike, StepGuarantees

if TYPE_CHECKING:
    from sfumato.privacy.theorems.reading import EpsilonLike, NumberLike

__all__ = ["optimal_delta", "optimal_epsilon"]

_MOST_STEPS = 1_000_000


def optimal_delta(
    *,
    epsilon: EpsilonsLike,
    count: int = 1,
    total_epsilon: EpsilonLike,
    delta: NumbersLike = 0,
) -> Enclosure:
    """Return the least δ that holds at ε for every composition of the given guarantees.

    Parameters
    ----------
    epsilon
        The guarantee of each step, or a list of guarantees.
    count
        How often it, or the whole list, is repeated.
    total_epsilon
        ε of the whole, 0 or more.
    delta
        The δ of every step, or a list as long as that of ε.

    Examples
    --------
    >>> from sfumato.numeric import Ln
    >>> from sfumato.privacy.theorems import optimal_delta
    >>> round(optimal_delta(epsilon=Ln(2), count=100, total_epsilon=20).upper, 12)
    0.632390695387
    """
    steps, level = _read_steps(epsilon, delta, count), read_epsilon(total_epsilon, "total_epsilon")
    success = steps.success()
    if steps.sum_is_within(level):
        return enclosed(lambda: arb(1 - success), most=1.0)
    responses = _responses(steps)
    return enclosed(lambda: arb(1 - success) + success * responses.delta(as_ball(level)), most=1.0)


def optimal_epsilon(
    *,
    epsilon: EpsilonsLike,
    count: int = 1,
    total_delta: NumberLike,
    delta: NumbersLike = 0,
) -> Enclosure:
    """Return the least ε that holds at δ for every composition of the given guarantees.

    Infinite where δ is less than the steps' own δ come to, 1 - Π(1 - δ_i).

    Parameters
    ----------
    epsilon
        The guarantee of each step, or a list of guarantees.
    count
        How often it, or the whole list, is repeated.
    total_delta
        δ of the whole, from 0 up to, and without, 1.
    delta
        The δ of every step, or a list as long as that of ε.

    Examples
    --------
    >>> from sfumato.privacy.theorems import optimal_epsilon
    >>> round(optimal_epsilon(epsilon=0.1, count=1000, total_delta=1e-6).upper, 12)
    19.344671447993
    """
    steps, allowed = _read_steps(epsilon, delta, count), read_delta(total_delta, "total_delta")
    left = 1 - as_fmpq(1 - allowed) / steps.success()
    if left < 0:
        return Enclosure(math.inf, math.inf)
    if left == 0:
        return enclosed(lambda: as_ball(steps.epsilon_sum()))
    return _responses(steps).least_epsilon(left)


def _read_steps(epsilon: EpsilonsLike, delta: NumbersLike, count: int) -> StepGuarantees:
    steps = StepGuarantees.read(epsilon, delta=delta, count=count)
    if sum(steps.deltas.values()) > _MOST_STEPS:
        raise InputError(
            "E-TOO-LARGE",
            "the optimal composition is computed for at most {most_steps:,} steps",
            "for more, write sf.compose(...)",
            most_steps=_MOST_STEPS,
        )
    return steps


def _responses(steps: StepGuarantees) -> RepeatedResponse | MixedResponses:
    """Return the randomized responses that are the worst case of the steps."""
    if len(steps.epsilons) != 1:
        return MixedResponses.of(steps)
    ((level, times),) = steps.epsilons.items()
    return RepeatedResponse(level, times)
