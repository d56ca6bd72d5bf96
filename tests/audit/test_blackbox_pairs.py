"""The search for neighbouring datasets that break a claim."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import sfumato as sf
from sfumato.audit.blackbox import search_pairs
from sfumato.audit.blackbox.pairs import neighbouring_pairs
from sfumato.errors import InputError
from tests.refusing import raises_code

RNG = np.random.default_rng(30)


def noise(n: int, epsilon: float = 1.0) -> Any:
    stop = -math.expm1(-epsilon)
    return RNG.geometric(stop, n) - RNG.geometric(stop, n)


def clipped_too_late(data: Any, n: int) -> Any:
    """Rows are to be at most 1, but only the sum is clipped: a row of 9 moves it by more."""
    return min(int(np.sum(data)), 100) + noise(n)


def clipped(data: Any, n: int) -> Any:
    return int(np.minimum(data, 1).sum()) + noise(n)


def test_the_pair_that_breaks_the_claim_is_found() -> None:
    datasets = [[1, 1], [0, 1, 1], [1, 9, 0], [0, 0]]
    found = search_pairs(clipped_too_late, datasets, epsilon=1, samples=10_000, screening=500)
    assert found.violated
    assert 9 in found.pair[0]
    assert 9 not in found.pair[1]
    assert found.screened == 10
    assert len(found.audited) == 3


def test_a_right_sum_is_not_accused_on_any_pair() -> None:
    found = search_pairs(
        clipped, lambda rng: rng.integers(0, 10, 4), epsilon=1, samples=6_000, budget=12
    )
    assert not found.violated
    assert found.screened == 12


def test_the_chance_of_an_error_is_shared_by_the_audits() -> None:
    found = search_pairs(clipped, [[1, 1]], epsilon=1, samples=2_000, audits=2, alpha=0.01)
    assert [each.alpha for each in found.audited.values()] == pytest.approx([0.005, 0.005])
    assert found.alpha == 0.01


def test_neighbours_may_be_said_in_words_of_ones_own() -> None:
    found = search_pairs(
        lambda data: data > 0, [0], neighbours=lambda data: [data + 1], epsilon=1, samples=1_000
    )
    assert found.violated
    assert found.pair == (0, 1)


def test_the_pair_is_printed_and_the_cells_of_arrays_are_not() -> None:
    found = search_pairs(len, [["made up"]], epsilon=1, samples=1_000)
    assert found.lines()[1] == "pair 0: d0 is ['made up'], d1 is []"
    hidden = search_pairs(len, [np.array(["a cell"])], epsilon=1, samples=1_000)
    assert hidden.lines()[1].startswith("pair 0: d0 is a value of type ndarray")
    assert "a cell" not in str(hidden) + repr(hidden)


def test_one_line_says_how_likely_an_error_is() -> None:
    found = search_pairs(len, [[1, 2]], epsilon=1, samples=1_000)
    assert str(found).count("wrong with probability") == 1
    assert found.lines()[-1].endswith("wrong with probability at most 1 in 1,000,000")


def test_a_search_is_neither_true_nor_false() -> None:
    with raises_code("E-REPORT-NOT-BOOLEAN"):
        bool(search_pairs(len, [[1]], epsilon=1, samples=1_000))


def test_progress_counts_pairs() -> None:
    told: list[tuple[int, int]] = []
    search_pairs(
        lambda data: 0,
        [[1, 2, 3]],
        epsilon=1,
        samples=200,
        screening=100,
        audits=1,
        progress=lambda done, total: told.append((done, total)),
    )
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize(
    "data",
    [[1, 2, 3], (1, 2, 3), np.arange(3), pd.DataFrame({"x": [1, 2, 3]}), pl.Series([1, 2, 3])],
)
def test_a_row_is_removed_or_replaced_in_tables_of_any_kind(data: Any) -> None:
    rng = np.random.default_rng(0)
    removed = list(neighbouring_pairs([data], sf.privacy.AddRemove(), rng))
    replaced = list(neighbouring_pairs([data], sf.privacy.Substitute(), rng))
    assert {len(other) for _, other in removed} == {2}
    assert {len(other) for _, other in replaced} == {3}
    assert {type(other) for _, other in [*removed, *replaced]} == {type(data)}


def test_as_many_rows_are_changed_as_the_relation_says() -> None:
    pairs = neighbouring_pairs([list(range(9))], sf.privacy.AddRemove(3), np.random.default_rng(0))
    assert {len(other) for _, other in pairs} == {6}


@pytest.mark.parametrize(
    ("datasets", "options", "words"),
    [
        (5, {}, "datasets must be"),
        ([5], {}, "no rows"),
        ([[]], {}, "no dataset has a neighbour"),
        (lambda: [1], {}, "must take a NumPy generator"),
        ([[1]], {"neighbours": 5}, "neighbours must be"),
        ([[1]], {"budget": 0}, "budget"),
        ([[1]], {"audits": 0}, "audits"),
        ([[1]], {"screening": 5}, "screening"),
        ([[1]], {"alpha": 2}, "alpha"),
        ([[1]], {"seed": -1}, "seed"),
    ],
)
def test_bad_input_is_refused(datasets: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        search_pairs(lambda data: 0, datasets, epsilon=1, **options)
