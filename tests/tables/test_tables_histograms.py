"""Histograms of private tables: which bin a value is in, noise of a count, bars that cover."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

import sfumato as sf
from sfumato.privacy import ZeroConcentratedDP
from sfumato.sampling import SeededSource
from tests.refusing import raises_code
from tests.tables.looking import cells_of, visits

EDGES = [0, 18, 65, 110]
HERE = [("p", "a", 0), ("q", "a", 1), ("q", "b", 1), ("r", "b", 3)]


def of_ages(ages: list[Any], edges: Any = EDGES, **declared: Any) -> Any:
    frame = pd.DataFrame({"age": pd.array(ages, dtype="Float64")})
    return sf.table(frame, unit="row", **declared).agg(age=sf.histogram("age", edges))


def test_each_value_is_in_the_bin_of_its_lower_edge_and_those_beyond_in_the_nearest() -> None:
    ages = [0, 17.9, 18, 64, 65, 110, -3, 200, math.inf, -math.inf, math.nan, None]
    query = of_ages(ages)
    assert cells_of(query, query.plan(epsilon=1)).tolist() == [[4, 2, 4]]


@pytest.mark.parametrize("bins", [1, 2, 3, 7, 100])
def test_bins_are_those_of_numpy(bins: int) -> None:
    source = np.random.default_rng(bins)
    edges = np.unique(source.integers(-50, 50, 3 * bins + 3))[: bins + 1].tolist()
    values = source.uniform(edges[0], edges[-1], 500).round().clip(edges[0], edges[-1])
    query = of_ages(values.tolist(), edges)
    assert (
        cells_of(query, query.plan(epsilon=1))[0].tolist()
        == np.histogram(values, edges)[0].tolist()
    )


def test_a_person_moves_all_bins_of_all_groups_by_no_more_than_the_limit() -> None:
    """M-DEF-1: the sensitivity is that of a count, and no less is enough."""

    def ask(table: Any) -> Any:
        return table.group_by("ward").agg(x=sf.histogram("x", [0, 1, 2, 3]))

    more = [("z", ward, x) for ward in "ab" for x in (0, 1, 3)]
    plan = ask(visits(HERE)).plan(epsilon=1)
    before, after = (cells_of(ask(table), plan) for table in (visits(HERE), visits(HERE + more)))
    sensitivity = plan.looks[0].sensitivity(plan.contribution)
    assert sensitivity == 2 * 2**16
    assert 0.99 * sensitivity < np.abs(after - before).sum() <= sensitivity


def test_the_noise_is_that_of_a_count() -> None:
    plan = of_ages([1, 2]).plan(epsilon=0.5)
    assert plan.event == sf.privacy.events.DiscreteLaplace(scale=2, sensitivity=1)
    assert "± 5 in each bin" in str(plan) or "± 6 in each bin" in str(plan)


def test_bars_cover_and_narrower_ones_do_not() -> None:
    """Right bars fail with probability 1e-6 at most; half as wide ones cover too seldom."""
    query = of_ages([5.0] * 40 + [30.0] * 7, list(range(101)))
    true = np.array([0] * 5 + [40] + [0] * 24 + [7] + [0] * 69)
    answer = query.release(epsilon=0.2, source=SeededSource(4)).answers(confidence=0.9).columns
    names = [name for name in answer if not name.endswith(("_low", "_high"))]
    value, low, high = (
        np.array([answer[f"{name}{end}"][0] for name in names]) for end in ("", "_low", "_high")
    )
    enough = binom.ppf(1e-6, 100, 0.9)
    assert ((low <= true) & (true <= high)).sum() >= enough
    assert (abs(value - true) <= (high - low) / 8).sum() < enough


def test_counts_are_whole_and_in_columns_of_their_edges() -> None:
    answer = of_ages([1, 2, 70], [0, 0.5, 110]).release(epsilon=1)
    assert answer.columns == ("age_0_to_0.5", "age_0.5_to_110")
    assert all(isinstance(answer[name], int) for name in answer.columns)
    again = type(answer)(answer.plan, answer.content)
    assert again.answers(confidence=0.9) == answer.answers(confidence=0.9)


def test_gaussian_noise_serves_bins_as_well() -> None:
    query = visits(HERE).group_by("ward").agg(x=sf.histogram("x", [0, 2, 3]), n=sf.count())
    plan = query.plan(rho=0.1)
    guaranteed = ZeroConcentratedDP(rho=0.1, relation=plan.guarantee.relation)
    spent = sf.compose(plan.event, relation=plan.guarantee.relation)
    assert spent.epsilon(delta=1e-6) <= guaranteed.epsilon(delta=1e-6) * (1 + 1e-6)
    assert len(query.release(rho=0.1, source=SeededSource(1))) == 2


@pytest.mark.parametrize(
    "edges",
    [
        *([], [1], [2, 1], [1, 1], [0, math.nan], [0, math.inf], [0, None], [0, True], [0, "a"]),
        *("012", 7, None, list(range(1002)), {0: 1}),
    ],
)
def test_wrong_edges_are_refused_in_one_sentence(edges: Any) -> None:
    with pytest.raises(sf.errors.InputError) as refused:
        sf.histogram("age", edges)
    assert "\n" not in str(refused.value)


def test_bins_of_text_are_refused() -> None:
    with raises_code("E-AGGREGATE-TYPE"):
        visits(HERE).agg(x=sf.histogram("ward", [0, 1])).plan(epsilon=1)
