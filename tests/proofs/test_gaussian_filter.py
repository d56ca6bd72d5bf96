"""Normal steps one after another, integrated; and an analyst who stops after some of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from flint import acb, arb

from sfumato.numeric import as_ball, working_precision
from sfumato.privacy.theorems import gaussian_delta
from tests.proofs.finite import NEARLY, ZERO
from tests.proofs.inequalities import BITS, prove, prove_equal

#: What lies beyond so many deviations, of something of at most 1, is below the rest.
FAR, REST = 22, arb(0, arb(2) ** -230)
LEVELS = [ZERO, Fraction(1), Fraction(-1, 2)]
SQUARES = [(Fraction(1), Fraction(1)), (Fraction(1, 4), Fraction(2)), (Fraction(4), Fraction(1, 3))]


def profile(square: Fraction, level: acb) -> acb:
    """h_b at t = e^level, which may be complex."""
    mu = acb(as_ball(square).sqrt())
    near, far = level / mu - mu / 2, level / mu + mu / 2
    root = acb(arb(2).sqrt())
    return ((near / root).erfc() - level.exp() * (far / root).erfc()) / 2


def at(square: Fraction, level: Fraction) -> arb:
    return profile(square, acb(as_ball(level))).real


def followed(first: Fraction, second: Fraction, level: Fraction, start: int) -> arb:
    """The integral over y from a start on of p(y) h(t q/p)."""
    mu = acb(as_ball(first).sqrt())

    def integrand(y: acb, _: bool) -> acb:  # noqa: FBT001
        density = (-(y - mu) * (y - mu) / 2).exp() / acb(2 * arb.pi()).sqrt()
        return density * profile(second, acb(as_ball(level)) - mu * y + mu * mu / 2)

    return acb.integral(integrand, acb(start), acb(FAR)).real + REST


def test_gaussian_steps() -> None:
    prove_equal(
        [(*squares, level) for squares, level in product(SQUARES, LEVELS)],
        lambda first, second, level: followed(first, second, level, -FAR),
        lambda first, second, level: at(first + second, level),
        twin=lambda first, second, level: at(max(first, second), level),
    )


def test_gaussian_more() -> None:
    """The profile is that of the package where ε is 0 or more."""
    with working_precision(BITS):
        assert arb(gaussian_delta(mu=2, epsilon=1).upper) >= at(Fraction(4), Fraction(1))
    grid = [Fraction(each, 4) for each in (1, 2, 3, 4, 9)]
    prove(
        ((low, high, level) for low, high, level in product(grid, grid, LEVELS) if low < high),
        lambda low, _high, level: at(low, level),
        lambda _low, high, level: at(high, level),
        twin=lambda low, _high, level: at(low, level) * as_ball(NEARLY),
    )


def test_an_analyst_who_stops_after_a_number_below_0_gains_nothing() -> None:
    """Below 0 nothing follows: (1 - t q/p)₊, which is 1 - t q/p as long as the loss is above ε."""
    first, second, level = Fraction(1), Fraction(1), Fraction(-1)
    after = followed(first, second, level, 0)

    def alone(y: acb, _: bool) -> acb:  # noqa: FBT001
        p = (-(y - 1) * (y - 1) / 2).exp()
        q = (-y * y / 2 + acb(as_ball(level))).exp()
        return (p - q) / acb(2 * arb.pi()).sqrt()

    # p > t q where y - 1/2 > ε, that is above -1/2.
    stopped = acb.integral(alone, acb(arb(-0.5)), acb(0)).real
    total, most = after + stopped, at(first + second, level)
    assert at(first, level) < total < most
