"""Pictures of noise: the textbook's figure, and any mechanism on two neighbours."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf
from sfumato.mechanisms import Staircase
from tests.charts.drawings import data, encodings, legends, title
from tests.refusing import raises_code

if TYPE_CHECKING:
    from pathlib import Path

RATIO = 1 + 1e-3


def test_the_textbook_s_figure_has_its_four_densities(tmp_path: Path) -> None:
    chart = sf.charts.laplace_densities()
    rows = data(chart)
    assert list(dict.fromkeys(row["name"] for row in rows)) == [
        "μ = 0, λ = 1",
        "μ = 0, λ = 2",
        "μ = 0, λ = 4",
        "μ = -5, λ = 4",
    ]
    peaks = {row["name"]: (row["x"], row["density"]) for row in _highest(rows)}
    assert list(peaks.values()) == [(0, 0.5), (0, 0.25), (0, 0.125), (-5, 0.125)]
    sf.charts.save(chart, tmp_path / "figure.png")
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")


def _highest(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    names = dict.fromkeys(row["name"] for row in rows)
    return [
        max((row for row in rows if row["name"] == name), key=lambda row: float(row["density"]))
        for name in names
    ]


def test_dots_of_neighbours_have_a_legend_with_their_shapes() -> None:
    (legend,) = legends(sf.mechanisms.DiscreteLaplace(epsilon=1).plot())
    assert {"fill", "shape"} <= set(legend)


@pytest.mark.parametrize(
    "distributions", [[], [(0, 0)], [(0, -1)], [(math.nan, 1)], [1], "ab", [(0, 1, 2)]]
)
def test_what_is_no_distribution_is_refused(distributions: Any) -> None:
    with raises_code("E-ARGUMENT-TYPE", match="pairs of a centre and a scale above 0"):
        sf.charts.laplace_densities(distributions)


def test_alike_distributions_and_far_ones_are_drawn() -> None:
    rows = data(sf.charts.laplace_densities([(0, 1), (0, 1), (1e9, 1e-6)]))
    assert {row["name"] for row in rows} == {
        "μ = 0, λ = 1",
        "μ = 0, λ = 1 (2)",
        "μ = 1e+09, λ = 1e-06",
    }


@pytest.mark.parametrize(
    ("mechanism", "field"),
    [
        (sf.mechanisms.Laplace(epsilon=1, sensitivity=1), "density"),
        (sf.mechanisms.DiscreteLaplace(epsilon=1), "probability"),
        (sf.mechanisms.DiscreteLaplace(epsilon=1, sensitivity=3), "probability"),
        (Staircase(epsilon=1, sensitivity=1), "density"),
        (sf.mechanisms.RandomizedResponse(epsilon=1, categories=5), "probability"),
    ],
)
def test_no_output_is_more_than_e_to_the_epsilon_times_as_likely(
    mechanism: Any, field: str
) -> None:
    chart = mechanism.plot()
    rows = data(chart)
    first, second = dict.fromkeys(row["name"] for row in rows)
    one, other = ([row[field] for row in rows if row["name"] == name] for name in (first, second))
    assert len(one) == len(other) > 4
    ratios = [max(p / q, q / p) for p, q in zip(one, other, strict=True)]
    assert math.e / RATIO < max(ratios) <= math.e * RATIO
    assert title(chart) == "no output is more than 2.719 times as likely on a neighbour"


@pytest.mark.full
@pytest.mark.parametrize(
    "mechanism",
    [
        sf.mechanisms.Gaussian(epsilon=1, delta=1e-6, sensitivity=1),
        sf.mechanisms.Gaussian(sigma=4, sensitivity=2),
        sf.mechanisms.DiscreteGaussian(sigma=2),
        sf.mechanisms.DiscreteGaussian(sigma=2000),
    ],
)
def test_a_guarantee_with_delta_says_so(mechanism: Any) -> None:
    chart = mechanism.plot(10)
    assert title(chart).startswith("the probability of any set of outputs is at most ")
    assert title(chart).endswith(" times that on a neighbour, plus δ = 1e-06")
    assert sf.charts.to_svg(chart).startswith("<svg")


def test_with_delta_the_title_is_true_of_sets_and_would_not_be_of_single_outputs() -> None:
    def beyond(x: float) -> float:
        return math.erfc(x / math.sqrt(2)) / 2

    said = title(sf.mechanisms.Gaussian(sigma=1, sensitivity=1).plot()).split()
    ratio, delta = float(said[said.index("times") - 1]), 1e-6
    cut = math.log(ratio)
    for shift in (-1.0, -0.1, 0.0, 0.1, 1.0):
        on, beside = beyond(cut + shift - 0.5), beyond(cut + shift + 0.5)
        assert on <= ratio * beside + delta
    assert beyond(cut - 0.5) > ratio * beyond(cut + 0.5) + 0.99 * delta
    assert beyond(cut - 0.5) > 5 * delta


def test_a_choice_is_drawn_by_its_utilities() -> None:
    votes = {"red.[0]": 30, "<b>green</b>": 28, "blue\n{x}": 25, "名": 1}
    choice = sf.mechanisms.Exponential(epsilon=1, sensitivity=1)
    chart = choice.plot(votes)
    rows = [row for row in data(chart) if "outcome" in row]
    assert rows[0]["probability"] == choice.distribution(votes).probability("red.[0]").upper
    assert {row["outcome"] for row in rows} == {"red.[0]", "<b>green</b>", "blue\\\u2060n{x}", "名"}
    assert "not a release" in str(chart.to_dict()["title"]["subtitle"])
    both = choice.plot(votes, {**votes, "red.[0]": 29})
    assert {row["name"] for row in data(both)} == {"these utilities", "the neighbour"}


def test_of_many_candidates_the_likeliest_are_drawn() -> None:
    chart = sf.mechanisms.Exponential(epsilon=1, sensitivity=1).plot(list(range(300)))
    rows = [row for row in data(chart) if "outcome" in row]
    assert len(rows) == 40
    assert {"299", "298"} < {row["outcome"] for row in rows}
    assert "the 40 likeliest of 300" in str(encodings(chart))


def test_what_has_no_picture_says_what_has() -> None:
    with raises_code("E-ARGUMENT-MISSING", match=r"a choice needs its utilities; write plot\("):
        sf.mechanisms.Exponential(epsilon=1, sensitivity=1).plot()
    blocks = sf.mechanisms.SampleAndAggregate(sum, epsilon=1, bounds=(0, 9), blocks=10)
    with raises_code("E-CHART-NONE"):
        blocks.plot()
    with raises_code("E-ARGUMENT-TYPE", match="number"):
        sf.mechanisms.Laplace(epsilon=1, sensitivity=1).plot("ten")
