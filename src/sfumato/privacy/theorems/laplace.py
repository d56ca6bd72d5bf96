"""Two mechanisms of pure guarantees whose whole privacy profile is one line.

Laplace noise of scale Δ/ε₀, and randomized response with odds e^ε₀, are both ε₀-differentially
private, and no better; for a positive δ they guarantee less than ε₀, each by its own curve.
Randomized response has the worst curve that an ε₀-private mechanism can have
:cite:p:`kairouz2015composition`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import arb

from sfumato.numeric import Enclosure, as_ball
from sfumato.privacy.parameters import read_delta, read_epsilon
from sfumato.privacy.theorems.certified import enclosed

if TYPE_CHECKING:
    from sfumato.privacy.theorems.certified import EpsilonLike, NumberLike


def laplace_delta(*, pure_epsilon: EpsilonLike, epsilon: EpsilonLike) -> Enclosure:
    """Return the least δ of Laplace noise at ε: 1 - exp((ε - ε₀)/2), and 0 from ε₀ on.

    Exact, by :cite:p:`balle2018subsampling`.  Proof: :doc:`/proofs/laplace-loss`.

    Parameters
    ----------
    pure_epsilon
        ε₀, the sensitivity over the noise scale.
    epsilon
        Where to read the curve, 0 or more.

    Examples
    --------
    >>> from sfumato.privacy.theorems import laplace_delta
    >>> round(laplace_delta(pure_epsilon=1, epsilon=0.5).upper, 12)
    0.221199216929
    """
    pure, level = read_epsilon(pure_epsilon, "pure_epsilon"), read_epsilon(epsilon)
    if level >= pure:
        return Enclosure(0.0, 0.0)
    return enclosed(lambda: -((as_ball(level) - as_ball(pure)) / 2).expm1(), most=1.0)


def laplace_epsilon(*, pure_epsilon: EpsilonLike, delta: NumberLike) -> Enclosure:
    """Return the least ε of Laplace noise at δ: ε₀ + 2 ln(1 - δ), or 0 where that is negative.

    Proof: :doc:`/proofs/laplace-loss`.

    Parameters
    ----------
    pure_epsilon
        ε₀, the sensitivity over the noise scale.
    delta
        From 0 up to, and without, 1.

    Examples
    --------
    >>> from sfumato.privacy.theorems import laplace_epsilon
    >>> round(laplace_epsilon(pure_epsilon=1, delta=0.1).upper, 12)
    0.789278968684
    """
    pure, allowed = read_epsilon(pure_epsilon, "pure_epsilon"), read_delta(delta)
    return enclosed(lambda: (as_ball(pure) + 2 * as_ball(1 - allowed).log()).max(arb(0)))


def randomized_response_delta(*, pure_epsilon: EpsilonLike, epsilon: EpsilonLike) -> Enclosure:
    """Return the least δ of randomized response at ε: (e^ε₀ - e^ε)/(1 + e^ε₀), and 0 from ε₀ on.

    It is the least δ that holds for *every* ε₀-differentially private mechanism
    :cite:p:`kairouz2015composition`.  Proof: :doc:`/proofs/optimal-composition`.

    Parameters
    ----------
    pure_epsilon
        ε₀, the logarithm of the odds of a true answer.
    epsilon
        Where to read the curve, 0 or more.

    Examples
    --------
    >>> from sfumato.numeric import Ln
    >>> from sfumato.privacy.theorems import randomized_response_delta
    >>> round(randomized_response_delta(pure_epsilon=Ln(3), epsilon=0.5).upper, 12)
    0.337819682325
    """
    pure, level = read_epsilon(pure_epsilon, "pure_epsilon"), read_epsilon(epsilon)
    if level >= pure:
        return Enclosure(0.0, 0.0)
    return enclosed(
        lambda: -(as_ball(level) - as_ball(pure)).expm1() / (1 + (-as_ball(pure)).exp()), most=1.0
    )


def randomized_response_epsilon(*, pure_epsilon: EpsilonLike, delta: NumberLike) -> Enclosure:
    """Return the least ε of randomized response at δ: ln(e^ε₀ - δ(1 + e^ε₀)), or 0.

    It is the least ε that holds for *every* ε₀-differentially private mechanism.
    Proof: :doc:`/proofs/optimal-composition`.

    Parameters
    ----------
    pure_epsilon
        ε₀, the logarithm of the odds of a true answer.
    delta
        From 0 up to, and without, 1.

    Examples
    --------
    >>> from sfumato.numeric import Ln
    >>> from sfumato.privacy.theorems import randomized_response_epsilon
    >>> round(randomized_response_epsilon(pure_epsilon=Ln(2), delta=0.1).upper, 6)
    0.530628
    """
    pure, allowed = read_epsilon(pure_epsilon, "pure_epsilon"), read_delta(delta)

    def curve() -> arb:
        against = (-as_ball(pure)).exp()
        left = 1 - as_ball(allowed) * (1 + against)
        return arb(0) if left <= against else as_ball(pure) + left.log()

    return enclosed(curve)
