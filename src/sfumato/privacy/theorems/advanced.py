"""Basic and advanced composition: guarantees that add up, and that add up to less.

All three hold when each mechanism is chosen after seeing the answers of those before it, with
guarantees fixed in advance.  ``epsilon`` is one number, repeated ``count`` times, or a list of
different ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.numeric import as_ball, working_precision
from sfumato.privacy.theorems.bound import Bound
from sfumato.privacy.theorems.certified import least_float, rounded_up
from sfumato.privacy.theorems.reading import NumberLike, read_probability
from sfumato.privacy.theorems.steps import EpsilonsLike, NumbersLike, StepGuarantees

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from flint import arb

__all__ = ["advanced_composition", "basic_composition", "tight_advanced_composition"]


def basic_composition(*, epsilon: EpsilonsLike, count: int = 1, delta: NumbersLike = 0) -> Bound:
    """Return the sums of all ε and of all δ.

    Theorem 3.16 of :cite:p:`dwork2014`.

    Parameters
    ----------
    epsilon
        The guarantee of each step, or a list of guarantees.
    count
        How often it, or the whole list, is repeated.
    delta
        The δ of every step, or a list as long as that of ε.

    Examples
    --------
    >>> from sfumato.privacy.theorems import basic_composition
    >>> print(basic_composition(epsilon=0.1, count=100))
    (10, 0)
    """
    steps = StepGuarantees.read(epsilon, delta=delta, count=count)
    with working_precision(128):
        return Bound(rounded_up(steps.epsilon_sum()), _capped(steps.delta_sum()))


def advanced_composition(
    *, epsilon: EpsilonsLike, count: int = 1, slack: NumberLike, delta: NumbersLike = 0
) -> Bound:
    """Return the advanced composition theorem: √(2 ln(1/δ') Σ ε²) + Σ ε(e^ε - 1), and Σ δ + δ'.

    Theorem 3.20 of :cite:p:`dwork2014`, first in :cite:p:`dwork2010boosting`.  The losses
    of the steps are bounded by ε and have means of at most ε(e^ε - 1) (lemma 3.18), so Azuma's
    inequality (:func:`azuma_threshold`) bounds their sum but for a probability δ'.

    Parameters
    ----------
    epsilon
        The guarantee of each step, or a list of guarantees.
    count
        How often it, or the whole list, is repeated.
    slack
        δ', the probability with which the bound may fail; above 0 and below 1.
    delta
        The δ of every step, or a list as long as that of ε.

    Examples
    --------
    >>> from sfumato.privacy.theorems import advanced_composition
    >>> print(advanced_composition(epsilon=0.1, count=100, slack=1e-6))
    (6.30823, 1e-06)
    """
    steps = StepGuarantees.read(epsilon, delta=delta, count=count)
    return _by_azuma(steps, slack, lambda level: level * level.expm1())


def tight_advanced_composition(
    *, epsilon: EpsilonsLike, count: int = 1, slack: NumberLike, delta: NumbersLike = 0
) -> Bound:
    """Return advanced composition with the least drift: √(2 ln(1/δ') Σ ε²) + Σ ε tanh(ε/2).

    By :cite:p:`kairouz2015composition`.  The mean of a privacy loss is a Kullback–Leibler
    divergence, and ε tanh(ε/2) = ε(e^ε - 1)/(e^ε + 1) is the greatest that ε allows; randomized
    response attains it.

    Parameters
    ----------
    epsilon
        The guarantee of each step, or a list of guarantees.
    count
        How often it, or the whole list, is repeated.
    slack
        δ', the probability with which the bound may fail; above 0 and below 1.
    delta
        The δ of every step, or a list as long as that of ε.

    Examples
    --------
    >>> from sfumato.privacy.theorems import tight_advanced_composition
    >>> print(tight_advanced_composition(epsilon=0.1, count=1000, slack=1e-6))
    (21.6184, 1e-06)
    """
    steps = StepGuarantees.read(epsilon, delta=delta, count=count)
    return _by_azuma(steps, slack, lambda level: level * (level / 2).tanh())


def _by_azuma(steps: StepGuarantees, slack: NumberLike, drift: Callable[[arb], arb]) -> Bound:
    """Return the drift of all steps and the deviation from it that has probability δ'."""
    chance = read_probability(slack, "slack")

    def epsilon() -> arb:
        squares = steps.sum_of(lambda level: level * level)
        return steps.sum_of(drift) + (-2 * as_ball(chance).log() * squares).sqrt()

    return Bound(least_float(epsilon), _capped(steps.delta_sum() + chance))


def _capped(delta: Fraction) -> float:
    return min(1.0, rounded_up(delta))
