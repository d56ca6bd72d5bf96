"""Coins of exact probability, by exhausting the bits they are made of."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.numeric import as_ball, shown, working_precision
from sfumato.sampling import BitSource, SeededSource
from sfumato.sampling.coin import bernoulli, bernoulli_exp, coin_of_ball
from tests.refusing import raises_code
from tests.sampling.scripted import (
    FALSE_ALARM,
    HEADS,
    ONES,
    ZEROS,
    Forever,
    ScriptedSource,
    both_extremes,
    first_true,
    surprise,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Ball = Callable[[], arb]
    Toss = Callable[[int, BitSource], NDArray[np.bool_]]

WORD = 1 << 64


def rational(probability: Fraction | float) -> tuple[Toss, Ball]:
    def toss(size: int, source: BitSource) -> NDArray[np.bool_]:
        return bernoulli(probability, size, source=source)

    return toss, partial(as_ball, Fraction(probability))


def exponential(exponent: Fraction | float) -> tuple[Toss, Ball]:
    def toss(size: int, source: BitSource) -> NDArray[np.bool_]:
        return bernoulli_exp(exponent, size, source=source)

    return toss, lambda: as_ball(-Fraction(exponent)).exp()


def of_ball(ball: Ball) -> tuple[Toss, Ball]:
    def toss(size: int, source: BitSource) -> NDArray[np.bool_]:
        return coin_of_ball(ball, size, source=source)

    return toss, ball


COINS: dict[str, tuple[Toss, Ball]] = {
    "0": rational(0),
    "1": rational(1),
    "1/2": rational(0.5),
    "1/3": rational(Fraction(1, 3)),
    "0.1 as stored": rational(0.1),
    "2^-70": rational(2.0**-70),
    "1 - 2^-70": rational(1 - Fraction(1, 2**70)),
    "1 - 10^-400": rational(1 - Fraction(1, 10**400)),
    "exp(0)": exponential(0),
    "exp(-1)": exponential(1),
    "exp(-1/3)": exponential(Fraction(1, 3)),
    "exp(-50)": exponential(50),
    "exp(-1000)": exponential(1000),
    "exp(-10^-300)": exponential(1e-300),
    "ln 2": of_ball(lambda: arb(2).log()),
}

every_coin = pytest.mark.parametrize(("toss", "ball"), COINS.values(), ids=COINS)


def brackets(settled: tuple[int, int], ball: Ball, units: int) -> bool:
    """Tell whether the probability, times units, is certain to lie between two integers."""
    low, high = settled
    with working_precision(4096):
        scaled = ball() * units
        return not (scaled < low or scaled > high)


@every_coin
def test_the_settled_mass_of_all_beginnings_brackets_the_probability(
    toss: Toss, ball: Ball
) -> None:
    """Every string of 16 bits, followed by all zeros and all ones; at most one stays open."""
    zeros, ones = both_extremes(toss)
    heads, tails = int((zeros & ones).sum()), int((~zeros & ~ones).sum())
    assert heads + tails >= len(HEADS) - 1
    assert brackets((heads, len(HEADS) - tails), ball, len(HEADS))


@pytest.mark.parametrize("name", ["1/3", "exp(-1)", "exp(-1/3)", "ln 2"])
def test_a_probability_off_by_five_per_cent_is_not_bracketed(name: str) -> None:
    """The twin of the test above."""
    toss, ball = COINS[name]
    zeros, ones = both_extremes(toss)
    heads, tails = int((zeros & ones).sum()), int((~zeros & ~ones).sum())
    assert not brackets((heads, len(HEADS) - tails), lambda: ball() * 1.05, len(HEADS))


def first_tails(toss: Toss, rest: int) -> int:
    """The least number of 128 bits, followed by ``rest`` for ever, at which the coin is false."""

    def falls_false(number: int) -> bool:
        word, more = divmod(number, WORD)
        return not toss(1, ScriptedSource([word], integers=[more], then=Forever(rest)))[0]

    return first_true(falls_false, 128)


@every_coin
def test_the_boundary_lies_where_the_probability_is_to_128_bits(toss: Toss, ball: Ball) -> None:
    """A search through the refinement path: the distribution is exact far beyond one word."""
    low, high = first_tails(toss, ONES), first_tails(toss, ZEROS)
    assert 0 <= high - low <= 1
    assert brackets((low, high), ball, WORD**2)


@given(st.fractions(0, 1, max_denominator=10**30))
def test_the_boundary_of_any_rational(probability: Fraction) -> None:
    toss, ball = rational(probability)
    assert brackets((first_tails(toss, ONES), first_tails(toss, ZEROS)), ball, WORD**2)


@given(st.fractions(0, 60, max_denominator=10**12))
def test_the_boundary_of_any_exponential(exponent: Fraction) -> None:
    toss, ball = exponential(exponent)
    assert brackets((first_tails(toss, ONES), first_tails(toss, ZEROS)), ball, WORD**2)


def test_a_float_s_comparison_would_be_seen() -> None:
    """The twin of the tests above: a uniform float below a float of the probability."""
    boundary = int(Fraction(math.exp(-1)) * WORD**2)
    assert not brackets((boundary, boundary + 1), COINS["exp(-1)"][1], WORD**2)


def test_a_word_on_the_threshold_is_decided_by_the_bits_after_it() -> None:
    """1/3 is 0.010101... in bits: the next 64, and the 64 after those, decide both ways."""
    third = WORD // 3

    def tossed(*integers: int) -> bool:
        source = ScriptedSource([third], integers=integers)
        return bool(bernoulli(Fraction(1, 3), 1, source=source)[0])

    assert tossed(third - 1)
    assert not tossed(third + 1)
    assert tossed(third, third - 1)
    assert not tossed(third, third + 1)
    assert tossed(third, third, third, 0)


def test_refined_words_stay_in_their_places() -> None:
    third = WORD // 3
    source = ScriptedSource([0, third, WORD - 1, third, 0], integers=[WORD - 1, 0])
    drawn = bernoulli(Fraction(1, 3), 5, source=source)
    assert drawn.tolist() == [True, False, False, True, True]


@pytest.mark.parametrize(
    ("probability", "word", "falls"),
    [(0.75, 3 << 62, False), (0.75, (3 << 62) - 1, True), (0, 0, False), (1, WORD - 1, True)],
)
def test_a_dyadic_probability_needs_one_word(probability: float, word: int, *, falls: bool) -> None:
    assert bernoulli(probability, 1, source=ScriptedSource([word])).tolist() == [falls]


def half() -> arb:
    """1/2, of which no ball is exact."""
    return arb(2).log().exp() / 4


@pytest.mark.parametrize(
    ("ball", "number", "falls"),
    [
        (half, WORD**2 // 2 - 2, True),
        (half, WORD**2 // 2 + 1, False),
        (lambda: 2 * half(), WORD**2 - 2, True),
        (lambda: half() - half(), 1, False),
        (exponential(1e300)[1], 1, False),
    ],
    ids=["below 1/2", "above 1/2", "below 1", "above 0", "above exp(-1e300)"],
)
def test_a_probability_that_is_hard_to_tell_from_a_dyadic_one(
    ball: Ball, number: int, *, falls: bool
) -> None:
    """The bits part from it in the end; only zeros or ones for ever would not."""
    word, more = divmod(number, WORD)
    source = ScriptedSource([word], integers=[more])
    assert coin_of_ball(ball, 1, source=source).tolist() == [falls]


DISTRIBUTIONS = {
    "bernoulli(3/10)": (partial(bernoulli, Fraction(3, 10)), 0.3),
    "bernoulli_exp(1/2)": (partial(bernoulli_exp, Fraction(1, 2)), math.exp(-0.5)),
    "coin_of_ball(1/pi)": (partial(coin_of_ball, lambda: 1 / arb.pi()), 1 / math.pi),
}


@pytest.mark.parametrize(("toss", "probability"), DISTRIBUTIONS.values(), ids=DISTRIBUTIONS)
def test_counts_of_coins(toss: Callable[..., NDArray[np.bool_]], probability: float) -> None:
    """The right probability passes, false alarm 1e-6; one off by 5 % does not."""
    heads = int(toss(300_000, source=SeededSource(21)).sum())
    counts = [heads, 300_000 - heads]
    assert surprise(counts, [probability, 1 - probability]) > FALSE_ALARM
    assert surprise(counts, [1.05 * probability, 1 - 1.05 * probability]) < FALSE_ALARM


@given(st.integers(0, 40_000))
def test_as_many_coins_as_asked_for(size: int) -> None:
    drawn = bernoulli(Fraction(1, 3), size, source=SeededSource(1))
    assert drawn.shape == (size,)
    assert drawn.dtype == np.bool_


def test_a_decimal_is_the_number_it_writes() -> None:
    tenth = WORD // 10
    source = ScriptedSource([tenth, tenth], integers=[(6 * WORD) // 10 - 1, (6 * WORD) // 10 + 1])
    assert bernoulli(Decimal("0.1"), 2, source=source).tolist() == [True, False]


NOT_NUMBERS = ["1/2", None, True, np.True_, 1j, [0.5], float("nan"), float("inf"), Decimal("nan")]


@pytest.mark.parametrize(
    "value", [*NOT_NUMBERS, -0.1, 1.1, Fraction(-1, 10**400), 10**5000], ids=shown
)
def test_probabilities_that_are_none_are_refused(value: Any) -> None:
    with pytest.raises(InputError, match=r"^probability (must|is not a finite)"):
        bernoulli(value, 1, source=ScriptedSource())


@pytest.mark.parametrize("value", [*NOT_NUMBERS, -0.1, -(10**5000), Decimal("-1e-30")], ids=shown)
def test_exponents_that_are_none_are_refused(value: Any) -> None:
    with pytest.raises(InputError, match=r"^exponent (must|is not a finite)"):
        bernoulli_exp(value, 1, source=ScriptedSource())


@pytest.mark.parametrize(
    "ball", [0.5, None, lambda: 0.5, lambda: arb(-1), lambda: arb(3) / 2, lambda: arb("nan")]
)
def test_balls_that_are_no_probability_are_refused(ball: Any) -> None:
    with raises_code("E-FUNCTION-RESULT"):
        coin_of_ball(ball, 1, source=ScriptedSource())


def test_a_ball_that_does_not_shrink_is_refused() -> None:
    with raises_code("E-FUNCTION-RESULT"):
        coin_of_ball(lambda: arb(0.5, 0.1), 1, source=ScriptedSource())


def test_a_ball_that_is_wide_at_first_is_refined() -> None:
    """Cancellation eats 300 bits: the coin is still exact."""

    def cancelled() -> arb:
        return arb(2) ** 300 + 1 / arb(3) - arb(2) ** 300

    toss, _ = of_ball(cancelled)
    assert brackets((first_tails(toss, ONES), first_tails(toss, ZEROS)), cancelled, WORD**2)


@pytest.mark.parametrize("size", [-1, 1.5, "1", None, True])
def test_sizes_that_are_none_are_refused(size: Any) -> None:
    for toss in (partial(bernoulli, 0.5), partial(bernoulli_exp, 1), partial(coin_of_ball, arb.pi)):
        with pytest.raises(InputError):
            toss(size, source=ScriptedSource())
