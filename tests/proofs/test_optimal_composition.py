"""The worst (ε, δ) pair, by the construction of the proof, and sums over all answers of several."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import accumulate, product
from math import prod
from typing import TYPE_CHECKING

from sfumato.numeric import Ln, as_ball
from sfumato.privacy.theorems import optimal_delta, optimal_epsilon
from tests.proofs.finite import (
    FACTORS,
    NEARLY,
    ONE,
    PAIRS,
    ZERO,
    Chances,
    failing,
    hockey_stick,
    response,
    times,
)
from tests.proofs.inequalities import prove, prove_equal

if TYPE_CHECKING:
    from flint import arb

Split = tuple[Fraction, Chances, Chances, Chances, Chances]


def cut(p: Chances, q: Chances, factor: Fraction) -> Chances:
    return tuple(min(a, factor * b) for a, b in zip(p, q, strict=True))


def moved(one: Chances, other: Chances, factor: Fraction, mass: Fraction) -> Chances:
    """The first, moved towards the second over the factor until so much is left of it."""
    way = [a - b / factor for a, b in zip(one, other, strict=True)]
    assert min(way) >= 0
    share = (sum(one) - mass) / sum(way) if sum(one) != mass else ZERO
    assert 0 <= share <= 1
    return tuple(a - share * each for a, each in zip(one, way, strict=True))


def split(p: Chances, q: Chances, factor: Fraction) -> Split:
    """δ, and the distributions a, b, c and d of the proof."""
    near_p, near_q = cut(p, q, factor), cut(q, p, factor)
    delta = 1 - min(sum(near_p, ZERO), sum(near_q, ZERO))
    near_p, near_q = (
        moved(near_p, near_q, factor, 1 - delta),
        moved(near_q, near_p, factor, 1 - delta),
    )
    kept, steep = 1 - delta, (1 - delta) * (factor - 1)
    a = tuple((factor * x - y) / steep for x, y in zip(near_p, near_q, strict=True))
    b = tuple((factor * y - x) / steep for x, y in zip(near_p, near_q, strict=True))
    c = tuple((x - y) / (delta or 1) for x, y in zip(p, near_p, strict=True))
    d = tuple((x - y) / (delta or 1) for x, y in zip(q, near_q, strict=True))
    for each in (a, b, *((c, d) if delta else ())):
        assert min(each) >= 0
        assert sum(each) == 1
    assert kept > 0
    return delta, a, b, c, d


def test_failing_split() -> None:
    points = [
        (p[y], split(p, q, factor), y, factor)
        for p, q in PAIRS
        for factor in FACTORS[1:]
        for y in range(3)
    ]

    def put_together(found: Split, y: int, weight: Fraction, factor: Fraction) -> Fraction:
        delta, a, b, c, _ = found
        return delta * c[y] + (1 - delta) * (weight * a[y] + b[y]) / (factor + 1)

    prove_equal(
        points,
        lambda chance, _found, _y, _factor: chance,
        lambda _chance, found, y, factor: put_together(found, y, factor, factor),
        twin=lambda _chance, found, y, factor: put_together(found, y, ONE, factor),
    )


def test_worst_pair() -> None:
    """At every ε' up to ε, for pairs of which δ at ε is known; the worst pair attains it."""

    def bound(delta: Fraction, factor: Fraction, other: Fraction) -> Fraction:
        return delta + (1 - delta) * (factor - other) / (factor + 1)

    pairs = [*PAIRS, *(failing(factor, Fraction(1, 50)) for factor in FACTORS)]
    prove(
        (
            (p, q, max(hockey_stick(p, q, factor), hockey_stick(q, p, factor)), factor, other)
            for (p, q), factor, other in product(pairs, FACTORS, FACTORS)
            if other <= factor
        ),
        lambda p, q, _delta, _factor, other: hockey_stick(p, q, other),
        lambda _p, _q, delta, factor, other: bound(delta, factor, other),
        twin=lambda _p, _q, delta, factor, other: NEARLY * bound(delta, factor, other),
    )


#: Steps by their e^ε and δ, and the e^ε and δ of the whole.
STEPS = [
    (((Fraction(2), Fraction(1, 100)),) * 5, Fraction(4), Fraction(1, 4)),
    (
        ((Fraction(2), ZERO), (Fraction(3), ZERO), (Fraction(6, 5), Fraction(1, 50))),
        ONE,
        Fraction(1, 9),
    ),
    (((Fraction(3), ZERO),) * 6, Fraction(20), Fraction(1, 1000)),
]


def answers(factors: list[Fraction]) -> tuple[Chances, Chances]:
    """The probabilities of all answers of randomized responses, on either table."""
    pairs = [response(each) for each in factors]
    return reduce(times, (p for p, _ in pairs)), reduce(times, (q for _, q in pairs))


def test_optimal_sum() -> None:
    def exact(steps: tuple[tuple[Fraction, Fraction], ...], total: Fraction) -> Fraction:
        p, q = answers([factor for factor, _ in steps])
        kept: Fraction = prod((1 - delta for _, delta in steps), start=ONE)
        return 1 - kept * (1 - hockey_stick(p, q, total))

    def found(steps: tuple[tuple[Fraction, Fraction], ...], total: Fraction) -> arb:
        epsilons, deltas = [Ln(factor) for factor, _ in steps], [delta for _, delta in steps]
        bounds = optimal_delta(epsilon=epsilons, delta=deltas, total_epsilon=Ln(total))
        assert Fraction(bounds.lower) <= exact(steps, total)
        return as_ball(bounds.upper)

    prove(
        ((steps, total) for steps, total, _ in STEPS),
        exact,
        found,
        twin=lambda steps, total: found(steps, total) * as_ball(NEARLY),
    )


def test_optimal_level() -> None:
    """The sets of greatest loss, one after another, against the function."""

    def exact(steps: tuple[tuple[Fraction, Fraction], ...], delta: Fraction) -> Fraction:
        p, q = answers([factor for factor, _ in steps])
        kept: Fraction = prod((1 - each for _, each in steps), start=ONE)
        left = 1 - (1 - delta) / kept
        ranked = sorted(zip(p, q, strict=True), key=lambda pair: -pair[0] / pair[1])
        sums = zip(*(accumulate(side) for side in zip(*ranked, strict=True)), strict=True)
        ratios: list[Fraction] = [(first - left) / second for first, second in sums]
        return max(ONE, *ratios)

    def found(steps: tuple[tuple[Fraction, Fraction], ...], delta: Fraction) -> arb:
        epsilons, deltas = [Ln(factor) for factor, _ in steps], [each for _, each in steps]
        bounds = optimal_epsilon(epsilon=epsilons, delta=deltas, total_delta=delta)
        assert as_ball(bounds.lower) <= as_ball(exact(steps, delta)).log()
        return as_ball(bounds.upper).exp()

    prove(
        ((steps, delta) for steps, _, delta in STEPS),
        exact,
        found,
        twin=lambda steps, delta: found(steps, delta) * as_ball(NEARLY),
    )
