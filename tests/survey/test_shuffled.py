"""What shuffled reports guarantee: the known figures, and surveys for which there is no guarantee.

The figures of hiding among clones and of binary response are those of ``tests/privacy``, by way of
surveys; the general bounds of a later paper, which carry an erratum, are not used.  All of them are

    SFUMATO_TEST_PROFILE=sweep python -m pytest tests/survey/test_shuffled.py
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

import sfumato as sf
from sfumato.errors import InputError
from sfumato.privacy import events as ev
from sfumato.sampling import SeededSource
from sfumato.survey.collector.collection import Collection
from sfumato.survey.collector.shuffling import report_event, shuffled
from sfumato.survey.collector.tally import Tally
from sfumato.survey.crowd.reports import randomize_many
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

SWEEP = os.environ.get("SFUMATO_TEST_PROFILE") == "sweep"
TWO, THREE = {"choices": ["yes", "no"]}, {"choices": ["red", "green", "blue"]}

FIGURES = [
    (10**4, 2, 1e-6, 0.1550452425, 0.1143996153),
    (10**3, 0.5, 1e-6, 0.0705234676, 0.0626865657),
    (10**4, 0.5, 1e-6, 0.0204014551, 0.0181174069),
    (10**4, 1, 1e-6, 0.0530053165, 0.0432061581),
    (10**5, 1, 1e-6, 0.0152820624, 0.0124298975),
    (10**6, 1, 1e-8, 0.0061254765, 0.0050116208),
    (10**5, 3, 1e-6, 0.0927575381, 0.0656272128),
    (10**6, 4, 1e-6, 0.0493070744, 0.0342797677),
]
#: One coin exactly, and any report by clones; the doctests have another of each.
CASES = [
    (people, {**question, "epsilon": each}, delta, figure)
    for people, each, delta, clones, coin in FIGURES
    for question, figure in ((TWO, coin), (THREE, clones))
]


@pytest.mark.parametrize(("people", "question", "delta", "figure"), CASES[: None if SWEEP else 1])
def test_shuffled_surveys_have_the_known_figures(
    people: int, question: dict[str, object], delta: float, figure: float
) -> None:
    """Never below the figure, and above it in the last digit alone."""
    guarantee = shuffled(sf.Survey({"asked": question}), people, delta=delta)
    assert figure - 5e-11 <= guarantee.epsilon(delta=delta) <= figure * (1 + 1e-7)
    assert guarantee.relation == sf.privacy.Substitute(unit=sf.privacy.Person())


@pytest.mark.parametrize(
    ("questions", "event"),
    [
        ({"a": {**TWO, "epsilon": 1}}, ev.RandomizedResponse(epsilon=1)),
        ({"a": {**TWO, "truth": "2/3"}}, ev.RandomizedResponse(epsilon="ln(2)")),
        ({"a": {**TWO, "epsilon": 1, "protocol": "unary"}}, ev.Pure(epsilon=1)),
        ({"a": {**TWO, "epsilon": 1, "lifetime": 2}}, ev.Pure(epsilon=1)),
        (
            {"a": {**THREE, "epsilon": 1, "protocol": "response"}},
            ev.RandomizedResponse(epsilon=1, categories=3),
        ),
        ({"a": {"bounds": (0, 1), "epsilon": 1}}, ev.RandomizedResponse(epsilon=1)),
        ({"a": {"bounds": (0, 1), "epsilon": 3}}, ev.Pure(epsilon=3)),
        ({"a": {**TWO, "epsilon": 1}, "b": {**TWO, "epsilon": "0.5"}}, ev.Pure(epsilon="1.5")),
    ],
)
def test_a_report_is_as_private_as_all_its_questions(questions: object, event: ev.Event) -> None:
    assert report_event(sf.Survey(questions)) == event  # type: ignore[arg-type]


def test_a_collection_of_few_guarantees_what_one_report_does() -> None:
    survey = sf.Survey({"cheated": {**TWO, "epsilon": 1}})
    guarantee = Collection(survey, 2, {"cheated": Tally(2, np.array([1, 1]))}).shuffled(delta=1e-9)
    assert guarantee.epsilon(delta=1e-9) <= 1


def test_reports_with_ids_cannot_be_shuffled() -> None:
    survey = sf.Survey({"cheated": {**TWO, "epsilon": 1}}, ids=True)
    with raises_code("E-RESPONDENT-ID"):
        shuffled(survey, 1000, delta=1e-6)


def test_one_report_alone_cannot_be_shuffled() -> None:
    survey = sf.Survey({"cheated": {**TWO, "epsilon": 1}})
    alone = Collection(survey, 1, {"cheated": Tally(1, np.array([1, 0]))})
    with raises_code("E-REPORTS-NONE"):
        alone.shuffled(delta=1e-6)


@pytest.mark.parametrize(("people", "delta"), [(0, 1e-6), (1000, 2), (1000, "much")])
def test_what_makes_no_sense_is_one_sentence(people: int, delta: object) -> None:
    with pytest.raises(InputError):
        shuffled(sf.Survey({"cheated": {**TWO, "epsilon": 1}}), people, delta=delta)


class TestToTheBlackBox:
    """Thirty people, of whom one changes; the audit's false alarm is 1e-6."""

    survey = sf.Survey({"cheated": {**TWO, "epsilon": 2}})

    @classmethod
    @cache
    def guaranteed(cls) -> float:
        return shuffled(cls.survey, 30, delta=0.01).epsilon(delta=0.01)

    def reports(self, first: int, surveys: int) -> NDArray[np.int64]:
        answers = np.zeros((surveys, 30), dtype=np.int64)
        answers[:, 0] = first
        question = self.survey.questions["cheated"]
        told = randomize_many(question, answers.ravel(), source=self.source)
        return told.reshape(answers.shape)

    def violated(self, release: Callable[[int, int], NDArray[np.int64]]) -> bool:
        self.source = SeededSource(5)
        epsilon = self.guaranteed()
        found = sf.audit(release, 0, 1, epsilon=epsilon, delta=0.01, samples=20_000, seed=0)
        return bool(found.violated)

    @pytest.mark.full
    def test_shuffled_reports_keep_the_guarantee(self) -> None:
        """Of shuffled coins, how many fell on one side is all there is to see."""
        assert not self.violated(lambda first, n: self.reports(first, n).sum(axis=1))

    def test_reports_in_the_order_of_people_do_not(self) -> None:
        assert self.violated(lambda first, n: self.reports(first, n)[:, :2])
