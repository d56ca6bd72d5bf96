"""How exposure is shown: sentences, JSON, pictures and a page, whatever cells contain."""

from __future__ import annotations

import json
from datetime import date
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pandas as pd

from sfumato.risk import risk
from tests.pages import pictures

RAW = "examples/hospital-a.csv"
NASTY = pd.DataFrame(
    {"<b>age</b>": ["<script>alert(1)</script>", "&", None], "s": ["x", 'y"', "z"]}
)


def test_the_answer_comes_first_and_is_right_in_number() -> None:
    one = risk(pd.DataFrame({"age": [1, 2, 2]}), quasi="age")
    assert one.lines()[0] == "1 of 3 rows is unique on age: it is alone in its equivalence class"
    none = risk(pd.DataFrame({"age": [1, 1, 1]}), quasi="age")
    assert none.lines()[0] == "no row is unique on age: every equivalence class has 3 rows or more"
    alone = risk(pd.DataFrame({"age": [1]}), quasi="age")
    assert alone.lines()[0].startswith("1 of 1 row is unique on age")


def test_lines_fit_a_terminal() -> None:
    lines = risk(
        RAW, quasi=["age", "sex"], sensitive="diagnosis", population=90, public=RAW
    ).lines()
    assert max(map(len, lines)) <= 80


def test_json_has_only_what_json_knows() -> None:
    table = pd.DataFrame(
        {
            "born": [date(1990, 1, 1), date(1991, 1, 1)],
            "height": [float("inf"), 1.5],
            "s": ["a", "b"],
        }
    )
    found = risk(table, quasi=["born", "height"], sensitive="s")
    read = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert read["private"] is False
    assert read["at_risk"][0]["values"]["born"].startswith("1990-01-01")
    assert read["diversity"][0]["recursive_c_above"] == "Infinity"


class Reader(HTMLParser):
    """Collects the tags of a page and the text in it."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert not any(name.startswith("on") or name == "href" for name, _ in attrs)
        sources = [value or "" for name, value in attrs if name == "src"]
        assert all(each.startswith("data:image/svg+xml;base64,") for each in sources)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_page_needs_nothing_else_and_runs_nothing() -> None:
    reader = Reader()
    reader.feed(risk(NASTY, quasi="<b>age</b>", sensitive="s").to_html())
    assert not {"script", "b", "link", "style"} & reader.tags
    assert "<script>alert(1)</script>" in reader.text
    assert "not private: " in reader.text


def test_nothing_in_a_page_or_a_picture_steers_what_shows_it() -> None:
    steering = "\x1b[31mred\x07\u202e"
    frame = pd.DataFrame({steering: [f"{steering}{each}" for each in range(4)]})
    found = risk(frame, quasi=steering)
    pages = found.to_html(), found._repr_html_()
    drawn = [each for page in pages for each in pictures(page)]
    assert len(drawn) == 3
    for shown in (*pages, *drawn, found.svg(), found.svg("columns")):
        assert not {"\x1b", "\x07", "\u202e"} & set(shown)
    ET.fromstring(found.svg("columns"))  # noqa: S314


def test_a_notebook_shows_the_lines_and_a_picture() -> None:
    shown = risk(NASTY, quasi="<b>age</b>")._repr_html_()
    assert "<script" not in shown
    assert len(pictures(shown)) == 1


def test_pictures_are_whole_and_say_how_many() -> None:
    found = risk(RAW, quasi=["sex", "zip"], at_least=3)
    for drawing in (found.svg(), found.svg("columns")):
        ET.fromstring(drawing)  # noqa: S314
    texts = [each.text for each in ET.fromstring(found.svg()).iter() if each.text]  # noqa: S314
    assert "at risk: equivalence classes below 3" in texts
    assert sum(int(each.split()[0]) for each in texts if each.endswith("%)")) == 9
