"""M-RISK-6: a column of 0 and 1 from answers about subsets, against what ε allows."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.stats import binom

from sfumato.application.risk.reconstruction import allowed_share, attack_bits, attack_column
from sfumato.audit import one_run
from sfumato.errors import InputError, UnknownNameError
from sfumato.mechanisms import RandomizedResponse
from sfumato.risk import reconstruct
from sfumato.sampling import SeededSource
from tests.cases import cases
from tests.charts.drawings import marks
from tests.pages import pictures
from tests.refusing import raises_code

METHODS = ["least squares", "linear program"]
#: The chance that a test of a count fails although the guarantee is kept.
ALARM = 1e-6


@pytest.mark.parametrize("method", METHODS)
def test_exact_counts_give_at_least_99_percent_away(method: str) -> None:
    rng = np.random.default_rng(1)
    column, asked = rng.integers(0, 2, 300), rng.integers(0, 2, (600, 300))
    found = reconstruct(asked, asked @ column, method=method, truth=column)
    assert found.share_right is not None
    assert found.share_right >= 0.99
    assert found.distance < 1


def test_noise_below_the_square_root_of_the_people_still_gives_99_percent_away() -> None:
    rng = np.random.default_rng(2)
    column, asked = rng.integers(0, 2, 256), rng.integers(0, 2, (4096, 256))
    noise = rng.integers(-8, 9, 4096)  # half of the square root of 256
    found = reconstruct(asked, asked @ column + noise, truth=column)
    assert found.method == "least squares"
    assert (found.share_right or 0) >= 0.99


def test_fewer_answers_than_people_are_enough_for_the_linear_program() -> None:
    rng = np.random.default_rng(3)
    column, asked = rng.integers(0, 2, 120), rng.integers(0, 2, (100, 120))
    found = reconstruct(asked, asked @ column, truth=column)
    assert (found.method, found.share_right) == ("linear program", 1.0)


def test_the_linear_program_stands_answers_that_are_wrong_by_any_amount() -> None:
    rng = np.random.default_rng(4)
    column, asked = rng.integers(0, 2, 60), rng.integers(0, 2, (240, 60))
    answers = asked @ column
    answers[:24] = rng.integers(-1000, 1000, 24)
    shares = [
        reconstruct(asked, answers, method=each, truth=column).share_right for each in METHODS
    ]
    assert shares[1] == 1.0
    assert (shares[0] or 0) < 0.99


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_a_column_that_the_answers_determine_is_the_one_that_is_found(data: st.DataObject) -> None:
    """Against trying all columns: where only one has these answers, the linear program finds it.

    The identity's questions are among them, so that the relaxation has no other solution.
    """
    people = data.draw(st.integers(1, 5))
    rows = data.draw(
        st.lists(st.lists(st.integers(0, 1), min_size=people, max_size=people), max_size=6)
    )
    asked = np.array([*np.eye(people, dtype=int).tolist(), *rows])
    column = np.array(data.draw(st.lists(st.integers(0, 1), min_size=people, max_size=people)))
    answers = asked @ column
    fitting = [each for each in product((0, 1), repeat=people) if (asked @ each == answers).all()]
    for method in METHODS:
        assert [reconstruct(asked, answers, method=method).bits] == fitting


# What ε allows.  The column is of fair coins, the answers are ε-private for a change of one of
# them, and so the number of right guesses lies below a binomial with probability e^ε/(1 + e^ε)
# (Steinke, Nasr and Jagielski 2023), in ten independent runs together as in one.  A count above
# the ALARM-quantile of that binomial happens with probability ALARM at most.

RUNS, PEOPLE = 10, 100


def right_guesses(epsilon: float) -> int:
    """Return how many of 1,000 fair coins the attack finds, from answers of a total ε."""
    total = 0
    for run in range(RUNS):
        source = SeededSource(run)
        coins = np.random.default_rng(run).integers(0, 2, PEOPLE)
        total += attack_bits(coins, epsilons=[epsilon], source=source).trials[0].right
    return total


@pytest.mark.full
def test_answers_of_a_total_epsilon_of_one_give_no_more_away_than_it_allows() -> None:
    right = right_guesses(1)
    assert right <= binom.isf(ALARM, RUNS * PEOPLE, allowed_share(1, 0.5))
    assert one_run(RUNS * PEOPLE, right, alpha=ALARM) <= 1


def test_the_twin_with_noise_that_is_100_times_too_small_gives_more_away() -> None:
    right = right_guesses(100)
    assert right > binom.isf(ALARM, RUNS * PEOPLE, allowed_share(1, 0.5))
    assert one_run(RUNS * PEOPLE, right, alpha=ALARM) > 1


@pytest.mark.parametrize("epsilon", [0.1, 1, 3])
@pytest.mark.parametrize("commoner", [0.5, 0.77, 0.95])
def test_the_allowed_share_is_the_greatest_that_a_private_guess_reaches(
    epsilon: float, commoner: float
) -> None:
    """Against a linear program over x and y, of what a guess is where the truth is 1 and 0."""
    odds = math.exp(epsilon)
    sides = [[1, -odds], [-odds, 1], [-1, odds], [odds, -1]]
    found: Any = linprog(
        [-commoner, 1 - commoner], A_ub=sides, b_ub=[0, 0, odds - 1, odds - 1], bounds=[(0, 1)] * 2
    )
    assert allowed_share(epsilon, commoner) == pytest.approx(1 - commoner - found.fun)
    assert allowed_share(epsilon, 1 - commoner) == allowed_share(epsilon, commoner)


@pytest.mark.parametrize("epsilon", [0.1, 1, 3])
def test_randomized_response_reaches_the_allowed_share_of_fair_coins(epsilon: float) -> None:
    truthful = float(RandomizedResponse(epsilon=epsilon).distribution(0).probability(0).upper)
    assert allowed_share(epsilon, 0.5) == pytest.approx(truthful)


def test_the_noise_is_that_of_the_most_asked_person() -> None:
    found = attack_bits([0, 1] * 20, epsilons=[2], queries=50, source=SeededSource(1))
    assert found.trials[0].scale == found.most_questions / 2
    assert 25 < found.most_questions <= 50


def test_a_column_of_a_table_is_attacked_by_its_counts_alone() -> None:
    frame = pd.DataFrame({"ill": ["y"] * 100 + ["n"] * 300})
    told = []
    found = attack_column(
        frame, "ill", epsilons=[], people=40, progress=lambda done, of: told.append((done, of))
    )
    assert (found.rows, found.people, found.ones, found.queries) == (400, 40, 10, 80)
    assert told == [(1, 1)]
    right = found.exact.right
    assert found.lines()[0] == f"from exact answers {right} of 40 values of ill are reconstructed"


@pytest.mark.parametrize("values", [[0, 1], [False, True], ["no", "yes"]])
def test_the_ones_of_a_column_of_two_values_are_known(values: list[Any]) -> None:
    found = attack_column(pd.DataFrame({"ill": [values[0], values[1], values[1]]}), "ill")
    assert (found.ones, found.people) == (2, 3)


@pytest.mark.parametrize("values", [["yes", "Yes ", "no", "no"], ["1", " 1", "0", None, ""]])
def test_values_that_are_written_in_two_ways_are_added_up(values: list[Any]) -> None:
    found = attack_column(pd.DataFrame({"ill": values}), "ill", epsilons=[])
    assert (found.ones, found.people) == (2, len(values))


def test_an_empty_cell_is_no_word() -> None:
    frame = pd.DataFrame({"ill": ["None", "None", None]})
    assert attack_column(frame, "ill", value="None", epsilons=[]).ones == 2
    with raises_code("E-VALUE-ABSENT"):
        attack_column(frame, "ill", value="nan")


def test_an_attack_that_finds_less_than_a_guess_says_so() -> None:
    guess = "that is no more than guessing without any answer finds"
    frame = pd.DataFrame({"ill": [0] * 77 + [1] * 23})
    found = attack_column(frame, "ill", epsilons=[], queries=1, source=SeededSource(1))
    assert found.exact.share_right <= found.share_guessed == 0.77
    assert found.lines()[1] == guess
    assert guess not in attack_bits([0, 1] * 50, epsilons=[], source=SeededSource(1)).lines()


def test_a_long_name_is_cut() -> None:
    found = attack_bits([0, 1] * 5, epsilons=[], name="x" * 300, source=SeededSource(1))
    assert max(map(len, found.lines())) <= 80


def test_the_report_has_figures_a_picture_and_says_that_it_is_not_private() -> None:
    found = attack_bits([0, 1] * 30, epsilons=[100, 1], source=SeededSource(2))
    assert found.as_dict()["private"] is False
    page = found.to_html()
    assert pictures(page) == [found.svg()]
    assert marks(found.svg()) == 3 * 2
    assert "allowed&nbsp;on&nbsp;average" in page
    assert found.lines()[-1].startswith("not private: ")
    assert max(map(len, found.lines())) <= 80


def test_without_the_truth_the_column_is_given_and_nothing_is_counted() -> None:
    found = reconstruct([[0, 1], [1]], [2, 1], people=2)
    assert (found.bits, found.right, found.share_right, found.share_guessed) == (
        (1, 1),
        None,
        None,
        None,
    )
    assert found.lines()[0] == "a column of 2 values was found, of which 2 are 1"


@cases(
    ("queries", "answers", "options", "said"),
    [
        ([[1, 0], [0, 1]], [1], {}, "2 queries and 1 answers"),
        ([[1, 2]], [1], {}, "a matrix of 0 and 1"),
        ([[1, 0], [1]], [1, 1], {}, "a matrix of 0 and 1"),
        ([1, 0], [1], {}, "a matrix of 0 and 1"),
        ([], [], {}, "no question|a matrix"),
        ([[0, 5]], [1], {"people": 3}, "from 0 to 2"),
        ([["ann"]], [1], {"people": 3}, "lists of people's numbers"),
        (7, [1], {"people": 3}, "lists of people's numbers"),
        ([[0]], [1], {"people": 0}, "whole number"),
        ([[1, 0]], ["many"], {}, "finite numbers"),
        ([[1, 0]], [math.inf], {}, "finite numbers"),
        ([[1, 0]], [math.nan], {}, "finite numbers"),
        ([[1, 0]], [1e308], {}, "none beyond"),
        ([[0]], [1], {"people": 10**15}, "too many"),
        ([[1, 0]], [1], {"truth": [1, 2]}, "a list of 0 and 1"),
        ([[1, 0]], [1], {"truth": [1]}, "the column has 1 values"),
    ],
)
def test_what_cannot_be_used_is_refused(
    queries: Any, answers: Any, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        reconstruct(queries, answers, **options)


def test_an_unknown_method_is_named_with_the_nearest() -> None:
    with raises_code("E-NAME-UNKNOWN", match="did you mean 'least squares'", kind=UnknownNameError):
        reconstruct([[1]], [1], method="least square")


@pytest.mark.parametrize(
    ("column", "options", "said"),
    [
        ("age", {}, "should hold 0 and 1, or yes and no"),
        ("ages", {}, "did you mean 'age'"),
        ("age", {"value": "4"}, "no row has the value '4' in the column 'age'; write it as the"),
        ("age", {"value": "40", "people": 0}, "people must be"),
        ("age", {"value": "40", "queries": 2.5}, "queries must be"),
        ("age", {"value": "40", "epsilons": [-1]}, "above 0"),
        ("age", {"value": "40", "epsilons": ["1e400"]}, "from 1e-9 to 1,000,000, not 1e400, w"),
        ("age", {"value": "40", "epsilons": [1e-300]}, "from 1e-9 to 1,000,000, not 1e-300;"),
        ("age", {"value": "40", "queries": 10**8}, "too many"),
    ],
)
def test_a_column_that_cannot_be_attacked_is_refused(
    column: str, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        attack_column(pd.DataFrame({"age": [40, 50, 60]}), column, **options)


@pytest.mark.parametrize("epsilon", [0.5, 1, 2, 4, 11])
def test_what_is_allowed_is_rounded_up(epsilon: float) -> None:
    """To the nearest tenth, 1/(1 + e^-1) = 73.106 % would be said to be less than it is."""
    found = attack_bits([0, 1] * 10, epsilons=[epsilon], source=SeededSource(3))
    (line,) = (each for each in found.lines() if each.startswith("ε = "))
    shown = line.split()[-2]
    assert 0 <= float(shown) - 100 * allowed_share(epsilon, 0.5) < 0.1
