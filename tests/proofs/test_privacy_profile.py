"""The curve of the least δ: below its chords, mirrored, attained; and what tests can do."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

from sfumato.numeric import Ln
from sfumato.privacy import ApproxDP, PrivacyProfile
from tests.proofs.finite import (
    FACTORS,
    HALF,
    NEARLY,
    ONE,
    PAIRS,
    ZERO,
    Chances,
    failing,
    hockey_stick,
)
from tests.proofs.inequalities import prove, prove_equal


def test_profile_chord() -> None:
    """At the middle between two ends; the twin is the lower of them."""

    def middle(p: Chances, q: Chances, low: Fraction, high: Fraction) -> Fraction:
        return hockey_stick(p, q, (low + high) / 2)

    def ends(p: Chances, q: Chances, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
        return hockey_stick(p, q, low), hockey_stick(p, q, high)

    prove(
        ((p, q, low, high) for (p, q) in PAIRS for low, high in pairwise([ZERO, *FACTORS])),
        middle,
        lambda *point: sum(ends(*point), ZERO) / 2,
        twin=lambda *point: min(ends(*point)),
    )


def test_profile_mirror() -> None:
    prove(
        ((p, q, factor) for (p, q), factor in product(PAIRS, FACTORS)),
        lambda p, q, factor: hockey_stick(p, q, 1 / factor),
        lambda p, q, factor: 1 - (1 - hockey_stick(q, p, factor)) / factor,
        twin=lambda p, q, factor: 1 - 1 / factor,
    )


#: Points of e^ε and δ that hold together.
POINTS = [
    ((Fraction(2), ZERO),),
    ((Fraction(3), Fraction(1, 100)),),
    ((Fraction(3, 2), Fraction(1, 5)), (Fraction(4), Fraction(1, 50))),
]


def hull(points: tuple[tuple[Fraction, Fraction], ...]) -> list[tuple[Fraction, Fraction]]:
    """The corners of the lower hull, from (0, 1) on."""
    mirrored = [(1 / t, 1 - (1 - delta) / t) for t, delta in points]
    kept: list[tuple[Fraction, Fraction]] = []
    for point in sorted({(ZERO, ONE), *mirrored, *points}):
        while len(kept) > 1 and slope(kept[-2], kept[-1]) >= slope(kept[-1], point):
            kept.pop()
        kept.append(point)
    return kept


def slope(one: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction]) -> Fraction:
    return (other[1] - one[1]) / (other[0] - one[0])


def attaining(corners: list[tuple[Fraction, Fraction]]) -> tuple[Chances, Chances]:
    """The pair whose ratios are the corners, and what is beyond."""
    slopes = [-ONE, *(slope(*pair) for pair in pairwise(corners)), ZERO]
    q = [after - before for before, after in pairwise(slopes)]
    ratios = [t for t, _ in corners]
    p = [r * b for r, b in zip(ratios, q, strict=True)]
    return (*p, corners[-1][1]), (*q, ZERO)


def test_profile_attained() -> None:
    """The pair has the hull for its profile, and so has the guarantee."""

    def read(points: tuple[tuple[Fraction, Fraction], ...], t: Fraction) -> Fraction:
        corners = hull(points)
        for one, other in pairwise(corners):
            if one[0] <= t <= other[0]:
                return one[1] + (t - one[0]) * slope(one, other)
        return corners[-1][1]

    for points, t in product(POINTS, FACTORS):
        guarantee = PrivacyProfile([(Ln(each), delta) for each, delta in points])
        bounds = guarantee.bounds(epsilon=Ln(t))
        assert Fraction(bounds.lower) <= read(points, t) <= Fraction(bounds.upper)
        p, q = attaining(hull(points))
        assert sum(p) == sum(q) == 1
        assert min(*p, *q) >= 0
        assert hockey_stick(p, q, t) == hockey_stick(q, p, t)
    prove_equal(
        product(POINTS, [Fraction(1, 2), *FACTORS]),
        lambda points, t: hockey_stick(*attaining(hull(points)), t),
        read,
        twin=lambda points, t: max(1 - t, points[-1][1]),
    )


def test_false_negatives() -> None:
    """Tests that take each output for one table, the other, or toss a coin."""

    def rates(p: Chances, q: Chances, test: Chances) -> tuple[Fraction, Fraction]:
        alarms = sum((b * t for b, t in zip(q, test, strict=True)), ZERO)
        return alarms, 1 - sum((a * t for a, t in zip(p, test, strict=True)), ZERO)

    def bound(p: Chances, q: Chances, factor: Fraction, test: Chances) -> Fraction:
        alarms, _ = rates(p, q, test)
        delta = max(hockey_stick(p, q, factor), hockey_stick(q, p, factor))
        return max(1 - delta - factor * alarms, (1 - delta - alarms) / factor)

    for factor, alarms in product(FACTORS, [ZERO, HALF, ONE, Fraction(1, 10)]):
        found = ApproxDP(epsilon=Ln(factor), delta=Fraction(1, 50)).tradeoff(
            false_positive_rate=alarms
        )
        kept = Fraction(49, 50)
        exact = max(kept - factor * alarms, (kept - alarms) / factor, ZERO)
        assert 0 <= exact - Fraction(found) <= Fraction(1, 10**12)
    worst = [failing(factor, Fraction(1, 50)) for factor in FACTORS]
    prove(
        (
            (p, q, factor, test)
            for (p, q), factor in product([*PAIRS[::4], *worst], FACTORS[1:])
            for test in product([ZERO, HALF, ONE], repeat=len(p))
        ),
        bound,
        lambda p, q, _factor, test: rates(p, q, test)[1],
        twin=lambda p, q, _factor, test: NEARLY * rates(p, q, test)[1],
    )
