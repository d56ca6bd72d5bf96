"""Drawings of places and of trends: whole, legible, and only of what they are given."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sfumato.printing.drawing import Axis, round_numbers
from sfumato.printing.scatter import Range, Spot, scatter_svg
from sfumato.printing.trend import TrendLabels, trend_svg

SVG = "{http://www.w3.org/2000/svg}"
finite = st.floats(min_value=-1e308, max_value=1e308)


def parsed(drawing: str) -> ET.Element:
    return ET.fromstring(drawing)  # noqa: S314, since it is our own


@given(finite, finite)
def test_round_numbers_lie_between_the_ends_and_are_few(first: float, second: float) -> None:
    low, high = sorted((first, second))
    assume(high / 2 - low / 2 > 1e-9 * max(abs(low), abs(high), 1e-290))
    found = round_numbers(low, high)
    room = 1e-6 * (high / 2 - low / 2)
    assert 2 <= len(found) <= 8
    assert all(low - room <= each <= high + room for each in found)
    steps = {round((b / 2 - a / 2) / (high / 2 - low / 2), 6) for a, b in pairwise(found)}
    assert len(steps) == 1


@pytest.mark.parametrize(
    ("ends", "numbers"),
    [
        ((0, 110), ["0", "20", "40", "60", "80", "100"]),
        ((-1, 1), ["-1", "-0.5", "0", "0.5", "1"]),
        ((7e6, 13e6), ["7000000", "8000000", "9000000", "10000000", "11000000", "12000000"]),
        ((0, 2e-9), ["0", "5e-10", "1e-09", "1.5e-09", "2e-09"]),
        ((1e6, 1e6 + 1), ["1000000", "1000000.2", "1000000.4", "1000000.6", "1000000.8"]),
        ((-1e308, 1e308), ["-1e+308", "-5e+307", "0", "5e+307", "1e+308"]),
    ],
)
def test_numbers_along_an_axis_are_told_apart(
    ends: tuple[float, float], numbers: list[str]
) -> None:
    written = [said for _, said in Axis("x", *ends, 0, 100).numbers()]
    assert written[: len(numbers)] == numbers
    assert len(set(written)) == len(written)


def test_places_are_drawn_where_they_are() -> None:
    spots = [Spot("1", 0, 0, 10, 20, 1.0), Spot("2", 100, 50, 5, 5, 0.25)]
    root = parsed(scatter_svg(spots, Range("x", 0, 100), Range("y", 0, 50), title="two"))
    first, second = root.iter(f"{SVG}ellipse")
    width = float(second.attrib["cx"]) - float(first.attrib["cx"])
    height = float(first.attrib["cy"]) - float(second.attrib["cy"])
    assert float(first.attrib["rx"]) == pytest.approx(width / 10, abs=0.1)
    assert float(first.attrib["ry"]) == pytest.approx(height * 20 / 50, abs=0.1)
    large, small = (math.pi * float(dot.attrib["r"]) ** 2 for dot in root.iter(f"{SVG}circle"))
    assert large / small == pytest.approx(4, rel=0.1)


def test_a_place_outside_its_bounds_is_on_the_paper() -> None:
    spots = [Spot("1", -70, 5), Spot("2", 50, 120)]
    root = parsed(scatter_svg(spots, Range("x", 0, 100), Range("y", 0, 50), title="far"))
    window = next(root.iter(f"{SVG}svg")).find(f"{SVG}svg")
    assert window is not None
    left, top, wide, tall = map(float, window.attrib["viewBox"].split())
    for dot in root.iter(f"{SVG}circle"):
        assert left < float(dot.attrib["cx"]) < left + wide
        assert top < float(dot.attrib["cy"]) < top + tall


def test_names_cannot_break_out_of_a_drawing() -> None:
    odd = '<script>"&\x1b[31m'
    drawing = scatter_svg([Spot(odd, 1, 1)], Range(odd, 0, 2), Range(odd, 0, 2), title=odd)
    assert "<script" not in drawing
    assert "\x1b" not in drawing
    assert parsed(drawing).tag == f"{SVG}svg"


def test_a_trend_may_be_dotted_up_to_the_marked_place() -> None:
    labels = TrendLabels("falls", "ε", "cost", solid="all", marked="used", dotted="at least")
    points = [(0.1, 1.0), (0.5, 0.2), (2.0, 0.05)]
    drawing = trend_svg(points, labels, marked=(1.0, 0.1), most=2.0)
    dotted, solid = parsed(drawing).iter(f"{SVG}polyline")
    assert (dotted.attrib["stroke-dasharray"], solid.attrib["stroke-dasharray"]) == ("2 2", "none")
    before, after = dotted.attrib["points"].split(), solid.attrib["points"].split()
    assert (len(before), len(after), before[-1]) == (3, 2, after[0])
    assert "at least" in drawing


def test_a_trend_is_cut_off_and_marked() -> None:
    labels = TrendLabels("falls", "ε", "cost", solid="all", marked="used", dashed="rest")
    points = [(10.0**power, 0.1 + 10.0 ** (-2 * power)) for power in range(-2, 3)]
    drawing = trend_svg(points, labels, marked=(1.0, 1.1), most=2.0, level=0.1)
    numbers = re.findall(r'text-anchor="end">([\d.]+)<', drawing)
    assert float(numbers[-1]) == 2.0
    assert all(said in drawing for said in ("all", "used", "rest", "falls", "ε", "cost"))
    assert parsed(drawing).tag == f"{SVG}svg"


def test_no_word_runs_out_of_the_paper() -> None:
    labels = TrendLabels(
        title="at ε = 1 noise of the last step adds 2.5e-06; below it, earlier steps add more",
        x="ε",
        y="mean square distance",
        solid="with noise of the last step",
        marked="ε = 0.123, which was used",
        dashed="without noise of the last step",
        dotted="below ε = 0.123: the same, but the true cost is higher",
    )
    drawing = trend_svg([(0.1, 1), (1, 0.5), (10, 0.4)], labels, marked=(1, 0.5), most=2, level=0.4)
    assert max(ends(drawing)) <= float(parsed(drawing).attrib["width"])
    assert max(ends(drawing.replace("the same", "the same " * 9))) > 560


def ends(drawing: str) -> list[float]:
    """Where words end that begin at a place, at some six pixels a letter."""
    texts = (
        each for each in parsed(drawing).iter(f"{SVG}text") if "text-anchor" not in each.attrib
    )
    return [float(each.attrib["x"]) + 6 * len(each.text or "") for each in texts]


def test_a_dot_on_the_greatest_value_is_whole() -> None:
    labels = TrendLabels("falls", "ε", "cost", solid="all", marked="used")
    drawing = trend_svg([(1.0, 0.03), (10.0, 0.01)], labels, marked=(1.0, 0.03), most=2.0)
    window = parsed(drawing).find(f"{SVG}svg")
    assert window is not None
    dot = next(window.iter(f"{SVG}circle"))
    assert float(dot.attrib["cy"]) - float(dot.attrib["r"]) >= float(window.attrib["y"])
