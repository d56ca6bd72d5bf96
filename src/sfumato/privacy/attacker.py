"""What a guarantee means for a person: how sure an attacker can become, and how often be right.

The attacker knows everything but whether the person is in the data (or which of two records is
theirs), sees the output, and computes as well as anybody can.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.numeric import (
    Ln,
    as_ball,
    float_above,
    float_below,
    rational_exponential,
    shown,
    working_precision,
)
from sfumato.privacy.events.base import plain
from sfumato.privacy.guarantees.base import Guarantee, read_share
from sfumato.privacy.guarantees.pointwise import ApproxDP
from sfumato.privacy.parameters import read_delta, read_epsilon, read_rate
from sfumato.privacy.theorems.certified import rounded_up

if TYPE_CHECKING:
    from flint import arb

    from sfumato.privacy.theorems.certified import EpsilonLike, NumberLike


_BITS = 128
_ALARMS, _HITS = "false_positive_rate", "true_positive_rate"


@dataclass(frozen=True)
class Posterior:
    """How sure someone can become that a person is in the data.

    Attributes
    ----------
    least, greatest
        The least and the greatest probability after seeing the output, rounded outwards.
    failure
        How far, in statistical distance, the output distributions are at most from ones for which
        these bounds hold at every single output: δ/(1 + e^ε), rounded up.  It is 0 for a pure
        guarantee, where the bounds always hold.  It does not bound how often they are passed.

    Examples
    --------
    >>> from sfumato.numeric import Ln
    >>> from sfumato.privacy.attacker import posterior
    >>> posterior(prior=0.5, epsilon=Ln(3))
    Posterior(least=0.25, greatest=0.75, failure=0.0)
    """

    least: float
    greatest: float
    failure: float


def posterior(*, prior: NumberLike, epsilon: EpsilonLike, delta: NumberLike = 0) -> Posterior:
    """Return how far an (ε, δ) guarantee lets anybody's belief move.

    With δ = 0 the odds change by a factor of at most e^ε, whatever the output and whatever else is
    known.  With δ > 0 no bound holds at every output; part 2 of lemma 3.17 of
    :cite:p:`dwork2014` gives what does: both output distributions, with the person and without, are
    each within statistical distance δ/(1 + e^ε) of one for which it does.
    Proof: :doc:`/proofs/attacker` and :doc:`/proofs/near-distributions`.

    Parameters
    ----------
    prior
        The probability before seeing the output.
    epsilon, delta
        The guarantee.

    Examples
    --------
    >>> from sfumato.privacy.attacker import posterior
    >>> found = posterior(prior=0.5, epsilon=1, delta=1e-6)
    >>> round(found.greatest, 6), round(found.failure, 9)
    (0.731059, 2.69e-07)
    """
    belief = read_share(prior, "prior")
    level, slip = read_epsilon(epsilon), read_delta(delta)
    with working_precision(_BITS):
        rational = rational_exponential(level)
        factor: Any = as_ball(level).exp() if rational is None else rational
        sure: Any = as_ball(belief) if rational is None else belief
        return Posterior(
            least=max(0.0, float_below(_updated(sure, 1 / factor))),
            greatest=min(1.0, float_above(_updated(sure, factor)) + 0.0),
            failure=_failure(slip, as_ball(factor)),
        )


def _updated(belief: Any, factor: Any) -> Any:
    """Return a belief after its odds have been multiplied by a factor."""
    return belief * factor / (belief * factor + 1 - belief)


def _failure(delta: Fraction, factor: arb) -> float:
    """Return δ/(1 + e^ε), rounded up; δ itself where e^ε is beyond reach."""
    if delta == 0:
        return 0.0
    return min(float_above(delta), float_above(as_ball(delta) / (1 + factor)))


def posterior_after_claim(
    guarantee: Guarantee | None = None,
    *,
    epsilon: EpsilonLike | None = None,
    delta: NumberLike = 0,
    prior: NumberLike,
    false_positive_rate: NumberLike,
) -> float:
    """Return how likely an attacker's claim that a person is in the data can be true, rounded up.

    It is the average-case form of :func:`posterior`, which holds as it stands for δ > 0: of all
    outputs on which the attacker makes the claim, taken together, and for an attacker who claims
    it of so many people who are not in the data.  Proof: :doc:`/proofs/attacker`.

    Parameters
    ----------
    guarantee
        The guarantee; or give ``epsilon`` and ``delta``.
    epsilon, delta
        The guarantee, in place of ``guarantee``.
    prior
        The probability before seeing the output.
    false_positive_rate
        How often the claim is made of someone who is not there; above 0.

    Examples
    --------
    >>> from sfumato.privacy.attacker import posterior_after_claim
    >>> found = posterior_after_claim(epsilon=1, delta=1e-6, prior=0.5, false_positive_rate=0.01)
    >>> round(found, 6)
    0.731066
    """
    guarantee = _guarantee(guarantee, epsilon, delta)
    belief, alarms = read_share(prior, "prior"), read_rate(false_positive_rate, _ALARMS)
    hits = Fraction(best_true_positive_rate(guarantee, false_positive_rate=alarms))
    return float_above(_updated(belief, hits / alarms))


def best_true_positive_rate(
    guarantee: Guarantee | None = None,
    *,
    epsilon: EpsilonLike | None = None,
    delta: NumberLike = 0,
    false_positive_rate: NumberLike,
) -> float:
    """Return how often a test can find a person who is there, at a false positive rate.

    Under (ε, δ) it is at most min(e^ε α + δ, 1 - e^-ε (1 - δ - α)), rounded up
    :cite:p:`kairouz2015composition`; other guarantees give the complement of their trade-off.
    Proof: :doc:`/proofs/attacker`.

    Parameters
    ----------
    guarantee
        The guarantee; or give ``epsilon`` and ``delta``.
    epsilon, delta
        The guarantee, in place of ``guarantee``.
    false_positive_rate
        How often the test finds someone who is not there.

    Examples
    --------
    >>> from sfumato.privacy.attacker import best_true_positive_rate
    >>> round(best_true_positive_rate(epsilon=1, false_positive_rate=0.01), 6)
    0.027183
    """
    guarantee = _guarantee(guarantee, epsilon, delta)
    missed = guarantee.tradeoff(false_positive_rate=false_positive_rate)
    return float_above(1 - Fraction(missed))


def advantage(
    guarantee: Guarantee | None = None,
    *,
    epsilon: EpsilonLike | None = None,
    delta: NumberLike = 0,
) -> float:
    """Return the greatest difference of true and false positive rate of any test, rounded up.

    It is the statistical distance of the outputs, the least δ at ε = 0.
    Proof: :doc:`/proofs/attacker`.

    Examples
    --------
    >>> from sfumato.numeric import Ln
    >>> from sfumato.privacy.attacker import advantage
    >>> advantage(epsilon=Ln(3))
    0.5
    """
    return _guarantee(guarantee, epsilon, delta).delta(epsilon=0)


def epsilon_for_posterior(*, prior: NumberLike, posterior: NumberLike) -> float:
    """Return the greatest ε that keeps a belief within a bound, rounded down.

    Parameters
    ----------
    prior
        The probability before seeing the output.
    posterior
        The greatest probability allowed after; not below the prior.

    Returns
    -------
    float
        ε for a pure guarantee; infinity where any ε will do.

    Examples
    --------
    >>> from sfumato.privacy.attacker import epsilon_for_posterior
    >>> round(epsilon_for_posterior(prior=0.5, posterior=0.75), 6)
    1.098612
    """
    before, after = read_share(prior, "prior"), read_share(posterior, "posterior")
    if after < before:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "posterior must not be below the prior, {prior}, as {posterior} is",
            "a belief can stay as it is under any guarantee",
            prior=shown(prior),
            posterior=shown(posterior),
        )
    if before == 0 or after == 1:
        return math.inf
    return _logarithm_below(after * (1 - before) / (before * (1 - after)))


def epsilon_for_true_positive_rate(
    *, false_positive_rate: NumberLike, true_positive_rate: NumberLike, delta: NumberLike = 0
) -> float:
    """Return the greatest ε under which no test at a false positive rate finds more, rounded down.

    Parameters
    ----------
    false_positive_rate
        How often the test finds someone who is not there.
    true_positive_rate
        How often it may find someone who is; not below the false positive rate plus δ.
    delta
        The δ of the guarantee.

    Returns
    -------
    float
        ε of an (ε, δ) guarantee; infinity where any ε will do.

    Examples
    --------
    >>> from sfumato.privacy.attacker import epsilon_for_true_positive_rate
    >>> round(epsilon_for_true_positive_rate(false_positive_rate=0.01, true_positive_rate=0.02), 6)
    0.693147
    """
    alarms, hits = read_share(false_positive_rate, _ALARMS), read_share(true_positive_rate, _HITS)
    slip = read_delta(delta)
    if hits < (least := min(Fraction(1), alarms + slip)):
        raise InputError(
            "E-ARGUMENT-RANGE",
            "true_positive_rate must not be below {least}, as {true_positive_rate} is",
            "that much is found by chance, and by delta",
            least=plain(least),
            true_positive_rate=shown(true_positive_rate),
        )
    if alarms == 0 or hits == 1:
        return math.inf
    return _logarithm_below(max((hits - slip) / alarms, (1 - slip - alarms) / (1 - hits)))


def _guarantee(
    guarantee: Guarantee | None, epsilon: EpsilonLike | None, delta: NumberLike
) -> Guarantee:
    """Return the guarantee that was given in one way or the other."""
    if epsilon is not None and guarantee is None:
        return ApproxDP(epsilon=epsilon, delta=delta)
    if epsilon is None and isinstance(guarantee, Guarantee) and delta == 0:
        return guarantee
    raise InputError(
        "E-ARGUMENT-CONFLICT",
        "give either a guarantee, such as PureDP(epsilon=1), or epsilon and delta, and not both",
    )


def _logarithm_below(ratio: Fraction) -> float:
    """Return a float that is not above ln of a ratio, neither itself nor as it is printed."""
    with working_precision(_BITS):
        return -rounded_up(-Ln(ratio).ball()) + 0.0
