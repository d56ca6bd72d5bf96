"""Centres are drawn between their bounds, for any number of coordinates."""

from __future__ import annotations

import numpy as np
import pytest

import sfumato as sf
from sfumato.errors import UnknownNameError
from tests.charts.answered import centres_of, rows_of
from tests.refusing import raises_code


@pytest.mark.full
@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_centres_are_drawn_where_they_are(dimensions: int) -> None:
    model = centres_of(dimensions)
    rows = rows_of(model.plot())
    assert [each["x"] for each in rows[:3]] == model.cluster_centers_[:, 0].tolist()
    assert rows[0]["x_high"] - rows[0]["x"] == pytest.approx(2 * model.noise_[0, 0])
    assert "<svg" in sf.charts.to_svg(model.plot())


def test_axes_go_from_bound_to_bound() -> None:
    first = centres_of(2).plot().to_dict()["layer"][0]["encoding"]
    assert first["x"]["scale"]["domain"] == first["y"]["scale"]["domain"] == [-1, 1]


def test_a_ball_is_drawn_around_two_coordinates_and_named() -> None:
    ball = sf.learning.L1Ball(radius=2, center=[1, -1])
    chart = sf.KMeans(2, epsilon=1, domain=ball).fit(np.ones((99, 2))).plot()
    corners = [(each["x"], each["y"]) for each in rows_of(chart) if "turn" in each]
    assert corners == [(-1, -1), (1, 1), (3, -1), (1, -3), (-1, -1)]
    said = chart.to_dict()["title"]["subtitle"]
    assert "points lie in the L1 ball of radius 2 around (1, -1)" in said
    assert not any("turn" in each for each in rows_of(centres_of(2).plot()))


@pytest.mark.full
def test_odd_names_and_many_coordinates() -> None:
    names = ["<b>", "a.b[c]", "鱼"]
    chart = centres_of(3).plot(names=names)
    assert [
        each["layer"][0]["encoding"]["x"]["title"] for each in chart.to_dict()["concat"]
    ] == names
    said = centres_of(15).plot().to_dict()["title"]["subtitle"]
    assert "shown are the first 12 coordinates" in said


def test_centres_that_drown_in_noise_are_hollow() -> None:
    model = sf.KMeans(n_clusters=5, epsilon=0.01, bounds=(0, 1)).fit(np.zeros((20, 2)))
    chart = model.plot()
    assert not all(each["seen"] for each in rows_of(chart))
    below = chart.to_dict()["title"]["subtitle"]
    assert "hollow: too few points to be distinguished from noise" in below


@pytest.mark.parametrize("method", ["auto", "lloyd"])
def test_cost_falls_with_epsilon_around_the_one_that_was_used(method: str) -> None:
    chart = centres_of(2, method=method).plot("cost")
    rows = [each for each in rows_of(chart) if set(each) == {"epsilon", "cost"}]
    costs = [each["cost"] for each in sorted(rows, key=lambda each: each["epsilon"])]
    assert len(rows) >= 62
    assert chart.to_dict()["title"]["text"][0].startswith("at ε = 1 noise of the last step adds")
    if method == "lloyd":
        assert costs == sorted(costs, reverse=True)
    assert "<svg" in sf.charts.to_svg(chart)


def test_mistakes_are_one_sentence() -> None:
    with raises_code(
        "E-NAME-UNKNOWN",
        match="no drawing of k-means 'centers'; did you mean",
        kind=UnknownNameError,
    ):
        centres_of(2).plot("centers")
    with raises_code("E-NOT-FITTED"):
        sf.KMeans().plot()
    with raises_code("E-LENGTHS-DIFFER", match="1 names are given for 2 coordinates"):
        centres_of(2).plot(names=["age"])
