"""The pictures of pages: whole in themselves, and read aloud; without what draws, how to get it."""

from __future__ import annotations

import re
import sys
from html import unescape

import pandas as pd
import pytest

from sfumato.cli.output import write_page
from sfumato.printing.page import image, pictured
from sfumato.risk import risk
from tests.pages import pictures

NASTY = pd.DataFrame({'<b "c">': ["x", "y", "y"]})
LACKING = "The report lacks pictures: drawing a chart needs an optional part: "


@pytest.fixture(params=["altair", "vl_convert"])
def without(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, request.param, None)


def test_a_picture_is_a_drawing_of_its_own_and_is_read_aloud() -> None:
    found = risk(NASTY, quasi='<b "c">')
    shown = pictured(found.plot)
    assert pictures(shown) == [found.svg()]
    _, said, style = re.findall('="([^"]*)"', shown)
    assert unescape(said).startswith(
        '3 of 3 rows are in equivalence classes below 3 on "<b ""c"">"'
    )
    assert {"max-width: 100%", "color-scheme: only light"} < set(style.split("; "))


def test_what_is_said_of_a_picture_ends_no_tag() -> None:
    shown = image("<svg/>", '"> <script>\x1b')
    assert "<script" not in shown
    assert "\x1b" not in shown
    assert pictures(shown) == ["<svg/>"]


@pytest.mark.usefixtures("without")
def test_without_what_draws_a_report_has_all_but_its_pictures() -> None:
    found = risk(NASTY, quasi='<b "c">')
    for shown in (found.to_html(), found._repr_html_()):
        assert not pictures(shown)
        assert f"{LACKING}pip install 'sfumato[plots]'" in unescape(shown)
        assert "1 of 3 rows is unique" in unescape(shown).replace("\xa0", " ")


@pytest.mark.usefixtures("without")
def test_a_shell_says_that_a_page_lacks_its_pictures(
    tmp_path: object, capsys: pytest.CaptureFixture[str]
) -> None:
    page = f"{tmp_path}/page.html"
    write_page(page, lambda: "<!doctype html>")
    written, lacking = capsys.readouterr().err.splitlines()
    assert written == f"sfumato: {page} is written"
    assert lacking.startswith(f"sfumato: {LACKING}")
