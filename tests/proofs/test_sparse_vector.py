"""The sparse vector technique: its sum over thresholds, shifts of noise, and rows of answers."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from flint import arb

from sfumato.mechanisms import SparseVector
from sfumato.mechanisms.distributions.integers import DiscreteLaplaceNoise
from sfumato.mechanisms.sparse.distribution import AnswersDistribution, answer_patterns
from sfumato.numeric import as_ball
from tests.proofs.inequalities import prove, prove_equal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ALMOST = Fraction(99, 100)
#: In steps; so far out is less than the slack.
SCALES, FAR = (Fraction(3, 2), Fraction(2)), 200
LEADS = [(0, 0), (3, -2), (-1, -4, 5)]


def reaches(noise: DiscreteLaplaceNoise, least: int) -> arb:
    """The probability of noise of at least so many steps."""
    return noise.cumulative(-least)


def test_sparse_sum() -> None:
    def closed(leads: Sequence[int], answers: Sequence[bool]) -> arb:
        return AnswersDistribution(*SCALES).probability(leads, answers)

    def by_terms(leads: Sequence[int], answers: Sequence[bool], query_scale: Fraction) -> arb:
        threshold, query = DiscreteLaplaceNoise(SCALES[0]), DiscreteLaplaceNoise(query_scale)

        def term(z: int) -> arb:
            chances = (
                reaches(query, z - lead) if above else 1 - reaches(query, z - lead)
                for lead, above in zip(leads, answers, strict=False)
            )
            return threshold.mass(abs(z)) * prod(chances, start=arb(1))

        return sum(map(term, range(-FAR, FAR + 1)), arb(0))

    prove_equal(
        ((leads, answers) for leads in LEADS for answers in answer_patterns(len(leads), 1)),
        closed,
        lambda leads, answers: by_terms(leads, answers, SCALES[1]),
        twin=lambda leads, answers: by_terms(leads, answers, ALMOST * SCALES[1]),
    )


def test_sparse_shift() -> None:
    """Both halves: a single step, and all steps from one on."""

    def chance(whole: bool, scale: Fraction, at: int) -> arb:  # noqa: FBT001
        noise = DiscreteLaplaceNoise(scale)
        return reaches(noise, at) if whole else noise.mass(abs(at))

    def bound(whole: bool, scale: Fraction, at: int, shift: int, share: Fraction) -> arb:  # noqa: FBT001
        return as_ball(share * abs(shift) / scale).exp() * chance(whole, scale, at + shift)

    shifts = [(False, each) for each in (-5, -1, 0, 3)] + [(True, each) for each in (0, 1, 6)]
    prove(
        (
            (whole, scale, at, shift)
            for (whole, shift), scale, at in product(shifts, SCALES, (-9, -1, 0, 1, 12))
        ),
        lambda whole, scale, at, _shift: chance(whole, scale, at),
        lambda whole, scale, at, shift: bound(whole, scale, at, shift, Fraction(1)),
        twin=lambda whole, scale, at, shift: bound(whole, scale, at, shift, ALMOST),
    )


def test_sparse_answers() -> None:
    """On queries seven of which say below though they are far above, and then others above."""

    def cases() -> Iterator[tuple[Any, Any, Any, tuple[bool, ...]]]:
        for monotone, positives in product((False, True), (1, 2)):
            mechanism = SparseVector(
                epsilon=1, sensitivity=1, monotone=monotone, positives=positives
            )
            for pair in mechanism.neighbours():
                one, other = map(mechanism.distribution, pair)
                for answers in one.outcomes:
                    yield mechanism, one, other, answers
                    yield mechanism, other, one, answers

    def bound(mechanism: Any, other: Any, answers: tuple[bool, ...], share: Fraction) -> Any:
        spent = mechanism.threshold_epsilon + mechanism.answers_epsilon
        return as_ball(share * spent).exp() * other.ball(answers)

    prove(
        cases(),
        lambda _mechanism, one, _other, answers: one.ball(answers),
        lambda mechanism, _one, other, answers: bound(mechanism, other, answers, Fraction(1)),
        twin=lambda mechanism, _one, other, answers: bound(mechanism, other, answers, ALMOST),
    )
