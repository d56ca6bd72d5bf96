"""Pictures of exposures, and of texts that come back."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

import sfumato as sf
from sfumato.audit import exposure, extraction
from sfumato.audit.comparison import read_claim
from sfumato.audit.memorization.allowance import allowed_rank_share
from sfumato.privacy import AddRemove
from tests.charts.drawings import data, title
from tests.charts.drawn_rows import said
from tests.refusing import raises_code


def ranked(*digits: int, **options: Any) -> Any:
    return exposure(
        lambda text: float(text[-1]), [f"a {each}" for each in digits], space="a #", **options
    )


def returned() -> Any:
    return extraction(lambda _, length: "a" * length, ["a" * 100, "b" * 100], controls=["c" * 100])


def curve(chart: Any, name: str) -> list[tuple[float, float]]:
    found = [row for row in data(chart) if row.get("name") == name]
    return [(row["bits"], row["share"]) for row in found]


def test_the_share_of_canaries_falls_with_their_exposure() -> None:
    chart = ranked(9, 0, 4).plot()
    most = math.log2(10)
    points = [(0.0, 1.0), (0.0, 1.0), (1.0, pytest.approx(2 / 3)), (most, pytest.approx(1 / 3))]
    assert curve(chart, "the canaries")[:5] == [*points, (most, 0.0)]
    assert title(chart) == "the ranks prove ε ≥ 0 (add or remove one row)"
    assert "not private" in said(chart)


def test_what_is_allowed_is_drawn_beside_what_chance_shows() -> None:
    chart = ranked(0, epsilon=1).plot()
    claim = read_claim(1)
    for bits, share in curve(chart, "allowed on average by 1-DP"):
        chance = Fraction(2.0**-bits)
        assert share == allowed_rank_share(claim, AddRemove(), chance)
    blind = curve(chart, "a model that does not know them")
    assert all(share == 2.0**-bits for bits, share in blind)
    assert not curve(ranked(0).plot(), "allowed on average by 1-DP")


def test_models_are_drawn_side_by_side_whatever_they_are_called() -> None:
    name = "a model that does not know them"
    chart = sf.charts.canaries({name: ranked(0), "private": ranked(9)})
    assert title(chart) == f"mean exposure: 3.32 bits of {name} and 0 bits of private"
    assert len({row["name"] for row in data(chart) if "name" in row}) == 3


def test_shares_are_drawn_with_their_intervals() -> None:
    report = returned()
    rows = {row["label"]: row for row in data(report.plot())}
    assert list(rows) == [
        "texts, word for word",
        "controls, word for word",
        "texts, nearly so",
        "controls, nearly so",
    ]
    first = rows["texts, word for word"]
    assert (first["share"], first["note"]) == (0.5, "1 / 2")
    assert (first["low"], first["high"]) == (report.verbatim.lower, report.verbatim.upper)
    kinds = [row["kind"] for row in rows.values()]
    assert kinds == ["training texts", "controls, which the model never saw"] * 2
    assert title(report.plot()) == report.findings()[0]


def test_shares_of_several_models_are_drawn() -> None:
    chart = sf.charts.extraction({"plain": returned(), "private": returned()})
    assert title(chart) == "texts returned word for word: 1 of 2 by plain and 1 of 2 by private"
    assert len(data(chart)) == 8


@pytest.mark.parametrize("given", [7, {}, {"a": 7}, []])
def test_what_is_no_report_is_refused(given: Any) -> None:
    for drawing in (sf.charts.canaries, sf.charts.extraction):
        with raises_code("E-ARGUMENT-TYPE"):
            drawing(given)
