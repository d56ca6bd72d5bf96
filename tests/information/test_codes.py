"""Codes: Kraft, Huffman against all other trees, arithmetic codes against the bound."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.information import (
    PrefixCode,
    arithmetic_code,
    arithmetic_decode,
    arithmetic_length,
    blocks,
    cross_entropy,
    entropy,
    huffman,
    kl_divergence,
    kraft_sum,
    shannon_code,
)
from tests.refusing import raises_code

COUNTS = st.lists(st.integers(0, 50), min_size=1, max_size=12).filter(any)
POSITIVE = st.lists(st.integers(1, 50), min_size=1, max_size=12)
#: What doublings of the least weights make: the deepest of all trees.
FIBONACCI = [1, 1, 2, 3, 5, 8, 13, 21, 34, 55]
#: How far an arithmetic code may be above the information content: 2 bits, and 2^-31 a value.
OVER, ROUNDING = 2, 2.0**-31


def is_prefix_code(words: Any) -> bool:
    return not any(
        one.startswith(other) for one, other in product(words, words) if one is not other
    )


@cache
def shapes(leaves: int) -> tuple[tuple[int, ...], ...]:
    """The depths of the leaves of every binary tree with so many."""
    if leaves == 1:
        return ((0,),)
    return tuple(
        tuple(1 + depth for depth in left + right)
        for size in range(1, leaves)
        for left in shapes(size)
        for right in shapes(leaves - size)
    )


def least_length(weights: list[int]) -> Fraction:
    """The least mean length of all trees: in each, the greatest weight has the least depth."""
    heavy_first = sorted(weights, reverse=True)
    return Fraction(
        min(
            sum(w * d for w, d in zip(heavy_first, sorted(depths), strict=True))
            for depths in shapes(len(weights))
        ),
        sum(weights),
    )


@given(st.lists(st.integers(0, 8), min_size=1, max_size=12))
def test_kraft_sum_decides_whether_a_prefix_code_exists(lengths: list[int]) -> None:
    found = kraft_sum(lengths)
    assert found.total == sum(Fraction(1, 2**length) for length in lengths)
    if found.exists:
        assert [len(each) for each in found.codewords] == lengths
        assert is_prefix_code(found.codewords)
    else:
        with raises_code("E-CODE-LENGTHS", match="Kraft sum"):
            _ = found.codewords


def test_lengths_beyond_kraft_have_no_prefix_code() -> None:
    """All choices of codewords, tried: the twin of the construction."""
    words = ["".join(bits) for size in (1, 2) for bits in product("01", repeat=size)]
    for lengths in ([1, 1, 2], [1, 2, 2, 2], [2] * 5):
        chosen = list(combinations(words, len(lengths)))
        fitting = [each for each in chosen if sorted(map(len, each)) == sorted(lengths)]
        assert not any(map(is_prefix_code, fitting))
        assert not kraft_sum(lengths).exists
    assert any(map(is_prefix_code, combinations(words, 3)))


@given(st.lists(st.integers(1, 30), min_size=1, max_size=7))
def test_no_tree_is_better_than_huffman_s(weights: list[int]) -> None:
    assert huffman(weights).expected_length == least_length(weights)


def test_a_worse_tree_is_told_from_huffman_s() -> None:
    assert shannon_code([3, 1]).expected_length > least_length([3, 1])


@given(COUNTS)
def test_the_entropy_bounds_every_code_and_codes_reach_it_within_one_bit(counts: list[int]) -> None:
    best, shannon = huffman(counts), shannon_code(counts)
    assert entropy(counts) == pytest.approx(best.entropy.lower, abs=1e-12)
    for code in (best, shannon):
        assert code.kraft.exists
        assert is_prefix_code(code.codewords.values())
        assert 0 <= code.redundancy.lower <= code.redundancy.upper < 1
        assert float(code.expected_length) >= code.entropy.lower
        assert len(code.codewords) == sum(1 for each in counts if each)
    assert best.expected_length <= shannon.expected_length
    assert best.kraft.complete


@given(COUNTS)
def test_shannon_s_lengths_are_the_information_content_rounded_up(counts: list[int]) -> None:
    total, lengths = sum(counts), shannon_code(counts).lengths
    for place, count in enumerate(counts):
        if count:
            assert Fraction(1, 2 ** lengths[place]) <= Fraction(count, total)
            assert Fraction(2, 2 ** lengths[place]) > Fraction(count, total)


@pytest.mark.parametrize("powers", [[1], [1, 1], [1, 2, 2], [1, 2, 3, 4, 4]])
def test_powers_of_one_half_have_no_redundancy(powers: list[int]) -> None:
    chances = [Fraction(1, 2**each) for each in powers] if len(powers) > 1 else [Fraction(1)]
    code = huffman(chances)
    assert code.redundancy.upper == 0
    assert code.expected_length == sum(
        p * each for p, each in zip(chances, powers, strict=True)
    ) or (code.expected_length == 0)
    assert code.expected_length in code.entropy


def test_a_hair_s_breadth_of_redundancy_is_not_none() -> None:
    hair = Fraction(1, 2**60)
    code = huffman([Fraction(1, 2) + hair, Fraction(1, 2) - hair])
    assert 0 < code.redundancy.upper < 1e-30


@pytest.mark.parametrize("counts", [FIBONACCI, [10**400, 1, 1], [0.1] * 10])
def test_deep_trees_huge_counts_and_floats_are_coded(counts: list[Any]) -> None:
    code = huffman(counts)
    column = [place for place in range(len(counts)) for _ in range(3)]
    assert code.decode(code.encode(column)) == column
    assert code.redundancy.upper <= 1


@given(POSITIVE, st.data())
def test_what_is_encoded_is_decoded(counts: list[int], data: Any) -> None:
    code = huffman(counts)
    column = data.draw(st.lists(st.integers(0, len(counts) - 1), max_size=30))
    bits = code.encode(column)
    assert code.decode(bits, count=len(column)) == column
    assert len(bits) == sum(code.lengths[each] for each in column)
    if len(counts) > 1:
        assert code.decode(bits) == column


@given(POSITIVE)
def test_a_code_for_another_distribution_costs_the_cross_entropy(counts: list[int]) -> None:
    """With ⌈-log2 q⌉ bits: H(p) + D(p‖q) ≤ L < H(p) + D(p‖q) + 1; equal where q is dyadic."""
    other = list(reversed(counts))
    length = float(shannon_code(other).length_under(counts))
    cross = entropy(counts) + kl_divergence(counts, other, base=2)
    assert cross_entropy(counts, other) == pytest.approx(cross, abs=1e-9)
    assert cross - 1e-9 <= length < cross + 1 + 1e-9
    dyadic = [4, 2, 1, 1]
    p = [1, 5, 1, 3]
    assert float(huffman(dyadic).length_under(p)) == pytest.approx(cross_entropy(p, dyadic))


def test_an_outcome_without_codeword_costs_without_end() -> None:
    assert huffman([1, 1, 0]).length_under([1, 1, 1]) == math.inf
    assert huffman({"a": 1, "b": 1}).length_under({"b": 3, "a": 1}) == 1


def test_longer_blocks_come_nearer_to_the_entropy() -> None:
    p = [Fraction(9, 10), Fraction(1, 10)]
    rates = [huffman(blocks(p, size)).expected_length / size for size in range(1, 9)]
    bound = entropy(p)
    assert all(bound <= rate < bound + 1 / size for size, rate in enumerate(rates, 1))
    assert rates[0] == 1
    assert float(rates[7]) < 1.02 * bound
    assert blocks({"a": 1, "b": 3}, 2)["b", "b"] == Fraction(9, 16)


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=200))
def test_an_arithmetic_code_is_within_two_bits_of_the_information(column: list[str]) -> None:
    coded = arithmetic_code(column)
    counts = [column.count(each) for each in dict.fromkeys(column)]
    information = len(column) * entropy(counts)
    assert coded.bound.lower - 1e-9 <= information <= coded.bound.upper + 1e-9
    assert information - 1e-6 <= coded.bits <= information + OVER + len(column) * ROUNDING
    assert coded.bits <= arithmetic_length(counts)
    assert len(coded.data) == -(-coded.bits // 8)
    assert coded.decode() == column


@given(st.lists(st.sampled_from("ab"), min_size=1, max_size=60), st.integers(1, 2**70))
def test_a_model_of_any_size_codes_at_the_cross_entropy(column: list[str], weight: int) -> None:
    model = {"c": 1, "a": weight, "b": 1}
    coded = arithmetic_code(column, model=model)
    ideal = sum(-math.log2(Fraction(model[each], weight + 2)) for each in column)
    assert ideal - 1e-6 <= coded.bits <= ideal + OVER + 1e-6
    assert coded.decode() == column


@pytest.mark.parametrize(
    "model", [{"a": 0.25, "b": 0.75}, {"a": Fraction(1, 3), "b": Fraction(2, 3)}]
)
def test_models_of_floats_and_fractions_are_exact(model: Any) -> None:
    column = ["a", "b", "b"] * 100
    coded = arithmetic_code(column, model=model)
    assert arithmetic_decode(coded.data, model=model, count=300) == column


@pytest.mark.full
def test_a_long_column_is_coded_without_loss() -> None:
    column = np.random.default_rng(7).geometric(0.4, size=100_000)
    coded = arithmetic_code(column)
    assert coded.decode() == column.tolist()
    assert coded.bits - coded.bound.lower < OVER + 100_000 * ROUNDING
    assert coded.bits < huffman(np.bincount(column)).expected_length * 100_000


def test_a_model_that_is_off_is_seen_to_cost() -> None:
    """The twin: the check of the bound would fail for a code made for another model."""
    column = "aaab" * 100
    good, bad = arithmetic_code(column), arithmetic_code(column, model={"a": 1, "b": 1})
    assert bad.bits > good.bound.upper + OVER + len(column) * ROUNDING


@pytest.mark.parametrize("kind", [pd.Series, pa.array, np.array, tuple])
def test_columns_of_every_kind_are_coded(kind: Any) -> None:
    column = kind(["a", "b", "a"])
    assert arithmetic_code(column).decode() == ["a", "b", "a"]
    assert huffman({"a": 2, "b": 1}).encode(column) == "010"
    with raises_code("E-COLUMN-TYPE"):
        arithmetic_code(pd.DataFrame({"x": [1]}))


def test_gaps_are_one_value() -> None:
    column = [None, math.nan, "a"]
    assert arithmetic_code(column).decode() == [None, None, "a"]
    assert huffman({None: 2, "a": 1}).encode(column) == "001"


#: What no type checker lets through.
WRONG: dict[str, Any] = {
    "number": 3,
    "text": "12",
    "half": [1.5],
    "mapping": {"a": 1},
    "lists": [[1]],
    "bytes": b"01",
}


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: kraft_sum([]), "E-ARGUMENT-EMPTY"),
        (lambda: kraft_sum(WRONG["number"]), "E-ARGUMENT-TYPE"),
        (lambda: kraft_sum(WRONG["text"]), "E-ARGUMENT-TYPE"),
        (lambda: kraft_sum([1, -1]), "E-ARGUMENT-RANGE"),
        (lambda: kraft_sum(WRONG["half"]), "E-ARGUMENT-RANGE"),
        (lambda: PrefixCode([1, 1], {0: 1, 1: 0}), "E-CODE-LENGTHS"),
        (lambda: PrefixCode([1, 1], {0: 1}), "E-LENGTHS-DIFFER"),
        (lambda: PrefixCode([1, 1], {0: 1, 2: 1}), "E-OUTCOME-UNKNOWN"),
        (lambda: huffman([]), "E-DISTRIBUTION-EMPTY"),
        (lambda: huffman([0, 0]), "E-DISTRIBUTION-EMPTY"),
        (lambda: huffman([0.5, math.nan]), "E-NUMBER-NOT-FINITE"),
        (lambda: huffman([1, 1]).encode(["canary"]), "E-OUTCOME-UNKNOWN"),
        (lambda: huffman([1, 1]).encode(WRONG["number"]), "E-COLUMN-TYPE"),
        (lambda: huffman([1, 1]).encode(WRONG["mapping"]), "E-COLUMN-TYPE"),
        (lambda: huffman([1, 1]).encode(WRONG["lists"]), "E-COLUMN-TYPE"),
        (lambda: huffman([1, 1]).decode("012"), "E-ARGUMENT-TYPE"),
        (lambda: huffman([1, 1]).decode(WRONG["bytes"]), "E-ARGUMENT-TYPE"),
        (lambda: huffman([2, 1, 1]).decode("1"), "E-CODE-BITS"),
        (lambda: huffman([2, 1, 1]).decode("0", count=2), "E-CODE-BITS"),
        (lambda: shannon_code([5, 2, 1]).decode("111"), "E-CODE-BITS"),
        (lambda: huffman([1]).decode(""), "E-ARGUMENT-MISSING"),
        (lambda: huffman([1]).decode("0", count=1), "E-CODE-BITS"),
        (lambda: blocks([1, 1], 0), "E-ARGUMENT-RANGE"),
        (lambda: blocks([1, 1], 30), "E-ARGUMENT-RANGE"),
        (lambda: arithmetic_code([]), "E-ARGUMENT-EMPTY"),
        (lambda: arithmetic_code(["a"], model={"b": 1}), "E-OUTCOME-UNKNOWN"),
        (lambda: arithmetic_code(["a"], model={"a": 0, "b": 1}), "E-OUTCOME-UNKNOWN"),
        (lambda: arithmetic_decode(WRONG["text"], model=[1, 1], count=1), "E-ARGUMENT-TYPE"),
        (lambda: arithmetic_decode(b"", model=[1, 1], count=8), "E-CODE-BITS"),
        (lambda: arithmetic_decode(b"abcdef", model=[1, 1], count=8), "E-CODE-BITS"),
    ],
)
def test_what_cannot_be_coded_is_refused_without_its_values(call: Any, code: str) -> None:
    with raises_code(code) as caught:
        call()
    assert "canary" not in str(caught.value)


def test_one_certain_outcome_takes_no_bits() -> None:
    code = huffman({"yes": 5, "no": 0})
    assert code.codewords == {"yes": ""}
    assert code.expected_length == 0
    assert code.encode(["yes"] * 3) == ""
    assert code.decode("", count=3) == ["yes"] * 3


def test_long_codes_print_their_first_codewords() -> None:
    shown = str(huffman(range(1, 40)))
    assert len(shown.splitlines()) == 2 + 1 + 20 + 1
    assert shown.endswith("…")
    assert "that is the entropy" in str(huffman([1, 1]))
    assert repr(huffman(range(1, 40))).endswith("of 39 outcomes)")
