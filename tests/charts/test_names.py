"""A name is a text, whatever it means to what draws it: the picture is there, and is whole."""

from __future__ import annotations

from functools import cache

import pytest

import sfumato as sf
from sfumato.charts.parts.style import altair, inert, rows
from tests.charts.drawings import marks
from tests.charts.named import NAMED

pytestmark = pytest.mark.full

#: What a backslash says in a script: a sign by its number, the end of a text, more of a text.
SLASHED = 'c:\\users\\xyz "z\\"+(98765+4321)+\\"\\'
#: Signs that break a line.
BROKEN = "two\nlines\r\u2028\u2029\x1b\\"
PROPERTIES = ["__proto__", "constructor", "hasOwnProperty", "toString", "valueOf"]
#: Where a name may break a line.
BREAKABLE = ["group", "column", "value", "value alone", "line", "candidate", "column of points"]


@cache
def plain(place: str) -> int:
    return marks(sf.charts.to_svg(NAMED[place]("plain")))


@pytest.mark.parametrize("place", NAMED)
def test_a_backslash_is_a_backslash(place: str) -> None:
    picture = sf.charts.to_svg(NAMED[place](SLASHED))
    assert marks(picture) == plain(place) > 0
    assert "103086" not in picture


@pytest.mark.parametrize("place", BREAKABLE)
def test_a_name_in_several_lines_is_drawn_in_one(place: str) -> None:
    assert marks(sf.charts.to_svg(NAMED[place](BROKEN))) == plain(place)


@pytest.mark.parametrize("place", NAMED)
def test_what_every_object_has_is_a_label_like_others(place: str) -> None:
    assert marks(sf.charts.to_svg(NAMED[place]("constructor"))) == plain(place)


@pytest.mark.parametrize("name", PROPERTIES)
def test_no_property_is_found_in_place_of_a_label(name: str) -> None:
    assert marks(sf.charts.to_svg(NAMED["group"](name))) == plain("group")


def test_texts_are_made_inert_once() -> None:
    for text in (SLASHED, BROKEN, "</script>", *PROPERTIES):
        once = inert(text)
        assert once != text
        assert inert(once) == once


def test_without_it_a_backslash_fails_and_a_property_is_blank() -> None:
    found = [{"x": "toString", "n": 1}, {"x": "b", "n": 2}]
    bars = altair().Chart(rows(found)).mark_bar().encode(x="n:Q")
    with pytest.raises(ValueError, match="Expression parse error"):
        sf.charts.to_svg(bars.encode(y=altair().Y("x:N", title="c:\\users")))
    assert marks(sf.charts.to_svg(bars.encode(y="x:N"))) == 0
