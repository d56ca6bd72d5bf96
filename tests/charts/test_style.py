"""What all charts share: titles that are whole, texts that are shown as they are, no theme."""

from __future__ import annotations

import altair as alt

import sfumato as sf
from sfumato.charts.parts.style import DASHES, PALETTE, SHAPES, finished, rows
from tests.charts.drawings import title

ODD = "<b>a</b> {x} .[0] 名\nnew line"


def dots(text: str) -> alt.Chart:
    chart = alt.Chart(rows([{"x": 1, "label": text}])).mark_text().encode(x="x:Q", text="label:N")
    assert isinstance(chart, alt.Chart)
    return chart


def test_odd_characters_are_shown_and_break_nothing() -> None:
    chart = finished(dots(ODD), ODD, ODD)
    drawn = sf.charts.to_svg(chart)
    assert title(chart) == "<b>a</b> {x} .[0] 名\\\u2060nnew line"
    assert "<b>" not in drawn
    assert "&lt;b&gt;a&lt;/b&gt;" in drawn


def test_a_title_is_broken_between_words_but_not_inside_an_equation() -> None:
    chart = finished(dots("a"), "word " * 12 + "of δ = 1e-06 and " + "long " * 11 + "a 50 % share")
    lines = chart.to_dict()["title"]["text"]
    assert max(map(len, lines)) <= 68
    assert not any(line.endswith(("=", "≤", "≥")) or line.startswith(("=", "%")) for line in lines)


def test_charts_leave_the_theme_of_others_alone() -> None:
    before = alt.theme.active
    config = sf.PureDP(epsilon=1).plot().to_dict()["config"]
    assert alt.theme.active == before
    assert "range" not in alt.Chart(rows([])).mark_point().to_dict().get("config", {})
    assert config["range"]["category"] == PALETTE


def test_there_is_a_dash_and_a_shape_for_each_colour() -> None:
    assert len(PALETTE) == len(DASHES) == len(SHAPES)
    assert len(set(PALETTE)) == len(set(map(tuple, DASHES))) == len(set(SHAPES)) == len(PALETTE)
