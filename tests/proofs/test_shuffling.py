"""Clones: how reports split, what is left of one person among them, and shuffled reports."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

from sfumato.numeric import Ln
from sfumato.privacy import Substitute, compose, events
from tests.proofs.finite import (
    FACTORS,
    FULL_PAIRS,
    HALF,
    ONE,
    ZERO,
    Chances,
    both_ways,
    hockey_stick,
)
from tests.proofs.inequalities import prove_equal

INVERSES = [1 / factor for factor in FACTORS[1:]]


def left(a: int, m: int, e: Fraction) -> Fraction:
    """The probability of a reports from U among m, when person 1 holds v."""
    if not 0 <= a <= m:
        return ZERO
    return comb(m, a) * HALF**m * 2 * (a + e * (m - a)) / (m * (1 + e))


def test_clone_split() -> None:
    """U and V are distributions, and put together they are the reports."""

    def split(p: Chances, q: Chances, y: int, weight: Fraction) -> Fraction:
        e = 1 / both_ways(p, q)
        u = tuple((a - e * b) / (1 - e) for a, b in zip(p, q, strict=True))
        v = tuple((b - e * a) / (1 - e) for a, b in zip(p, q, strict=True))
        assert min(*u, *v) >= 0
        assert sum(u) == sum(v) == 1
        assert (u[y] + v[y]) / 2 == (p[y] + q[y]) / 2
        return (u[y] + (e if weight == 1 else weight) * v[y]) / (1 + e)

    prove_equal(
        ((p, q, y) for p, q in FULL_PAIRS for y in range(3) if p != q),
        lambda p, _q, y: p[y],
        lambda p, q, y: split(p, q, y, ONE),
        twin=lambda p, q, y: split(p, q, y, HALF),
    )


def test_clone_coin() -> None:
    """Half of the clones, and all of the other answers."""
    prove_equal(
        ((e,) for e in INVERSES),
        lambda e: 2 * e / (1 + e) / 2,
        lambda e: 1 - 1 / (1 + e),
        twin=lambda e: e,
    )


def test_clone_mass() -> None:
    def counted(a: int, m: int, e: Fraction) -> Fraction:
        own = comb(m - 1, a - 1) if a else 0
        return 2 * HALF**m / (1 + e) * (own + e * comb(m - 1, a))

    points = [(a, m, e) for m in (1, 2, 5, 9) for a in range(m + 1) for e in INVERSES]
    assert all(sum(left(a, m, e) for a in range(m + 1)) == 1 for m in (1, 5) for e in INVERSES)
    prove_equal(
        points,
        counted,
        left,
        twin=lambda a, m, e: left(m - a, m, e),
    )


def test_more_clones() -> None:
    prove_equal(
        ((a, m, e) for m in (1, 2, 5) for a in range(m + 2) for e in INVERSES),
        lambda a, m, e: left(a, m + 1, e),
        lambda a, m, e: (left(a, m, e) + left(a - 1, m, e)) / 2,
        twin=left,
    )


def clones(people: int, share: Fraction, e: Fraction) -> tuple[Chances, Chances]:
    """The pair that dominates."""
    found = []
    for c in range(people):
        weight = comb(people - 1, c) * share**c * (1 - share) ** (people - 1 - c)
        found += [
            (weight * left(a, c + 1, e), weight * left(c + 1 - a, c + 1, e)) for a in range(c + 2)
        ]
    return tuple(p for p, _ in found), tuple(q for _, q in found)


def shuffled(held: tuple[int, ...], e: Fraction, answers: int) -> dict[tuple[int, ...], Fraction]:
    """How likely the reports are that the shuffler gives, in order of the answers."""
    whole = 1 + (answers - 1) * e
    found: Counter[tuple[int, ...]] = Counter()
    for reports in product(range(answers), repeat=len(held)):
        chance = ONE
        for own, said in zip(held, reports, strict=True):
            chance *= (ONE if own == said else e) / whole
        found[tuple(sorted(reports))] += chance  # type: ignore[assignment]
    return dict(found)  # type: ignore[arg-type]


def test_shuffled_reports_are_below_their_clones() -> None:
    """Of three and four people, with two answers and with three."""

    def seen(rest: tuple[int, ...], answers: int, e: Fraction, factor: Fraction) -> Fraction:
        one, other = shuffled((0, *rest), e, answers), shuffled((1, *rest), e, answers)
        return hockey_stick(tuple(one.values()), tuple(other[key] for key in one), factor)

    def bound(people: int, answers: int, e: Fraction, factor: Fraction) -> Fraction:
        share = 2 * e / (1 + e) if answers == 2 else e
        return hockey_stick(*clones(people, share, e), factor)

    rests = [(0, 0), (0, 1), (1, 1, 1), (0, 1, 1)]
    for rest, answers, e, factor in product(rests, [2, 3], INVERSES[:2], [ONE, Fraction(3, 2)]):
        assert seen(rest, answers, e, factor) <= bound(len(rest) + 1, answers, e, factor)
    for e, factor in product(INVERSES[1:2], [ONE, Fraction(3, 2)]):
        event = events.Shuffled(events.RandomizedResponse(epsilon=Ln(1 / e)), population=4)
        found = compose(event, relation=Substitute()).delta(epsilon=Ln(factor))
        assert bound(4, 2, e, factor) <= Fraction(found)
        assert Fraction(found) <= bound(4, 2, e, factor) + Fraction(1, 10**6)
