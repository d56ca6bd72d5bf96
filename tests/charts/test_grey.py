"""Every picture reads in grey and to the colour-blind, and says what it shows."""

from __future__ import annotations

import math
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf
from sfumato.charts.parts.style import PALETTE
from sfumato.printing.page import FAINT, MAIN, OTHER
from tests.charts.drawings import title, views
from tests.charts.pictures import PICTURES

if TYPE_CHECKING:
    from sfumato.printing.page import Chart

pytestmark = pytest.mark.full

#: Linear light, as those see it who lack one kind of cone (Viénot, Brettel and Mollon 1999).
SEEN = {
    "everybody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "deuteranopes": ((0.29275, 0.70725, 0), (0.29275, 0.70725, 0), (-0.02234, 0.02234, 1)),
    "protanopes": ((0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1)),
}
#: What tells marks apart besides their colour.
BESIDES = ("strokeDash", "shape", "xOffset", "yOffset", "text", "x", "y", "row", "column", "facet")


@pytest.fixture(scope="module", params=PICTURES)
def picture(request: pytest.FixtureRequest) -> Chart:
    return PICTURES[request.param]()


def test_every_drawing_has_an_example() -> None:
    drawn = {name.partition("-")[0] for name in PICTURES}
    wanted = set(sf.charts.__all__) - {"check_picture", "save", "to_svg"}
    assert drawn == wanted


def test_a_picture_has_a_message_and_names_its_axes(picture: Chart) -> None:
    assert len(title(picture)) >= 20
    for panel in panels(picture.to_dict()):
        for axis in ("x", "y"):
            assert _is_named(panel, axis), panel


def panels(chart: dict[str, Any]) -> list[dict[str, Any]]:
    """The parts of a picture that have axes of their own."""
    parts = [part for each in ("concat", "hconcat", "vconcat") for part in chart.get(each, [])]
    return [panel for part in parts for panel in panels(part)] if parts else [chart]


def _is_named(panel: dict[str, Any], axis: str) -> bool:
    """One of the layers names the axis they share; names as labels, or no axis, need no title."""
    found = [view["encoding"].get(axis, {}) for view in views(panel) if "encoding" in view]
    drawn = [each for each in found if "field" in each and each.get("axis", {}) is not None]
    labels = any(each.get("type") == "nominal" for each in drawn)
    return not drawn or labels or any(each.get("title") for each in drawn)


def test_what_colour_tells_apart_is_told_apart_without_it(picture: Chart) -> None:
    for view in views(picture.to_dict()):
        encoding = view.get("encoding", {})
        assert not _is_by_colour(encoding) or _is_doubled(encoding) or _is_shaded(encoding), view


def _is_by_colour(encoding: dict[str, Any]) -> bool:
    colour = encoding.get("color", encoding.get("fill", {}))
    return "field" in colour and colour.get("type") in ("nominal", "ordinal")


def _is_doubled(encoding: dict[str, Any]) -> bool:
    field = encoding.get("color", encoding.get("fill", {}))["field"]
    return any(encoding.get(each, {}).get("field") == field for each in BESIDES)


def _is_shaded(encoding: dict[str, Any]) -> bool:
    """Tell whether all colours are far apart in grey: a dark part and a light one, say."""
    range_ = encoding.get("color", encoding.get("fill", {}))["scale"].get("range", PALETTE)
    shades = sorted(map(lightness, range_))
    return all(dark + 25 < light for dark, light in pairwise(shades))


def test_the_check_finds_colour_alone() -> None:
    alone = {"color": {"field": "name", "type": "nominal"}, "x": {"field": "n"}}
    assert _is_by_colour(alone)
    assert not _is_doubled(alone)
    assert _is_doubled({**alone, "shape": {"field": "name"}})
    assert not _is_shaded({"color": {"scale": {"range": [MAIN, OTHER]}}})
    assert _is_shaded({"color": {"scale": {"range": [MAIN, FAINT]}}})


@pytest.mark.parametrize("eyes", SEEN)
def test_neighbours_in_the_palette_are_told_apart(eyes: str) -> None:
    for one, other in [*pairwise(PALETTE), (MAIN, OTHER)]:
        assert apart(one, other, eyes) > 0.12, (one, other)


def test_neighbours_in_the_palette_differ_in_grey() -> None:
    for one, other in pairwise(PALETTE):
        assert abs(lightness(one) - lightness(other)) > 8, (one, other)


def test_red_and_green_would_fail() -> None:
    assert apart("#d62728", "#8c6d31", "deuteranopes") < apart("#d62728", "#8c6d31", "everybody")
    assert abs(lightness("#e00000") - lightness("#007f00")) < 8


def test_no_two_colours_of_the_palette_look_the_same() -> None:
    for eyes in SEEN:
        assert min(apart(*pair, eyes) for pair in combinations(PALETTE, 2)) > 0.03


def linear(colour: str) -> list[float]:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts]


def lightness(colour: str) -> float:
    """CIE L*: from 0, black, to 100, white."""
    light = sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))
    return 116 * light ** (1 / 3) - 16 if light > 0.008856 else 903.3 * light


def apart(one: str, other: str, eyes: str) -> float:
    """How far apart two colours are in OKLab, as some eyes see them."""
    return math.dist(_lab(one, eyes), _lab(other, eyes))


def _lab(colour: str, eyes: str) -> list[float]:
    seen = [max(0.0, each) for each in _times(SEEN[eyes], linear(colour))]
    cones = [each ** (1 / 3) for each in _times(_CONES, seen)]
    return _times(_LAB, cones)


def _times(matrix: Any, vector: list[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
