"""Membership inference: row M-RISK-7, the bounds behind it, and what a user may hand over."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import binom

import sfumato as sf
from sfumato.audit.blackbox.bounds import probability_above, probability_below
from sfumato.audit.membership_inference import membership, one_run
from sfumato.audit.membership_inference.threshold import best_threshold, roc_curve
from sfumato.errors import InputError
from sfumato.sampling import SeededSource
from tests.pages import pictures
from tests.refusing import raises_code

Floats = NDArray[np.float64]
Attack = Callable[[Floats], float]

TRIALS = 400
TARGET = (0.3, 0.7)
SEPARATE = ([1.0] * 200, [0.0] * 200)


def people(rng: np.random.Generator, *, with_target: bool) -> Floats:
    """The rows of one training run: twenty strangers, and the target or nobody."""
    strangers = rng.random((20, 2))
    return np.vstack([strangers, TARGET]) if with_target else strangers


def nearest_neighbour(rows: Floats) -> float:
    """The attack on a model that keeps its rows: how near its nearest one is."""
    return -float(np.linalg.norm(rows - TARGET, axis=1).min())


def noisy_histogram(*, sensitivity: float) -> Attack:
    """The attack on a histogram released with noise: the count of the target's cell."""
    noise, bits = sf.mechanisms.Laplace(epsilon=1, sensitivity=sensitivity), SeededSource(5)
    cell = np.floor(np.array(TARGET) * 4)

    def score(rows: Floats) -> float:
        inside = int(np.all(np.floor(rows * 4) == cell, axis=1).sum())
        return float(noise.release(inside, source=bits).value)

    return score


def trials(attack: Attack, seed: int) -> tuple[list[float], list[float]]:
    """Independent training runs, with the target and without."""
    rng = np.random.default_rng(seed)
    return (
        [attack(people(rng, with_target=True)) for _ in range(TRIALS)],
        [attack(people(rng, with_target=False)) for _ in range(TRIALS)],
    )


def test_four_bounds_of_a_threshold_share_alpha() -> None:
    """Two sides are tried, with a bound on either rate."""
    scores = np.linspace(0, 1, 200)
    found = best_threshold(scores + 0.3, scores, delta=Fraction(0), alpha=Fraction(1, 100), seed=1)
    low = probability_below(found.likelier, found.of_likelier, 0.01 / 4)
    high = probability_above(found.rarer, found.of_rarer, 0.01 / 4)
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9)


def test_m_risk_7_a_model_that_memorises_violates_the_claim() -> None:
    report = membership(*trials(nearest_neighbour, 1), epsilon=1)
    assert report.violated
    assert report.area == 1.0
    assert report.epsilon > 2
    assert all(rate.true_positive_rate > rate.allowed for rate in report.low_rates)


def test_m_risk_7_a_private_model_keeps_within_its_claim() -> None:
    report = membership(*trials(noisy_histogram(sensitivity=1), 2), epsilon=1)
    assert not report.violated
    assert report.lines()[0].startswith("no violation found, which proves no privacy")


def noise_alone(*, sensitivity: float) -> tuple[list[float], list[float]]:
    """Runs on the same strangers every time, so that nothing but the noise hides the target."""
    attack = noisy_histogram(sensitivity=sensitivity)
    tables = np.array([TARGET] * 3), np.array([TARGET] * 2)
    members, others = ([attack(rows) for _ in range(2000)] for rows in tables)
    return members, others


def test_m_risk_7_the_bound_keeps_below_the_truth_and_catches_half_the_noise() -> None:
    honest = membership(*noise_alone(sensitivity=1), epsilon=1)
    assert not honest.violated
    assert honest.epsilon > 0.4
    assert membership(*noise_alone(sensitivity=0.5), epsilon=1).violated


def right_guesses(release: Callable[[int], float]) -> int:
    """One training run with 300 people, each in by a coin, and a count published for each."""
    inside = np.random.default_rng(9).integers(0, 2, size=300)
    return sum((release(int(each)) > 0.5) == bool(each) for each in inside)


def test_m_risk_7_many_people_of_one_model() -> None:
    noise, bits = sf.mechanisms.Laplace(epsilon=1, sensitivity=1), SeededSource(6)
    private = right_guesses(lambda count: float(noise.release(count, source=bits).value))
    assert 0 < one_run(300, private, alpha=0.05) < 1
    assert one_run(300, right_guesses(float)) > 1


def test_a_violation_found_by_what_is_not_said_of_members() -> None:
    """Half of the others are certainly not members; no threshold says "member" with certainty."""
    members, others = [1.0] * 4000, [0.0, 1.0] * 2000
    report = membership(members, others, epsilon=2)
    assert report.violated
    assert report.tested.says == "other"
    assert (report.tested.likelier, report.tested.rarer) == pytest.approx((1000, 0), abs=100)


def randomized_response(rng: np.random.Generator, size: int) -> tuple[Floats, Floats]:
    """Scores of 1 with probability 2/3 for members and 1/3 for others: ε = ln 2 exactly."""
    return (rng.random(size) < 2 / 3).astype(float), (rng.random(size) < 1 / 3).astype(float)


def alarms(claimed: str) -> int:
    """How many of 200 audits at alpha 0.05 say that randomized response is worse than claimed."""
    rng = np.random.default_rng(7)
    runs = (randomized_response(rng, 500) for _ in range(200))
    return sum(membership(*scores, epsilon=claimed, alpha=0.05).violated for scores in runs)


def test_false_alarms_stay_below_alpha_and_a_false_claim_is_caught() -> None:
    """At alpha 0.05 more than 19 alarms of 200 would have probability below 1 %."""
    assert alarms("ln(2)") <= 19
    assert alarms("ln(7/5)") > 20


def test_the_bound_grows_with_the_trials_and_never_passes_the_truth_here() -> None:
    found = [
        membership(*randomized_response(np.random.default_rng(3), size), epsilon=1).epsilon
        for size in (100, 1000, 10_000, 100_000)
    ]
    assert all(less <= more for less, more in pairwise(found))
    assert math.log(2) - 0.05 < found[-1] < math.log(2)


def test_delta_lowers_the_bound() -> None:
    plain = membership(*SEPARATE, epsilon=1).epsilon
    assert membership(*SEPARATE, epsilon=1, delta=0.1).epsilon < plain
    assert membership(*SEPARATE, epsilon=1, delta=0.99).epsilon == 0


@given(
    st.lists(st.integers(0, 5), min_size=2, max_size=30),
    st.lists(st.integers(0, 5), min_size=2, max_size=30),
)
def test_the_curve_is_that_of_every_threshold(members: list[int], others: list[int]) -> None:
    curve = roc_curve(np.array(members, float), np.array(others, float))
    wins = sum((a > b) + (a == b) / 2 for a in members for b in others)
    assert curve.area == pytest.approx(wins / (len(members) * len(others)))
    for threshold, found, wrong in zip(curve.thresholds, curve.members, curve.others, strict=True):
        assert found == sum(each >= threshold for each in members)
        assert wrong == sum(each >= threshold for each in others)
    assert curve.count_at(1.0) == len(members)
    assert curve.count_at(0.0) == sum(each > max(others) for each in members)


def test_a_long_curve_is_drawn_with_few_points() -> None:
    rng = np.random.default_rng(1)
    points = roc_curve(rng.normal(size=5000), rng.normal(size=5000)).points()
    assert points[0] == (0.0, 0.0)
    assert points[-1] == (1.0, 1.0)
    assert len(points) <= 200


@pytest.mark.parametrize(
    ("guesses", "right", "epsilon"),
    [
        (100, 100, 3.492965),
        (1000, 1000, 5.809068),
        (1000, 900, 2.021233),
        (1000, 731, 0.880603),
        (10_000, 7311, 0.962928),
    ],
)
def test_one_run_figures(guesses: int, right: int, epsilon: float) -> None:
    """The figures of the reference page; the bound is rounded down."""
    found = one_run(guesses, right, alpha=0.05)
    assert found == pytest.approx(epsilon, abs=1e-6)
    assert binom.sf(right - 1, guesses, 1 / (1 + math.exp(-found - 1e-4))) > 0.05


@pytest.mark.parametrize(
    ("people", "guesses", "right", "delta", "epsilon"),
    [(1000, 100, 75, 1e-4, 0.673), (100_000, 1510, 1439, 1e-5, 2.675)],
)
def test_one_run_published_figures(
    people: int, guesses: int, right: int, delta: float, epsilon: float
) -> None:
    """The examples of Steinke, Nasr and Jagielski 2023, appendix D and section 7, as printed."""
    found = one_run(guesses, right, alpha=0.05, delta=delta, people=people)
    assert found == pytest.approx(epsilon, abs=1e-3)
    assert one_run(guesses, right, alpha=0.05) > epsilon + 0.02


def chance_of_right_guesses(guesses: int, right: int, epsilon: float, weight: float) -> float:
    """The bound of the theorem, summed plainly in floats; the weight is 2mδ."""
    response = binom(guesses, 1 / (1 + math.exp(-epsilon)))
    below = np.cumsum(response.pmf(np.arange(right)[::-1]))
    share_of_delta = float(np.max(below / np.arange(1, right + 1)))
    return float(response.sf(right - 1)) + weight * share_of_delta


@pytest.mark.full
@pytest.mark.parametrize("delta", [1e-6, 1e-4])
@pytest.mark.parametrize(("guesses", "right"), [(100, 100), (100, 80), (500, 400)])
def test_one_run_with_delta_is_where_the_chance_is_alpha(
    guesses: int, right: int, delta: float
) -> None:
    found = one_run(guesses, right, alpha=0.05, delta=delta, people=500)
    assert 0 < found < one_run(guesses, right, alpha=0.05)
    chance = chance_of_right_guesses(guesses, right, found, 2 * 500 * delta)
    assert chance == pytest.approx(0.05, rel=1e-6)


def test_one_run_proves_nothing_from_chance() -> None:
    assert one_run(1000, 500) == 0
    assert one_run(1000, 0) == 0
    assert one_run(1000, 600, delta=0.1, people=1000) == 0


def one_run_alarms(truth: float, claimed: float) -> int:
    """How often right guesses at exactly the greatest rate of ``truth`` exceed a claim."""
    right = np.random.default_rng(11).binomial(200, 1 / (1 + math.exp(-truth)), size=300)
    return sum(one_run(200, int(each), alpha=0.05) > claimed for each in right)


def test_one_run_is_seldom_wrong_and_catches_a_false_claim() -> None:
    """At alpha 0.05 more than 27 of 300 would have probability below 1 %."""
    assert one_run_alarms(1.0, 1.0) <= 27
    assert one_run_alarms(1.5, 1.0) > 150


def test_a_report_prints_everywhere() -> None:
    report = membership(*SEPARATE, epsilon="ln(3)", delta=1e-6)
    assert str(report).splitlines() == report.lines()
    assert "training run of its own" in report.lines()[-1]
    assert json.loads(json.dumps(report.as_dict()))["violated"] is True
    (drawing,) = pictures(report._repr_html_())
    assert report.lines()[0] in " ".join(ET.fromstring(drawing).itertext())  # noqa: S314


def test_infinite_scores_are_scores() -> None:
    report = membership([math.inf] * 200, [-math.inf] * 200, epsilon=1)
    assert report.violated
    assert json.dumps(report.as_dict())


def test_a_report_does_not_depend_on_the_order_of_a_run() -> None:
    scores = trials(nearest_neighbour, 4)
    first, second = (membership(*scores, epsilon=1).as_dict() for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    "scores",
    [
        None,
        "high",
        0.5,
        [0.5],
        [],
        [0.5, None],
        [0.5, float("nan")],
        ["0.5", "0.6"],
        [[0.5], [0.6]],
        [[0.5], [0.6, 0.7]],
        [0.5, "high"],
        [0.5, 10**400],
        [1j, 2j],
        {"a": 1},
    ],
)
def test_bad_scores_get_one_sentence(scores: Any) -> None:
    for given_scores in ((scores, [0.1, 0.2]), ([0.1, 0.2], scores)):
        with pytest.raises(InputError) as caught:
            membership(*given_scores, epsilon=1)
        assert "_scores" in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "wrong",
    [
        {"epsilon": -1},
        {"epsilon": math.nan},
        {"epsilon": None},
        {"epsilon": 1, "delta": 1},
        {"epsilon": 1, "alpha": 0},
        {"epsilon": 1, "alpha": "often"},
        {"epsilon": 1, "seed": -1},
        {"epsilon": 1, "seed": "x"},
    ],
)
def test_bad_parameters_get_one_sentence(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        membership([0.1, 0.2], [0.1, 0.2], **wrong)


@pytest.mark.parametrize(
    ("guesses", "right", "others"),
    [
        (0, 0, {}),
        (10, 11, {}),
        (10, -1, {}),
        (10, True, {}),
        (10, 2.5, {}),
        (10, 5, {"alpha": 1}),
        (10, 5, {"delta": 1e-6}),
        (10, 5, {"delta": 1e-6, "people": 9}),
    ],
)
def test_bad_guesses_get_one_sentence(guesses: Any, right: Any, others: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        one_run(guesses, right, **others)


def test_claims_are_compared_exactly() -> None:
    """A bound of exactly the claim is no violation, the next smaller claim is violated."""
    found = membership(*SEPARATE, epsilon=1).epsilon
    assert not membership(*SEPARATE, epsilon=Fraction(found)).violated
    assert membership(*SEPARATE, epsilon=Fraction(math.nextafter(found, 0))).violated


def test_a_report_says_what_is_proved_and_what_is_only_observed() -> None:
    lines = membership(*SEPARATE, epsilon=1).lines()
    assert lines[2] == (
        "counted on the half of the scores that did not choose the threshold; "
        "wrong with probability at most 1 in 1,000,000"
    )
    low = [line for line in lines if line.startswith("at a false positive rate")]
    assert len(low) == 3
    assert all("as observed, where" in line and "with chance allowed for" in line for line in low)
    assert "is no evidence of a violation, unless" in lines[lines.index(low[0]) - 1]


def low_scores(rng: np.random.Generator, *, ties: bool) -> tuple[Any, Any]:
    """Scores of which the true rates above a threshold are known: e^-t for others, twice that."""
    others, members = rng.exponential(size=400), rng.exponential(size=300) + math.log(2)
    return (np.floor(4 * members), np.floor(4 * others)) if ties else (members, others)


def missed(level: Fraction, seeds: int, *, ties: bool) -> int:
    """How often a limit at a false positive rate of 0.1 is on the wrong side of the truth.

    Members score as others do, and ln 2 more: what is claimed is exactly true, with ε = ln 2.
    """
    wrong = 0
    for seed in range(seeds):
        members, others = low_scores(np.random.default_rng(seed), ties=ties)
        (found, *_) = membership(members, others, epsilon="ln(2)", alpha=level).low_rates
        wrong += found.low > found.allowed_at_most
    return wrong


@pytest.mark.parametrize("ties", [False, True])
def test_with_chance_allowed_for_a_true_claim_is_hardly_ever_exceeded(*, ties: bool) -> None:
    """At a level of 0.6 the three rates have 0.2 each: of 200 tables fewer than 75 may be wrong,
    and more are with probability 1e-8.
    """
    assert missed(Fraction(6, 10), 200, ties=ties) < 75


@pytest.mark.full
def test_as_observed_a_true_claim_is_often_exceeded() -> None:
    """The twin: without the limits every other report would accuse."""
    exceeded = 0
    for seed in range(200):
        members, others = low_scores(np.random.default_rng(seed), ties=False)
        found = membership(members, others, epsilon="ln(2)").low_rates[0]
        exceeded += found.true_positive_rate > found.allowed
    assert exceeded > 75


def test_the_limits_of_a_rate_are_those_of_binomials() -> None:
    """Those of Clopper and Pearson for 10 of 100 others, which the rate admits, and 11 members."""
    members, others = np.arange(100.0) + 0.5, np.arange(100.0)
    found = membership(members, others, epsilon=1, alpha=Fraction(6, 100)).low_rates[0]
    assert found.true_positive_rate == 11 / 100
    assert found.low == pytest.approx(probability_below(11, 100, 0.01), rel=1e-9)
    most = probability_above(10, 100, 0.01)
    assert found.allowed_at_most == pytest.approx(math.e * most, rel=1e-9)


def test_a_question_is_asked_where_the_lists_seem_to_be_swapped() -> None:
    asked = "are members and others swapped?"
    assert asked in str(membership(*SEPARATE[::-1], epsilon=1))
    assert asked not in str(membership(*SEPARATE, epsilon=1))


def test_a_question_is_asked_where_labels_are_given_for_scores() -> None:
    scores, labels = [0.9, 0.2, 0.8, 0.4], [1, 0, 1, 0]
    assert "are these labels?" in str(membership(scores, labels, epsilon=1))
    assert "are these labels?" not in str(membership(labels, labels, epsilon=1))


def test_a_report_is_neither_true_nor_false() -> None:
    with raises_code("E-REPORT-NOT-BOOLEAN"):
        bool(membership(*SEPARATE, epsilon=1))


@pytest.mark.parametrize("epsilon", ["0.5", "1", "2"])
def test_what_is_allowed_is_rounded_up(epsilon: str) -> None:
    """Of ε = 1 the greatest advantage is 0.46212, and 0.4621 would be less than is allowed."""
    report = membership([1] * 200, [0] * 200, epsilon=epsilon)
    shown = [float(each) for line in report.lines() for each in re.findall(r"where (\S+) is", line)]
    rates = [rate for each in report.low_rates for rate in (each.allowed, each.allowed_at_most)]
    exact = [math.tanh(float(epsilon) / 2), *rates]
    assert len(shown) == len(exact)
    assert all(0 <= one - other < 1e-3 for one, other in zip(shown, exact, strict=True))
