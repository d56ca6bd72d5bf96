"""Choice with probability proportional to e to the utility, by searching for the boundaries."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.numeric import as_ball, working_precision
from sfumato.sampling import SeededSource
from sfumato.sampling.choice import choice
from tests.cases import cases
from tests.refusing import raises_code
from tests.sampling.scripted import (
    FALSE_ALARM,
    ONES,
    ZEROS,
    Forever,
    ScriptedSource,
    first_true,
    surprise,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

#: A point is made of the first bits of a word, and refined by 64 more.
POINT_BITS = 62
REFINED = 1 << 64
#: Bits to go on with that tell a number from 0 and 1 at once.
MIXED = 0x55

UTILITIES = st.one_of(
    st.fractions(-40, 40, max_denominator=10**6),
    st.integers(-40, 40),
    st.floats(-40, 40, allow_subnormal=False),
)


def landing(utilities: Sequence[Any], word: int, *integers: int, rest: int = MIXED) -> int:
    """The index that a word leads to; beyond the last where another word is asked for."""
    source = ScriptedSource([word, 0], integers=integers, then=Forever(rest))
    drawn = int(choice(utilities, 1, source=source)[0])
    return drawn if source.words_left else len(utilities)


def ends(utilities: Sequence[Any]) -> list[int]:
    """Where each candidate ends on the line of points, to 126 bits, by search."""

    def beyond(number: int, index: int) -> bool:
        point, more = divmod(number, REFINED)
        return landing(utilities, point << (64 - POINT_BITS), more) > index

    return [
        first_true(lambda number, index=index: beyond(number, index), POINT_BITS + 64)  # type: ignore[misc]
        for index in range(len(utilities))
    ]


def shares(utilities: Sequence[Any]) -> list[arb]:
    """The exact probabilities of an index or one before it, at the precision in force."""
    most = max(Fraction(each) for each in utilities)
    weights = [as_ball(Fraction(each) - most).exp() for each in utilities]
    total = sum(weights, arb(0))
    return [sum(weights[: index + 1], arb(0)) / total for index in range(len(weights))]


def are_the_shares(found: Sequence[int], utilities: Sequence[Any]) -> bool:
    """Tell whether ends, each known up to 1, can be in the ratios that utilities ask for."""
    with working_precision(400):
        return not any(
            share < arb(end - 1) / (found[-1] + 1) or share > arb(end + 1) / (found[-1] - 1)
            for share, end in zip(shares(utilities), found, strict=True)
        )


@settings(max_examples=30)
@given(st.lists(UTILITIES, min_size=1, max_size=4))
def test_the_boundaries_are_exact_to_126_bits(utilities: list[Any]) -> None:
    """The search goes through the margin of the floats, so that balls have the last word."""
    assert are_the_shares(ends(utilities), utilities)


@pytest.mark.parametrize(
    "utilities",
    [
        [0],
        [0.1, 0.3, -0.7],
        [1e16, 1e16 - 2, 1e16 + 2],
        [Fraction(10**400, 3), Fraction(10**400, 3) - 1],
        [-1e300, 1e300],
        [1e300, -1e300, 1e300],
        [2**70, 2**70 + 1, Fraction(1, 3)],
        [0, -745, -800, -1000],
        [Decimal("0.1"), 0.1],
    ],
    ids=str,
)
def test_utilities_of_all_sizes(utilities: list[Any]) -> None:
    assert are_the_shares(ends(utilities), utilities)


def test_sums_of_floats_would_be_seen() -> None:
    """The twin: cumulated float weights, and weights that are off by 5 %."""
    utilities = [0.1, 0.3, -0.7]
    sums = np.cumsum(np.exp(utilities))
    naive = [int(Fraction(each / sums[-1]) * 2**126) for each in sums.tolist()]
    assert not are_the_shares(naive, utilities)
    assert not are_the_shares(ends(utilities), [0.1 + math.log(1.05), 0.3, -0.7])


@pytest.mark.full
@pytest.mark.parametrize("utilities", [[0, 1, -2], [0.5] * 5, [Fraction(1, 3), -60, 2.5]], ids=str)
def test_all_points_of_a_short_line(utilities: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every string of 12 bits on a line of about 2^10 units, followed by zeros and by ones."""
    monkeypatch.setattr(import_module("sfumato.sampling.choice"), "_TOTAL", 1024.0)
    words = range(0, 1 << 64, 1 << 52)
    low, high = (
        np.array([landing(utilities, word, rest=rest) for word in words]) for rest in (ZEROS, ONES)
    )
    settled = np.bincount(low[low == high], minlength=len(utilities) + 1)[:-1]
    still_open = int((low != high).sum())
    assert still_open <= 4 * len(utilities)
    assert _bracketed(settled, still_open, utilities)
    assert not _bracketed(settled, still_open, [*utilities[:-1], utilities[-1] + 2])


def _bracketed(settled: Any, still_open: int, utilities: Sequence[Any]) -> bool:
    least, most = int(settled.sum()), int(settled.sum()) + still_open
    with working_precision(100):
        sums = [arb(0), *shares(utilities)]
        return not any(
            after - before < arb(int(count)) / most
            or after - before > arb(int(count) + still_open) / least
            for count, before, after in zip(settled, sums, sums[1:], strict=False)
        )


def test_counts_of_choices() -> None:
    """The right weights pass, false alarm 1e-6; one weight off by 5 % does not."""
    utilities = [0.0, 1.0, -1.0, 0.5]
    counts = np.bincount(choice(utilities, 400_000, source=SeededSource(31)), minlength=4)
    right, wrong = np.exp(utilities), np.exp(utilities) * [1.05, 1, 1, 1]
    assert surprise(counts, right / right.sum()) > FALSE_ALARM
    assert surprise(counts, wrong / wrong.sum()) < FALSE_ALARM


def test_counts_where_balls_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of eight units, so that nearly all points fall in a margin, as likely as ever."""
    monkeypatch.setattr(import_module("sfumato.sampling.choice"), "_TOTAL", 8.0)
    utilities = [0.0, 1.0, -1.0]
    counts = np.bincount(choice(utilities, 20_000, source=SeededSource(32)), minlength=3)
    right, wrong = np.exp(utilities), np.exp([0.25, 1.0, -1.0])
    assert surprise(counts, right / right.sum()) > FALSE_ALARM
    assert surprise(counts, wrong / wrong.sum()) < FALSE_ALARM


def test_a_million_candidates() -> None:
    """Sixteen groups of candidates by index, false alarm 1e-6; with shifted groups it fails."""
    utilities = np.linspace(-3, 3, 1_000_000)
    drawn = choice(utilities, 200_000, source=SeededSource(33))
    weights = np.exp(utilities).reshape(16, -1).sum(axis=1)
    counts = np.bincount(drawn // 62_500, minlength=16)
    assert surprise(counts, weights / weights.sum()) > FALSE_ALARM
    assert surprise(np.roll(counts, 1), weights / weights.sum()) < FALSE_ALARM


@given(st.lists(st.floats(-1e308, 1e308), min_size=1, max_size=30), st.integers(0, 100))
def test_any_finite_floats_are_drawn_from(utilities: list[float], size: int) -> None:
    drawn = choice(utilities, size, source=SeededSource(1))
    assert drawn.dtype == np.int64
    assert drawn.shape == (size,)
    assert np.array_equal(drawn, choice(np.array(utilities), size, source=SeededSource(1)))
    assert all(utilities[index] >= max(utilities) - 200 for index in drawn.tolist())


@pytest.mark.parametrize("kind", [np.int64, np.float32, np.float64, object])
def test_arrays_of_all_kinds(kind: Any) -> None:
    values = [3, 0, 4]
    drawn = choice(np.array(values, dtype=kind), 50, source=SeededSource(1))
    assert np.array_equal(drawn, choice(values, 50, source=SeededSource(1)))


def test_integers_that_no_float_holds_are_exact() -> None:
    """2^60 and 2^60 + 1 are one float, but utilities that are 1 apart."""
    apart = choice(np.array([2**60, 2**60 + 1]), 1000, source=SeededSource(2))
    assert np.array_equal(apart, choice([0, 1], 1000, source=SeededSource(2)))


@cases(
    "utilities",
    [
        [],
        np.array([]),
        "12",
        None,
        3.5,
        {0: 1.0},
        [0.25, math.nan],
        [0.25, math.inf],
        np.array([0.25, -math.inf]),
        [Fraction(1, 4), math.nan],
        [0.25, True],
        [0.25, "0.25"],
        [0.25, None],
        [0.25, 1j],
        [[0.25], [1.0]],
        np.zeros((2, 2)),
        np.array(0.25),
        np.array([True, False]),
        [0.25, Decimal("inf")],
    ],
)
def test_utilities_that_are_none_are_refused_and_never_shown(utilities: Any) -> None:
    with pytest.raises(InputError) as refusal:
        choice(utilities, 1, source=ScriptedSource())
    assert "0.25" not in str(refusal.value)


@pytest.mark.parametrize("size", [-1, 1.5, "1", None, True])
def test_sizes_that_are_none_are_refused(size: Any) -> None:
    with raises_code("E-ARGUMENT-RANGE", "size"):
        choice([0, 1], size, source=ScriptedSource())


def test_nothing_is_drawn_for_nothing() -> None:
    assert choice([0, 1], 0, source=ScriptedSource()).shape == (0,)
