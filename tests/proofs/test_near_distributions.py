"""Lemma 3.17: what is cut off, what is moved, and how far that is."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from sfumato.information import bounded_neighbour, bounded_pair
from sfumato.numeric import Ln
from tests.proofs.finite import (
    FACTORS,
    NEARLY,
    ONE,
    PAIRS,
    ZERO,
    Chances,
    failing,
    hockey_stick,
    of,
)
from tests.proofs.inequalities import prove, prove_equal

ALL = [*PAIRS, failing(Fraction(2), Fraction(1, 10)), (of(1, 0, 9), of(0, 3, 7))]
CASES = [(p, q, factor) for (p, q), factor in product(ALL, FACTORS)]


def lost(before: Chances, after: Chances) -> Fraction:
    return hockey_stick(before, after, ONE)


def test_cut_distance() -> None:
    def near(p: Chances, q: Chances, factor: Fraction) -> Chances:
        found = bounded_neighbour(p, q, epsilon=Ln(factor))
        after = tuple(found.distribution.fractions)
        assert all(a <= factor * b for a, b in zip(after, q, strict=True))
        assert found.distance == lost(p, after)
        return after

    prove_equal(
        CASES,
        lambda p, q, factor: lost(p, near(p, q, factor)),
        hockey_stick,
        twin=lambda p, q, factor: hockey_stick(q, p, factor),
    )


def test_pair_moved() -> None:
    prove_equal(
        (
            (a, b, factor)
            for p, q, factor in CASES
            for a, b in zip(p, q, strict=True)
            if a > factor * b
        ),
        lambda a, b, factor: a - factor * (a + b) / (1 + factor),
        lambda a, b, factor: (a - factor * b) / (1 + factor),
        twin=lambda a, b, factor: (a - factor * b) / factor,
    )


def moved(p: Chances, q: Chances, factor: Fraction) -> tuple[Chances, Chances]:
    """Both, brought within the factor at each outcome with the same sum."""
    found = []
    for a, b in zip(p, q, strict=True):
        least = (a + b) / (1 + factor)
        found.append((min(max(a, least), a + b - least), min(max(b, least), a + b - least)))
    return tuple(a for a, _ in found), tuple(b for _, b in found)


def test_pair_room() -> None:
    """What P lacks, against half of the way where it is below Q; a third of it is too little."""

    def short(p: Chances, q: Chances, factor: Fraction) -> Fraction:
        return 1 - sum(moved(p, q, factor)[0], ZERO)

    def room(p: Chances, q: Chances, factor: Fraction) -> Fraction:
        near_p, near_q = moved(p, q, factor)
        return hockey_stick(near_q, near_p, ONE)

    lonely = (of(1, 0, 0), of(0, 1, 1)), (of(20, 1, 0), of(1, 0, 0))
    alone = [(p, q, factor) for (p, q), factor in product(lonely, FACTORS)]
    prove(
        [case for case in [*CASES, *alone] if short(*case) >= 0],
        short,
        lambda *case: room(*case) / 2,
        twin=lambda *case: room(*case) / 3,
    )


def test_pair_distance() -> None:
    def farthest(p: Chances, q: Chances, factor: Fraction) -> Fraction:
        found = bounded_pair(p, q, epsilon=Ln(factor))
        near_p, near_q = tuple(found.p.fractions), tuple(found.q.fractions)
        for a, b in zip(near_p, near_q, strict=True):
            assert a <= factor * b
            assert b <= factor * a
        assert sum(near_p) == sum(near_q) == 1
        return max(lost(p, near_p), lost(q, near_q))

    def bound(p: Chances, q: Chances, factor: Fraction) -> Fraction:
        delta = max(hockey_stick(p, q, factor), hockey_stick(q, p, factor), ZERO)
        return delta / (1 + factor)

    prove(CASES, farthest, bound, twin=lambda *case: NEARLY * bound(*case))
