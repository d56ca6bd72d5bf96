"""Every protocol keeps its guarantee: by its exact output, and by a black-box audit (M-RR-1)."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

import sfumato as sf
from sfumato.audit import Datasets, each
from sfumato.survey.client.draws import Draws, distribution_of, read_loss
from sfumato.survey.client.protocols import Hashing, Permanent, Response, Subset, Unary, Window
from sfumato.survey.client.protocols.protocol import bit, written_bits
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.survey.client.protocols import Protocol, Report
    from sfumato.survey.client.questions import ChoiceQuestion

PROTOCOLS = ("response", "unary", "subset", "hadamard", "hashing", "permanent")
SETTINGS = [(k, epsilon) for k in (2, 3, 5) for epsilon in ("0.3", "ln(2)", "2.5")]


class SeededDraws(Draws):
    """Chance that a test can repeat."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 (a test repeats it)

    def below(self, bound: int) -> int:
        return self._random.randrange(bound)

    def chance(self, probability: Fraction) -> bool:
        return self._random.randrange(probability.denominator) < probability.numerator


def distribution(protocol: Protocol, answer: int) -> dict[Report, Fraction]:
    return distribution_of(lambda draws: protocol.randomize(answer, draws))


def asked(protocol: str, choices: int, epsilon: object) -> ChoiceQuestion:
    given = {"choices": list("abcdefgh"[:choices]), "epsilon": epsilon, "protocol": protocol}
    lifetime = {"lifetime": 6} if protocol == "permanent" else {}
    question = sf.Survey({"asked": {**given, **lifetime}}).questions["asked"]
    assert isinstance(question, sf.survey.ChoiceQuestion)
    return question


@pytest.mark.parametrize(("choices", "epsilon"), SETTINGS)
@pytest.mark.parametrize("name", PROTOCOLS)
def test_the_guarantee_is_proved_and_no_smaller_one_holds(
    name: str, choices: int, epsilon: str
) -> None:
    choices = min(choices, 4) if name == "permanent" else choices
    question = asked(name, choices, epsilon)
    verdict = sf.verify(question)
    assert verdict
    assert verdict.epsilon.exact == sf.numeric.Ln(question.loss.ratio)
    assert verdict.pairs == choices * (choices - 1) // 2


@dataclass(frozen=True)
class Boastful(Unary):
    """A wrong mechanism: the answer's bit is told too often."""

    @property
    def hit(self) -> Fraction:
        return Fraction(3, 4)


@dataclass(frozen=True)
class Forgetful(Subset):
    """A wrong mechanism: the set has the answer whenever it can."""

    @property
    def hit(self) -> Fraction:
        return Fraction(1)


@pytest.mark.parametrize("wrong", [Boastful, Forgetful])
def test_a_wrong_protocol_is_refuted(wrong: type[Protocol]) -> None:
    protocol = wrong(4, read_loss("ln(2)"))
    distributions = {each: distribution(protocol, each) for each in range(4)}
    assert not sf.verify(distributions, epsilon="ln(2)")


@pytest.mark.parametrize(("choices", "epsilon"), SETTINGS)
@pytest.mark.parametrize("name", PROTOCOLS)
def test_hits_and_misses_are_those_of_the_code(name: str, choices: int, epsilon: str) -> None:
    choices = min(choices, 4) if name == "permanent" else choices
    protocol = asked(name, choices, epsilon).protocol
    for answer in range(choices):
        told = distribution(protocol, answer)
        assert sum(told.values()) == 1
        assert all(map(protocol.allows, told))
        for choice in range(choices):
            supported = sum(told[each] for each in told if protocol.supports(each, choice))
            assert supported == (protocol.hit if choice == answer else protocol.miss)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_what_cannot_be_reported_is_not_allowed(name: str) -> None:
    protocol = asked(name, 3, 1).protocol
    for wrong in (-1, 10**9, "b0101", "b02", "b000" if name == "subset" else "", "yes", None, 1.0):
        assert not protocol.allows(wrong), wrong


class Sampler:
    """Reports of people who all answer the same."""

    def __init__(self, question: ChoiceQuestion, seed: int) -> None:
        self._question, self._draws = question, SeededDraws(seed)

    def __call__(self, answer: str, n: int) -> list[Report]:
        place = self._question.read(answer)
        return [self._question.randomize(place, self._draws) for _ in range(n)]


@pytest.mark.full
@pytest.mark.parametrize("name", PROTOCOLS)
def test_the_black_box_agrees_and_catches_a_smaller_claim(name: str) -> None:
    """The audit's false alarm is 1e-6; its power shows in the twin, who claims 1 and spends 2."""
    honest, twin = Sampler(asked(name, 3, 1), 1), Sampler(asked(name, 3, 2), 2)
    assert not sf.audit(honest, "a", "b", epsilon=1, samples=5_000, seed=0).violated
    assert sf.audit(twin, "a", "b", epsilon=1, samples=5_000, seed=0).violated


class TestNumbersToTheBlackBox:
    """As above, for windows with two marks and with more."""

    def release(self, epsilon: int, seed: int) -> Callable[[int, int], list[int]]:
        window, draws = Window(read_loss(epsilon)), SeededDraws(seed)
        return lambda number, n: [window.randomize(Fraction(number), draws) for _ in range(n)]

    @pytest.mark.parametrize("epsilon", [1, 3])
    def test_it_agrees_and_catches_a_smaller_claim(self, epsilon: int) -> None:
        honest, twin = self.release(epsilon, 1), self.release(2 * epsilon, 2)
        assert not sf.audit(honest, 0, 1, epsilon=epsilon, samples=5_000, seed=0).violated
        assert sf.audit(twin, 0, 1, epsilon=epsilon, samples=5_000, seed=0).violated


@pytest.mark.parametrize("epsilon", ["0.5", "2", "4"])
def test_a_window_is_private_without_bias_and_as_exact_as_it_says(epsilon: str) -> None:
    survey = sf.Survey({"hours": {"bounds": (-2, 22), "epsilon": epsilon}})
    question = survey.questions["hours"]
    assert sf.verify(question).epsilon.exact == sf.numeric.Ln(question.loss.ratio)
    window = question.protocol
    assert isinstance(window, Window)
    zero, rise = window.line
    for number in (Fraction(0), Fraction(1, 7), Fraction(1, 2), Fraction(1)):
        told = distribution_of(lambda draws: window.randomize(number, draws))  # noqa: B023 (used at once)
        mean = sum(mark * chance for mark, chance in told.items())
        assert (mean - zero) / rise == number
        spread = sum((mark - mean) ** 2 * chance for mark, chance in told.items())
        assert spread / rise**2 == window.variance(number)


def test_windows_have_less_variance_than_the_hybrid_mechanism() -> None:
    """Wang et al. (2019), equations 5 and 8, on numbers from -1 to 1."""
    for epsilon, hybrid in ((2, 1.0423363417), (3, 0.4321703746), (4, 0.2189786262)):
        window = Window(read_loss(epsilon))
        worst = max(window.variance(Fraction(each, 400)) for each in range(401))
        assert 4 * worst < Fraction(hybrid)


class TestPermanentAnswers:
    protocol = Permanent(2, read_loss("ln(2)"), read_loss("ln(3)"))

    def remembered(self, answer: int) -> dict[tuple[str, str], Fraction]:
        def two_reports(draws: Draws) -> tuple[str, str]:
            bits = self.protocol.draw_permanent(answer, draws)
            return self.protocol.report(bits, draws), self.protocol.report(bits, draws)

        return distribution_of(two_reports)

    def forgotten(self, answer: int) -> dict[tuple[str, str], Fraction]:
        def two_reports(draws: Draws) -> tuple[str, str]:
            return self.protocol.randomize(answer, draws), self.protocol.randomize(answer, draws)

        return distribution_of(two_reports)

    def test_two_reports_tell_less_than_a_lifetime(self) -> None:
        distributions = {each: self.remembered(each) for each in (0, 1)}
        assert sf.verify(distributions, epsilon="ln(3)")
        assert not sf.verify(distributions, epsilon="ln(2)")

    def test_without_a_memory_they_tell_more(self) -> None:
        distributions = {each: self.forgotten(each) for each in (0, 1)}
        assert not sf.verify(distributions, epsilon="ln(3)")

    @pytest.mark.full
    def test_the_black_box_agrees_and_catches_who_forgets(self) -> None:
        """Reports of an answer keep ln(3) together if the bits are kept; false alarm 1e-6.

        Drawn anew for each of 24 reports, the answers lie 2.4 standard deviations apart.
        """
        draws = SeededDraws(3)

        def kept(answer: int, n: int) -> list[int]:
            drawn = (self.protocol.draw_permanent(answer, draws) for _ in range(n))
            return [self.balance([bits] * 24, draws) for bits in drawn]

        def forgotten(answer: int, n: int) -> list[int]:
            draw = self.protocol.draw_permanent
            return [self.balance([draw(answer, draws) for _ in range(24)], draws) for _ in range(n)]

        assert not sf.audit(kept, 0, 1, epsilon="ln(3)", samples=1_000, seed=0).violated
        assert sf.audit(forgotten, 0, 1, epsilon="ln(3)", samples=1_000, seed=0).violated

    def balance(self, permanent: list[str], draws: Draws) -> int:
        """By how much reports of some bits support the first choice more than the second."""
        told = [self.protocol.report(bits, draws) for bits in permanent]
        return sum(bit(each, 0) - bit(each, 1) for each in told)

    def test_one_report_is_that_of_unary_encoding(self) -> None:
        unary = Unary(2, self.protocol.loss)
        assert (self.protocol.hit, self.protocol.miss) == (unary.hit, unary.miss)
        assert distribution(self.protocol, 0) == distribution(unary, 0)


def test_sets_are_never_worse_than_the_other_protocols() -> None:
    for choices in (2, 3, 7, 30, 200):
        for epsilon in ("0.2", "1", "3", "6"):
            loss = read_loss(epsilon)
            others = [each(choices, loss) for each in (Response, Unary, Hashing)]
            best = Subset(choices, loss).variance()
            assert all(best <= each.variance() for each in others)


@pytest.mark.parametrize(("choices", "epsilon"), [(2**20, 4), (2**20, 8), (100, 6), (5000, 0.01)])
def test_a_hash_fits_into_63_bits_and_is_nearly_the_best(choices: int, epsilon: float) -> None:
    protocol = Hashing(choices, read_loss(epsilon))
    assert protocol.functions * protocol.buckets <= 2**63
    assert protocol.variance() < Unary(choices, read_loss(epsilon)).variance() * Fraction(11, 10)


def test_bits_are_texts_that_no_program_takes_for_a_number() -> None:
    assert written_bits([True, False]) == "b10"
    assert [bit("b10", place) for place in (0, 1)] == [True, False]


@pytest.mark.parametrize("protocol", ["hashing", "response"])
def test_too_many_ways_are_refused_in_a_sentence(protocol: str) -> None:
    many = {"choices": [str(each) for each in range(30_000)], "epsilon": 1, "protocol": protocol}
    with raises_code("E-TOO-LARGE", match="more than 20,000 ways"):
        sf.verify(sf.Survey({"asked": many}).questions["asked"])


def test_a_whole_survey_is_proved_at_the_sum_of_its_questions() -> None:
    questions = {
        "cheated": {"choices": ["yes", "no"], "truth": "2/3"},
        "grade": {"choices": list("abc"), "epsilon": "ln(3)", "protocol": "unary"},
        "hours": {"bounds": (0, 24), "epsilon": "ln(5)"},
    }
    verdict = sf.verify(sf.Survey(questions))
    assert verdict
    assert verdict.epsilon.exact == sf.numeric.Ln(30)


class TestTheTeachersQuestion:
    """Forty pupils who tell the truth with probability 2/3 (M-RR-1, M-DEF-2)."""

    def survey(self, truth: str) -> sf.Survey:
        return sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": truth}}, name="class")

    def test_it_is_ln_2_private_for_every_pupil(self) -> None:
        survey = self.survey("2/3")
        pupils = Datasets(["yes", "no"], size=40)
        verdict = sf.verify(
            each(survey.questions["cheated"].distribution), inputs=pupils, epsilon=sf.numeric.Ln(2)
        )
        assert verdict
        assert verdict.epsilon.exact == sf.numeric.Ln(2) == survey.guarantee.exact_epsilon
        assert verdict.pairs == 40 * 2**39

    def test_with_three_quarters_it_is_not(self) -> None:
        distribution = self.survey("3/4").questions["cheated"].distribution
        assert not sf.verify(
            each(distribution), inputs=Datasets(["yes", "no"], size=40), epsilon=sf.numeric.Ln(2)
        )
