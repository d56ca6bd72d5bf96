"""A label is a text: none ends the script of the page that shows it, in a file or a notebook."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import sfumato as sf
from sfumato.charts.parts.style import altair, rows
from tests.charts.named import NAMED

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.printing.page import Chart

EVIL = "</Script ><!--<script>run('me')</script>"


def _ends(page: str) -> int:
    """How often a page ends a script, or begins a comment, in which scripts do not end."""
    return len(re.findall("</script|<!--", page, re.IGNORECASE))


@pytest.fixture(scope="module")
def plain() -> Chart:
    return sf.PureDP(epsilon=1).plot()


@pytest.mark.full
@pytest.mark.parametrize("place", NAMED)
def test_no_label_ends_a_script_whoever_writes_the_page(place: str, plain: Chart) -> None:
    chart = NAMED[place](EVIL)
    assert "<\\u2060/Script" in str(chart.to_dict())
    assert _ends(chart.to_html()) == _ends(plain.to_html())


def test_colours_still_meet_their_labels() -> None:
    spec = NAMED["line"](EVIL).to_dict()
    drawn = {row["name"] for data in spec["datasets"].values() for row in data if "name" in row}
    domains = re.findall(r"'domain': \[([^\]]*)\]", str(spec))
    assert any(all(repr(each) in domain for each in drawn) for domain in domains)


def test_a_page_of_ours_is_safe_whatever_chart_is_saved(plain: Chart, tmp_path: Path) -> None:
    for name, chart in {"a": _of_altair_alone(), "b": plain}.items():
        sf.charts.save(chart, tmp_path / f"{name}.html")
    first, second = (each.read_text(encoding="utf-8") for each in sorted(tmp_path.iterdir()))
    assert r"run('me')\u003c/script\u003e" in first
    assert _ends(first) == _ends(second)


def test_the_search_finds_a_label_that_runs(plain: Chart) -> None:
    assert _ends(_of_altair_alone().to_html()) > _ends(plain.to_html())


def _of_altair_alone() -> Chart:
    dots: Chart = altair().Chart(rows([{"x": EVIL}])).mark_point().encode(x="x:N")
    return dots
