"""Two equal datasets test nothing: an audit refuses them, whatever they are made of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import sfumato as sf
from sfumato.audit.blackbox import search_pairs
from tests.refusing import raises_code


class Odd:
    """What cannot be compared."""

    def __eq__(self, other: object) -> bool:
        raise ValueError

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize(
    "make",
    [
        lambda: 0,
        lambda: [1],
        lambda: {"age": [30, None]},
        lambda: np.array([[1.0, 2.0]]),
        lambda: pd.DataFrame({"age": [30, None], "name": ["ada", "bob"]}),
        lambda: pl.DataFrame({"age": [30, None]}),
    ],
    ids=["number", "list", "mapping", "array", "pandas", "polars"],
)
def test_equal_datasets_are_refused_before_any_call(make: Any) -> None:
    def never(data: Any, n: int) -> Any:
        raise AssertionError

    with raises_code("E-DATASETS-EQUAL"):
        sf.audit(never, make(), make(), epsilon=1)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([1], [2]),
        ([1], (1,)),
        (1, True),
        (np.zeros(2), np.zeros(3)),
        (np.array([1, 2]), [1, 2]),
        ([np.zeros(2)], [np.zeros(2)]),
        (pd.DataFrame({"age": [1]}), pd.DataFrame({"age": [2]})),
        (pd.DataFrame({"age": [1]}), pl.DataFrame({"age": [1]})),
        (Odd(), Odd()),
    ],
    ids=["lists", "types", "truth", "shapes", "kinds", "nested", "frames", "libraries", "odd"],
)
def test_datasets_that_differ_or_cannot_be_compared_are_audited(first: Any, second: Any) -> None:
    """The outputs are coins, whatever the dataset, and the same ones in every run."""
    coins = np.random.default_rng(1)

    def toss(_: Any, n: int) -> Any:
        return coins.integers(0, 2, size=n)

    assert not sf.audit(toss, first, second, epsilon=1, samples=400).violated


def test_a_search_passes_over_neighbours_that_are_equal() -> None:
    found = search_pairs(
        len,
        [[1, 2]],
        neighbours=lambda data: [list(data), data[1:]],
        epsilon=1,
        samples=400,
    )
    assert (found.screened, found.violated) == (1, True)
