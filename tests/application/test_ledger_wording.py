"""Cells, columns and shares of a ledger's tables."""

from __future__ import annotations

import unicodedata
from datetime import timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.application.ledger.render import age, bar, charged, guarantees
from sfumato.ledger import Rule
from sfumato.ledger.render import percent
from sfumato.ledger.rules import EachAnalyst, OneAnalyst
from sfumato.printing.layout import aligned, cut, fitted, wrapped
from sfumato.privacy import events

shares = st.fractions(min_value=0, max_value=1)


def width(text: str) -> int:
    wide = sum(unicodedata.east_asian_width(each) in "WF" for each in text)
    return len(text) + wide - sum(unicodedata.combining(each) > 0 for each in text)


@given(shares)
def test_what_is_used_is_rounded_to_a_tenth_and_a_bar_up(share: Fraction) -> None:
    shown = Fraction(percent(share).removesuffix(" %")) / 100
    assert abs(shown - share) < Fraction(1, 1000)
    assert (shown == 0, shown == 1) == (share == 0, share == 1)
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


words = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=12)


@given(st.lists(words, min_size=1, max_size=20), st.integers(30, 80), st.sampled_from(["", "  "]))
def test_a_sentence_is_wrapped_at_its_spaces(sentence: list[str], most: int, indent: str) -> None:
    first, *later = wrapped(indent + " ".join(sentence), most)
    assert all(width(line) <= most for line in (first, *later))
    assert first.startswith(indent + sentence[0])
    assert all(line.startswith(f"{indent}  ") for line in later)
    assert " ".join([first, *later]).split() == sentence


def test_what_is_wrapped_stands_beside_its_label() -> None:
    assert fitted(["  why     by sex and by age", "  who     ada"], 18) == [
        "  why     by sex",
        "          and by",
        "          age",
        "  who     ada",
    ]


def test_a_pair_and_an_equation_stay_together() -> None:
    assert wrapped("spent (0.35, 1e-06)-DP in all", 12) == [
        "spent",
        "  (0.35, 1e-06)-DP",
        "  in all",
    ]
    assert wrapped("a step of ε = 0.25 fits", 14) == ["a step of", "  ε = 0.25", "  fits"]


def test_what_holds_for_analysts_who_share_is_said_once() -> None:
    half = sf.PureDP(epsilon=0.5)
    rules = [Rule(sf.PureDP(epsilon=1)), Rule(half, EachAnalyst()), Rule(half, OneAnalyst("ada"))]
    told = guarantees(rules, width=200)
    bounds = "only the budget over everyone bounds what they learn"
    assert told[-1] == f"if analysts share their answers, {bounds}"
    assert len(told) == 4
    assert "share" not in " ".join(told[:-1])
    assert len(guarantees(rules[:1], width=200)) == 1


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (events.Pure(epsilon="1/3"), "ε = 1/3"),
        (events.Pure(epsilon="0.33333333333333333333"), "ε = 0.3334"),
        (events.Pure(epsilon=sf.numeric.Ln(2)), "ε = ln(2)"),
        (events.Approximate(epsilon=0.1, delta=1e-6), "ε = 0.1, δ = 1e-06"),
        (events.ZeroConcentrated(rho=0.25), "ρ = 0.25"),
        (events.Laplace(scale=10), "Laplace, scale 10"),
        (
            events.DiscreteLaplace(scale=10, sensitivity=11),
            "discrete Laplace, scale 10, sensitivity 11",
        ),
        (events.DiscreteGaussian(sigma="1/3"), "discrete Gaussian, sigma 1/3"),
    ],
)
def test_a_step_is_told_by_its_numbers(event: events.Event, told: str) -> None:
    assert charged(event) == told
