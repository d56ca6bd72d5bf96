"""Losses of whole-number Laplace noise: of one number, and of two that share its change."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from flint import arb

from sfumato.numeric import as_ball, working_precision
from sfumato.privacy import compose, events
from sfumato.privacy.theorems import laplace_delta
from tests.proofs.finite import NEARLY, ONE, ZERO, Chances, hockey_stick, times
from tests.proofs.inequalities import BITS, prove, prove_equal

#: e^(-1/s).
RATES = [Fraction(1, 2), Fraction(9, 10)]
#: How many steps two coordinates move, and one that moves by as many in all.
MOVES = [(1, 1), (1, 2), (2, 2), (1, 4), (3, 4)]


def noisy(rate: Fraction, moved: int) -> tuple[Chances, Chances]:
    """P and Q by the number k between the centres, with all beyond at the ends."""
    whole = 1 + rate
    inner = [rate**k * (1 - rate) / whole for k in range(1, moved)]
    p = (1 / whole, *inner, rate**moved / whole)
    return p, p[::-1]


def spread(rate: Fraction, moves: tuple[int, int]) -> tuple[Chances, Chances]:
    (p, q), (r, s) = (noisy(rate, each) for each in moves)
    return times(p, r), times(q, s)


def kept(pair: tuple[Chances, Chances], level: Fraction) -> Fraction:
    """g at e^ε."""
    return 1 - hockey_stick(*pair, level)


def both_sides(pair: tuple[Chances, Chances], level: Fraction) -> tuple[Fraction, Fraction]:
    """P[L ≤ ε], and e^ε Q[L > ε]."""
    outputs = list(zip(*pair, strict=True))
    low = sum((p for p, q in outputs if p <= level * q), ZERO)
    return low, level * sum((q for p, q in outputs if p > level * q), ZERO)


def test_laplace_balance() -> None:
    def term(rate: Fraction, moved: int, j: int, share: Fraction) -> Fraction:
        low, high = both_sides(noisy(rate, moved), rate ** -(moved - 2 * j))
        return share * low - high

    points = [(rate, n, j) for rate, n in product(RATES, (1, 2, 5)) for j in range(1, n + 1)]
    prove_equal(
        points,
        lambda rate, moved, j: term(rate, moved, j, rate),
        lambda _rate, _moved, _j: ZERO,
        twin=lambda rate, moved, j: term(rate, moved, j, ONE),
    )


def test_laplace_step() -> None:
    """Of one number and of two, from each value of 0 or more to the next."""

    def grown(rate: Fraction, moves: tuple[int, int], level: Fraction) -> Fraction:
        pair = spread(rate, moves)
        low, high = both_sides(pair, level)
        found = kept(pair, level / rate**2) / kept(pair, level)
        assert found == 1 + (rate**-2 - 1) * high / (low + high)
        return found

    prove(
        (
            (rate, moves, rate**-power)
            for rate, moves in product(RATES, MOVES)
            for power in range(sum(moves) % 2, sum(moves), 2)
        ),
        grown,
        lambda rate, _moves, _level: 1 / rate,
        twin=lambda rate, _moves, _level: rate ** Fraction(-1) * Fraction(9, 10),
    )
    for rate, moved, j in product(RATES, [3], range(4)):
        assert kept(noisy(rate, moved), rate ** -(moved - 2 * j)) == rate**j


def test_laplace_spread() -> None:
    """Left of it the difference of both sides, right what the lesser coordinate leaves."""

    def left(rate: Fraction, moves: tuple[int, int], power: int) -> Fraction:
        low, high = both_sides(spread(rate, moves), rate**-power)
        return rate * low - high

    def right(rate: Fraction, moves: tuple[int, int], power: int, *, beyond: int) -> Fraction:
        less, more = moves
        p, _ = noisy(rate, less)
        reached = (p[k] for k in range(less + 1) if less - 2 * k <= power - more + beyond)
        return rate * sum(reached, ZERO)

    points = [
        (rate, moves, power)
        for rate, moves in product(RATES, MOVES)
        for power in range(sum(moves) % 2, sum(moves) + 1, 2)
    ]
    assert all(left(*point) >= 0 for point in points)
    prove_equal(
        points,
        left,
        lambda *point: right(*point, beyond=0),
        twin=lambda *point: right(*point, beyond=2),
    )


def test_two_coordinates_tell_no_more_than_one() -> None:
    """At all values and between them, also below 0; and so the accountant says."""
    for rate, moves in product(RATES, MOVES):
        one, two = noisy(rate, sum(moves)), spread(rate, moves)
        levels = [rate**-power for power in range(-sum(moves) - 1, sum(moves) + 2)]
        assert all(kept(one, level) <= kept(two, level) for level in levels)
        assert any(kept(one, level) < NEARLY * kept(two, level) for level in levels)
    for a, b in ((1, 1), (2, 5)):
        parts = [events.Laplace(scale=3, sensitivity=each) for each in (a, b)]
        whole = compose(events.Laplace(scale=3, sensitivity=a + b))
        for epsilon in (0, Fraction(1, 3), 1):
            assert compose(*parts).bounds(epsilon=epsilon).lower <= whole.delta(epsilon=epsilon)
    with working_precision(BITS):
        exact = -as_ball(Fraction(-1, 4)).expm1()
        assert arb(laplace_delta(pure_epsilon=1, epsilon=Fraction(1, 2)).upper) >= exact
