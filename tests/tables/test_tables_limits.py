"""Limits that are chosen privately: by what is seen of how much people have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.sampling import SeededSource
from sfumato.tables.run.noisy_histograms import NoisySizes, Stake, least_error
from tests.tables.audits.remembering import released, remembering

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.tables.release.answer import ReleasedContent

#: What noise of scale 3 exceeds once in 20 times, and ever more rarely.
REACH = 3 * np.log(20 * 2.0 ** (1.5 * np.arange(22)))


def limit(people: list[float], rate: float = 1.0) -> int:
    held = np.zeros(22)
    held[: len(people)] = people
    return least_error(NoisySizes(held, REACH), Stake(rate=rate)).most


def contents(owned: NDArray[np.int64], epsilon: float, draws: int) -> list[ReleasedContent]:
    rows = pd.DataFrame({"id": np.repeat(np.arange(len(owned)), owned)})
    plan = sf.table(rows, unit="id").agg(n=sf.count()).plan(epsilon=epsilon)
    with remembering():
        return released(plan, draws, source=SeededSource(4))


def test_a_cell_beside_a_full_one_is_believed_with_less() -> None:
    assert limit([100, 100, 15]) == 4
    assert limit([100, 0, 0, 0, 0, 0, 0, 15]) == 1
    assert limit([100, 0, 0, 0, 0, 0, 0, 45]) == 128


def test_where_nobody_is_seen_the_limit_is_least() -> None:
    assert limit([0.0] * 22) == 1
    assert limit([5.0] * 22) == 1


def test_noise_that_costs_nothing_does_not_raise_the_limit_beyond_what_is_needed() -> None:
    assert limit([100, 100, 100], rate=0.0) == 4


@pytest.mark.parametrize("people", [200, 5_000])
def test_the_limit_does_not_grow_with_the_number_of_people(people: int) -> None:
    """Nobody has more than 20 rows; more than one mistake in 100 draws is rare."""
    owned = np.random.default_rng(1).integers(1, 21, people)
    limits = [each.limits["rows"].most for each in contents(owned, 1.0, 60)]
    assert np.median(limits) == 32
    assert sum(each > 128 for each in limits) <= 12


def test_the_error_is_near_that_of_the_best_limit() -> None:
    """Noise for 32 rows is beyond 100 in 8 % of draws: in 36 of 100 with a chance below 1e-6."""
    owned = np.random.default_rng(2).integers(1, 21, 20_000)
    assert far_off(contents(owned, 1.0, 100), int(owned.sum())) <= 35


def test_twin_a_limit_that_is_affordable_is_far_off() -> None:
    """A limit of a thousand rows, for which the noise is a hundredth of the rows."""
    owned = np.random.default_rng(2).integers(1, 21, 20_000)
    rows = pd.DataFrame({"id": np.repeat(np.arange(len(owned)), owned)})
    table = sf.table(rows, unit="id", limits={"rows": 1_000})
    with remembering():
        found = released(table.agg(n=sf.count()).plan(epsilon=1), 100, source=SeededSource(4))
    assert far_off(found, int(owned.sum())) > 35


def far_off(found: list[ReleasedContent], truth: int) -> int:
    """How many counts are off by more than 100."""
    return sum(abs(each.sums[0][0] / 2**16 - truth) > 100 for each in found)
