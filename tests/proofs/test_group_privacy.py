"""Chains of neighbours: what a guarantee for one change says about several."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import TYPE_CHECKING

from sfumato.numeric import as_ball
from tests.proofs.finite import FACTORS, FULL, NEARLY, ZERO, hockey_stick, of, renyi
from tests.proofs.inequalities import prove, prove_equal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flint import arb

    from tests.proofs.finite import Chances


def worst_chain(factor: Fraction, delta: Fraction, size: int) -> list[Chances]:
    """A set that P_k never hits, and each before it as much more likely as (ε, δ) lets it be."""
    chances = [ZERO]
    for _ in range(size):
        chances.insert(0, factor * chances[0] + delta)
    return [(each, 1 - each) for each in chances]


def test_group_approximate() -> None:
    def points() -> Iterator[tuple[Chances, Chances, Fraction, Fraction, int]]:
        chains = [
            *(worst_chain(factor, Fraction(1, 10**4), 4) for factor in FACTORS),
            *([*each] for each in product(FULL, repeat=4)),
        ]
        for chain, factor in product(chains, FACTORS):
            steps = [*pairwise(chain), *pairwise(chain[::-1])]
            delta = max(hockey_stick(p, q, factor) for p, q in steps)
            yield chain[0], chain[-1], factor, delta, len(chain) - 1

    prove(
        points(),
        lambda p, q, factor, _delta, size: hockey_stick(p, q, factor**size),
        lambda _p, _q, factor, delta, size: delta * sum(factor**j for j in range(size)),
        twin=lambda _p, _q, _factor, delta, size: delta * size,
    )


def test_group_triangle() -> None:
    """Of two outcomes with odds 8, 4 and 1 it is an equality at order 2 with u = v = 2."""
    chains = [(of(8, 1), of(4, 1), of(1, 1)), *product(FULL, repeat=3)]
    orders = [Fraction(3, 2), Fraction(2), Fraction(7)]
    shares = [Fraction(3, 2), Fraction(2), Fraction(4)]

    def right(p: Chances, r: Chances, q: Chances, order: Fraction, u: Fraction) -> arb:
        v = u / (u - 1)
        far = as_ball((order - 1 / u) / (order - 1)) * renyi(p, r, u * order)
        return far + renyi(r, q, v * (order - 1) + 1)

    prove(
        (
            (*chain, order, u)
            for chain, order, u in product(chains, orders, shares)
            if len(set(chain)) > 1
        ),
        lambda p, _r, q, order, _u: renyi(p, q, order),
        right,
        twin=lambda *point: right(*point) * as_ball(NEARLY),
    )


def test_group_doubling() -> None:
    """For β from 2 on; the first summand is greatest there."""
    betas = [2 + Fraction(each, 10) for each in (0, 1, 5, 20, 1000)]

    def left(beta: Fraction) -> Fraction:
        return (beta - Fraction(1, 2)) / (beta - 1) + 1

    prove(
        ((beta,) for beta in betas),
        left,
        lambda _beta: Fraction(5, 2),
        twin=lambda _beta: NEARLY * Fraction(5, 2),
    )


def test_group_roots() -> None:
    """With a = ρ and b = j²ρ; the sum of a and b themselves is not enough."""
    orders = [Fraction(11, 10), Fraction(2), Fraction(30)]

    def left(rho: Fraction, people: int, order: Fraction) -> Fraction:
        w = (order - 1) / order * people
        u, v = 1 + w, 1 + 1 / w
        far = (u * order - 1) / (order - 1) * order * rho
        return far + (v * (order - 1) + 1) * people**2 * rho

    prove_equal(
        product([Fraction(1, 2), Fraction(3)], range(1, 6), orders),
        left,
        lambda rho, people, order: order * (people + 1) ** 2 * rho,
        twin=lambda rho, people, order: order * (people**2 + 1) * rho,
    )
