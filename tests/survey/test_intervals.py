"""Bounds on chances: proved by ball arithmetic, and exact coverage of coins that are not alike."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

import numpy as np
import pytest
from flint import arb
from scipy.special import betainc, betaincc

import sfumato as sf
from sfumato.numeric import working_precision
from sfumato.survey.client.draws import read_loss
from sfumato.survey.client.protocols import Response
from sfumato.survey.collector.shares import (
    chance_above,
    chance_below,
    estimate_shares,
    is_coin,
    read_confidence,
)
from sfumato.survey.collector.tally import Tally
from tests.refusing import raises_code
from tests.survey.drawn import PROTOCOLS, asked

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

COINS = (1, 2, 5, 40, 1000, 10**6, 10**9)
LEVELS = (0.25, 0.025, 1e-4, 2.4e-8)


def counts_of(coins: int) -> NDArray[np.int64]:
    some = (0, 1, 2, 5, coins // 100, coins // 3, coins // 2, coins - 2, coins - 1, coins)
    return np.unique([each for each in some if 0 <= each <= coins])


@pytest.mark.parametrize("alpha", LEVELS)
@pytest.mark.parametrize("coins", COINS)
def test_bounds_are_proved_by_balls(coins: int, alpha: float) -> None:
    counts = counts_of(coins)
    low, high = chance_below(counts, coins, alpha), chance_above(counts, coins, alpha)
    with working_precision(128):
        for count, below, above in zip(counts.tolist(), low, high, strict=True):
            if count > 0:
                tail = arb(below).beta_lower(count, coins - count + 1, regularized=True)
                assert tail <= arb(alpha)
            if count < coins:
                tail = arb(above).beta_lower(count + 1, coins - count, regularized=True)
                assert 1 - tail <= arb(alpha)


def test_bounds_are_nearly_as_tight_as_can_be() -> None:
    counts = np.array([2, 400, 998])
    low = chance_below(counts, 1000, 0.025)
    with working_precision(128):
        for count, below in zip(counts.tolist(), low, strict=True):
            wider = arb(below * (1 + 1e-6)).beta_lower(count, 1001 - count, regularized=True)
            assert wider > arb(0.025)


#: Sizes at which SciPy 1.17's quantiles are far off, where a parameter is 1000 exactly.
AT_A_THOUSAND = (9056, 10_089, 10_115, 10_119, 35_233)


@pytest.mark.parametrize("alpha", [0.025, 2.5e-4])
@pytest.mark.parametrize("coins", AT_A_THOUSAND)
def test_bounds_at_a_count_of_a_thousand_are_proved_and_tight(coins: int, alpha: float) -> None:
    few = np.array([999, 1000, 1001])
    counts = np.concatenate([few, coins - few])
    low, high = chance_below(counts, coins, alpha), chance_above(counts, coins, alpha)
    assert (low < counts / coins).all()
    assert (counts / coins < high).all()
    with working_precision(128):
        for count, below, above in zip(counts.tolist(), low, high, strict=True):
            under = arb(below).beta_lower(count, coins - count + 1, regularized=True)
            over = 1 - arb(above).beta_lower(count + 1, coins - count, regularized=True)
            assert arb(0.998 * alpha) <= under <= arb(alpha)
            assert arb(0.998 * alpha) <= over <= arb(alpha)


@pytest.mark.parametrize("alpha", [0.025, 2.5e-4])
def test_no_size_has_a_wrong_bound_near_a_thousand(alpha: float) -> None:
    few = np.arange(995, 1006)
    for coins in (*range(2011, 40_000, 509), *range(10_080, 10_400, 8)):
        counts = np.concatenate([few, coins - few])
        low, high = chance_below(counts, coins, alpha), chance_above(counts, coins, alpha)
        tails = [
            betainc(counts, coins - counts + 1, low),
            betaincc(counts + 1, coins - counts, high),
        ]
        assert np.min(tails) >= 0.998 * alpha
        assert np.max(tails) <= alpha


# --- Coins that are not alike -----------------------------------------------------------------


def distribution(chances: Sequence[float]) -> NDArray[np.float64]:
    """Return the exact distribution of the number of heads."""
    found = np.ones(1)
    for chance in chances:
        found = np.convolve(found, [1 - chance, chance])
    return found


def worst_failure(
    below: Callable[[NDArray[np.int64], int, float], NDArray[np.float64]],
    coins: int,
    alpha: float,
    chances: Sequence[float],
) -> float:
    """Return how much likelier than alpha a bound is wrong, over coins of these chances."""
    worst = -1.0
    bounds = below(np.arange(coins + 1), coins, alpha)
    for each in combinations_with_replacement(chances, coins):
        wrong = bounds > np.mean(each) * (1 + 1e-12)
        worst = max(worst, float(distribution(each)[wrong].sum()) - alpha)
    return worst


CHANCES = (0.0, 1e-3, 0.02, 0.3, 0.5, 0.9, 1.0)


@pytest.mark.parametrize("alpha", [0.25, 0.025, 0.0199, 1e-3])
@pytest.mark.parametrize("coins", [1, 2, 3, 5])
def test_unlike_coins_are_covered_exactly(coins: int, alpha: float) -> None:
    assert worst_failure(chance_below, coins, alpha, CHANCES) <= 1e-12
    mirrored = worst_failure(_mirrored_above, coins, alpha, CHANCES)
    assert mirrored <= 1e-12


def _mirrored_above(counts: NDArray[np.int64], coins: int, alpha: float) -> NDArray[np.float64]:
    return 1 - chance_above(coins - counts, coins, alpha)


def test_the_bound_for_alike_coins_alone_is_seen_to_fail() -> None:
    """The twin: 1 - (1 - alpha)^(1/n) at a count of 1 is right for alike coins only."""

    def alike(counts: NDArray[np.int64], coins: int, alpha: float) -> NDArray[np.float64]:
        found = chance_below(counts, coins, alpha)
        found[1] = 1 - (1 - alpha) ** (1 / coins)
        return found

    assert worst_failure(alike, 2, 0.01995, (0.0, 0.02)) > 1e-5


@pytest.mark.parametrize("share", range(0, 41, 4))
def test_the_class_of_forty_is_covered_exactly(share: int) -> None:
    """The book's class (M-RR-2): j of 40 pupils cheated, and each tells the truth with 2/3."""
    coin = Response(2, read_loss("ln(2)"))
    heads = distribution([2 / 3] * share + [1 / 3] * (40 - share))
    question = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}}).questions
    inside = 0.0
    for count, chance in enumerate(heads):
        tally = Tally(40, np.array([count, 40 - count]))
        found = estimate_shares(question["cheated"], tally)  # type: ignore[arg-type]
        assert found["yes"].value == pytest.approx(3 * count / 40 - 1, abs=1e-15)
        if found["yes"].lower <= share / 40 <= found["yes"].upper:
            inside += chance
    assert is_coin(coin)
    assert inside >= 0.95


# --- What the intervals are -------------------------------------------------------------------


def test_the_two_intervals_of_a_coin_mirror_each_other() -> None:
    question = asked("response", 2, 1)
    found = estimate_shares(question, Tally(100, np.array([37, 63])))
    assert found["c0"].lower == pytest.approx(1 - found["c1"].upper, abs=1e-8)
    assert found.shares.sum() == pytest.approx(1)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_intervals_hold_their_estimate_and_stay_possible(name: str) -> None:
    question = asked(name, 3, 1)
    for counts in ([0, 0, 0], [50, 50, 0], [50, 0, 0], [20, 20, 10]):
        found = estimate_shares(question, Tally(50, np.array(counts)))
        assert (found.lower >= 0).all()
        assert (found.upper <= 1).all()
        assert (found.lower <= found.upper).all()
        near = np.clip(found.shares, 0, 1)
        assert ((found.lower <= near) & (near <= found.upper)).all()


def test_reports_that_no_answers_explain_are_named() -> None:
    found = estimate_shares(asked("response", 2, 1), Tally(1000, np.array([990, 10])))
    assert found.outside == ("c0", "c1")
    assert (found["c0"].lower, found["c0"].upper) == (1, 1)
    assert (found["c1"].lower, found["c1"].upper) == (0, 0)


def test_a_larger_survey_has_narrower_intervals() -> None:
    question = asked("subset", 5, 1)
    widths = []
    for people in (100, 10_000, 1_000_000):
        found = estimate_shares(question, Tally(people, np.full(5, people // 4)))
        widths.append(float((found.upper - found.lower).max()))
    assert widths[0] > widths[1] > widths[2]
    assert widths[1] / widths[2] == pytest.approx(10, rel=0.1)


def test_a_confidence_is_read_as_it_was_written() -> None:
    assert read_confidence("0.99") == Fraction(99, 100)
    for wrong in (1, 0.4, "much", None, float("nan")):
        with raises_code("E-ARGUMENT-RANGE", "confidence"):
            read_confidence(wrong)
