"""The bounds of a black-box audit, against exact binomial tails and published figures."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.audit.blackbox import audit, bounds
from sfumato.audit.blackbox.bounds import (
    epsilon_below,
    probability_above,
    probability_below,
    rough_bounds,
    rough_epsilon,
)
from sfumato.errors import InputError
from sfumato.numeric.beta import beta_quantile
from tests.audit.blackbox_checks import integer_noise
from tests.refusing import raises_code

#: The lower bound on ε for Laplace noise with the event x ≤ 0, two bounds at 2.5 % each.
LAPLACE = {
    0.1: (None, 0.05868, 0.08696, 0.09588),
    0.5: (0.34290, 0.45038, 0.48437, 0.49507),
    1: (0.80523, 0.93912, 0.98072, 0.99391),
    2: (1.70214, 1.90698, 1.97074, 1.99076),
    4: (3.31550, 3.77246, 3.92907, 3.97763),
}
TRIALS = (10**3, 10**4, 10**5, 10**6)


def tail(hits: int, trials: int, p: Fraction) -> Fraction:
    """P(Bin(trials, p) ≥ hits), exactly."""
    return sum(
        (math.comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(hits, trials + 1)),
        Fraction(0),
    )


@given(st.integers(1, 40), st.data(), st.sampled_from([0.3, 0.05, 1e-3, 1e-6, 3e-9]))
def test_the_lower_bound_is_proved_by_the_exact_tail_and_is_tight(
    trials: int, data: st.DataObject, alpha: float
) -> None:
    hits = data.draw(st.integers(1, trials))
    bound = probability_below(hits, trials, alpha)
    assert tail(hits, trials, Fraction(bound)) <= Fraction(alpha)
    assert tail(hits, trials, min(Fraction(1), Fraction(bound) * (1 + Fraction(1, 10**6)))) > alpha


def test_a_quantile_that_is_off_gives_no_wrong_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """The quantile in floats is only a guess: the tail is computed of it."""
    monkeypatch.setattr(bounds, "beta_quantile", lambda *beta: beta_quantile(*beta) * (1 + 1e-7))
    assert tail(13, 37, Fraction(probability_below(13, 37, 0.0123))) <= Fraction(0.0123)


def test_the_bounds_of_all_tested_events_share_alpha() -> None:
    rng = np.random.default_rng(5)
    report = audit(lambda data, n: data + integer_noise(rng, 1.0, n), 0, 1, epsilon=1, alpha=0.01)
    share = Fraction(1, 100) / (2 * len(report.tested))
    for each in report.tested:
        assert each.p == probability_below(each.hits, each.trials, share)
        assert each.q == probability_above(each.others, each.trials, share)


@given(st.integers(1, 40), st.data(), st.sampled_from([0.3, 0.05, 1e-6]))
def test_the_upper_bound_is_proved_by_the_exact_tail(
    trials: int, data: st.DataObject, alpha: float
) -> None:
    hits = data.draw(st.integers(0, trials - 1))
    bound = probability_above(hits, trials, alpha)
    assert 1 - tail(hits + 1, trials, Fraction(bound)) <= Fraction(alpha)


def test_no_hits_and_all_hits_are_the_trivial_bounds() -> None:
    assert probability_below(0, 10, 0.05) == 0.0
    assert probability_above(10, 10, 0.05) == 1.0


@pytest.mark.parametrize("epsilon", LAPLACE)
def test_expected_counts_of_laplace_noise_give_the_published_bounds(epsilon: float) -> None:
    for trials, wanted in zip(TRIALS, LAPLACE[epsilon], strict=True):
        hits, others = trials // 2, round(trials / 2 * math.exp(-epsilon))
        p = probability_below(hits, trials, 0.025)
        found = epsilon_below(p, probability_above(others, trials, 0.025))
        assert found == pytest.approx(wanted or 0.0, abs=5.1e-6)


@pytest.mark.parametrize(
    ("trials", "wanted"),
    [(10**3, 5.60059), (10**4, 7.90483), (10**5, 10.20758), (10**6, 12.51019)],
)
def test_the_largest_epsilon_that_draws_can_show(trials: int, wanted: float) -> None:
    always, never = probability_below(trials, trials, 0.025), probability_above(0, trials, 0.025)
    assert epsilon_below(always, never) == pytest.approx(wanted, abs=5.1e-6)


@given(st.floats(1e-6, 1), st.floats(1e-6, 1), st.sampled_from([Fraction(0), Fraction(1, 10**5)]))
def test_epsilon_is_never_above_the_true_logarithm(p: float, q: float, delta: Fraction) -> None:
    found = epsilon_below(p, q, delta)
    true = math.log((p - float(delta)) / q) if p > float(delta) + q else 0.0
    assert found <= true + 1e-12
    assert found == pytest.approx(true, abs=1e-9)


def test_a_delta_beyond_p_proves_nothing() -> None:
    assert epsilon_below(0.1, 1e-9, Fraction(1, 5)) == 0.0


def test_the_rough_figure_is_near_the_bound() -> None:
    hits, others, trials = 40_000, 9_000, 100_000
    low, high = rough_bounds(np.array([hits]), np.array([others]), trials, 1e-7)
    rough = float(rough_epsilon(low, high, 0.0)[0])
    p, q = probability_below(hits, trials, 1e-7), probability_above(others, trials, 1e-7)
    assert rough == pytest.approx(epsilon_below(p, q), abs=0.01)


@pytest.mark.parametrize("alpha", [0, 1, -0.1, math.nan, None, "x", True])
def test_a_chance_that_is_none_is_refused_in_a_sentence(alpha: Any) -> None:
    with pytest.raises(InputError, match="alpha"):
        probability_below(1, 2, alpha)


@pytest.mark.parametrize(("hits", "trials"), [(-1, 5), (6, 5), (0, 0)])
def test_impossible_counts_are_refused(hits: int, trials: int) -> None:
    with raises_code("E-ARGUMENT-RANGE", match="draws"):
        probability_above(hits, trials, 0.05)
