"""What a finite distribution can be made of, and what stays exact."""

from __future__ import annotations

import math
import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sfumato.information import (
    Distribution,
    Joint,
    align,
    cross_entropy,
    entropy,
    information_content,
    kl_divergence,
    max_divergence,
    renyi_divergence,
    statistical_distance,
)
from sfumato.information.distribution import as_distribution
from tests.refusing import raises_code

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
    with raises_code("E-OUTCOMES-ALIKE"):
        entropy(pd.Series([1, 2], index=["a", "a"]))


def test_a_frame_is_a_table_of_counts() -> None:
    frame = pd.crosstab(pd.Series([0, 0, 1]), pd.Series(["a", "b", "b"]))
    assert entropy(frame) == pytest.approx(math.log2(3))


def test_a_crosstab_is_matched_by_its_labels() -> None:
    rows = pd.DataFrame({"plan": ["a", "a", "b"], "left": ["no", "yes", "no"]})
    table = pd.crosstab(rows["plan"], rows["left"])
    assert statistical_distance(table, table[["yes", "no"]]) == 0
    assert statistical_distance(table.stack(), table[["yes", "no"]].stack()) == 0


def test_what_has_a_distribution_is_one() -> None:
    one, other = Joint([[1, 1], [1, 1]]), Joint([[1, 1], [2, 0]])
    assert statistical_distance(one, other) == Fraction(1, 4)
    assert kl_divergence(one, other) == math.inf


def test_missing_values_in_columns_are_refused() -> None:
    for column in (pa.array([1, None]), pl.Series([0.5, None]), pd.Series([0.5, None])):
        with raises_code("E-NUMBER-NOT-FINITE"):
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


def test_nothing_can_change_a_distribution_from_outside() -> None:
    for given in (np.array(PROBABILITIES), np.array(COUNTS)):
        distribution = Distribution(given)
        before = repr(distribution)
        given[0] = 0
        with pytest.raises(ValueError, match="read-only"):
            distribution.probabilities[0] = 1
        distribution.integers[0][0] = 99
        assert repr(distribution) == before
        assert entropy(distribution) == 1.75


def test_a_calculation_neither_changes_nor_copies_its_array() -> None:
    values = np.array(PROBABILITIES)
    assert np.shares_memory(as_distribution(values, "p").probabilities, values)
    entropy(values, order=0.5)
    assert values.tolist() == PROBABILITIES
    values[0] = 0.5  # still writeable


def test_a_series_with_whole_numbers_as_labels_is_matched_by_label() -> None:
    one, other = pd.Series([0, 0, 1]).value_counts(), pd.Series([0, 1, 1]).value_counts()
    assert statistical_distance(one, other) == Fraction(1, 3)
    turned = pd.Series([1, 3], index=[1, 0])
    assert statistical_distance(turned, {0: 3, 1: 1}) == 0
    assert statistical_distance(turned, [3, 1]) == 0
    assert statistical_distance(pd.Series([3, 1]), turned) == 0


def test_copies_keep_labels_and_pickles_keep_everything() -> None:
    named = Distribution({"a": 1, "b": 3})
    assert Distribution(named) == named
    for each in (named, Distribution([0.5, 0.5]), Distribution([Fraction(1, 3), Fraction(2, 3)])):
        assert pickle.loads(pickle.dumps(each)) == each  # noqa: S301


def test_short_floats_are_rescaled() -> None:
    sevenths = np.full(7, 1 / 7, dtype=np.float32)
    one = pd.Series(sevenths, index=list("abcdefg"))
    assert kl_divergence(one, one[::-1]) == 0
    assert math.fsum(Distribution(sevenths).probabilities) == pytest.approx(1, abs=1e-15)
    assert Joint(np.full((7, 1), 1 / 7, dtype=np.float32)).distribution[0, 0] == pytest.approx(
        1 / 7
    )


def test_masked_entries_are_missing() -> None:
    with raises_code("E-NUMBER-NOT-FINITE"):
        entropy(np.ma.array([1, 2, 3], mask=[False, True, False]))


def test_probabilities_too_small_for_a_float() -> None:
    tiny = Fraction(1, 10**400)
    p, q = [Fraction(1, 2)] * 2, [tiny, 1 - tiny]
    half = 400 * math.log(10) / 2 - math.log(2)
    assert kl_divergence(p, q) == pytest.approx(half, rel=1e-14)
    assert kl_divergence(p, q) <= max_divergence(p, q)
    assert cross_entropy(p, q, base=math.e) == pytest.approx(half + math.log(2), rel=1e-14)
    assert entropy(q, order=0) == 1
    assert entropy(q) == 0
    assert entropy(q, order=math.inf) == 0
    tenth = math.log(1 + 10**-0.4) / 0.999
    assert entropy(q, order=1e-3, base=math.e) == pytest.approx(tenth, rel=1e-12)
    assert renyi_divergence(q, p, order=0) == 0
    assert renyi_divergence(p, q, order=0) == 0
    assert renyi_divergence(p, q, order=math.inf) == pytest.approx(max_divergence(p, q))
    assert renyi_divergence(p, q, order=2) == pytest.approx(400 * math.log(10) - math.log(4))
    assert kl_divergence(q, [Fraction(0), Fraction(1)]) == math.inf
    assert renyi_divergence(q, [Fraction(0), Fraction(1)], order=0.5) == 0
    assert information_content(tiny) == pytest.approx(400 * math.log2(10))
