"""Surveys: exact probabilities of the client's own code, for every protocol."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod
from typing import TYPE_CHECKING, Any

import sfumato as sf
from sfumato.numeric import as_ball, working_precision
from sfumato.survey.client.draws import Draws, Loss, distribution_of, read_loss
from sfumato.survey.client.protocols import (
    Hadamard,
    Hashing,
    Permanent,
    Response,
    Subset,
    Unary,
    Window,
)
from tests.proofs.inequalities import BITS, prove, prove_equal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ALMOST = Fraction(99, 100)
RATIOS = [Fraction(11, 10), Fraction(2), Fraction(9, 2)]
LIFETIME = Fraction(7)
KINDS = [Response, Unary, Subset, Hadamard, Hashing]
#: Of two to four choices: all sets of ways in which draws fall are gone through.
CHOICES = (2, 3, 4)


@cache
def reports(protocol: Any, answer: Any) -> Mapping[Any, Fraction]:
    return distribution_of(lambda draws: protocol.randomize(answer, draws))


def protocols(*kinds: Any) -> Iterator[Any]:
    for kind, choices, ratio in product(kinds, CHOICES, RATIOS):
        yield kind(choices, Loss(ratio))


def chances(*kinds: Any) -> Iterator[tuple[Any, int, Any]]:
    """Every report of every answer."""
    for protocol in protocols(*kinds):
        for answer in range(protocol.choices):
            yield from ((protocol, answer, report) for report in reports(protocol, answer))


def numbers() -> Iterator[tuple[Window, Fraction, int]]:
    for ratio in RATIOS:
        window = Window(Loss(ratio))
        places = [Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(7, 8), Fraction(1)]
        yield from ((window, place, mark) for place in places for mark in range(window.marks))


def permanents() -> Iterator[Permanent]:
    yield from (
        Permanent(choices, Loss(ratio), Loss(LIFETIME))
        for choices, ratio in product((2, 3), RATIOS)
    )


def test_survey_ratio() -> None:
    def pairs() -> Iterator[tuple[Any, Any, Any, Any]]:
        for protocol, answer, report in chances(*KINDS):
            yield from ((protocol, answer, other, report) for other in range(protocol.choices))
        for window, place, mark in numbers():
            yield from ((window, place, Fraction(other, 4), mark) for other in range(5))
        for protocol in permanents():
            for one, other in product(range(protocol.choices), repeat=2):
                yield from ((protocol, one, other, each) for each in reports(protocol, one))

    def bound(protocol: Any, _answer: Any, other: Any, report: Any) -> Any:
        return protocol.loss.ratio * reports(protocol, other).get(report, Fraction(0))

    prove(
        pairs(),
        lambda protocol, answer, _, report: reports(protocol, answer).get(report, Fraction(0)),
        bound,
        twin=lambda *case: ALMOST * bound(*case),
    )
    losses = ["0.000001", "0.5", "1", "3.7", "64"]
    with working_precision(BITS):
        powers = {each: as_ball(Fraction(each)).exp() for each in losses}
        assert all(as_ball(read_loss(each).ratio) < power for each, power in powers.items())
    assert read_loss("ln(2)").ratio == 2


def rate(protocol: Any, answer: int, report: Any) -> Fraction:
    return reports(protocol, answer)[report]


def without(protocol: Any) -> Any:
    """The same protocol with a slightly smaller ratio."""
    return type(protocol)(protocol.choices, Loss(1 + (protocol.loss.ratio - 1) * ALMOST))


def test_survey_response() -> None:
    def formula(protocol: Any, answer: int, report: int) -> Any:
        ratio = protocol.loss.ratio
        return (ratio if report == answer else 1) / (ratio + protocol.choices - 1)

    prove_equal(chances(Response), rate, formula, twin=lambda p, v, y: formula(without(p), v, y))


def bits(report: str) -> list[bool]:
    return [each == "1" for each in report[1:]]


def unary(protocol: Any, answer: int, report: str) -> Fraction:
    """Independent bits, each with its own probability of a 1."""
    rare = 1 / (protocol.loss.ratio + 1)
    ones = [Fraction(1, 2) if place == answer else rare for place in range(protocol.choices)]
    told = (one if set_ else 1 - one for one, set_ in zip(ones, bits(report), strict=True))
    return prod(told, start=Fraction(1))


def test_survey_unary() -> None:
    """The bits are independent with the stated chances; then their ratio, bit by bit."""
    for case in chances(Unary):
        assert rate(*case) == unary(*case)

    def two_bits(protocol: Any, answer: int, other: int, report: str) -> Any:
        """Of the bits at both answers alone."""
        rare, set_ = 1 / (protocol.loss.ratio + 1), bits(report)
        own = Fraction(1, 2) * (rare if set_[other] else 1 - rare)
        return own / ((rare if set_[answer] else 1 - rare) * Fraction(1, 2))

    prove(
        (
            (protocol, answer, other, report)
            for protocol, answer, report in chances(Unary)
            for other in range(protocol.choices)
            if other != answer
        ),
        two_bits,
        lambda protocol, *_: protocol.loss.ratio,
        twin=lambda protocol, *_: ALMOST * protocol.loss.ratio,
    )


def test_survey_subset() -> None:
    """A set with the answer against one without it, if there are such."""

    def cases() -> Iterator[tuple[Any, int, str, str]]:
        for protocol in protocols(Subset):
            for answer in range(protocol.choices):
                found = reports(protocol, answer)
                having = [each for each in found if bits(each)[answer]]
                lacking = [each for each in found if not bits(each)[answer]]
                assert len(having) == comb(protocol.choices - 1, protocol.size - 1)
                assert len(lacking) == comb(protocol.choices - 1, protocol.size)
                yield from ((protocol, answer, *pair) for pair in product(having, lacking))

    prove_equal(
        cases(),
        lambda protocol, answer, having, _: rate(protocol, answer, having),
        lambda protocol, answer, _, lacking: protocol.loss.ratio * rate(protocol, answer, lacking),
        twin=lambda protocol, answer, _, lacking: (
            ALMOST * protocol.loss.ratio * rate(protocol, answer, lacking)
        ),
    )


def test_survey_hadamard() -> None:
    def formula(protocol: Any, answer: int, report: int) -> Any:
        ratio = protocol.loss.ratio
        even = (report & (answer + 1)).bit_count() % 2 == 0
        return 2 * (ratio if even else 1) / ((ratio + 1) * protocol.order)

    prove_equal(chances(Hadamard), rate, formula, twin=lambda p, v, y: formula(without(p), v, y))


def test_survey_hashing() -> None:
    def formula(protocol: Any, answer: int, report: int, ratio: Fraction) -> Any:
        function, bucket = divmod(report, protocol.buckets)
        odds = ratio if protocol.bucket(function, answer) == bucket else 1
        return odds / (ratio + protocol.buckets - 1) / protocol.functions

    prove_equal(
        chances(Hashing),
        rate,
        lambda p, v, y: formula(p, v, y, p.loss.ratio),
        twin=lambda p, v, y: formula(p, v, y, 1 + (p.loss.ratio - 1) * ALMOST),
    )


def test_survey_permanent() -> None:
    """How likely a reported bit is 1 where the answer is not; the report is one of unary."""

    def shown(protocol: Permanent, answer: int, place: int) -> Fraction:
        found = reports(protocol, answer)
        return sum((each for report, each in found.items() if bits(report)[place]), Fraction(0))

    for protocol in permanents():
        for answer, (report, chance) in product(range(2), reports(protocol, 0).items()):
            assert answer or chance == unary(protocol, 0, report)
    prove_equal(
        ((protocol, *places) for protocol in permanents() for places in ((0, 1), (1, 0))),
        shown,
        lambda protocol, *_: 1 / (protocol.loss.ratio + 1),
        twin=lambda protocol, *_: 1 / (protocol.loss.ratio * ALMOST + 1),
    )


def test_survey_lifetime() -> None:
    """Three reports of one permanent answer; they tell more than one report may."""
    protocol = Permanent(2, Loss(Fraction(2)), Loss(LIFETIME))

    @cache
    def waves(answer: int) -> Mapping[tuple[str, ...], Fraction]:
        def three(draws: Draws) -> tuple[str, ...]:
            kept = protocol.draw_permanent(answer, draws)
            return tuple(protocol.report(kept, draws) for _ in range(3))

        return distribution_of(three)

    prove(
        ((one, other, each) for one, other in product(range(2), repeat=2) for each in waves(0)),
        lambda one, _, told: waves(one)[told],
        lambda _, other, told: LIFETIME * waves(other)[told],
        twin=lambda _, other, told: protocol.loss.ratio * waves(other)[told],
    )


def test_survey_window() -> None:
    """Both ends; the twin's window is a hundredth less likely."""

    def ends(window: Window) -> tuple[Fraction, Fraction]:
        rare = 1 / (window.width * window.loss.ratio + window.points - 1)
        return rare, rare * window.loss.ratio

    for window, place, mark in numbers():
        assert reports(window, place)[mark] >= ends(window)[0]
    prove(
        numbers(),
        lambda window, place, mark: reports(window, place)[mark],
        lambda window, *_: ends(window)[1],
        twin=lambda window, *_: ALMOST * ends(window)[1],
    )


def test_questions_multiply() -> None:
    colours = {"choices": ["red", "blue", "green"], "epsilon": "ln(2)"}
    survey = sf.Survey({"shoes": colours, "hours": {"bounds": (0, 24), "epsilon": "ln(3)"}})
    assert survey.loss.ratio == 6
