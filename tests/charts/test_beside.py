"""A label lies on no other dot, and inside the picture."""

from __future__ import annotations

import pytest

from sfumato.charts.parts.lines import SIDES, sides

WIDTH, HEIGHT = 480, 360


def test_a_dot_alone_has_its_label_above_to_the_right() -> None:
    assert sides([(240, 180)], ["1 (34 %)"], WIDTH, HEIGHT) == [SIDES[0]]


@pytest.mark.parametrize(
    ("dot", "side"),
    [((475, 180), ("right", -12)), ((240, 2), ("left", 12)), ((475, 2), ("right", 12))],
)
def test_a_dot_at_an_edge_has_its_label_inside(
    dot: tuple[float, float], side: tuple[str, int]
) -> None:
    (found,) = sides([dot], ["1 (34 %)"], WIDTH, HEIGHT)
    assert (found.align, found.dy) == side


def test_a_label_keeps_away_from_other_dots_and_labels() -> None:
    dots = [(200.0, 200.0), (240.0, 190.0)]
    first, second = sides(dots, ["3 (34 %)", "2 (31 %)"], WIDTH, HEIGHT)
    assert first.align == "right"
    assert second.align == "left"


def test_dots_in_one_place_have_labels_in_several() -> None:
    dots = [(200.0, 200.0), (201.0, 200.0), (200.0, 201.0), (201.0, 201.0)]
    assert len(set(sides(dots, ["1", "2", "3", "4"], WIDTH, HEIGHT))) == 4
