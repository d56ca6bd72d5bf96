"""Intervals cover all shares of a question together, for each protocol (M-RR-1, M-RR-2).

A thousand surveys are drawn for each protocol from the exact distribution of its code, with fixed
seeds.  An interval that keeps its confidence is accused with probability at most 1e-8; the
intervals of one choice alone, without a thought for the others, are the twin that must be accused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from sfumato.survey.collector.shares import (
    chance_of_error,
    read_confidence,
    share_bounds,
    tightened,
    unbiased_shares,
)
from sfumato.survey.collector.tally import Tally
from tests.survey.drawn import PROTOCOLS, SURVEYS, asked, naive, supporters, too_few

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sfumato.survey.client.protocols import Protocol

CONFIDENCE = 0.95
#: How many people have each of four answers: some of them rare, one that nobody has.
CROWDS = [(25, 10, 5, 0), (700, 290, 10, 0)]


def covered(
    protocol: Protocol, people: Sequence[int], *, seed: int, confidence: float = CONFIDENCE
) -> dict[str, int]:
    """Return how many surveys have all shares in their intervals: ours, tightened, and naive."""
    number = sum(people)
    truth = np.array(people) / number
    counts = supporters(protocol, people, SURVEYS, seed)
    alpha = chance_of_error(protocol, read_confidence(confidence))
    low, high = (np.clip(each, 0, 1) for each in share_bounds(protocol, counts, number, alpha))
    shares = np.array([unbiased_shares(protocol, Tally(number, row)) for row in counts])
    ends = [tightened(*each) for each in zip(low, high, strict=True)]
    lows, highs = (np.array(each) for each in zip(*ends, strict=True))
    plain = naive(protocol, shares, number, confidence)
    return {
        "ours": _all_within(truth, low, high),
        "tightened": _all_within(truth, lows, highs),
        "naive": _all_within(truth, *plain),
    }


def _all_within(truth: NDArray[np.float64], low: Any, high: Any) -> int:
    return int(((low <= truth) & (truth <= high)).all(axis=1).sum())


@pytest.mark.parametrize("people", CROWDS)
@pytest.mark.parametrize("name", PROTOCOLS)
def test_all_shares_are_covered_together(name: str, people: tuple[int, ...]) -> None:
    found = covered(asked(name, 4, 1).protocol, people, seed=sum(people))
    assert not too_few(found["ours"], SURVEYS, CONFIDENCE)
    assert not too_few(found["tightened"], SURVEYS, CONFIDENCE)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_naive_intervals_are_accused(name: str) -> None:
    found = covered(asked(name, 4, 1).protocol, CROWDS[1], seed=sum(CROWDS[1]))
    assert too_few(found["naive"], SURVEYS, CONFIDENCE)


@pytest.mark.parametrize("confidence", [0.5, 0.8, 0.999])
def test_other_confidences_are_kept_too(confidence: float) -> None:
    protocol = asked("subset", 4, 2).protocol
    found = covered(protocol, CROWDS[0], seed=3, confidence=confidence)
    assert not too_few(found["ours"], SURVEYS, confidence)


def test_many_choices_are_covered_together() -> None:
    protocol = asked("response", 40, 3).protocol
    people = [300, 100, *([0] * 38)]
    found = covered(protocol, people, seed=40)
    assert not too_few(found["ours"], SURVEYS, CONFIDENCE)
    assert too_few(found["naive"], SURVEYS, CONFIDENCE)
