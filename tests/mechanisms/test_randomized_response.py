"""Randomized response: ε by the truth, exact distributions, answers of all kinds, refusals."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.mechanisms.choices.randomized_response import RandomizedResponse
from sfumato.numeric import Ln, as_ball, working_precision
from sfumato.privacy import AddRemove, Person, Substitute, events
from sfumato.sampling import SeededSource
from tests.cases import cases
from tests.mechanisms.choosing import NO_CONFIDENCE, keeps_its_guarantee
from tests.refusing import raises_code
from tests.sampling.scripted import FALSE_ALARM, surprise

BOOK = RandomizedResponse(truth="2/3")


# --- The distribution and the guarantee -----------------------------------------------------------


def test_the_book_s_coin_m_rr_1() -> None:
    """M-RR-1: the truth with probability 2/3 costs ln 2, exactly."""
    assert BOOK.epsilon == Ln(2)
    assert BOOK.guarantee_at(1).exact_epsilon == Ln(2)
    assert BOOK.event == events.RandomizedResponse.of_truth("2/3")
    assert BOOK.distribution(value=True).exact(outcome=True) == Fraction(2, 3)
    assert str(BOOK.guarantee) == "ln(2)-DP (substitute one row)"


@pytest.mark.parametrize("truth", ["2/3", 0.75, Fraction(99, 100)])
@pytest.mark.parametrize("categories", [2, 3, 10])
def test_exact_distribution_against_the_claim(truth: Any, categories: int) -> None:
    """The greatest ratio of probabilities is e^ε itself, and every row sums to one."""
    mechanism = RandomizedResponse(truth=truth, categories=categories)
    distributions = [mechanism.distribution(answer) for answer in range(categories)]
    rows = [
        [distribution.exact(outcome) or Fraction(0) for outcome in range(categories)]
        for distribution in distributions
    ]
    assert all(sum(row) == 1 for row in rows)
    ratios = [
        a / b for one, other in permutations(rows, 2) for a, b in zip(one, other, strict=True)
    ]
    assert Ln(max(ratios)) == mechanism.epsilon
    assert mechanism.truth == rows[0][0]


@given(st.fractions("1/100", 20, max_denominator=100), st.integers(2, 6))
def test_private_for_a_rational_epsilon(epsilon: Fraction, categories: int) -> None:
    mechanism = RandomizedResponse(epsilon=epsilon, categories=categories)
    pairs = list(permutations([(each,) for each in range(categories)], 2))
    assert keeps_its_guarantee(lambda answer: mechanism.distribution(answer[0]), pairs, epsilon)
    assert not keeps_its_guarantee(
        lambda answer: mechanism.distribution(answer[0]), pairs, epsilon * Fraction(99, 100)
    )
    with working_precision(128):
        assert mechanism.distribution(0).cumulative(categories - 1).overlaps(as_ball(1))


def test_a_logarithm_gives_a_rational_truth() -> None:
    assert RandomizedResponse(epsilon=Ln(3)).truth == Fraction(3, 4)
    assert RandomizedResponse(epsilon="ln(3)") == RandomizedResponse(truth=0.75)
    assert RandomizedResponse(epsilon=1).truth is None


def test_at_a_distance() -> None:
    """Of d people each answers by themselves, which is d responses."""
    mechanism = RandomizedResponse(truth="2/3", relation=Substitute(unit=Person()))
    for people in (2, 3):
        assert mechanism.event_at(people) == events.Repeated(mechanism.event, count=people)
    assert mechanism.guarantee_at(3).exact_epsilon == Ln(8)
    assert str(mechanism.guarantee_at(3)) == "ln(8)-DP (substitute three people)"


@pytest.mark.parametrize(("confidence", "error"), [("2/3", 0.0), (0.5, 0.0), (0.67, 1.0)])
def test_error(confidence: Any, error: float) -> None:
    assert BOOK.error(confidence=confidence) == error


def test_error_for_a_rational_epsilon() -> None:
    mechanism = RandomizedResponse(epsilon=1)
    assert mechanism.error(confidence=0.731) == 0
    assert mechanism.error(confidence=0.732) == 1


@pytest.mark.parametrize("confidence", NO_CONFIDENCE)
def test_bad_confidence(confidence: Any) -> None:
    with pytest.raises(InputError, match="confidence"):
        BOOK.error(confidence=confidence)


# --- Draws ------------------------------------------------------------------------------------


@pytest.mark.parametrize("parameters", [{"truth": "2/3"}, {"epsilon": "1.5"}])
def test_draws_follow_the_distribution(parameters: dict[str, Any]) -> None:
    """With a twin whose truth is 5 % off."""
    mechanism, people = RandomizedResponse(**parameters, categories=4), 300_000
    drawn = mechanism.release(np.full(people, 2), source=SeededSource(5)).value
    seen = np.bincount(drawn, minlength=4)
    chances = [mechanism.distribution(2).probability(answer).upper for answer in range(4)]
    assert surprise(seen, chances) > FALSE_ALARM
    twin = [chance * (1 - 0.95 * chances[2]) / (1 - chances[2]) for chance in chances]
    twin[2] = 0.95 * chances[2]
    assert surprise(seen, twin) < FALSE_ALARM


def test_every_person_has_a_coin_of_their_own() -> None:
    truth = np.arange(300_000) % 2 == 0
    told = BOOK.release(truth, source=SeededSource(6)).value == truth
    pairs = np.bincount(2 * told[::2] + told[1::2], minlength=4)
    assert surprise(pairs, [1 / 9, 2 / 9, 2 / 9, 4 / 9]) > FALSE_ALARM


# --- Answers ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("categories", "answer", "kind"),
    [
        (2, True, bool),
        (2, np.False_, bool),
        (2, 1, int),
        (3, np.int8(2), int),
        (["yes", "no"], "no", str),
        ([10, 20], 20, int),
        (["yes", 3], 3, (str, int)),
    ],
)
def test_one_answer_gives_one_answer(categories: Any, answer: Any, kind: Any) -> None:
    mechanism = RandomizedResponse(truth=0.75, categories=categories)
    released = mechanism.release(answer).value
    assert isinstance(released, kind)
    assert type(released) in ((bool,) if kind is bool else (int, str))
    assert released in mechanism.distribution(answer).outcomes


@pytest.mark.parametrize(
    ("categories", "answers", "dtype"),
    [
        (2, [True, False], np.bool_),
        (2, np.array([True, False]), np.bool_),
        (2, (1, 0), np.int64),
        (3, np.array([2, 0], dtype=np.uint8), np.int64),
        (2, [], np.int64),
        (["yes", "no"], ["no", "yes", "no"], np.dtype("<U3")),
        (["yes", "no"], np.array(["no", "yes"], dtype=object), np.dtype("<U3")),
        (["yes", 3], [3, "yes"], np.object_),
    ],
)
def test_answers_give_an_array(categories: Any, answers: Any, dtype: Any) -> None:
    mechanism = RandomizedResponse(truth=0.75, categories=categories)
    released = mechanism.release(answers).value
    assert released.shape == (len(answers),)
    assert released.dtype == dtype


def test_what_was_given_is_left_as_it_was() -> None:
    answers = np.zeros(1000, dtype=np.int64)
    BOOK.release(answers)
    assert not answers.any()


@cases(
    ("categories", "value"),
    [
        (2, 31337),
        (2, -1),
        (2, 2**70),
        (2, 1.0),
        (2, float("nan")),
        (2, "yes"),
        (2, None),
        (2, [0, 31337]),
        (2, [0, True]),
        (2, [0.0, 1.0]),
        (2, [[0, 1], [1, 0]]),
        (2, np.zeros((2, 2), dtype=int)),
        (3, True),
        (3, [True, False]),
        (["yes", "no"], "31337"),
        (["yes", "no"], ["yes", "31337"]),
        (["yes", "no"], [["yes"]]),
        (["yes", "no"], None),
        ([0, 1, 2], True),
        ([0, 1, 2], [True, 2]),
    ],
)
def test_an_unknown_answer_is_not_shown(categories: Any, value: Any) -> None:
    mechanism = RandomizedResponse(truth=0.75, categories=categories)
    for ask in (mechanism.release, mechanism.distribution):
        with raises_code("E-ANSWER-FORM") as caught:
            ask(value)
        assert "31337" not in str(caught.value)


def test_a_long_list_of_answers_is_cut() -> None:
    with raises_code("E-ANSWER-FORM"):
        RandomizedResponse(epsilon=1, categories=100).release(100)


def test_a_distribution_is_that_of_one_answer() -> None:
    with raises_code("E-ARGUMENT-TYPE", match="one answer"):
        BOOK.distribution([True, False])


# --- Parameters -------------------------------------------------------------------------------


@pytest.mark.parametrize("truth", [0, "1/2", 1, 1.5, -1, float("nan"), True, "much", [1]])
def test_bad_truth(truth: Any) -> None:
    with pytest.raises(InputError, match="truth"):
        RandomizedResponse(truth=truth)


@pytest.mark.parametrize("epsilon", [0, -1, float("nan"), float("inf"), True, "much", [1], 1j])
def test_bad_epsilon(epsilon: Any) -> None:
    with pytest.raises(InputError, match="epsilon"):
        RandomizedResponse(epsilon=epsilon)


def test_either_truth_or_epsilon() -> None:
    with raises_code("E-ARGUMENT-CONFLICT", match="either truth or epsilon"):
        RandomizedResponse()
    with raises_code("E-ARGUMENT-CONFLICT", match="either truth or epsilon"):
        RandomizedResponse(truth=0.75, epsilon=1)


@pytest.mark.parametrize(
    "categories",
    [0, 1, -2, 2.5, True, None, "yes", [], ["yes"], ["yes", "yes"], [1, True], [[1], [2]], 10**7],
)
def test_bad_categories(categories: Any) -> None:
    with pytest.raises(InputError, match="categories"):
        RandomizedResponse(truth=0.75, categories=categories)


@pytest.mark.parametrize("relation", [AddRemove(), Substitute(2), "rows", None])
def test_only_what_was_answered_is_protected(relation: Any) -> None:
    with raises_code("E-RELATION-OTHER", match=r"relation=sf\.privacy\.Substitute\(\)"):
        RandomizedResponse(truth=0.75, relation=relation)


@pytest.mark.parametrize(
    ("mechanism", "said"),
    [
        (RandomizedResponse(epsilon=1), "RandomizedResponse(epsilon=1, categories=2)"),
        (
            RandomizedResponse(epsilon=0.5, categories=["yes", "no"]),
            "RandomizedResponse(epsilon=0.5, categories=('yes', 'no'))",
        ),
        (BOOK, "RandomizedResponse(epsilon=Ln(2), categories=2)"),
        (
            RandomizedResponse(epsilon=1, relation=Substitute(unit=Person())),
            f"RandomizedResponse(epsilon=1, categories=2, relation={Substitute(unit=Person())!r})",
        ),
    ],
)
def test_the_representation_can_be_typed_in(mechanism: RandomizedResponse, said: str) -> None:
    assert repr(mechanism) == said
    assert eval(said) == mechanism  # noqa: S307


@pytest.mark.parametrize("categories", [2, [0, 1]])
def test_a_masked_array_is_refused(categories: Any) -> None:
    with raises_code("E-COLUMN-TYPE", match="masked"):
        RandomizedResponse(epsilon=1, categories=categories).release(
            np.ma.array([0, 1], mask=[False, True])
        )
