"""The picture of whom facts fit: bars from 0, those that are declared dark."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import sfumato as sf
from sfumato.risk import scoreboard
from tests.charts.accounts import matched
from tests.charts.drawn_rows import drawn_rows, said

TABLE = "examples/ratings.csv"


def test_of_one_person_the_best_matches_are_drawn_and_the_declared_one_is_dark() -> None:
    report = scoreboard(TABLE, "examples/known-ratings.csv", person="user", item="film")
    rows = drawn_rows(report.plot(), "label")
    assert [each["label"] for each in rows] == [
        f"user {each.person}" for each in report.match.candidates
    ]
    assert [each["kind"] for each in rows] == ["declared"] + ["not declared"] * (len(rows) - 1)
    title = said(report.plot())
    assert title.startswith("found: user u37 the best stands out by 2.999 standard deviations")
    assert "not private: " in title


def test_of_several_people_each_stands_out_by_its_bar() -> None:
    report = matched()
    rows = drawn_rows(report.plot(), "label")
    assert [each["label"] for each in rows] == ["ann", "bob"]
    assert [each["value"] for each in rows] == [each.eccentricity for each in report.matches]
    assert "declared where it stands out by more than 1.5" in said(report.plot())


def test_bars_begin_at_0_and_go_with_their_values() -> None:
    found = scoreboard(TABLE, "examples/known-ratings.csv", person="user", item="film")
    scores = np.array([each.score for each in found.match.candidates])
    bars = re.findall(r'aria-roledescription="bar"[^>]* d="M0,[^h]*h([0-9.]+)v', found.svg())
    lengths = [float(each) for each in bars]
    assert len(lengths) == len(scores)
    assert [each / lengths[0] for each in lengths] == pytest.approx(
        [each / scores[0] for each in scores], rel=1e-2
    )


def test_what_is_not_drawn_is_counted() -> None:
    facts = {"film": ["film 50"] * 41, "who": [f"{each:02}" for each in range(41)]}
    chart = scoreboard(TABLE, facts, person="user", item="film", who="who").plot()
    assert len(drawn_rows(chart, "label")) == 40
    assert "1 other not shown" in said(chart)


def test_nobody_with_a_known_item_is_an_empty_picture() -> None:
    facts = {"film": ["film 227", "none"], "who": ["ann", "bob"]}
    both = scoreboard(TABLE, facts, person="user", item="film", who="who")
    report = replace(both, matches=both.matches[1:], several=False)
    assert said(report.plot()).startswith("nobody is declared")
    assert sf.charts.to_svg(report.plot()).startswith("<svg")
