"""What an explanation says is what the plan does; no row is read for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.data.engines.embedded import EmbeddedEngine
from sfumato.sampling import SeededSource

if TYPE_CHECKING:
    from sfumato.tables import PrivateTable, Query

FRAME = pd.DataFrame(
    {
        "id": [1, 1, 2, 3, 3, 3],
        "sex": ["F", "F", "M", "F", "M", "M"],
        "age": [61, 61, 35, 70, 71, 72],
        "cost": [1.5, 2.5, 10.0, 0.25, 99.0, 3.0],
    }
)
DECLARED: dict[str, Any] = {
    "unit": "id",
    "bounds": {"age": (0, 110), "cost": (0, 100)},
    "keys": {"sex": ["F", "M"]},
    "limits": {"rows": 10},
}


def table(**changes: Any) -> PrivateTable:
    return sf.table(FRAME, **{**DECLARED, **changes})


def everything() -> list[tuple[Query, dict[str, Any]]]:
    by_sex = table().group_by("sex")
    automatic = table(bounds={"cost": "auto"}, limits={})
    function = sf.tables.sample_aggregate(len, columns=["age"], bounds=(0, 9), blocks=2)
    return [
        (by_sex.agg(n=sf.count(), p=sf.people(), m=sf.mean("age")), {"epsilon": 1}),
        (by_sex.agg(s=sf.std("cost"), c=sf.tables.covariance("age", "cost")), {"rho": 0.5}),
        (by_sex.agg(m=sf.median("cost"), h=sf.histogram("age", [0, 50, 110])), {"epsilon": 1}),
        (by_sex.agg(m=sf.tables.mode("sex"), x=sf.maximum("age")), {"epsilon": 1}),
        (automatic.agg(s=sf.sum("cost"), n=sf.count()), {"epsilon": 1}),
        (table().agg(f=function), {"epsilon": 1}),
        (
            table(keys={}, limits={"rows": 10, "groups": 2}).group_by("sex").agg(n=sf.count()),
            {"epsilon": 1, "delta": 1e-6},
        ),
        (table(unit="row", limits={}).group_by("sex").agg(s=sf.sum("age")), {"epsilon": 1}),
        (table(relation="substitute").agg(n=sf.count()), {"epsilon": 1}),
    ]


EVERYTHING = everything()


@pytest.mark.parametrize(("query", "target"), EVERYTHING, ids=lambda each: str(each)[:50])
def test_every_step_of_a_plan_is_a_part(query: Query, target: dict[str, Any]) -> None:
    explained = query.explain(**target)
    steps = [each for each in explained.nodes if each.cost]
    assert len(steps) == len(explained.plan.steps)
    assert all(each.moves for each in explained.nodes)


@pytest.mark.parametrize(("query", "target"), EVERYTHING, ids=lambda each: str(each)[:50])
def test_as_many_statements_are_shown_as_are_run(
    query: Query, target: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = query.explain(**target).statements
    fetch, run = EmbeddedEngine.fetch, []

    def counted(self: EmbeddedEngine, asked: Any, *, complaint: str) -> Any:
        run.append(self.sql(asked))
        return fetch(self, asked, complaint=complaint)

    monkeypatch.setattr(EmbeddedEngine, "fetch", counted)
    plan = query.plan(**target)
    query.release(**target, source=SeededSource(1))
    assert len(shown) == len(run)
    if not (plan.search or plan.findings or plan.choices):
        assert [each.sql for each in shown] == run


def test_nothing_is_run_to_show_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any, **__: Any) -> Any:
        raise AssertionError("a query was run")

    monkeypatch.setattr(EmbeddedEngine, "fetch", refused)
    monkeypatch.setattr(EmbeddedEngine, "keep", refused)
    for query, target in EVERYTHING:
        assert query.explain(**target).sql.startswith("--")


def test_one_person_moves_a_sum_by_the_bound_times_the_limit() -> None:
    explained = table().group_by("sex").agg(s=sf.sum("age")).explain(epsilon=1)
    assert "so by at most 1,100; noise of scale 1,100" in explained.nodes[-1].moves


def test_a_substitution_moves_twice_as_much() -> None:
    explained = table(relation="substitute").agg(n=sf.count()).explain(epsilon=1)
    assert "by at most 20; noise of scale 20" in explained.nodes[-1].moves
    assert "replaced" in explained.lines()[0]


def test_a_limit_that_is_chosen_is_a_letter() -> None:
    explained = table(limits={}).agg(s=sf.sum("age"), n=sf.count()).explain(epsilon=1)
    assert any("× L" in each.moves for each in explained.nodes)
    assert "a limit of 1 for the one that is chosen" in explained.sql.splitlines()[0]


def test_what_a_join_does_to_the_rows_of_one_person_is_said() -> None:
    regions = sf.public(pd.DataFrame({"sex": ["F", "F", "M"], "word": ["a", "b", "c"]}))
    joined = table().join(regions, on="sex").per_person(n=sf.count())
    moves = [each.moves for each in joined.agg(p=sf.people()).explain(epsilon=1).nodes]
    assert "the same rows, each beside up to 2 public rows" in moves
    assert "one row of that unit" in moves
