"""What is said of a survey, for every protocol, and of many choices."""

from __future__ import annotations

from typing import Any

import pytest

import sfumato as sf
from sfumato.application.survey import survey_page
from sfumato.application.survey.render import guarantees, hiding, reason
from tests.pages import pictures

MANY = [f"choice {place}" for place in range(100)]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"choices": ["a", "b"], "truth": "2/3"}, "the truth with probability 2/3, and else the"),
        ({"choices": ["a", "b", "c"], "epsilon": 1}, "probability 0.576, and else another choice"),
        ({"choices": MANY, "epsilon": 1}, "27 of the 100 choices, the true one among them with"),
        (
            {"choices": MANY, "epsilon": 1, "protocol": "unary"},
            "set with probability 1/2 for the true one and 0.269 for others",
        ),
        ({"choices": MANY, "epsilon": 1, "protocol": "hadamard"}, "one of 128 numbers"),
        (
            {"choices": MANY, "epsilon": 1, "protocol": "hashing"},
            "one of its 4 buckets, that of the true choice with probability 0.475",
        ),
        (
            {"choices": MANY, "epsilon": 1, "lifetime": 3},
            "a permanent randomized response (memoization)",
        ),
        ({"bounds": (0, 1), "epsilon": 1}, "one of 2 marks, those near the number more"),
    ],
)
def test_every_protocol_says_how_it_hides(given: dict[str, Any], said: str) -> None:
    question = sf.Survey({"asked": given}).questions["asked"]
    assert said in hiding(question)
    assert reason(question)


def test_very_many_choices_are_hashed_because_a_report_would_be_long() -> None:
    choices = [str(place) for place in range(2000)]
    question = sf.Survey({"asked": {"choices": choices, "epsilon": 1}}).questions["asked"]
    assert (
        reason(question)
        == "a report on 2,000 choices would be long by others, and this is one \
number"
    )


def test_a_page_shows_the_largest_of_many_choices() -> None:
    survey = sf.Survey({"asked": {"choices": MANY, "epsilon": 1}}, name="many & more")
    page = survey_page(sf.survey.simulate(survey, 1000).estimate())
    assert page.count("<td") == 40 * 4
    (drawing,) = pictures(page)
    assert drawing.count('aria-roledescription="bar"') == 40
    assert page.count("<p>and 60 more with smaller shares; --json and to_records() have all") == 1
    assert "<h1>many &amp; more</h1>" in page


def test_what_is_beyond_is_said_once_for_a_survey_of_few() -> None:
    survey = sf.Survey({"asked": {"choices": ["a", "b"], "epsilon": 0.1}})
    found = sf.survey.simulate(survey, 1).estimate()
    assert survey_page(found).count("come of unbiased estimates") == 1


def test_what_reports_tell_that_are_sent_again() -> None:
    kept = {"choices": ["a", "b"], "epsilon": 1, "lifetime": 3}
    both = guarantees(sf.Survey({"mood": kept, "sleep": kept}))
    assert both[1] == (
        "all reports of a person whose answers stay the same keep 6-DP (substitute one person) "
        "together"
    )
    some = guarantees(sf.Survey({"mood": kept, "hours": {"bounds": (0, 24), "epsilon": 1}}))
    assert some[1] == ("a second report costs its ε again: only 'mood' has a permanent answer")
    assert len(guarantees(sf.Survey({"mood": {"choices": ["a", "b"], "epsilon": 1}}))) == 2
