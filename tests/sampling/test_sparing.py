"""Very many draws of a byte or two each, by exhausting the bytes they are made of."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.sampling import SeededSource
from sfumato.sampling.stepped_sampler import each_below, many_below, many_coins
from tests.refusing import raises_code
from tests.sampling.scripted import FALSE_ALARM, ScriptedSource, first_true, surprise

BYTES = bytes(range(256))
WORD = 1 << 64


def heads_of(probability: Fraction, word: int) -> int:
    """How many of all bytes fall true, where ``word`` decides the one that is open."""
    source = ScriptedSource([word], data=BYTES, integers=[0])
    return int(many_coins(probability, 256, source=source).sum())


def mass(probability: Fraction) -> Fraction:
    """The probability of true to 72 bits, found by a search for where the open byte turns."""
    most = heads_of(probability, 0)
    turn = first_true(lambda word: heads_of(probability, word) < most, 64)
    return (most - 1 + Fraction(turn, WORD)) / 256


@pytest.mark.parametrize(
    "probability",
    [Fraction(1, 3), Fraction(10**18, 2718281828459045235 + 10**18), Fraction(1, 999)],
)
def test_the_mass_of_all_bytes_is_the_probability(probability: Fraction) -> None:
    """And the twin: a probability one per million off is told from it."""
    assert abs(mass(probability) - probability) < Fraction(2, 2**72)
    assert abs(mass(probability) - probability * (1 + Fraction(1, 10**6))) > Fraction(2, 2**72)


@given(st.integers(0, 256))
def test_probabilities_of_whole_bytes_leave_none_open(share: int) -> None:
    source = ScriptedSource(data=BYTES)
    assert many_coins(Fraction(share, 256), 256, source=source).sum() == share


def test_counts_of_many_coins() -> None:
    """The right probability passes, false alarm 1e-6; one off by 1 % does not."""
    size = 3_000_000
    heads = int(many_coins(Fraction(3, 10), size, source=SeededSource(31)).sum())
    assert surprise([heads, size - heads], [0.3, 0.7]) > FALSE_ALARM
    assert surprise([heads, size - heads], [0.303, 0.697]) < FALSE_ALARM


def test_a_byte_alone_would_be_seen() -> None:
    """The twin of the test above: whole bytes without the bits after them, 85/256 for 1/3.

    It is 12 standard errors off, so that it passes once in 10^13.
    """
    size = 20_000_000
    heads = int((SeededSource(32).read(size) < 85).sum())
    assert surprise([heads, size - heads], [1 / 3, 2 / 3]) < FALSE_ALARM


@pytest.mark.parametrize("bound", [1, 2, 3, 5, 7, 10, 99, 1000, 2047, 2048])
def test_of_all_words_as_many_lead_to_each_integer(bound: int) -> None:
    """All words of 16 bits in a row: rejected ones give way to the next."""
    words = np.arange(2**16, dtype=np.uint16)
    used = 2**16 - 2**16 % bound
    drawn = each_below([bound], used, source=ScriptedSource(data=words.tobytes()))[0]
    assert np.array_equal(np.bincount(drawn, minlength=bound), np.full(bound, used // bound))


def test_products_without_rejection_are_not_uniform() -> None:
    """The twin of the test above."""
    assert len(set(np.bincount(np.arange(2**16) * 99 >> 16).tolist())) > 1


def test_each_row_has_its_own_bound() -> None:
    """Uniform below each bound, false alarm 1e-6 for each; below another bound it is not."""
    bounds = [2, 3, 100, 7]
    rows = each_below(bounds, 100_000, source=SeededSource(33))
    for bound, row in zip(bounds, rows, strict=True):
        assert surprise(np.bincount(row, minlength=bound), [1 / bound] * bound) > FALSE_ALARM
        more = np.bincount(row, minlength=bound + 1)
        assert surprise(more, [1 / (bound + 1)] * (bound + 1)) < FALSE_ALARM


@pytest.mark.parametrize("bound", [2049, 3000, 2**31])
def test_words_of_32_bits_reject_just_what_is_too_much(bound: int) -> None:
    """Of the words whose product begins with i, all integers i keep as many."""
    few = 2**32 % bound
    for integer in (0, 1, bound // 2, bound - 1):
        first = -(-(integer << 32) // bound)
        last = -(-((integer + 1) << 32) // bound) - 1
        kept = [word for word in (first, first + 1, last) if word * bound % 2**32 >= few]
        data = np.array([first, first + 1, last], dtype=np.uint32).tobytes()
        source = ScriptedSource(data=data)
        assert each_below([bound], len(kept), source=source).tolist() == [[integer] * len(kept)]
        assert last - first + 1 - (first * bound % 2**32 < few) == 2**32 // bound


def test_integers_below_great_bounds() -> None:
    drawn = many_below(10**15, 1000, source=SeededSource(34))
    assert drawn.dtype == np.int64
    assert 0 <= drawn.min() < 10**14 < 9 * 10**14 < drawn.max() < 10**15


@given(st.integers(1, 5000), st.integers(0, 300_000))
def test_as_many_integers_as_asked_for(bound: int, size: int) -> None:
    drawn = many_below(bound, size, source=SeededSource(35))
    assert drawn.shape == (size,)
    assert drawn.dtype == np.int64
    assert not size or 0 <= drawn.min() <= drawn.max() < bound


def test_sizes_that_are_none_are_refused() -> None:
    with raises_code("E-ARGUMENT-RANGE", "size"):
        many_coins(Fraction(1, 3), -1)
    with raises_code("E-ARGUMENT-RANGE", "size"):
        many_below(3, -1)
