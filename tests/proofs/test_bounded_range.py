"""Losses within an interval: one choice, two that are made equal, and the best place of all."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import combinations_with_replacement, product
from math import comb

from flint import arb

from sfumato.numeric import Ln, as_ball
from sfumato.privacy.theorems import bounded_range_delta
from tests.proofs.finite import NEARLY, ONE, ZERO, Chances, hockey_stick, times
from tests.proofs.inequalities import prove, prove_equal

#: e^ε of a choice, and its square root.
RANGE, ROOT = Fraction(4), Fraction(2)


def ends(x: Fraction) -> tuple[Chances, Chances]:
    """The worst choice whose losses are t and t - ε, with x = e^t."""
    p = (RANGE - x) / (RANGE - 1)
    return (p, 1 - p), (p / x, 1 - p / x)


def test_range_one() -> None:
    """Of a root of e^y, and of x between 1 and e^ε; at x = e^((ε + y)/2) it is an equality."""
    roots = [Fraction(1, 2), Fraction(3, 4), ONE, Fraction(3, 2), ROOT]
    places = [ONE, Fraction(3, 2), ROOT, Fraction(3), RANGE]

    def right(_x: Fraction, root: Fraction) -> Fraction:
        return (ROOT - root) ** 2 / (RANGE - 1)

    prove(
        ((x, root) for root in roots for x in (*places, ROOT * root)),
        lambda x, root: hockey_stick(*ends(x), root**2),
        right,
        twin=lambda x, root: NEARLY * right(x, root),
    )


def lesser(places: tuple[Fraction, ...]) -> tuple[list[Fraction], list[Fraction]]:
    """The probabilities of 0, 1, 2, … lesser losses, on either table."""
    found = [ONE], [ONE]
    for x in places:
        for side, (high, low) in zip(found, ends(x), strict=True):
            side[:] = [
                high * (side[j] if j < len(side) else 0) + low * (side[j - 1] if j else 0)
                for j in range(len(side) + 1)
            ]
    return found


def gain(places: tuple[Fraction, ...], most: int, factor: Fraction) -> Fraction:
    """F: how much likelier at most so many lesser losses are, over e^ε_g."""
    p, q = lesser(places)
    return sum(p[: most + 1], ZERO) - factor * sum(q[: most + 1], ZERO)


def count_for(places: tuple[Fraction, ...], factor: Fraction) -> int:
    """The greatest l with T - lε > ε_g; -1 where there is none."""
    top, most = reduce(lambda a, b: a * b, places), -1
    while top > factor:
        top, most = top / RANGE, most + 1
    return most


def test_range_swap() -> None:
    """Two of the x are moved to others of the same product: F is straight in their sum."""
    others = [(Fraction(3), Fraction(2)), (ROOT, ROOT), (Fraction(3, 2), Fraction(3))]
    moves = [((ONE, Fraction(3)), (Fraction(3, 2), ROOT)), ((ONE, RANGE), (ROOT, ROOT))]

    def slope(
        rest: Chances, one: Chances, other: Chances, factor: Fraction, *, sign: int
    ) -> Fraction:
        c, most = one[0] * one[1], count_for((*rest, *one), factor)
        if most < 0:
            return ZERO
        _, psi = lesser(rest)
        here, before = psi[most] if most < len(psi) else ZERO, psi[most - 1] if most else ZERO
        ratio = reduce(lambda a, b: a * b, rest) / RANGE**most
        bracket = here * (factor / c - ratio) - sign * before * (RANGE * factor / c - ratio)
        return RANGE / (RANGE - 1) ** 2 * bracket * (sum(other) - sum(one))

    def change(rest: Chances, one: Chances, other: Chances, factor: Fraction) -> Fraction:
        most = count_for((*rest, *one), factor)
        return gain((*rest, *other), most, factor) - gain((*rest, *one), most, factor)

    points = [
        (rest, *move, factor)
        for rest, move, factor in product(others, moves, [ONE, Fraction(3, 2), Fraction(5)])
    ]
    assert all(change(*point) >= 0 for point in points)
    prove_equal(
        points,
        change,
        lambda *point: slope(*point, sign=1),
        twin=lambda *point: slope(*point, sign=-1),
    )


def test_range_slope() -> None:
    """By the terms of the derivative of both binomial sums."""
    places = [Fraction(6, 5), Fraction(3, 2), Fraction(3)]

    def by_sums(count: int, most: int, x: Fraction, factor: Fraction) -> Fraction:
        (p, _), (q, _) = ends(x)
        ways = count * comb(count - 1, most)
        first = ways * p ** (count - 1 - most) * (1 - p) ** most * -x
        second = ways * q ** (count - 1 - most) * (1 - q) ** most * -RANGE / x
        return (first - factor * second) / (RANGE - 1)

    def said(count: int, most: int, x: Fraction, factor: Fraction, power: int) -> Fraction:
        (p, _), _ = ends(x)
        front = count * comb(count - 1, most) * p ** (count - 1 - most) * (1 - p) ** most
        return front / (RANGE - 1) * (factor * RANGE**power * x**-count - x)

    cases = [(3, 0), (3, 2), (5, 1)]
    prove_equal(
        ((*case, x, factor) for case, x, factor in product(cases, places, [ONE, ROOT])),
        by_sums,
        lambda count, most, x, factor: said(count, most, x, factor, most + 1),
        twin=lambda count, most, x, factor: said(count, most, x, factor, most),
    )


def test_no_other_choices_are_worse_than_what_is_found() -> None:
    """Brute force over different x; and equal ones near the best place come as close as may be."""
    places = [ONE, Fraction(6, 5), Fraction(3, 2), ROOT, Fraction(5, 2), Fraction(3), RANGE]
    for factor in (ONE, Fraction(20)):
        found = bounded_range_delta(epsilon=Ln(RANGE), count=3, total_epsilon=Ln(factor))
        for chosen in combinations_with_replacement(places, 3):
            p, q = (reduce(times, side) for side in zip(*map(ends, chosen), strict=True))
            assert hockey_stick(p, q, factor) <= Fraction(found.upper)
        equal = [(1 + Fraction(j, 100),) * 3 for j in range(301)]
        greatest = max(gain(each, count_for(each, factor), factor) for each in equal)
        assert as_ball(greatest) >= arb(found.lower) * (1 - arb("1e-4"))
