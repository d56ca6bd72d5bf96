"""Pairs of choices: unbiased, of known variance, and covered together.

Hundreds of surveys each, with fixed seeds; an interval that keeps its confidence is accused with
probability at most 1e-8.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest

import sfumato as sf
from sfumato.survey.client.draws import read_loss
from sfumato.survey.client.protocols import Response
from sfumato.survey.collector.collection import Collection
from sfumato.survey.collector.pairs import (
    Margins,
    PropertyClasses,
    estimate_pairs,
    pair_bounds,
    share_above,
    share_below,
    unbiased_pairs,
)
from sfumato.survey.collector.shares import estimate_shares, made_consistent
from sfumato.survey.collector.tally import PairTally, Tally
from tests.refusing import raises_code
from tests.survey.drawn import PROTOCOLS, SURVEYS, asked, reports_of, too_few

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.survey.client.questions import ChoiceQuestion

    Counts = NDArray[np.int64]
    Floats = NDArray[np.float64]


def drawn(
    first: ChoiceQuestion, second: ChoiceQuestion, people: Counts, surveys: int, seed: int
) -> list[PairTally]:
    """Return the tallies of many surveys in which so many people have each pair of answers."""
    source = np.random.default_rng(seed)
    shape = (surveys, *people.shape)
    both = np.zeros(shape, dtype=np.int64)
    ones, others = np.zeros(shape[:2], dtype=np.int64), np.zeros(shape[::2], dtype=np.int64)
    for i, j in product(*map(range, people.shape)):
        left, right = reports_of(first.protocol, i), reports_of(second.protocol, j)
        chances = np.outer(_floats(left.chances), _floats(right.chances)).ravel()
        counts = source.multinomial(people[i, j], chances / chances.sum(), size=surveys)
        table = counts.reshape(surveys, len(left.chances), len(right.chances))
        both += np.einsum("srt,ri,tj->sij", table, left.supports, right.supports)
        ones += np.einsum("srt,ri->si", table, left.supports)
        others += np.einsum("srt,tj->sj", table, right.supports)
    number = int(people.sum())
    return [PairTally(number, *each) for each in zip(both, ones, others, strict=True)]


def _floats(chances: tuple[Fraction, ...]) -> Floats:
    return np.array([float(each) for each in chances])


def a_report(first: ChoiceQuestion, second: ChoiceQuestion, left: Counts, right: Counts) -> Floats:
    """Return the estimates of one person's report."""
    tally = PairTally(1, np.outer(left, right), left, right)
    return unbiased_pairs(first.protocol, second.protocol, tally)


@pytest.mark.parametrize("names", list(zip(PROTOCOLS, PROTOCOLS[1:] + PROTOCOLS[:1], strict=True)))
def test_one_report_has_the_mean_and_the_variance_that_are_claimed(names: tuple[str, str]) -> None:
    first, second = asked(names[0], 2, "ln(3)"), asked(names[1], 3, "ln(2)")
    for i, j in product(range(2), range(3)):
        left, right = reports_of(first.protocol, i), reports_of(second.protocol, j)
        mean, square = np.zeros((2, 3)), np.zeros((2, 3))
        for (a, p), (b, q) in product(
            zip(left.supports, left.chances, strict=True),
            zip(right.supports, right.chances, strict=True),
        ):
            said = a_report(first, second, a, b)
            mean, square = mean + float(p * q) * said, square + float(p * q) * said**2
        truth = np.zeros((2, 3))
        truth[i, j] = 1
        assert mean == pytest.approx(truth, abs=1e-12)
        squares = np.outer(_squares(first, i), _squares(second, j))
        assert square == pytest.approx(squares, abs=1e-9)


def _squares(question: ChoiceQuestion, answer: int) -> Floats:
    """Return the mean square of what a report says of each choice."""
    true = [int(answer == choice) for choice in range(question.protocol.choices)]
    return np.array([float(question.protocol.variance(Fraction(each)) + each) for each in true])


@pytest.mark.parametrize("names", [("response", "subset"), ("subset", "response")])
def test_margins_agree_with_the_single_estimates(names: tuple[str, str]) -> None:
    first, second = asked(names[0], 2, 1), asked(names[1], 5, 1)
    people = np.array([[50, 20, 10, 5, 5], [10, 40, 30, 20, 10]])
    (tally,) = drawn(first, second, people, 1, seed=1)
    found = estimate_pairs(first, second, tally)
    for question, counts, axis in ((first, tally.first, 1), (second, tally.second, 0)):
        alone = estimate_shares(question, Tally(tally.people, counts))
        assert found.shares.sum(axis=axis) == pytest.approx(alone.shares)


FEWER = 250
PEOPLE = np.array([[200, 100, 0], [50, 45, 5]])


@pytest.mark.parametrize("names", [("response", "subset"), ("unary", "hashing")])
def test_all_pairs_are_covered_together(names: tuple[str, str]) -> None:
    """The twin has intervals of half the length, and is accused."""
    first, second = (asked(name, k, 1).protocol for name, k in zip(names, (2, 3), strict=True))
    truth = PEOPLE / PEOPLE.sum()
    tallies = drawn(asked(names[0], 2, 1), asked(names[1], 3, 1), PEOPLE, FEWER, seed=2)
    shares = np.array([unbiased_pairs(first, second, each) for each in tallies])
    bounds = [pair_bounds(first, second, each, 0.05) for each in tallies]
    low, high = (np.array(each) for each in zip(*bounds, strict=True))
    within = ((low <= truth) & (truth <= high)).all(axis=(1, 2))
    halved = (((low + shares) / 2 <= truth) & (truth <= (high + shares) / 2)).all(axis=(1, 2))
    assert not too_few(int(within.sum()), FEWER, 0.95)
    assert too_few(int(halved.sum()), FEWER, 0.95)


def test_the_standard_error_is_that_of_many_surveys() -> None:
    first, second = asked("response", 2, 1), asked("subset", 3, 1)
    tallies = drawn(first, second, PEOPLE, SURVEYS, seed=3)
    shares = [unbiased_pairs(first.protocol, second.protocol, each) for each in tallies]
    claimed = estimate_pairs(first, second, _expected(first, second)).standard_errors
    # The spread of 1,000 normal numbers is off by 2.2 % as a rule, and by 12 % with under 1e-7.
    assert claimed == pytest.approx(np.std(shares, axis=0), rel=0.12)
    assert claimed * 1.3 != pytest.approx(np.std(shares, axis=0), rel=0.12)


def _expected(first: ChoiceQuestion, second: ChoiceQuestion) -> PairTally:
    """Return the tally of many more people, which is as good as what is expected."""
    (tally,) = drawn(first, second, PEOPLE * 10**6, 1, seed=4)
    return PairTally(
        int(PEOPLE.sum()),
        *(
            (each / 10**6).round().astype(np.int64)
            for each in (tally.both, tally.first, tally.second)
        ),
    )


def test_consistent_pairs_sum_to_one() -> None:
    first, second = asked("unary", 2, 1), asked("subset", 3, 1)
    for tally in drawn(first, second, PEOPLE, 5, seed=6):
        before = estimate_pairs(first, second, tally)
        after = made_consistent(before)
        assert after.shares.sum() == pytest.approx(1)
        assert ((after.lower <= after.shares) & (after.shares <= after.upper)).all()
        assert (after.lower >= before.lower).all()
        assert (after.upper <= before.upper).all()


# --- The bounds themselves --------------------------------------------------------------------


def kinds_of(epsilons: tuple[str, str]) -> PropertyClasses:
    """Return what two coins say of people with neither answer, with one, and with both."""
    values, distributions = [], []
    for epsilon in epsilons:
        coin = Response(2, read_loss(epsilon))
        gap = coin.hit - coin.miss
        values.append([float(-coin.miss / gap), float((1 - coin.miss) / gap)])
        distributions.append([[1 - float(p), float(p)] for p in (coin.miss, coin.hit)])
    rows = [np.outer(a, b).ravel() for a in distributions[0] for b in distributions[1]]
    return PropertyClasses(np.outer(values[0], values[1]).ravel(), np.array(rows))


@pytest.mark.parametrize("people", [1, 2, 5, 8])
@pytest.mark.parametrize("epsilons", [("0.3", "0.3"), ("1", "3"), ("4", "5")])
def test_bounds_fail_no_more_often_than_they_may(people: int, epsilons: tuple[str, str]) -> None:
    """Exactly, over all outcomes and many crowds, with margins that are just right."""
    kinds = kinds_of(epsilons)
    outcomes = np.array(
        [each for each in product(range(people + 1), repeat=4) if sum(each) == people]
    )
    means = outcomes @ kinds.values / people
    for crowd in outcomes[:: max(len(outcomes) // 12, 1)]:
        neither, second, first, both = crowd / people
        most = Margins(np.full(means.size, first + both), np.full(means.size, second + both))
        chances = multinomials(kinds, crowd, outcomes)
        for alpha in (0.2, 0.025):
            low = share_below(means, people, alpha, kinds, most)
            high = share_above(means, people, alpha, kinds, most)
            assert chances[low > both + 1e-12].sum() <= alpha
            assert chances[high < both - 1e-12].sum() <= alpha
        assert chances.sum() == pytest.approx(1)
        assert neither >= 0


def test_margins_that_are_too_small_are_seen_to_fail() -> None:
    """The twin: a crowd in which nobody has both, and bounds that say that nobody has one."""
    kinds, crowd = kinds_of(("1", "3")), np.array([0, 2, 3, 0])
    outcomes = np.array([each for each in product(range(6), repeat=4) if sum(each) == 5])
    means, nobody = outcomes @ kinds.values / 5, np.zeros(len(outcomes))
    low = share_below(means, 5, 0.025, kinds, Margins(nobody, nobody))
    assert multinomials(kinds, crowd, outcomes)[low > 0].sum() > 0.025


def multinomials(kinds: PropertyClasses, crowd: Counts, outcomes: Counts) -> Floats:
    """Return the exact chance of each outcome of a crowd: how many reports say each value."""
    size = int(crowd.sum()) + 1
    table = np.zeros((size,) * 4)
    table[0, 0, 0, 0] = 1
    for kind, many in enumerate(crowd):
        for _ in range(many):
            table = sum(
                np.roll(table, 1, axis=value) * kinds.distributions[kind, value]
                for value in range(4)
            )
    return np.array([table[tuple(each)] for each in outcomes])


def test_small_margins_make_short_intervals() -> None:
    kinds, mean = kinds_of(("2", "2")), np.array([0.02])
    lengths = []
    for share in (1.0, 0.1):
        most = Margins(np.array([share]), np.array([share]))
        ends = [each(mean, 10_000, 1e-3, kinds, most) for each in (share_below, share_above)]
        lengths.append(float(ends[1][0] - ends[0][0]))
    assert lengths[1] < 0.8 * lengths[0]


def test_bounds_of_huge_surveys_are_sane() -> None:
    kinds, most = kinds_of(("1", "1")), Margins(np.array([0.5]), np.array([0.5]))
    for people in (10**6, 10**9, 10**12):
        low, high = (
            each(np.array([0.25]), people, 0.025, kinds, most)
            for each in (share_below, share_above)
        )
        reach = (2 * np.log(40) * kinds.spread / people) ** 0.5
        assert 0.25 - reach < low[0] < 0.25 < high[0] < 0.25 + reach


def test_a_number_has_no_pairs() -> None:
    survey = sf.Survey(
        {
            "cheated": {"choices": ["yes", "no"], "epsilon": 1},
            "hours": {"bounds": (0, 9), "epsilon": 1},
        }
    )
    tally = Tally(2, np.array([1, 1]))
    pair = PairTally(2, np.eye(2, dtype=np.int64), np.array([1, 1]), np.array([1, 1]))
    tallies = dict.fromkeys(survey.questions, tally)
    with raises_code("E-QUESTION-KIND"):
        Collection(survey, 2, tallies, {("cheated", "hours"): pair}).estimate()
