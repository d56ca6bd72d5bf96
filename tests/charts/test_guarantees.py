"""Pictures of guarantees: any kind of them, in three ways, one or several."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

import sfumato as sf
from sfumato.charts.parts.profiles import profile_points
from sfumato.charts.tradeoffs import least_misses
from sfumato.numeric import Ln
from sfumato.privacy import (
    GaussianDP,
    Guarantee,
    Person,
    PrivacyProfile,
    RenyiDP,
    Substitute,
    events,
)
from tests.charts.drawings import data, title, views
from tests.refusing import raises_code

WAYS = ["profile", "trade-off", "posterior"]
GUARANTEES: dict[str, Guarantee] = {
    "pure": sf.PureDP(epsilon=1),
    "none needed": sf.PureDP(epsilon=0),
    "huge": sf.PureDP(epsilon=1000),
    "tiny": sf.PureDP(epsilon=1e-9),
    "approximate": sf.ApproxDP(epsilon=1, delta=1e-6),
    "approximate and huge": sf.ApproxDP(epsilon=1000, delta=1e-6),
    "points": PrivacyProfile([(1, 1e-3), (2, 1e-6)]),
    "rényi": RenyiDP({8: 0.5}),
    "rényi, nothing": RenyiDP(lambda order: math.inf if order else 0.0),
    "concentrated": sf.ZeroConcentratedDP(rho=0.5),
    "gaussian": GaussianDP(mu=1),
    "gaussian, wide": GaussianDP(mu=100),
    "composed": sf.compose(events.Laplace(scale=10), count=1000),
    "composed, pure": sf.compose(events.Laplace(scale=1)),
    "labels": sf.compose(sf.ApproxDP(epsilon=1, delta=1e-7), count=3),
    "a person": sf.PureDP(epsilon=1, relation=Substitute(unit=Person("<b>{x}.[y]\n名"))),
}


@pytest.mark.full
@pytest.mark.parametrize("of", WAYS)
@pytest.mark.parametrize("kind", GUARANTEES)
def test_every_guarantee_is_drawn(kind: str, of: str) -> None:
    chart = GUARANTEES[kind].plot(of)  # type: ignore[arg-type]
    assert len(title(chart)) > 10
    figures = [each for row in data(chart) for each in row.values() if isinstance(each, float)]
    assert figures
    assert all(map(math.isfinite, figures))


@pytest.mark.full
@pytest.mark.parametrize("of", WAYS)
def test_what_is_drawn_is_a_picture(of: str) -> None:
    chart = GUARANTEES["a person"].plot(of)  # type: ignore[arg-type]
    assert sf.charts.to_svg(chart).startswith("<svg")


def test_a_profile_has_the_figures_of_the_guarantee() -> None:
    guarantee = GaussianDP(mu=1)
    points = [row for row in data(guarantee.plot()) if row.get("name") == ""]
    assert len(points) > 30
    for row in points[:80:16]:
        assert row["delta"] == pytest.approx(guarantee.delta(epsilon=row["epsilon"]), rel=1e-3)
    assert title(guarantee.plot(delta=1e-5)) == "ε = 4.378 is guaranteed at δ = 1e-05"


def test_what_is_pure_has_an_axis_that_shows_zero_and_what_is_not_one_of_decades() -> None:
    def scale(guarantee: Guarantee) -> dict[str, object]:
        found: dict[str, object] = guarantee.plot().to_dict()["layer"][0]["encoding"]["y"]["scale"]
        return found

    assert "type" not in scale(GUARANTEES["pure"])
    assert "type" not in scale(GUARANTEES["composed, pure"])
    assert scale(GUARANTEES["gaussian"])["type"] == "log"
    assert scale(GUARANTEES["approximate"])["domain"] == [1e-6, 1]


def _beside(name: str, kind: str) -> dict[str, Guarantee]:
    return (
        {name: GUARANTEES[name]} if not kind else {name: GUARANTEES[name], kind: GUARANTEES[kind]}
    )


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "beside"),
    [
        ("pure", ""),
        ("huge", ""),
        ("pure", "gaussian"),
        ("approximate", ""),
        ("points", ""),
        ("gaussian", ""),
        ("gaussian, wide", ""),
        ("composed", ""),
        ("composed, pure", "composed"),
        ("labels", ""),
    ],
)
def test_a_profile_is_guaranteed_between_its_points_too(name: str, beside: str) -> None:
    guarantee, chart = GUARANTEES[name], sf.charts.guarantees(_beside(name, beside))
    lines = [each for each in views(chart.to_dict()) if "strokeWidth" in each.get("mark", {})]
    assert [each["mark"]["interpolate"] for each in lines] == ["step-after"]
    drawn = [row for row in data(chart) if row.get("name") == name]
    assert len(drawn) > 100
    for left, right in list(pairwise(drawn))[:: len(drawn) // 12] + list(pairwise(drawn))[-3:]:
        for share in (0.1, 0.5, 0.9):
            level = left["epsilon"] + share * (right["epsilon"] - left["epsilon"])
            assert guarantee.delta(epsilon=level) <= left["delta"] * (1 + 1e-9)


def test_straight_lines_between_the_points_of_a_profile_would_be_caught() -> None:
    """The twin: on an axis of decades they pass what is guaranteed before a kink."""
    (low, more), (high, less) = (
        (level, 1e-12 + GUARANTEES["pure"].delta(epsilon=level)) for level in (0.98, 1)
    )
    assert GUARANTEES["pure"].delta(epsilon=(low + high) / 2) > 100 * math.sqrt(more * less)


@pytest.mark.parametrize("kind", ["pure", "approximate", "points", "gaussian"])
def test_no_reachable_rates_are_shaded(kind: str) -> None:
    guarantee = GUARANTEES[kind]
    drawn = [
        (row["alarms"], row["misses"]) for row in data(guarantee.plot("trade-off")) if "low" in row
    ]
    assert drawn[0][0] == 0
    assert drawn[-1] == (1, 0)
    for (left, more), (right, less) in list(pairwise(drawn))[:: 1 + len(drawn) // 10]:
        for share in (0.0, 0.1, 0.5, 0.9):
            least = guarantee.tradeoff(false_positive_rate=left + share * (right - left))
            assert more + share * (less - more) <= least + 1e-9


def test_the_corner_of_a_trade_off_is_drawn() -> None:
    rows = [row for row in data(sf.PureDP(epsilon=4).plot("trade-off")) if row.get("name") == ""]
    corner = 1 / (1 + math.exp(4))
    assert any(row["alarms"] == pytest.approx(corner) == row["misses"] for row in rows)


@pytest.mark.parametrize("kind", ["pure", "gaussian", "concentrated", "rényi"])
def test_misses_are_a_bound_and_nearly_the_best_one(kind: str) -> None:
    guarantee, alarms = GUARANTEES[kind], 0.05
    drawn, best = (
        least_misses(profile_points(guarantee), alarms),
        guarantee.tradeoff(false_positive_rate=alarms),
    )
    assert best - 0.01 < drawn < best + 1e-9


def test_beliefs_move_as_far_as_the_guarantee_lets_them() -> None:
    (row,) = [
        row
        for row in data(sf.PureDP(epsilon=Ln(3)).plot("posterior"))
        if row.get("before") == pytest.approx(0.5) and row.get("low") is not None
    ]
    assert (row["after"], row["low"]) == (pytest.approx(0.75), pytest.approx(0.25))
    assert title(sf.PureDP(epsilon=Ln(3)).plot("posterior")).endswith(
        "at most 75 % sure of it, and at least 25 %"
    )


def test_a_title_on_beliefs_holds_under_delta() -> None:
    two = {"pure": sf.PureDP(epsilon=1), "gaussian": GaussianDP(mu=1)}
    more = "; some outputs may tell more"
    assert title(GaussianDP(mu=1).plot("posterior")).endswith(f"at least 0.7 %{more}")
    assert title(sf.charts.guarantees(two, of="posterior")).endswith(more)
    assert more not in title(sf.PureDP(epsilon=1).plot("posterior"))


def test_a_delta_in_a_title_is_rounded_to_the_side_on_which_it_holds() -> None:
    odd = sf.ApproxDP(epsilon=1, delta=1.0000004e-6)
    assert title(odd.plot()) == "ε = 1 is guaranteed at δ = 1.001e-06"
    assert title(odd.plot(delta=1.0000001e-6)) == "no ε is guaranteed at δ = 1e-06"
    both = sf.charts.guarantees({"a": odd, "b": odd})
    assert title(both) == "at δ = 1.001e-06: ε = 1 for a, 1 for b"
    assert "δ = 1.001e-06 bounds" in str(odd.plot("posterior").to_dict()["title"]["subtitle"])


def test_beliefs_under_delta_are_not_said_to_fail_rarely() -> None:
    def beneath(guarantee: Guarantee) -> str:
        return " ".join(guarantee.plot("posterior").to_dict()["title"]["subtitle"])

    said = beneath(GaussianDP(mu=1))
    assert "read at ε = 4.887, δ = 1e-06 bounds how far the probability" in said
    assert "it is not the probability that an output tells more" in said
    assert "it holds whatever the output" in beneath(sf.PureDP(epsilon=1))


def test_several_guarantees_are_told_apart_by_colour_and_dash() -> None:
    guarantees = {"basic": sf.PureDP(epsilon=3), "<b>{x}": sf.ZeroConcentratedDP(rho=0.1)}
    chart = sf.charts.guarantees(guarantees)
    assert title(chart).startswith("at δ = 1e-06: ε = 3 for basic, ")
    lines = chart.to_dict()["layer"][0]["encoding"]
    assert lines["color"]["scale"]["domain"] == ["basic", "<b>{x}"]
    assert lines["strokeDash"]["scale"]["domain"] == ["basic", "<b>{x}"]


def test_many_guarantees_are_drawn() -> None:
    chart = sf.charts.guarantees({str(n): sf.PureDP(epsilon=n) for n in range(1, 12)})
    assert title(chart) == "at δ = 0: ε from 1 to 11"


def test_the_curve_of_a_composition_takes_few_points() -> None:
    assert len(profile_points(GUARANTEES["composed"])) < 40


def test_what_is_no_picture_of_a_guarantee_is_refused() -> None:
    with raises_code(
        "E-ARGUMENT-CHOICE", match="'profile', 'trade-off', 'posterior' or 'renyi', not 'curve'"
    ):
        sf.PureDP(epsilon=1).plot("curve")  # type: ignore[arg-type]
    with raises_code("E-ARGUMENT-RANGE", "delta"):
        sf.PureDP(epsilon=1).plot(delta=2)
    with raises_code("E-ARGUMENT-TYPE", match="give guarantees by their names"):
        sf.charts.guarantees([sf.PureDP(epsilon=1)])  # type: ignore[arg-type]
    with raises_code("E-ARGUMENT-TYPE", match="give guarantees by their names"):
        sf.charts.guarantees({})


def test_a_calibration_is_drawn_beside_its_target() -> None:
    chart = sf.calibrate("gaussian", epsilon=1, delta=1e-6).plot()
    assert title(chart) == "at δ = 1e-06: ε = 1 for the target, 1 for the noise"
