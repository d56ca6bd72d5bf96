"""Lemma 3.18, Hoeffding's lemma, Azuma's inequality, and what they come to."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb
from typing import TYPE_CHECKING

from sfumato.numeric import as_ball, working_precision
from sfumato.privacy.theorems import optimal_epsilon, tight_advanced_composition
from tests.proofs.finite import FACTORS, FULL_PAIRS, HALF, NEARLY, both_ways, mean_loss, response
from tests.proofs.inequalities import BITS, prove

if TYPE_CHECKING:
    from flint import arb

    from tests.proofs.finite import Chances

EPSILONS = [Fraction(1, 1000), Fraction(1, 10), Fraction(1), Fraction(8)]


def least_drift(epsilon: arb) -> arb:
    return epsilon * (epsilon / 2).tanh()


def test_mean_loss() -> None:
    def bound(p: Chances, q: Chances) -> arb:
        return least_drift(as_ball(both_ways(p, q)).log())

    prove(
        [*FULL_PAIRS, *(response(factor) for factor in FACTORS)],
        mean_loss,
        bound,
        twin=lambda p, q: bound(p, q) * as_ball(NEARLY),
    )


def test_drift_order() -> None:
    """Half of the textbook's is enough, and a third is not."""

    def textbook(epsilon: Fraction, share: Fraction) -> arb:
        return as_ball(epsilon) * as_ball(epsilon).expm1() * as_ball(share)

    prove(
        ((each,) for each in EPSILONS),
        lambda epsilon: least_drift(as_ball(epsilon)),
        lambda epsilon: textbook(epsilon, HALF),
        twin=lambda epsilon: textbook(epsilon, Fraction(1, 3)),
    )


def test_hoeffding_step() -> None:
    """A step of ±a that goes up with some probability; a fair one is nearest to the bound."""
    ups = [HALF, Fraction(1, 3), Fraction(9, 10)]
    tilts = [Fraction(1, 100), Fraction(1), Fraction(5)]

    def left(size: Fraction, up: Fraction, tilt: Fraction) -> arb:
        mean = (2 * up - 1) * size
        rise, fall = as_ball(tilt * (size - mean)).exp(), as_ball(-tilt * (size + mean)).exp()
        return as_ball(up) * rise + as_ball(1 - up) * fall

    def right(size: Fraction, _up: Fraction, tilt: Fraction) -> arb:
        return as_ball(tilt**2 * size**2 / 2).exp()

    prove(
        product([HALF, Fraction(2)], ups, tilts),
        left,
        right,
        twin=lambda size, up, tilt: right(size, up, tilt) ** as_ball(NEARLY),
    )


def test_azuma_tail() -> None:
    """Exact tails of walks of equal steps, fair or with a drift that is known."""

    def tail(count: int, up: Fraction, beyond: int) -> Fraction:
        drift = count * (2 * up - 1)
        reached = (k for k in range(count + 1) if 2 * k - count >= drift + beyond)
        return sum((comb(count, k) * up**k * (1 - up) ** (count - k) for k in reached), Fraction(0))

    def bound(count: int, beyond: int, share: int) -> arb:
        return as_ball(Fraction(-share * beyond**2, 2 * count)).exp()

    prove(
        product([1, 4, 25, 100], [HALF, Fraction(2, 3)], [1, 2, 7, 20]),
        tail,
        lambda count, _up, beyond: bound(count, beyond, 1),
        twin=lambda count, _up, beyond: bound(count, beyond, 2),
    )


def test_advanced_total() -> None:
    slack = Fraction(1, 10**6)

    def least(epsilon: Fraction, count: int) -> arb:
        return as_ball(optimal_epsilon(epsilon=epsilon, count=count, total_delta=slack).lower)

    def advanced(epsilon: Fraction, count: int) -> arb:
        spread = (-2 * count * as_ball(slack).log()).sqrt() * as_ball(epsilon)
        return spread + count * least_drift(as_ball(epsilon))

    cases = [(Fraction(1, 10), 100), (Fraction(1, 100), 1000), (Fraction(1), 400)]
    with working_precision(BITS):
        for epsilon, count in cases:
            found = tight_advanced_composition(epsilon=epsilon, count=count, slack=slack)
            assert as_ball(found.epsilon) >= advanced(epsilon, count)
    prove(
        cases,
        least,
        advanced,
        twin=lambda epsilon, count: (
            advanced(epsilon, count) - count * least_drift(as_ball(epsilon))
        ),
    )
