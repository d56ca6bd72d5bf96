"""From the range of losses to ρ, and from ρ to (ε, δ)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from flint import arb

from sfumato.numeric import as_ball
from sfumato.privacy.theorems import zcdp_to_delta, zcdp_to_epsilon
from tests.proofs.finite import FULL_PAIRS, NEARLY, Chances, of, ratio, renyi
from tests.proofs.inequalities import prove, prove_equal

RHOS = [Fraction(1, 100), Fraction(1, 2), Fraction(3)]
DELTAS = [Fraction(1, 10**9), Fraction(1, 10**5), Fraction(1, 10)]
ORDERS = [Fraction(101, 100), Fraction(2), Fraction(9), Fraction(200)]


def range_of(p: Chances, q: Chances) -> arb:
    """The greatest loss less the least."""
    return as_ball(ratio(p, q) * ratio(q, p)).log()


#: Losses that are nearly 0 and nearly as likely up as down; and others.
PAIRS = [
    (of(1000, 1001), of(1001, 1000)),
    *((p, q) for p, q in FULL_PAIRS if p != q),
]


def test_spread_of_loss() -> None:
    """Under distributions that are tilted to either side."""

    def variance(p: Chances, q: Chances, weights: Chances) -> arb:
        losses = [as_ball(a / b).log() for a, b in zip(p, q, strict=True)]
        tilted = [as_ball(each) / as_ball(sum(weights)) for each in weights]
        mean = sum((a * b for a, b in zip(losses, tilted, strict=True)), arb(0))
        away = [(a - mean) * (a - mean) for a in losses]
        return sum((a * b for a, b in zip(away, tilted, strict=True)), arb(0))

    def right(p: Chances, q: Chances, _weights: Chances) -> arb:
        return range_of(p, q) ** 2 / 4

    prove(
        ((p, q, weights) for p, q in PAIRS for weights in (p, q)),
        variance,
        right,
        twin=lambda *point: as_ball(NEARLY) * right(*point),
    )


def test_range_to_rho() -> None:
    def right(p: Chances, q: Chances, order: Fraction) -> arb:
        return range_of(p, q) ** 2 / 8 * as_ball(order)

    prove(
        ((p, q, order) for (p, q), order in product(PAIRS, ORDERS)),
        renyi,
        right,
        twin=lambda *point: as_ball(NEARLY) * right(*point),
    )


def at_order(rho: Fraction, delta: Fraction, order: arb) -> arb:
    above = order - 1
    given = (as_ball(delta).log() + order.log()) / above
    return order * as_ball(rho) + (above / order).log() - given


def test_zcdp_slope() -> None:
    """Each summand by itself; then that no order of a grid does better than what is found."""

    def by_parts(rho: Fraction, delta: Fraction, order: Fraction, *, sign: int) -> arb:
        a, above = as_ball(order), as_ball(order - 1)
        log, own = as_ball(delta).log() + a.log(), 1 / (a * above)
        return as_ball(rho) + own + log / above**2 - sign * own

    for rho, delta, order in product(RHOS, DELTAS, ORDERS):
        least = zcdp_to_epsilon(rho=rho, delta=delta)
        assert as_ball(least) <= at_order(rho, delta, as_ball(order)).max(arb(0)) + arb("1e-12")
        assert zcdp_to_delta(rho=rho, epsilon=least) <= float(delta) * (1 + 1e-9)
    prove_equal(
        product(RHOS, DELTAS, ORDERS),
        lambda rho, delta, order: (
            as_ball(rho) + (as_ball(delta).log() + as_ball(order).log()) / as_ball(order - 1) ** 2
        ),
        lambda *point: by_parts(*point, sign=1),
        twin=lambda *point: by_parts(*point, sign=-1),
    )


def test_zcdp_simple() -> None:
    def root(rho: Fraction, delta: Fraction) -> arb:
        return (-as_ball(delta).log() * as_ball(rho)).sqrt()

    def left(rho: Fraction, delta: Fraction) -> arb:
        above = root(rho, delta) / as_ball(rho)
        return (1 + above) * as_ball(rho) - as_ball(delta).log() / above

    prove_equal(
        product(RHOS, DELTAS),
        left,
        lambda rho, delta: as_ball(rho) + 2 * root(rho, delta),
        twin=lambda rho, delta: as_ball(rho) + root(rho, delta),
    )
