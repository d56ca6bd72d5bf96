"""Exact rationals and exact logarithms."""

from __future__ import annotations

import math
import operator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.numeric import Ln, as_ball, exact, is_exact, shown
from tests.refusing import raises_code

POSITIVE = st.fractions(min_value=Fraction(1, 1000), max_value=1000)


def test_a_float_is_the_rational_it_stores() -> None:
    assert exact(0.1) == Fraction(3602879701896397, 36028797018963968)
    assert exact("0.1") == exact(Decimal("0.1")) == Fraction(1, 10)
    assert exact(np.float64(0.25)) == exact(np.float32(0.25)) == Fraction(1, 4)
    assert exact(np.int64(3)) == 3


@pytest.mark.parametrize("bad", [math.nan, math.inf, "three", None, [1], "1/0", Decimal("NaN")])
def test_what_is_no_finite_number_is_refused(bad: object) -> None:
    with raises_code("E-NUMBER-NOT-FINITE", "delta"):
        exact(bad, "delta")


def test_what_counts_as_exact() -> None:
    assert all(is_exact(each) for each in (1, Fraction(1, 3), Decimal("0.1")))
    assert not any(is_exact(each) for each in (0.5, "1", None))


@given(POSITIVE, POSITIVE)
def test_logarithms_are_a_homomorphism(a: Fraction, b: Fraction) -> None:
    assert Ln(a) + Ln(b) == Ln(a * b)
    assert Ln(a) - Ln(b) == Ln(a / b)
    assert 3 * Ln(a) == Ln(a**3)
    assert -Ln(a) == Ln(1 / a)
    assert (Ln(a) < Ln(b)) == (a < b)
    assert hash(Ln(a)) == hash(Ln(a))


@given(POSITIVE)
def test_logarithms_compare_exactly_with_their_neighbours(argument: Fraction) -> None:
    value = float(Ln(argument))
    assert math.nextafter(value, -math.inf) < Ln(argument) < math.nextafter(value, math.inf)
    assert value == pytest.approx(math.log(argument), abs=1e-15)
    if argument != 1:
        assert Ln(argument) != value


def test_comparisons_use_the_exact_other_number() -> None:
    # Decimal and Fraction bounds closer to ln 2 than any float.
    digits = "0.693147180559945309417232121458176568"
    assert Ln(2) > Decimal(digits)
    assert Ln(2) < Decimal(digits) + Decimal("1e-36")
    assert Ln(2) > Fraction(digits)
    assert Ln(2) < math.inf
    assert Ln(2) > -math.inf
    assert Ln(1) == 0
    assert hash(Ln(1)) == hash(0)
    assert Ln(2) != "ln 2"


def test_bad_arguments() -> None:
    with raises_code("E-ARGUMENT-RANGE", match="Ln takes a positive number, not 0; write"):
        Ln(0)
    with raises_code("E-NUMBER-NOT-FINITE", "the argument of Ln"):
        Ln(math.inf)
    with pytest.raises(TypeError):
        assert Ln(2) < "a"


def test_only_what_stays_exact_is_offered() -> None:
    two: Any = Ln(2)
    for operate, other in ((operator.mul, 0.5), (operator.add, 1), (operator.sub, 1)):
        with pytest.raises(TypeError):
            operate(two, other)
    assert Ln(2) * np.int64(3) == Ln(8)  # type: ignore[operator]


def test_numbers_of_thousands_of_digits() -> None:
    assert repr(Ln(10**5000)) == "Ln(a number of thousands of digits)"
    assert shown("x" * 100).endswith("…")
    assert math.copysign(1, float(Ln(1 + Fraction(1, 10**30000)))) == 1
    assert exact(np.longdouble(0.5)) == Fraction(1, 2)
    for huge in ("1e100000000", Decimal("1e-99999999")):
        with raises_code("E-NUMBER-FORM", "value"):
            exact(huge)


def test_balls_hold_their_number() -> None:
    for value in (0.1, Fraction(1, 3), Decimal("0.3"), 7):
        ball = as_ball(value)
        numerator, denominator = exact(value).numerator, exact(value).denominator
        assert (ball * denominator).contains(numerator)
    assert as_ball(Ln(2)).contains(as_ball(Ln(2)).mid())
