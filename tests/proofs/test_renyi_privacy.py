"""Rényi divergences: of two steps, between orders, of randomized response, and their (ε, δ)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from flint import arb

from sfumato.numeric import Ln, as_ball, working_precision
from sfumato.privacy import PureDP, RenyiDP
from sfumato.privacy.theorems import renyi_to_delta, renyi_to_epsilon
from tests.proofs.finite import (
    FACTORS,
    FULL_PAIRS,
    NEARLY,
    Chances,
    hockey_stick,
    joint,
    moment,
    renyi,
    response,
)
from tests.proofs.inequalities import BITS, prove, prove_equal

ORDERS = [Fraction(3, 2), Fraction(2), Fraction(10)]


def test_renyi_steps() -> None:
    """The second step is another one after each output; the worst of them counts."""
    seconds = [response(Fraction(2)), response(Fraction(3, 2)), response(Fraction(2))]
    after = [a for a, _ in seconds], [b for _, b in seconds]

    def worst(order: Fraction) -> arb:
        return moment(*seconds[0], order)

    prove(
        ((p, q, order) for (p, q), order in product(FULL_PAIRS, ORDERS)),
        lambda p, q, order: moment(joint(p, after[0]), joint(q, after[1]), order),
        lambda p, q, order: moment(p, q, order) * worst(order),
        twin=lambda _p, _q, order: worst(order),
    )


def factor_of(order: Fraction) -> arb:
    return as_ball(1 - 1 / order) ** as_ball(order - 1) / as_ball(order)


def test_one_order() -> None:
    """At v = e^-u; the equality is at v = 1 - 1/α."""

    def right(order: Fraction, v: Fraction) -> arb:
        return factor_of(order) * as_ball(v) ** as_ball(1 - order)

    places = [Fraction(each, 20) for each in (1, 5, 10, 15, 19, 20, 40)]
    prove(
        [*product(ORDERS, places), *((order, 1 - 1 / order) for order in ORDERS)],
        lambda _order, v: max(1 - v, Fraction(0)),
        right,
        twin=lambda order, v: as_ball(NEARLY) * right(order, v),
    )


def test_renyi_delta() -> None:
    """A loss that is always x has D = x, and δ = 1 - e^(ε-x): at the best x, an equality."""

    def right(p: Chances, q: Chances, order: Fraction, factor: Fraction) -> arb:
        a = as_ball(order - 1)
        return factor_of(order) * moment(p, q, order) * as_ball(factor) ** -a

    def constant(ratio: Fraction) -> tuple[Chances, Chances]:
        return (Fraction(1), Fraction(0)), (1 / ratio, 1 - 1 / ratio)

    best = [
        (*constant(factor * order / (order - 1)), order, factor)
        for order, factor in product(ORDERS, FACTORS)
    ]
    prove(
        [*best, *((p, q, a, f) for (p, q), a, f in product(FULL_PAIRS, ORDERS, FACTORS))],
        lambda p, q, _order, factor: hockey_stick(p, q, factor),
        right,
        twin=lambda *point: as_ball(NEARLY) * right(*point),
    )
    for order, delta in product(ORDERS, [Fraction(1, 10**6), Fraction(1, 10)]):
        epsilon = renyi_to_epsilon(order=order, renyi=1, delta=delta)
        assert abs(renyi_to_delta(order=order, renyi=1, epsilon=epsilon) - float(delta)) < 1e-12


def test_renyi_between() -> None:
    """A table of orders says no less than the divergence, and its chords are what is said."""

    def chord(p: Chances, q: Chances, low: Fraction, order: Fraction, high: Fraction) -> arb:
        share = (high - order) / (high - low)
        start = as_ball(share * (low - 1)) * renyi(p, q, low) if low > 1 else arb(0)
        return start + as_ball((1 - share) * (high - 1)) * renyi(p, q, high)

    table = RenyiDP({2: 1, 4: 1.5})
    assert table.renyi(3) == 1.375
    assert table.renyi("3/2") == 1
    ends = [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(6), Fraction(40)]
    triples = [(a, b, c) for a, b, c in product(ends, repeat=3) if a < b < c]
    prove(
        ((p, q, *triple) for (p, q), triple in product(FULL_PAIRS, triples) if p != q),
        lambda p, q, _low, order, _high: as_ball(order - 1) * renyi(p, q, order),
        chord,
        twin=lambda *point: chord(*point) * as_ball(Fraction(9, 10)),
    )


def test_response_renyi() -> None:
    def last(factor: Fraction, order: Fraction, share: Fraction) -> arb:
        half = as_ball(factor).log() / 2
        grown = 2 * (as_ball(order) * half).sinh() * (as_ball(order - 1) * half).sinh()
        return 1 + as_ball(share) * grown / half.cosh()

    with working_precision(BITS):
        for factor, order in product(FACTORS[1:], ORDERS):
            found = as_ball(PureDP(epsilon=Ln(factor)).renyi(order))
            assert found >= last(factor, order, Fraction(1)).log() / as_ball(order - 1)
    prove_equal(
        product(FACTORS, ORDERS),
        lambda factor, order: moment(*response(factor), order),
        lambda factor, order: last(factor, order, Fraction(1)),
        twin=lambda factor, order: last(factor, order, NEARLY),
    )
