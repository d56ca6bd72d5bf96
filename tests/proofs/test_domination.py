"""A pair above another one: in the other order, in its moments, and followed by second steps."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

from flint import arb

from sfumato.numeric import as_ball
from tests.proofs.finite import (
    FACTORS,
    FULL_PAIRS,
    NEARLY,
    ONE,
    PAIRS,
    ZERO,
    Chances,
    both_ways,
    failing,
    hockey_stick,
    joint,
    moment,
    response,
    times,
)
from tests.proofs.inequalities import prove, prove_equal


def test_mirror() -> None:
    prove_equal(
        ((p, q, factor) for (p, q), factor in product(PAIRS, FACTORS)),
        hockey_stick,
        lambda p, q, factor: 1 - factor + factor * hockey_stick(q, p, 1 / factor),
        twin=lambda p, q, factor: hockey_stick(q, p, factor),
    )


def integral(p: Chances, q: Chances, order: Fraction) -> arb:
    """∫ t^(α-2) (H(t) - (1-t)₊) dt: between the corners H is a line."""

    def height(t: Fraction) -> Fraction:
        return hockey_stick(p, q, t) - max(1 - t, ZERO)

    corners = sorted({ZERO, ONE, *(a / b for a, b in zip(p, q, strict=True))})
    a, total = as_ball(order), arb(0)
    for start, end in pairwise(corners):
        slope = (height(end) - height(start)) / (end - start)
        level = height(start) - slope * start
        for power, weight in ((a - 1, level), (a, slope)):
            grown = as_ball(end) ** power - (as_ball(start) ** power if start else arb(0))
            total += as_ball(weight) * grown / power
    return total


def test_moments_of_profile() -> None:
    orders = [Fraction(3, 2), Fraction(2), Fraction(10)]

    def right(p: Chances, q: Chances, order: Fraction, weight: Fraction) -> arb:
        return 1 + as_ball(weight) * integral(p, q, order)

    prove_equal(
        ((p, q, order) for (p, q), order in product(FULL_PAIRS, orders)),
        moment,
        lambda p, q, order: right(p, q, order, order * (order - 1)),
        twin=lambda p, q, order: right(p, q, order, order**2),
    )


def test_dominated_steps() -> None:
    """First steps below randomized response, and second ones that it is, or less, as they go."""
    firsts = [(p, q) for p, q in FULL_PAIRS if p != q]
    seconds = [response(Fraction(2)), response(Fraction(3, 2)), (response(ONE)[0],) * 2]
    worst = response(Fraction(2))

    def independent(p: Chances, q: Chances, factor: Fraction) -> Fraction:
        first = response(both_ways(p, q))
        return hockey_stick(times(first[0], worst[0]), times(first[1], worst[1]), factor)

    def adaptive(p: Chances, q: Chances, factor: Fraction, turn: int) -> Fraction:
        after = [seconds[(turn * j) % 3] for j in range(len(p))]
        return hockey_stick(
            joint(p, [a for a, _ in after]), joint(q, [b for _, b in after]), factor
        )

    levels = [*FACTORS, Fraction(1, 3)]
    first = [*firsts, *(response(factor) for factor in FACTORS), failing(ONE, ZERO)]
    prove(
        ((p, q, factor, turn) for (p, q), factor, turn in product(first, levels, range(3))),
        adaptive,
        lambda p, q, factor, _turn: independent(p, q, factor),
        twin=lambda p, q, factor, _turn: NEARLY * independent(p, q, factor),
    )
