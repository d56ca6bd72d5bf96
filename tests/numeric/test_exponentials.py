"""Sums of exponentials: exact signs, ties included, against another library's decimals."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.numeric import Exponentials, as_ball, working_precision
from tests.refusing import raises_code

RATIONALS = st.fractions(min_value=-4, max_value=4, max_denominator=6)
SUMS = st.dictionaries(RATIONALS, RATIONALS, max_size=4).map(Exponentials)


def decimal_value(number: Exponentials) -> Decimal:
    """The number to fifty digits, by the decimal module's own exponential."""
    with localcontext() as context:
        context.prec = 60
        total = Decimal(0)
        for exponent, coefficient in number.terms.items():
            power = (Decimal(exponent.numerator) / exponent.denominator).exp()
            total += power * coefficient.numerator / coefficient.denominator
        return total


@given(SUMS, SUMS, SUMS)
def test_they_make_a_ring(a: Exponentials, b: Exponentials, c: Exponentials) -> None:
    assert (a + b) * c == a * c + b * c
    assert (a * b) * c == a * (b * c)
    assert a - a == 0
    assert hash(a * b) == hash(b * a)


@given(SUMS)
def test_signs_agree_with_fifty_digits(number: Exponentials) -> None:
    value = decimal_value(number)
    expected = 0 if abs(value) < Decimal("1e-45") else (1 if value > 0 else -1)
    assert number.sign() == expected


@given(SUMS, SUMS)
def test_the_order_is_that_of_the_numbers(a: Exponentials, b: Exponentials) -> None:
    assert (a < b) == (decimal_value(a) < decimal_value(b) and a != b)


@given(SUMS)
def test_a_ball_holds_the_number(number: Exponentials) -> None:
    with working_precision(100):
        assert number.ball().overlaps(as_ball(Fraction(decimal_value(number))))
    assert math.isclose(float(number), float(decimal_value(number)), abs_tol=1e-300)


def test_a_tie_that_no_precision_shows_is_zero() -> None:
    e = Exponentials.exp(1)
    square = (e + 1) * (e + 1) - e * e - 2 * e
    assert square - 1 == 0
    assert square.sign() == 1
    assert (square - 1 - Fraction(1, 10**400)).sign() == -1


def test_neither_vast_nor_tiny_exponents_hide_a_sign() -> None:
    vast = Exponentials.exp(10**40)
    assert (vast - Exponentials.exp(10**40 - 1) * 2).sign() == 1
    assert (Exponentials.exp(Fraction(1, 10**60)) - 1).sign() == 1
    assert Exponentials.exp(-(10**40)) > 0


def test_it_mixes_with_rationals() -> None:
    e = Exponentials.exp(1)
    assert 1 + e == e + Fraction(1)
    assert 3 - e > 0
    assert 2 < e < 3
    assert Exponentials(2) == 2
    assert hash(Exponentials(2)) == hash(2)
    assert 1 / e == Exponentials.exp(-1)
    assert e**3 == Exponentials.exp(3)


@pytest.mark.parametrize("bad", [math.nan, math.inf, "e", None, 1 + 2j])
def test_what_is_no_rational_is_refused(bad: object) -> None:
    with raises_code("E-NUMBER-NOT-FINITE", "an exponent"):
        Exponentials.exp(bad)


def test_a_quotient_by_several_terms_is_refused() -> None:
    with raises_code("E-NUMBER-FORM"):
        Exponentials.exp(1) / (Exponentials.exp(1) + 1)
    with raises_code("E-NUMBER-FORM"):
        Exponentials.exp(1) / 0


def test_a_multiple_is_recognised_and_a_near_one_is_not() -> None:
    e = Exponentials.exp(1)
    assert (3 * e * (1 + e)).multiple_of(1 + e) == (Fraction(3), Fraction(1))
    assert (3 * e * (1 + e) + Fraction(1, 10**30)).multiple_of(1 + e) is None
