"""How many people are needed: the exact inverse of the intervals."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sfumato as sf
from sfumato.application.survey.precision import people_needed, precision_reached
from sfumato.errors import UnknownNameError
from sfumato.survey.collector.means import mean_bounds
from sfumato.survey.collector.needed import needed, within
from sfumato.survey.collector.shares import chance_of_error, share_bounds
from tests.refusing import raises_code
from tests.survey.drawn import PROTOCOLS, asked, numbered

if TYPE_CHECKING:
    from sfumato.survey.client.questions import ChoiceQuestion


def widest(question: ChoiceQuestion, people: int) -> float:
    """Return half the length of the longest interval, over every outcome there is."""
    alpha = chance_of_error(question.protocol, Fraction(19, 20))
    bounds = share_bounds(question.protocol, np.arange(people + 1), people, alpha)
    low, high = (np.clip(each, 0, 1) for each in bounds)
    return float((high - low).max()) / 2


@pytest.mark.parametrize("name", PROTOCOLS)
@pytest.mark.parametrize(("choices", "within"), [(2, 0.3), (12, 0.2)])
def test_one_person_fewer_is_too_few(name: str, choices: int, within: float) -> None:
    choices = min(choices, 6) if name == "permanent" else choices
    question = asked(name, choices, 2)
    people = needed(question, within=within)
    assert widest(question, people) <= within < widest(question, people - 1)


@pytest.mark.full
def test_more_people_are_never_too_many() -> None:
    question = asked("response", 3, 2)
    found = [widest(question, people) for people in range(2, 400)]
    assert found == sorted(found, reverse=True)


@pytest.mark.parametrize("epsilon", ["1", "3"])
def test_means_need_so_many_people(epsilon: str) -> None:
    question = numbered(epsilon, 0, 24)
    window, people = question.protocol, needed(question, within=2)
    for number, enough in ((people, True), (people - 1, False)):
        totals = np.arange(number * (window.marks - 1) + 1)
        low, high = (np.clip(each, 0, 1) for each in mean_bounds(window, totals, number, 0.025))
        assert ((high - low).max() * 12 <= 2) == enough


@pytest.mark.full
def test_precision_costs_its_square() -> None:
    question = asked("subset", 20, 1)
    assert needed(question, within=0.005) / needed(question, within=0.01) == pytest.approx(4, 0.05)
    assert needed(question, within=0.01, confidence=0.99) > needed(question, within=0.01)


def test_a_survey_needs_what_its_hardest_question_needs() -> None:
    survey = sf.Survey(
        {
            "cheated": {"choices": ["yes", "no"], "truth": "2/3"},
            "colour": {"choices": ["red", "green", "blue"], "epsilon": 1},
        }
    )
    each = [needed(question, within=0.1) for question in survey.questions.values()]
    assert needed(survey, within=0.1) == max(each)
    assert needed(survey, within={"cheated": 0.1}) == each[0]


@pytest.mark.full
def test_a_survey_and_the_shell_agree() -> None:
    survey = sf.survey.read_survey("examples/canteen.toml")
    for python, shell in [(0.05, {"": "0.05"}), ({"spent": 1}, {"spent": "1"})]:
        report = people_needed("examples/canteen.toml", {}, within=shell)
        assert needed(survey, within=python) == report.people
    assert needed(survey, within={"spent": 1}) == needed(survey.questions["spent"], within=1)
    assert needed(survey, within="0.05") > needed(survey, within={"spent": 1})


@pytest.mark.parametrize("within", [0, -1, "little", None, float("nan"), 5, 0.51])
def test_what_is_wanted_is_a_share(within: Any) -> None:
    survey = sf.Survey({"hours": {"bounds": (0, 24), "epsilon": 1}})
    for of in (asked("response", 2, 1), survey):
        with raises_code("E-ARGUMENT-RANGE", "within"):
            needed(of, within=within)


@pytest.mark.parametrize("within", [0, -1, "little", None])
def test_what_is_wanted_of_a_mean_is_a_number_above_zero(within: Any) -> None:
    with raises_code("E-ARGUMENT-RANGE", "within"):
        needed(numbered("1", 0, 24), within=within)


@pytest.mark.parametrize("what", ["class.toml", Path("class.toml")])
def test_a_path_is_no_survey(what: Any) -> None:
    with raises_code("E-ARGUMENT-TYPE", match=r"write sf\.survey\.read_survey\('class\.toml'\)"):
        needed(what, within=0.05)


def test_what_is_no_survey_is_one_sentence() -> None:
    with raises_code("E-ARGUMENT-TYPE", match="a survey is wanted, not a value of type dict"):
        needed({"secret": "cell"}, within=0.05)  # type: ignore[arg-type]


def test_what_cannot_be_had_is_one_sentence() -> None:
    with raises_code("E-ARGUMENT-RANGE", match="more than 1,000,000,000,000 people"):
        needed(asked("response", 2, "0.001"), within=1e-4)
    survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
    with raises_code("E-NAME-UNKNOWN", match="cheat", kind=UnknownNameError):
        needed(survey, within={"cheat": 0.1})
    with raises_code("E-ARGUMENT-MISSING", match="no question is named"):
        needed(survey, within={})


def test_a_wide_interval_needs_one_person() -> None:
    assert needed(asked("response", 2, 1), within=0.5) == 1


def test_a_few_more_people_are_enough_as_well() -> None:
    """With 39 and with 42 people the longest interval is longer than with 38, 40 and 41."""
    question = asked("response", 3, 1)
    longest = {people: widest(question, people) for people in range(38, 60)}
    assert longest[38] <= longest[40] < longest[42]
    found = needed(question, within=Fraction(longest[40]))
    assert found == 43
    assert all(longest[each] <= longest[40] for each in range(found, 60))


# The other direction: how exact will it be with so many people?


@pytest.mark.parametrize("name", PROTOCOLS)
@pytest.mark.parametrize("people", [1, 40, 1000])
def test_so_many_people_make_intervals_so_long(name: str, people: int) -> None:
    question = asked(name, 3, 1)
    assert within(question, people=people) == pytest.approx(widest(question, people), rel=1e-12)


@pytest.mark.parametrize("half", [0.02, 0.1])
def test_what_is_needed_is_enough_and_one_fewer_is_not(half: float) -> None:
    question = asked("response", 4, 1)
    people = needed(question, within=half)
    assert within(question, people=people) <= half < within(question, people=people - 1)


def test_of_a_number_it_is_in_its_own_units() -> None:
    question = numbered("1", -10, 14)
    people = needed(question, within=2)
    assert within(question, people=people) <= 2 < within(question, people=people - 1)
    assert within(question, people=1) <= 12


def test_a_survey_answers_for_each_question() -> None:
    survey = sf.survey.read_survey("examples/canteen.toml")
    found = sf.survey.within(survey, people=500)
    assert found == {
        name: within(question, people=500) for name, question in survey.questions.items()
    }
    assert sf.survey.within(survey, people=500, confidence=0.99)["meal"] > found["meal"]
    report = precision_reached("examples/canteen.toml", {}, people=500)
    assert report.within == found
    assert report.as_dict()["questions"]["again"] == {"within": found["again"]}


@pytest.mark.parametrize("people", [0, -1, 1.5, "500", None, True])
def test_people_are_counted_in_whole_numbers(people: Any) -> None:
    with raises_code("E-ARGUMENT-RANGE", "people"):
        within(asked("response", 2, 1), people=people)


def test_there_are_not_so_many_people() -> None:
    with raises_code("E-ARGUMENT-RANGE", "people"):
        within(asked("response", 2, 1), people=10**13)
    with raises_code("E-ARGUMENT-TYPE", match=r"write sf\.survey\.read_survey"):
        within("class.toml", people=500)  # type: ignore[call-overload]
