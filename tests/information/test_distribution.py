"""What a finite distribution can be made of, and what stays exact."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sfumato import InputError
from sfumato.information import Distribution, align, entropy, kl_divergence, statistical_distance

COUNTS = [4, 2, 1, 1]
PROBABILITIES = [0.5, 0.25, 0.125, 0.125]


@pytest.mark.parametrize("values", [COUNTS, PROBABILITIES])
@pytest.mark.parametrize(
    "make", [list, tuple, np.array, pd.Series, pl.Series, pa.array, pa.chunked_array]
)
def test_every_kind_of_column(values: list[Any], make: Any) -> None:
    column = (
        pa.chunked_array([values[:2], values[2:]]) if make is pa.chunked_array else make(values)
    )
    assert entropy(column) == 1.75
    assert Distribution(column).is_exact is isinstance(values[0], int)


def test_exact_kinds() -> None:
    for values in (
        [Fraction(1, 3), Fraction(2, 3)],
        [Decimal("0.5"), Decimal("0.5")],
        [Fraction(1, 3), Decimal("0.5"), Fraction(1, 6)],
        [10**30, 2 * 10**30],
        np.array([2**62, 2**62, 2**62], dtype=np.int64),
        np.array([1, 3], dtype=np.uint8),
    ):
        distribution = Distribution(values)
        assert distribution.is_exact
        assert sum(distribution.fractions) == 1
        assert math.fsum(distribution.probabilities) == pytest.approx(1, abs=1e-15)


def test_floats_as_fractions_sum_to_one_exactly() -> None:
    assert sum(Distribution([0.1] * 10).fractions) == 1
    assert not Distribution([0.5, Fraction(1, 2)]).is_exact


def test_a_series_is_matched_by_its_index() -> None:
    one = pd.Series(["flu", "flu", "cold"]).value_counts()
    other = pd.Series(["cold", "cold", "flu"]).value_counts()
    assert statistical_distance(one, other) == Fraction(1, 3)
    with pytest.raises(InputError, match="the index of p repeats an outcome"):
        entropy(pd.Series([1, 2], index=["a", "a"]))


def test_a_frame_is_a_table_of_counts() -> None:
    frame = pd.crosstab(pd.Series([0, 0, 1]), pd.Series(["a", "b", "b"]))
    assert entropy(frame) == pytest.approx(math.log2(3))


def test_missing_values_in_columns_are_refused() -> None:
    for column in (pa.array([1, None]), pl.Series([0.5, None]), pd.Series([0.5, None])):
        with pytest.raises(InputError, match="missing"):
            entropy(column)


def test_align_gives_missing_outcomes_zero() -> None:
    p, q = align({"a": 0.5, "b": 0.5}, {"b": 1, "c": 1})
    assert p.labels == q.labels == ("a", "b", "c")
    assert kl_divergence(p, q) == math.inf
    assert statistical_distance(p, q) == 0.5


def test_equality_hash_and_repr() -> None:
    one, other = Distribution({"a": 1, "b": 1}), Distribution({"a": 2, "b": 2})
    assert one == other
    assert hash(one) == hash(other)
    assert one != Distribution({"a": 0.5, "b": 0.5})
    assert one != "something else"
    assert repr(Distribution([1] * 8)).endswith("… 2 more})")
    assert one["b"] == Fraction(1, 2)
    assert list(Distribution(one)) == [Fraction(1, 2)] * 2


def test_the_array_given_is_not_changed_nor_copied() -> None:
    values = np.array(PROBABILITIES)
    assert np.shares_memory(Distribution(values).probabilities, values)
    entropy(values, order=0.5)
    assert values.tolist() == PROBABILITIES
