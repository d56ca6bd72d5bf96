"""The figures of the mission's rows, to the digits given there."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from sfumato.information import (
    Joint,
    conditional_entropy,
    cross_entropy,
    entropy,
    hockey_stick,
    information_content,
    kl_bounds,
    kl_divergence,
    max_divergence,
    mutual_information,
    renyi_divergence,
    statistical_distance,
)
from sfumato.numeric import Ln

P = [1 / 2, 1 / 4, 1 / 8, 1 / 8]
UNIFORM = [1 / 4] * 4
YES = [Fraction(2, 3), Fraction(1, 3)]
NO = [Fraction(1, 3), Fraction(2, 3)]

# Table 5.2 of the textbook: age band, sex, smoker (the zip prefix is the same for all), diagnosis.
HOSPITAL_A = [
    ("60-70", "M", "yes", "heart disease"),
    ("60-70", "F", "no", "arthritis"),
    ("60-70", "M", "yes", "lung cancer"),
    ("60-70", "F", "no", "Crohn's disease"),
    ("60-70", "M", "yes", "lung cancer"),
    ("50-60", "F", "no", "AIDS"),
    ("50-60", "M", "yes", "diabetes"),
    ("50-60", "M", "yes", "allergic rhinitis"),
    ("50-60", "F", "no", "ulcerative gastritis"),
]


@pytest.mark.parametrize(
    ("order", "expected"), [(1, 1.75), (2, 1.540568), (0.5, 1.873504), (0, 2), (math.inf, 1)]
)
def test_m_info_1_entropies_of_the_example(order: float, expected: float) -> None:
    assert entropy(P, order=order) == pytest.approx(expected, abs=5e-7)


def test_m_info_1_exact_members() -> None:
    assert entropy(P) == 1.75
    assert entropy(P, order=0) == 2
    assert entropy(P, order=math.inf) == 1
    assert information_content(1 / 4) == 2
    assert information_content(0) == math.inf
    assert information_content(1) == 0
    assert cross_entropy(P, UNIFORM) == 2
    assert kl_divergence(P, UNIFORM, base=2) == 0.25


@pytest.mark.parametrize(
    ("order", "expected"), [(1, 0.173287), (2, 0.318454), (10, 0.616239), (math.inf, 0.693147)]
)
def test_m_div_1_renyi_divergences_of_the_example(order: float, expected: float) -> None:
    assert renyi_divergence(P, UNIFORM, order=order) == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize(
    ("delta", "expected"),
    [
        (0, 0.693147),
        (Fraction(1, 10), 0.530628),
        (Fraction(1, 5), 0.336472),
        (Fraction(1, 3), 0),
        (Fraction(1, 2), -0.693147),
    ],
)
def test_m_div_2_randomized_response(delta: Fraction, expected: float) -> None:
    assert max_divergence(YES, NO, delta=delta) == pytest.approx(expected, abs=5e-7)
    floats = max_divergence([2 / 3, 1 / 3], [1 / 3, 2 / 3], delta=float(delta))
    assert floats == pytest.approx(expected, abs=5e-7)


def test_m_div_2_is_exact_in_rationals() -> None:
    found = max_divergence(YES, NO, delta=Fraction(1, 3), witness=True)
    assert found.ratio == 1
    assert found.value == 0
    assert max_divergence(YES, NO, delta=Fraction(1)) == -math.inf


def test_m_div_3_statistical_distance_and_hockey_stick() -> None:
    assert statistical_distance(YES, NO) == Fraction(1, 3)
    assert hockey_stick(YES, NO, epsilon=0) == Fraction(1, 3)
    assert hockey_stick(YES, NO, epsilon=Ln(2)) == 0
    # The float nearest to ln 2 lies below it, so a sliver is left over; Ln(2) leaves none.
    below = hockey_stick(YES, NO, epsilon=math.log(2))
    assert 0 < below < 1e-16
    assert hockey_stick(YES, NO, epsilon=math.nextafter(math.log(2), 1)) == 0


def test_m_div_5_kl_of_randomized_response_against_its_bounds() -> None:
    kl = kl_divergence(YES, NO)
    bounds = kl_bounds(Ln(2))
    assert kl == pytest.approx(0.231049, abs=5e-7)
    assert bounds.textbook == pytest.approx(0.693147, abs=5e-7)
    assert bounds.tight == pytest.approx(kl, rel=1e-15)
    assert kl <= bounds.tight <= bounds.textbook


def test_m_risk_8_exposure_of_table_5_2() -> None:
    names = ("age", "sex", "smoker", "diagnosis")
    columns = dict(zip(names, zip(*HOSPITAL_A, strict=True), strict=True))
    table = Joint.from_columns(columns)
    quasi = ["age", "sex", "smoker"]
    assert entropy(table.marginal("diagnosis")) == pytest.approx(2.947703, abs=5e-7)
    assert conditional_entropy(table, given=quasi) == pytest.approx(0.972765, abs=5e-7)
    shared = mutual_information(table, between=(quasi, "diagnosis"))
    assert shared == pytest.approx(1.974938, abs=5e-7)
