"""Uniform integers and orders, by exhausting the words they are made of."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.numeric import shown
from sfumato.sampling import SeededSource, uniform
from sfumato.sampling.uniform import permutation, uniform_below
from tests.refusing import raises_code
from tests.sampling.scripted import FALSE_ALARM, ScriptedSource, ScriptEnded, surprise

SHORT = 1 << 16


@pytest.mark.parametrize("bound", [1, 2, 3, 5, 6, 7, 10, 1000, 20_001, 32_767, 32_768])
def test_of_all_words_as_many_lead_to_each_integer(
    bound: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With words of 16 bits, all of them in a row: rejected ones give way to the next."""
    monkeypatch.setattr(uniform, "_WORDS", SHORT)
    accepted = SHORT - SHORT % bound
    drawn = uniform_below(bound, accepted, source=ScriptedSource(range(SHORT)))
    assert np.array_equal(np.bincount(drawn, minlength=bound), np.full(bound, accepted // bound))


def test_taking_the_remainder_of_every_word_is_not_uniform() -> None:
    """The twin of the test above: without rejection some integers come up more often."""
    counts = np.bincount(np.arange(SHORT) % 3)
    assert len(set(counts.tolist())) > 1


@pytest.mark.parametrize("bound", [3, 5, 7, 8, 9])
def test_integers_beyond_the_machine_s_are_uniform(
    bound: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uniform, "_WORDS", 4)
    width = (bound - 1).bit_length()
    source = ScriptedSource(integers=range(1 << width))
    drawn = uniform_below(bound, bound, source=source)
    assert drawn.dtype == object
    assert sorted(drawn) == list(range(bound))


@pytest.mark.parametrize("bound", [3, 6, 10**6 + 3, 2**62 + 1, 3 * 2**61, 2**63 - 1])
def test_the_first_word_that_is_rejected(bound: int) -> None:
    limit = 2**64 - 2**64 % bound
    drawn = uniform_below(bound, 2, source=ScriptedSource([limit - 1, limit, 2**64 - 1, bound]))
    assert drawn.tolist() == [bound - 1, 0]
    with pytest.raises(ScriptEnded):
        uniform_below(bound, 1, source=ScriptedSource([limit]))


@given(st.integers(1, 2**70), st.integers(0, 50))
def test_integers_lie_below_the_bound(bound: int, size: int) -> None:
    drawn = uniform_below(bound, size, source=SeededSource(1))
    assert drawn.shape == (size,)
    assert drawn.dtype == (np.int64 if bound <= 2**63 else object)
    assert all(0 <= each < bound for each in drawn.tolist())


def test_the_greatest_bounds_reach_the_top() -> None:
    top = uniform_below(2**63, 1, source=ScriptedSource([2**64 - 1]))
    assert top.tolist() == [2**63 - 1]
    beyond = uniform_below(2**63 + 1, 1, source=ScriptedSource(integers=[2**64 - 1, 2**63]))
    assert beyond.tolist() == [2**63]


def test_counts_of_a_die() -> None:
    """A fair die passes, false alarm 1e-6; a loaded one (one face 5 % more likely) does not."""
    counts = np.bincount(uniform_below(6, 600_000, source=SeededSource(11)), minlength=6)
    assert surprise(counts, [1 / 6] * 6) > FALSE_ALARM
    loaded = [1.05 / 6, *[(1 - 1.05 / 6) / 5] * 5]
    assert surprise(counts, loaded) < FALSE_ALARM


def test_every_order_comes_from_as_many_keys() -> None:
    """All triples of eight keys: equal keys ask for others, the rest give each order as often."""
    seen: Counter[tuple[int, ...]] = Counter()
    for keys in product(range(8), repeat=3):
        source = ScriptedSource(keys)
        if len(set(keys)) < 3:
            with pytest.raises(ScriptEnded):
                permutation(3, source=source)
        else:
            seen[tuple(permutation(3, source=source).tolist())] += 1
    assert seen == dict.fromkeys(permutations(range(3)), 8 * 7 * 6 // 6)


def test_equal_keys_are_all_drawn_again() -> None:
    assert permutation(3, source=ScriptedSource([5, 5, 0, 9, 7, 8])).tolist() == [1, 2, 0]


@given(st.integers(0, 300), st.integers(0, 1000))
def test_an_order_has_every_index_once(count: int, seed: int) -> None:
    order = permutation(count, source=SeededSource(seed))
    assert order.dtype == np.int64
    assert sorted(order.tolist()) == list(range(count))


def test_counts_of_orders() -> None:
    """Uniform over the 24 orders of four passes, false alarm 1e-6; a biased one does not."""
    source = SeededSource(12)
    seen = Counter(tuple(permutation(4, source=source).tolist()) for _ in range(24_000))
    assert surprise([seen[each] for each in permutations(range(4))], [1 / 24] * 24) > FALSE_ALARM
    swaps = Counter(_swapped_anywhere(source) for _ in range(24_000))
    assert surprise([swaps[each] for each in permutations(range(4))], [1 / 24] * 24) < FALSE_ALARM


def _swapped_anywhere(source: SeededSource) -> tuple[int, ...]:
    """The well-known wrong shuffle: each place swapped with any place."""
    order = list(range(4))
    for place, other in enumerate(uniform_below(4, 4, source=source).tolist()):
        order[place], order[other] = order[other], order[place]
    return tuple(order)


BAD_SIZES = [-1, 1.0, "3", None, True, float("nan"), 2**41, 10**5000, [1]]


@pytest.mark.parametrize("size", BAD_SIZES, ids=shown)
def test_sizes_that_are_none_are_refused(size: Any) -> None:
    with raises_code("E-ARGUMENT-RANGE", "size"):
        uniform_below(6, size, source=ScriptedSource())
    with raises_code("E-ARGUMENT-RANGE", "count"):
        permutation(size, source=ScriptedSource())


@pytest.mark.parametrize(
    "bound", [0, -1, -(10**5000), 1.5, "6", None, True, float("inf"), [6]], ids=shown
)
def test_bounds_that_are_none_are_refused(bound: Any) -> None:
    with raises_code("E-ARGUMENT-RANGE", match=r"^bound must be a whole number of 1 or more"):
        uniform_below(bound, 1, source=ScriptedSource())


@pytest.mark.parametrize("source", [1, "os", np.random.default_rng(1), ScriptedSource])
def test_sources_that_are_none_are_refused(source: Any) -> None:
    with raises_code("E-ARGUMENT-TYPE", match=r"^source must be a source of bits"):
        uniform_below(6, 1, source=source)
    with raises_code("E-ARGUMENT-TYPE", match=r"^source must be a source of bits"):
        permutation(3, source=source)


def test_nothing_is_drawn_for_nothing() -> None:
    assert uniform_below(6, 0, source=ScriptedSource()).shape == (0,)
    assert uniform_below(2**80, 0, source=ScriptedSource()).shape == (0,)
    assert permutation(0, source=ScriptedSource()).shape == (0,)
