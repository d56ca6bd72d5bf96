"""Directed rounding: upper bounds go up, lower bounds down, never further than needed."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import assume, given
from hypothesis import strategies as st

from sfumato.errors import InternalError
from sfumato.numeric import (
    Enclosure,
    Ln,
    decide_sign,
    float_above,
    float_below,
    fraction_below,
    nearest_float,
)
from sfumato.numeric.rounding import digits_above, digits_below
from tests.cases import cases
from tests.refusing import raises_code


@given(st.fractions())
def test_fractions_are_bracketed_by_neighbouring_floats(value: Fraction) -> None:
    low, high = float_below(value), float_above(value)
    assert low <= value <= high
    assert high in (low, math.nextafter(low, math.inf))


@given(st.fractions(min_value=Fraction(1, 10**9), max_value=10**9))
def test_balls_are_bracketed(value: Fraction) -> None:
    with ctx.workprec(200):
        ball = arb(value.numerator) / value.denominator
    assert float_below(ball) <= value <= float_above(ball)
    assert float_above(ball) - float_below(ball) <= 4 * math.ulp(float(value))
    assert fraction_below(ball) <= value


@given(st.fractions(min_value=Fraction(1, 10**9), max_value=10**9))
def test_balls_are_bracketed_at_a_higher_precision_too(value: Fraction) -> None:
    """Where the end of a ball has more digits than a float."""
    with ctx.workprec(200):
        ball = arb(value.numerator) / value.denominator
        assert float_below(ball) <= value <= float_above(ball)


def test_a_wide_ball_is_bracketed_at_its_ends() -> None:
    ball = arb(1, 0.25)
    assert float_below(ball) <= 0.75
    assert float_above(ball) >= 1.25
    assert Fraction(1, 2) < fraction_below(ball) <= Fraction(3, 4)


def test_values_beyond_the_floats() -> None:
    huge = Fraction(10) ** 400
    assert float_below(huge) == math.nextafter(math.inf, 0)
    assert float_above(huge) == math.inf
    assert float_above(-huge) == -math.nextafter(math.inf, 0)
    tiny = Fraction(1, 10**400)
    assert (float_below(tiny), float_above(tiny)) == (0.0, 5e-324)
    assert float_below(arb("nan")) == -math.inf
    assert float_above(arb("nan")) == math.inf
    assert float_above(arb("inf")) == math.inf


@given(st.fractions(min_value=Fraction(1, 100), max_value=100))
def test_the_nearest_float_is_nearest(argument: Fraction) -> None:
    assume(argument != 1)
    value = nearest_float(lambda: Ln(argument).ball())
    with ctx.workprec(500):
        error = abs(Ln(argument).ball() - arb(value))
        for other in (math.nextafter(value, -math.inf), math.nextafter(value, math.inf)):
            assert error < abs(Ln(argument).ball() - arb(other))


def test_what_cannot_be_decided_is_our_bug_not_a_guess() -> None:
    with raises_code("E-NUMBER-UNDECIDED", kind=InternalError):
        decide_sign(lambda: arb(2).sqrt() * arb(2).sqrt() - 2)
    with raises_code("E-NUMBER-UNDECIDED", kind=InternalError):
        nearest_float(lambda: (1 + arb(2) ** -53) + (arb(2).sqrt() * arb(2).sqrt() - 2))
    assert decide_sign(lambda: arb(2).sqrt() - arb(2).sqrt() - arb(2) ** -3000) == -1


def test_enclosures() -> None:
    whole = Enclosure.of_ball(arb(1) / 3)
    assert Fraction(1, 3) in whole
    assert 0.34 not in whole
    assert "third" not in whole
    assert Ln(2) in Enclosure.of_ball(arb(2).log())
    assert whole.width == pytest.approx(5.5e-17, rel=0.02)
    assert Enclosure(math.inf, math.inf).width == 0
    assert str(Enclosure(2.0, 2.0)) == "2"
    assert str(Enclosure(0.5, 0.5004)) == "[0.5, 0.5004]"
    assert str(Enclosure(1.0, math.inf)) == "[1, inf]"
    assert Decimal("0.33333333333333333333") in whole
    assert np.float32(1) in Enclosure(0.5, 1.5)
    assert True not in Enclosure(0.5, 1.5)
    for low, high in ((2.0, 1.0), (math.nan, 1.0)):
        with raises_code("E-BOUNDS-ORDER"):
            Enclosure(low, high)


def test_the_working_precision_of_the_caller_is_left_alone() -> None:
    before = ctx.prec
    float(Ln(2))
    nearest_float(lambda: arb(3).log())
    assert ctx.prec == before


@cases("value", [1.0, 0.1, 2.28862323582, 1.5e-10, 123456789.123])
@cases("digits", [1, 7, 12])
def test_figures_are_rounded_to_their_side(value: float, digits: int) -> None:
    assert float(digits_below(value, digits)) <= value <= float(digits_above(value, digits))
    assert digits_above(value, 17) == digits_below(value, 17)


@given(st.fractions(0, 10**6, max_denominator=10**6), st.integers(1, 12))
def test_digits_of_a_fraction_are_on_the_right_side_of_it(value: Fraction, digits: int) -> None:
    assert Fraction(digits_below(value, digits)) <= value <= Fraction(digits_above(value, digits))
