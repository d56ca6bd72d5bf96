"""The most frequent values of private tables: distribution over groups, order, declared values."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy.stats import binom

import sfumato as sf
from sfumato.data.engines.embedded import EmbeddedEngine
from sfumato.privacy import ZeroConcentratedDP
from sfumato.sampling import SeededSource
from tests.cases import cases
from tests.tables.looking import both_distributions, cells_of, keeps, visits

HERE = [("p", "a", 0), ("q", "a", 1), ("q", "b", 1), ("r", "b", 2), ("s", "b", 2)]
MANY = [("z", ward, x) for ward, x in (*[("a", 2)] * 3, *[("b", 0)] * 4)]
VALUES = [0, 1, 2]

each_method = pytest.mark.parametrize("method", ["permute_and_flip", "exponential"])


def favourite(method: str) -> Any:
    return lambda table: table.group_by("ward").agg(
        x=sf.tables.mode("x", values=VALUES, method=method)
    )


def chosen(plan: Any) -> Any:
    (step,) = plan.looks
    return step.look.mechanism(step, plan.contribution)


@each_method
@pytest.mark.parametrize("more", [MANY, [("z", "a", 0)], [("z", "a", 2), ("z", "b", 0)]])
def test_choices_in_all_groups_keep_the_guarantee(method: str, more: Any) -> None:
    """Counts move the same way in every group, so half the noise is enough (M-EXP-1)."""
    tables = visits(HERE), visits([*HERE, *more])
    assert keeps(*both_distributions(tables, favourite(method), chosen), 1)


@each_method
def test_a_twin_with_a_smaller_sensitivity_breaks_the_guarantee(method: str) -> None:
    far = [("p", "a", 0)] * 2 + [("q", "a", 0)] * 2 + [("r", "b", 0)] * 2 + [("s", "b", 0)] * 2
    tables = visits(far), visits([*far, ("z", "a", 1), ("z", "b", 1)])

    def wrong(plan: Any) -> Any:
        right = chosen(plan)
        return type(right)(epsilon=1, sensitivity=right.sensitivity / 3, monotone=True)

    assert keeps(*both_distributions(tables, favourite(method), chosen), 1)
    assert not keeps(*both_distributions(tables, favourite(method), wrong), 1)


@each_method
def test_a_substituted_person_is_guaranteed_as_much(method: str) -> None:
    """One is removed and one is added: twice the sensitivity, and each way is monotone."""
    tables = [
        visits([*HERE, *[("z", ward, x)] * 2], relation="substitute")
        for ward, x in (("a", 0), ("b", 2))
    ]
    assert chosen(favourite(method)(tables[0]).plan(epsilon=1)).sensitivity == 4 * 2**16
    assert keeps(*both_distributions(tables, favourite(method), chosen), 1)


def cities(counts: dict[str, int]) -> Any:
    rows = [name for name, count in counts.items() for _ in range(count)]
    frame = pd.DataFrame({"city": rows})
    return sf.table(frame, unit="row", keys={"city": ["Lyon", "Oslo", "Rome", "Turin"]})


@each_method
def test_the_most_frequent_come_first_and_each_once(method: str) -> None:
    table = cities({"Lyon": 100, "Rome": 300, "Turin": 200, "Nowhere": 900})
    answer = table.agg(top=sf.tables.top_k("city", 3, method=method)).release(
        epsilon=50, source=SeededSource(1)
    )
    assert [answer[f"top_{place}"] for place in (1, 2, 3)] == ["Rome", "Turin", "Lyon"]
    assert answer.to_pandas(confidence=0.95).shape == (1, 3)
    assert "Rome" in str(answer)


def test_peeling_draws_from_the_distribution_of_its_rounds() -> None:
    """Both of two choices, against the product of their distributions; a wrong ε is told apart."""
    table = cities({"Lyon": 3, "Oslo": 2, "Rome": 1})
    query = table.agg(top=sf.tables.top_k("city", 2, method="exponential"))
    plan = query.plan(epsilon=2)
    (step,), counts = plan.looks, cells_of(query, plan)[0].tolist()

    def chance(first: int, second: int, epsilon: float) -> float:
        choice = sf.mechanisms.Exponential(epsilon=epsilon, sensitivity=1, monotone=True)
        left = {place: each for place, each in enumerate(counts) if place != first}
        return (
            choice.distribution(counts).probability(first).upper
            * choice.distribution(left).probability(second).upper
        )

    assert sum(chance(*pair, 1) for pair in permutations(range(4), 2)) == pytest.approx(1)
    source, draws = SeededSource(2), 1500
    mechanism = step.look.mechanism(step, plan.contribution)
    hits = 0
    for _ in range(draws):
        first = mechanism.release(dict(enumerate(counts)), source=source).value
        left = {place: each for place, each in enumerate(counts) if place != first}
        hits += (first, mechanism.release(left, source=source).value) == (0, 1)
    low, high = (binom.ppf(q, draws, chance(0, 1, 1)) for q in (1e-5, 1 - 1e-5))
    assert low <= hits <= high
    assert not low <= draws * chance(0, 1, 2) <= high


@pytest.mark.parametrize("target", [{"epsilon": 1}, {"rho": 0.05}])
@each_method
def test_all_choices_together_cost_what_is_guaranteed(target: Any, method: str) -> None:
    query = (
        visits(HERE)
        .group_by("ward")
        .agg(x=sf.tables.top_k("x", 3, values=VALUES, method=method), n=sf.count())
    )
    plan = query.plan(**target)
    spent = sf.compose(plan.event, relation=plan.guarantee.relation)
    if "rho" in target:
        guaranteed = ZeroConcentratedDP(rho=target["rho"], relation=plan.guarantee.relation)
        assert spent.epsilon(delta=1e-6) <= guaranteed.epsilon(delta=1e-6) * (1 + 1e-6)
    else:
        assert spent.epsilon(delta=0) == 1
    assert len(query.release(**target)) == 2


@pytest.mark.parametrize(
    ("column", "most"),
    [
        ([1, 1, 2], 1),
        ([1.5, 2.5, 2.5], 2.5),
        ([True, False, True], True),
        ([date(2020, 1, 1), date(2021, 1, 1), date(2021, 1, 1)], date(2021, 1, 1)),
        (["a", "A", "A", "a "], "A"),
    ],
)
def test_values_of_every_type_are_chosen(column: list[Any], most: Any) -> None:
    table = sf.table(pa.table({"x": column * 20}), unit="row")
    values = list(dict.fromkeys(column))
    answer = table.agg(x=sf.tables.mode("x", values=values)).release(
        epsilon=50, source=SeededSource(1)
    )
    assert answer["x"] == most


def test_choices_do_not_depend_on_the_order_of_rows() -> None:
    source = np.random.default_rng(3)
    rows = [(str(source.integers(30)), "ab"[source.integers(2)], 1) for _ in range(300)]
    ask = favourite("exponential")
    plan = ask(visits(rows)).plan(epsilon=1)
    one, other = (cells_of(ask(visits(each)), plan) for each in (rows, rows[::-1]))
    assert (one == other).all()


def test_the_expected_shortfall_is_in_rows() -> None:
    table = visits(HERE)
    step = favourite("exponential")(table).plan(epsilon=1).looks[0]
    exact = sf.mechanisms.Exponential(epsilon=1, sensitivity=2, monotone=True).error(candidates=3)
    assert step.look.error(step, step.contribution, Fraction(19, 20)) == pytest.approx(exact)


WRONG: list[Any] = [
    *[lambda k=k: sf.tables.top_k("x", k) for k in (0, -1, 1.5, True, "3", None, 10**6)],
    *[lambda method=method: sf.tables.mode("x", method=method) for method in ("laplace", None, 3)],
    *[lambda values=values: sf.tables.mode("x", values=values) for values in ("ab", 3, b"ab")],
    lambda name=7: sf.tables.mode(name),
    lambda: visits(HERE).agg(x=sf.tables.mode("x")).plan(epsilon=1),
    lambda: visits(HERE).agg(x=sf.tables.mode(sf.col("x") + 1)).plan(epsilon=1),
    lambda: visits(HERE).agg(x=sf.tables.mode("x", values=["a", "b"])).plan(epsilon=1),
    lambda: visits(HERE).agg(x=sf.tables.mode("x", values=[1, 1])).plan(epsilon=1),
    lambda: visits(HERE).agg(x=sf.tables.mode("x", values=[])).plan(epsilon=1),
    lambda: visits(HERE).agg(x=sf.tables.mode("x", values=["\ud800"])).plan(epsilon=1),
    lambda: visits(HERE).agg(x=sf.tables.top_k("x", 3, values=[1, 2])).plan(epsilon=1),
    lambda: visits(HERE).agg(x=sf.tables.top_k("x", 1, values=[1]), x_1=sf.count()).plan(epsilon=1),
]


@cases("ask", WRONG)
def test_wrong_questions_are_refused_in_one_sentence(ask: Any) -> None:
    with pytest.raises(sf.errors.InputError) as refused:
        ask()
    assert "\n" not in str(refused.value)


def test_a_value_that_only_the_engine_takes_for_another_counts_for_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An engine that finds 'A' in a list with 'a' neither fails nor quotes what it found."""
    table = sf.table(pa.table({"ward": ["a", "a"]}), unit="row")
    asked = table.agg(m=sf.tables.mode("ward", values=["a", "b"]))
    fetch = EmbeddedEngine.fetch

    def spelt_otherwise(engine: EmbeddedEngine, query: Any, *, complaint: str) -> Any:
        answer = fetch(engine, query, complaint=complaint)
        return answer.set_column(answer.column_names.index("cell"), "cell", pa.array(["A"]))

    monkeypatch.setattr(EmbeddedEngine, "fetch", spelt_otherwise)
    assert asked.release(epsilon=1)["m"][0] in {"a", "b"}
