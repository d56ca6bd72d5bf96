"""Many people's reports have the client's distribution: exactly, and in counts."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sfumato as sf
from sfumato.sampling import SeededSource
from sfumato.survey.client.draws import distribution_of
from sfumato.survey.client.protocols import Subset
from sfumato.survey.client.questions import ChoiceQuestion, NumberQuestion
from sfumato.survey.collector.decoding import tally_of
from sfumato.survey.crowd import reports as numbers
from sfumato.survey.crowd import reports as sets
from sfumato.survey.crowd.reports import randomize_many, rounded, window
from tests.refusing import raises_code
from tests.sampling.scripted import FALSE_ALARM, ScriptedSource, surprise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sfumato.survey.client.draws import Draws
    from sfumato.survey.client.questions import Question

PROTOCOLS = ("response", "unary", "subset", "hadamard", "hashing", "permanent")


def asked(protocol: str, choices: int, epsilon: object) -> ChoiceQuestion:
    given = {"choices": [f"c{each}" for each in range(choices)], "epsilon": epsilon}
    lifetime = {"lifetime": 6} if protocol == "permanent" else {}
    question = sf.Survey({"q": {**given, "protocol": protocol, **lifetime}}).questions["q"]
    assert isinstance(question, ChoiceQuestion)
    return question


def about(epsilon: object) -> NumberQuestion:
    question = sf.Survey({"q": {"bounds": (0, 1), "epsilon": epsilon}}).questions["q"]
    assert isinstance(question, NumberQuestion)
    return question


def numbered(drawn: NDArray[Any]) -> NDArray[np.int64]:
    """One whole number for each report: bits are read as one number."""
    return drawn @ (1 << np.arange(drawn.shape[1])[::-1]) if drawn.ndim == 2 else drawn


class Driven:
    """The draws of many, made one by one by a client's draws, so that all ways can be followed."""

    def __init__(self, draws: Draws) -> None:
        self._draws = draws

    def coins(self, probability: Fraction, size: int, **_: object) -> NDArray[np.bool_]:
        return np.array([self._draws.chance(probability) for _ in range(size)], dtype=np.bool_)

    def below(self, bound: int, size: int, **_: object) -> NDArray[np.int64]:
        return np.array([self._draws.below(bound) for _ in range(size)], dtype=np.int64)

    def each(self, bounds: Sequence[int], size: int, **_: object) -> NDArray[np.uint16]:
        drawn = [[self._draws.below(bound) for _ in range(size)] for bound in bounds]
        return np.array(drawn, dtype=np.uint16)


def distribution_of_many(
    question: Question, answers: list[Any], monkeypatch: pytest.MonkeyPatch
) -> dict[tuple[Any, ...], Fraction]:
    """The exact distribution of some people's reports: of the code for many, with all its draws."""

    def act(draws: Draws) -> tuple[Any, ...]:
        driven = Driven(draws)
        for module in (numbers, sets):
            monkeypatch.setattr(module, "many_coins", driven.coins)
        monkeypatch.setattr(numbers, "many_below", driven.below)
        monkeypatch.setattr(sets, "each_below", driven.each)
        return tuple(numbered(randomize_many(question, answers)).tolist())

    return distribution_of(act)


def distribution_of_one(question: Question, answer: Any) -> dict[int, Fraction]:
    """The client's distribution, its reports numbered in the same way."""
    distribution = distribution_of(lambda draws: question.protocol.randomize(answer, draws))
    return {
        int(each[1:], 2) if isinstance(each, str) else each: p for each, p in distribution.items()
    }


@pytest.mark.parametrize(("choices", "epsilon"), [(2, "ln(2)"), (3, 1), (4, "0.3"), (5, 2.5)])
@pytest.mark.parametrize("name", PROTOCOLS)
def test_the_distribution_of_the_crowd_is_the_client_s_exactly(
    name: str, choices: int, epsilon: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As fractions, for answers of all kinds; and the twin: at another ε it is another."""
    choices = min(choices, 4) if name == "permanent" else choices
    question, other = asked(name, choices, epsilon), asked(name, choices, 2.6)
    for answer in {0, 1, choices - 1}:
        distribution = {
            each: p for (each,), p in distribution_of_many(question, [answer], monkeypatch).items()
        }
        assert distribution == distribution_of_one(question, answer)
        assert distribution != distribution_of_one(other, answer)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_two_people_s_reports_are_independent(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    question = asked(name, 2, "ln(2)")
    one, two = distribution_of_one(question, 0), distribution_of_one(question, 1)
    both = {(a, b): p * q for a, p in one.items() for b, q in two.items()}
    assert distribution_of_many(question, [0, 1], monkeypatch) == both


@pytest.mark.parametrize("epsilon", ["ln(2)", 3])
def test_the_distribution_of_numbers_on_the_points_is_the_client_s_exactly(
    epsilon: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = about(epsilon)
    for answer in (0, 1):
        distribution = {
            each: p for (each,), p in distribution_of_many(question, [answer], monkeypatch).items()
        }
        assert distribution == distribution_of_one(question, Fraction(answer))


@pytest.mark.parametrize("number", [0.1, 0.5, 1 / 3, 0.999, 2.0**-60])
@pytest.mark.parametrize("steps", [1, 5, 31])
def test_a_number_is_rounded_up_with_the_chance_of_its_rest(number: float, steps: int) -> None:
    """The coin's word turns at the number as it counts: to the nearest multiple of 2^-53."""
    place = Fraction(round(number * 2**53), 2**53) * steps
    turn = int((place - int(place)) * 2**53)
    words = [0, max(turn - 1, 0), turn, 2**53 - 1]
    source = ScriptedSource(np.array(words, dtype=np.uint64) << np.uint64(11))
    drawn = rounded(np.full(4, number), steps, source)
    assert drawn.tolist() == [int(place) + (word < turn) for word in words]


@pytest.mark.parametrize(("choices", "epsilon"), [(4, "ln(2)"), (3, 3)])
@pytest.mark.parametrize("name", PROTOCOLS)
def test_counts_of_many_reports(name: str, choices: int, epsilon: object) -> None:
    """By a chi-square test, false alarm 1e-6 for each of the twelve.

    The twin: the distribution of a ratio 5 % greater, where the same counts must fail.
    """
    question = asked(name, choices, epsilon)
    drawn = randomize_many(question, np.full(400_000, 1), source=SeededSource(7))
    assert chance(drawn, distribution_of_one(question, 1)) > FALSE_ALARM
    wrong = asked(name, choices, question.loss.upper + Fraction(1, 20))
    assert chance(drawn, distribution_of_one(wrong, 1)) < FALSE_ALARM


@pytest.mark.parametrize("epsilon", [1, 4])
def test_counts_of_many_marks(epsilon: object) -> None:
    """The same for numbers, false alarm 1e-6; the twin is a number 0.02 greater."""
    question, number = about(epsilon), 0.25
    drawn = randomize_many(question, np.full(400_000, number), source=SeededSource(7))
    assert chance(drawn, distribution_of_one(question, Fraction(number))) > FALSE_ALARM
    assert chance(drawn, distribution_of_one(question, Fraction(number + 0.02))) < FALSE_ALARM


def chance(drawn: NDArray[Any], distribution: dict[int, Fraction]) -> float:
    """How likely counts are to be as far off as these; 0 where some cannot be given."""
    counts = np.bincount(numbered(drawn), minlength=max(distribution) + 1)
    seen = [int(counts[each]) for each in distribution]
    return (
        surprise(seen, [float(p) for p in distribution.values()])
        if sum(seen) == len(drawn)
        else 0.0
    )


@pytest.mark.parametrize("name", PROTOCOLS)
def test_supports_of_many_choices_over_many_blocks(name: str) -> None:
    """Hits and misses among 100 choices, each within 6 standard errors: false alarm 1e-6 for all.

    The twin: at ε = 1.5 one of the two would be off by more.
    """
    people, question, twin = 60_000, asked(name, 100, 1), asked(name, 100, 1.5)
    reports = randomize_many(question, np.full(people, 99), source=SeededSource(8))
    hits, *misses = tally_of(question, reports).counts[::-1].tolist()

    def off(count: int, probability: Fraction) -> float:
        error = (people * probability * (1 - probability)) ** 0.5
        return float(abs(count - people * probability) / error)

    assert off(hits, question.protocol.hit) < 6
    assert all(off(each, question.protocol.miss) < 6 for each in misses)
    assert off(hits, twin.protocol.hit) > 6 or off(sum(misses) // 99, twin.protocol.miss) > 6


@pytest.mark.parametrize(("choices", "epsilon"), [(2, 1), (7, 1), (40, 0.01), (2100, 1)])
def test_sets_have_their_size(choices: int, epsilon: object) -> None:
    question = asked("subset", choices, epsilon)
    assert isinstance(question.protocol, Subset)
    drawn = randomize_many(question, np.arange(2_200) % choices, source=SeededSource(9))
    assert drawn.shape == (2_200, choices)
    assert drawn.dtype == np.uint8
    assert set(drawn.sum(axis=1, dtype=int).tolist()) == {question.protocol.size}


@pytest.mark.parametrize("name", PROTOCOLS)
def test_nobody_s_reports(name: str) -> None:
    drawn = randomize_many(asked(name, 3, 1), [])
    assert len(drawn) == 0
    assert tally_of(asked(name, 3, 1), drawn).counts.tolist() == [0, 0, 0]


@pytest.mark.parametrize("answers", [[3], [-1], [0.5], [[0]], ["c0"], [True]])
def test_answers_that_are_no_places_are_refused(answers: Any) -> None:
    with raises_code("E-ANSWER-FORM"):
        randomize_many(asked("response", 3, 1), answers)


@pytest.mark.parametrize("answers", [[1.01], [-0.1], [float("nan")], [[0.5]], ["0"], [2]])
def test_numbers_beyond_the_bounds_are_refused(answers: Any) -> None:
    with raises_code("E-ANSWER-FORM"):
        randomize_many(about(1), answers)


def test_marks_lie_among_the_marks() -> None:
    question = about(6)
    drawn = window(question.protocol, np.linspace(0, 1, 10_000), SeededSource(10))
    assert set(drawn.tolist()) == set(range(question.protocol.marks))
