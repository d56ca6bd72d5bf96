"""Pictures of entropies, codes and neighbours: areas and figures are those of the mathematics."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.information import Distribution, Joint, entropy, huffman, mutual_information
from tests.charts.drawings import data, title
from tests.charts.drawn_rows import drawn_rows, said
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

SURVEY = {"yes": {"yes": 2, "no": 1}, "no": {"yes": 1, "no": 2}}
PATIENTS = Joint([[30, 10], [20, 40]], variables=["smoker", "ill"])


@pytest.mark.parametrize("counts", [[5, 2, 2, 1, 1], [1], [*range(1, 2000)], [10**9, *[1] * 500]])
def test_areas_under_codewords_are_the_mean_length_and_the_entropy(counts: list[int]) -> None:
    code = huffman(counts)
    columns = drawn_rows(code.plot(), "ideal")
    shares = [row["right"] - row["left"] for row in columns]
    assert sum(shares) == pytest.approx(1)
    assert len(columns) < 1000
    lengths = sum(share * row["bits"] for share, row in zip(shares, columns, strict=True))
    ideal = sum(share * row["ideal"] for share, row in zip(shares, columns, strict=True))
    assert lengths == pytest.approx(float(code.expected_length))
    assert ideal == pytest.approx(entropy(counts))


def test_codewords_are_written_where_there_is_room() -> None:
    rows = drawn_rows(huffman({"a": 8, "b": 1, "long name of a rare one": 1}).plot(), "word")
    assert [row["word"] for row in rows] == ["0", "10", "11"]
    assert [row["label"] for row in rows] == ["a", "b", ""]


def test_bars_of_two_variables_overlap_in_their_mutual_information() -> None:
    rows = drawn_rows(PATIENTS.plot(), "kind")
    widths = {(row["label"], row["kind"][:1]): row["high"] - row["low"] for row in rows}
    shared = mutual_information(PATIENTS)
    assert widths["H(smoker)", "I"] == pytest.approx(shared)
    whole = [row["high"] - row["low"] for row in rows if row["label"] == "H(smoker, ill)"]
    assert sum(whole) == pytest.approx(entropy(PATIENTS))
    assert said(PATIENTS.plot()).startswith("ill tells 0.1245 bits about smoker")


@pytest.mark.parametrize("table", [[[1, 0], [0, 1]], [[1, 1], [1, 1]], [[1], [3]], [[4]]])
def test_extreme_tables_are_drawn(table: list[list[int]]) -> None:
    ends = [row["high"] - row["low"] for row in drawn_rows(Joint(table).plot(), "kind")]
    assert min(ends) >= 0
    assert sf.charts.to_svg(Joint(table).plot()).startswith("<svg")


def test_groups_of_variables_are_named() -> None:
    cube = Joint(np.ones((2, 2, 2), dtype=int), variables=["a", "b", "c"])
    assert said(cube.plot(between=(["a", "b"], "c"))).startswith("c tells 0 bits about a, b")
    with raises_code("E-ARGUMENT-MISSING", match="3 variables"):
        cube.plot()


def test_curves_go_through_what_they_measure() -> None:
    curve = {row["p"]: row["bits"] for row in drawn_rows(sf.charts.binary_entropy(0.1), "p")}
    assert curve[0.5] == 1
    assert curve[0] == curve[1] == 0
    dots = [row for row in data(sf.charts.information_content([1 / 1024])) if "label" in row]
    assert dots[0]["label"] == "10 bits"
    assert "1 + 0.8113 = 1.811 bits" in title(sf.charts.two_events(0.5, 0.25))


@pytest.mark.parametrize("p", [[4, 2, 1, 1], [1], [1, 1], [1, 0, 3]])
def test_entropies_of_all_orders_lie_between_their_ends(p: list[int]) -> None:
    rows = drawn_rows(sf.charts.orders(p), "at")
    values = [row["value"] for row in rows]
    assert values[0] == pytest.approx(entropy(p, order=0))
    assert values[-1] == pytest.approx(entropy(p, order=math.inf))
    assert values == pytest.approx(sorted(values, reverse=True))


def test_infinite_divergences_are_left_out() -> None:
    rows = drawn_rows(sf.charts.orders([1, 1], [1, 0]), "at")
    assert max(row["at"] for row in rows) < 0.5
    with raises_code("E-CHART-NONE"):
        sf.charts.orders([1, 0], [0, 1])


def test_bounds_of_renyi_are_the_guarantee_s() -> None:
    guarantee = sf.privacy.GaussianDP(mu=1)
    rows = drawn_rows(guarantee.plot("renyi"), "order")
    assert all(row["epsilon"] == guarantee.renyi(row["order"]) for row in rows)
    assert title(guarantee.plot("renyi")) == "the Rényi divergence of order 2 is at most 1"
    with raises_code("E-CHART-NONE", match="no Rényi divergence"):
        sf.ApproxDP(epsilon=1, delta=1e-6).plot("renyi")


def test_distributions_over_other_outcomes_are_put_beside_each_other() -> None:
    assert "no outcome is more than 2 times" in title(sf.charts.distributions(SURVEY))
    apart = sf.charts.distributions({"p": {"a": 1}, "q": {"b": 1}})
    assert title(apart) == "an outcome is possible under one and impossible under another"
    assert [row["probability"] for row in drawn_rows(apart, "outcome")] == [1, 0, 0, 1]
    assert "of at most 2 bits" in title(Distribution([4, 2, 1, 1]).plot())
    with raises_code("E-LENGTHS-DIFFER"):
        sf.charts.distributions({"p": [1, 1], "q": [1, 1, 1]})
    wrong: Any = [1, 2]
    with raises_code("E-ARGUMENT-TYPE", match="by their names"):
        sf.charts.distributions(wrong)


@pytest.mark.parametrize(
    ("mechanism", "pure"),
    [
        (sf.mechanisms.Laplace(epsilon=1, sensitivity=1), True),
        (sf.mechanisms.DiscreteLaplace(epsilon="0.5"), True),
        (sf.mechanisms.RandomizedResponse(truth="2/3"), True),
        (sf.mechanisms.Gaussian(epsilon=0.5, delta=1e-5, sensitivity=1), False),
    ],
    ids=lambda each: type(each).__name__,
)
def test_the_privacy_loss_passes_epsilon_only_with_a_delta(mechanism: Any, *, pure: bool) -> None:
    losses = [row["loss"] for row in drawn_rows(mechanism.plot(of="loss"), "output")]
    level = float(mechanism.guarantee.epsilon(delta=0 if pure else 1e-5))
    assert max(losses) == pytest.approx(level, rel=1e-6) if pure else max(losses) > level
    assert min(losses) == pytest.approx(-max(losses), rel=1e-6)


def test_a_loss_needs_two_values() -> None:
    choice = sf.mechanisms.Exponential(epsilon=1, sensitivity=1)
    with raises_code("E-ARGUMENT-MISSING", match="two neighbouring values"):
        choice.plot({"a": 3, "b": 1}, of="loss")
    assert drawn_rows(choice.plot({"a": 3, "b": 1}, {"a": 2, "b": 1}, of="loss"), "loss")
    wrong: Any = "lose"
    with raises_code("E-NAME-UNKNOWN", match="there is no drawing 'lose'"):
        sf.mechanisms.Laplace(epsilon=1, sensitivity=1).plot(of=wrong)


def test_neighbours_are_counted_by_either_relation() -> None:
    table = pd.DataFrame({"age": [61, 64, 52], "sex": list("FMF")})
    other = table.assign(age=[61, 65, 52])
    assert "1 of 3 rows is another: the tables are 1-neighbours" in title(
        sf.charts.neighbours(table, other)
    )
    assert title(sf.charts.neighbours(table, table)).startswith("0 of 3 rows")
    removed = sf.charts.neighbours(table, table.drop(index=1))
    assert title(removed).startswith("1 row is in one table and not in the other")
    assert [row["text"] for row in drawn_rows(removed, "table") if row["kind"] == "differs"] == [
        "64, M"
    ]
    assert "5 others not shown" in said(sf.charts.neighbours(range(25), range(25)))


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: sf.charts.information_content([0]), "E-ARGUMENT-RANGE"),
        (lambda: sf.charts.information_content([]), "E-ARGUMENT-RANGE"),
        (lambda: sf.charts.binary_entropy(1.5), "E-ARGUMENT-RANGE"),
        (lambda: sf.charts.two_events(0.5, math.nan), "E-ARGUMENT-RANGE"),
        (lambda: sf.charts.neighbours("abc", ["a"]), "E-ARGUMENT-TYPE"),
        (lambda: sf.charts.neighbours([], []), "E-ARGUMENT-EMPTY"),
    ],
)
def test_what_cannot_be_drawn_is_refused(call: Callable[[], Any], code: str) -> None:
    with raises_code(code):
        call()
