"""Pictures of audits and of attacks on models."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import sfumato as sf
from sfumato.audit import membership
from sfumato.audit.comparison import read_claim
from sfumato.audit.membership_inference.report import allowed_rate
from tests.charts.drawings import data, title
from tests.charts.drawn_rows import said
from tests.refusing import raises_code


@pytest.fixture(scope="module")
def broken() -> Any:
    rng = np.random.default_rng(0)
    return sf.audit(
        lambda x, n: np.round(x + rng.laplace(scale=0.5, size=n), 2),
        0,
        1,
        epsilon=1,
        samples=20_000,
    )


def test_an_audit_draws_its_bounds_against_the_claim(broken: Any) -> None:
    chart = broken.plot()
    assert title(chart) == broken.lines()[0]
    bounds = [
        (row["delta"], row["epsilon"]) for row in data(chart) if "claimed" not in row["label"]
    ]
    assert bounds == [(f"{delta:g}", low) for delta, low in broken.curve]
    (claim,) = [row for row in data(chart) if "claimed" in row["label"]]
    assert (claim["delta"], claim["epsilon"], claim["label"]) == ("0", 1.0, "claimed: 1-DP")


def test_what_was_proved_lies_outside_what_is_allowed(broken: Any) -> None:
    rows = data(broken.plot("rates"))
    proved = [row for row in rows if row.get("name") == "proved by the draws"]
    allowed = [row for row in rows if row.get("name") == "allowed by 1-DP"]

    assert any(row["right"] > _between(allowed, row["wrong"]) for row in proved)


@pytest.mark.full
@pytest.mark.parametrize(("epsilon", "delta"), [(4, 0), (4, 0.1), (0, 0), (0.5, 0.3), (900, 0)])
def test_what_is_allowed_is_drawn_with_its_corners(epsilon: float, delta: float) -> None:
    claim = read_claim(epsilon, delta)
    drawn = data(membership([1, 1, 0], [0, 0, 1], epsilon=epsilon, delta=delta).plot())
    corners = [row for row in drawn if row.get("name", "").startswith("allowed")]
    for step in range(401):
        at = Fraction(step, 400) ** 2
        assert _between(corners, float(at)) == pytest.approx(allowed_rate(claim, at), abs=1e-9)


def _between(corners: list[dict[str, Any]], at: float) -> float:
    """What straight lines between corners show there."""
    wrong, right = ([row[rate] for row in corners] for rate in ("wrong", "right"))
    return float(np.interp(at, wrong, right))


def test_chances_and_deltas_are_not_rounded_to_the_wrong_side() -> None:
    report = sf.audit(
        lambda x: x, "a", "b", epsilon=1, delta=1.0000004e-6, samples=1000, alpha=1.0000004e-3
    )
    chart = report.plot()
    assert "with probability at most 0.001001" in said(chart)
    (claim,) = [row for row in data(chart) if "claimed" in row["label"]]
    assert claim["delta"] == "1.0000004e-06"


def test_an_audit_that_tested_nothing_is_drawn() -> None:
    report = sf.audit(lambda _: 0, "a", "b", epsilon=1, delta=1e-5, samples=1000)
    for of in ("epsilon", "rates"):
        assert sf.charts.to_svg(report.plot(of)).startswith("<svg")
    with raises_code("E-ARGUMENT-CHOICE", match="'epsilon' or 'rates', not 'roc'"):
        report.plot("roc")  # type: ignore[arg-type]


def test_an_attack_on_a_model_is_drawn_and_is_not_private() -> None:
    report = membership([1] * 200, [0] * 200, epsilon=1)
    chart = report.plot()
    assert title(chart) == report.lines()[0]
    assert "not private: exact figures" in str(chart.to_dict()["title"]["subtitle"])
    curve = [row for row in data(chart) if row.get("name") == "the attack"]
    assert [(row["wrong"], row["right"]) for row in curve] == report.curve.points()
