"""Cells, columns and shares of a ledger's tables."""

from __future__ import annotations

import unicodedata
from datetime import timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.application.ledger.wording import age, aligned, bar, cut, percent

shares = st.fractions(min_value=0, max_value=1)


def width(text: str) -> int:
    wide = sum(unicodedata.east_asian_width(each) in "WF" for each in text)
    return len(text) + wide - sum(unicodedata.combining(each) > 0 for each in text)


@given(shares)
def test_what_is_used_is_rounded_up(share: Fraction) -> None:
    shown = Fraction(percent(share).removesuffix(" %")) / 100
    assert share <= shown < share + Fraction(1, 1000)
    steps = bar(share).count("#")
    assert share <= Fraction(steps, 20) < share + Fraction(1, 20)
    assert len(bar(share)) == 22


@given(st.text(), st.integers(12, 40), st.integers(0, 10))
def test_a_cell_fits_its_width(text: str, most: int, end: int) -> None:
    cell = cut(text, most, end=end)
    assert cell.isprintable()
    assert width(cell) <= max(most, 1 + 2 * end)


def test_a_cell_that_fits_is_left_alone() -> None:
    assert cut("中文", 4) == "中文"
    assert cut("中文字", 4) == "中…"
    assert cut("Laplace noise of scale 10", 14, end=8) == "Lapla…scale 10"


@given(st.lists(st.tuples(st.text(max_size=9), st.text(max_size=9)), min_size=1, max_size=5))
def test_columns_stand_below_each_other(rows: list[tuple[str, str]]) -> None:
    lines = aligned([("one", "two"), *rows], right={0}, indent="  ")
    assert len(lines) == len(rows) + 1
    assert all(line.isprintable() for line in lines)
    header = lines[0].index("two")
    for line, (_, second) in zip(lines[1:], rows, strict=True):
        shown = cut(second, 1000).rstrip()
        assert not shown or width(line) == header + width(shown)


@pytest.mark.parametrize(
    ("elapsed", "said"),
    [
        (timedelta(seconds=-5), "0 seconds ago"),
        (timedelta(seconds=59.9), "59 seconds ago"),
        (timedelta(seconds=60), "1 minute ago"),
        (timedelta(hours=23, minutes=59), "23 hours ago"),
        (timedelta(days=1200), "1,200 days ago"),
    ],
)
def test_ages_are_in_the_greatest_whole_unit(elapsed: timedelta, said: str) -> None:
    assert age(elapsed) == said
