"""The guarantee of joined tables, end to end, by black-box audit; each audit with its twin.

The chance of a false alarm is 1e-6 in each audit, and seeds are fixed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import ibis
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.tables.run import execution
from sfumato.tables.run import rows as run_rows
from sfumato.tables.run.contribution_bounding import exact_sums
from sfumato.tables.run.rows import EngineRows, beside_people, per_person
from tests.cases import rings
from tests.tables.audits.families import quiet
from tests.tables.joins.asked import arrow

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from sfumato.tables import Plan, PrivateTable

OTHERS = [(f"ana{'A' * who}", "z", 5.0) for who in range(20)]
ADDED = [("ANA", "z", 10.0)] * 50
TIMES = 40


def visits(rows: list[Any], **declared: Any) -> PrivateTable:
    frame = arrow(rows, id=pa.string(), zip=pa.string(), x=pa.float64())
    given = {"unit": "id", "bounds": {"x": (0, 10)}, "limits": {"rows": 2}}
    return sf.table(frame, **{**given, **declared})


def cards(rows: list[Any]) -> PrivateTable:
    frame = arrow([(who, x) for who, _, x in rows], who=pa.string(), y=pa.float64())
    return sf.table(frame, unit="who", bounds={"y": (0, 10)}, limits={"rows": 2})


def beside_public(rows: list[Any]) -> Plan:
    public = sf.public(pa.table({"zip": ["z"] * TIMES, "nr": list(range(TIMES))}))
    joined = visits(rows).join(public, on="zip").declare(limits={"rows": 2})
    return joined.agg(n=sf.count()).plan(epsilon=1)


def beside_cards(rows: list[Any]) -> Plan:
    joined = visits(rows).join(cards(rows)).declare(limits={"rows": 2})
    return joined.agg(s=sf.sum("y")).plan(epsilon=1)


def of_each(rows: list[Any]) -> Plan:
    return visits(rows).per_person(s=sf.sum("x")).agg(s=sf.sum("s", bounds=(0, 20))).plan(epsilon=1)


PLANS = {"a public table": beside_public, "two tables": beside_cards, "a sum of each": of_each}


@pytest.mark.parametrize("name", rings(PLANS, first=["a public table"]))
def test_one_person_is_hidden(name: str) -> None:
    assert quiet(*(PLANS[name](each) for each in (OTHERS + ADDED, OTHERS)))


def test_twin_a_limit_before_the_join_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rows of a person count, and each becomes forty."""

    def careless(rows: EngineRows, *given: Any) -> dict[Any, Any]:
        table = tables[id(rows.source)]
        before = EngineRows(replace(table, steps=table.steps.stages[0]))
        return {each: sums * TIMES for each, sums in exact_sums(before, *given).items()}

    plans = [beside_public(each) for each in (OTHERS + ADDED, OTHERS)]
    tables = {id(each.query.table.source): each.query.table for each in plans}
    monkeypatch.setattr(execution, "exact_sums", careless)
    assert not quiet(*plans)


@pytest.mark.full
def test_twin_ids_that_are_compared_carelessly_in_a_join_are_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One person's card stands beside the visits of all who are called alike."""

    def careless(rows: ir.Table, others: ir.Table, step: Any) -> ir.Table:
        first = others.mutate(who=others["who"].upper().substr(0, 3))
        alike = rows.mutate(own=rows["id"], id=rows["id"].upper().substr(0, 3))
        return beside_people(alike, first, step).mutate(id=ibis._["own"]).drop("own")

    monkeypatch.setattr(run_rows, "beside_people", careless)
    others = [(who, zip_code, 0.0) for who, zip_code, _ in OTHERS]
    assert not quiet(*(beside_cards(each) for each in (others + ADDED, others)))


@pytest.mark.full
def test_twin_a_sum_over_the_rows_of_others_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(rows: ir.Table, *given: Any) -> ir.Table:
        made = per_person(rows, *given)
        return made.mutate(s=made["s"].sum().over(ibis.window()))

    monkeypatch.setattr(run_rows, "per_person", careless)
    others = [(who, zip_code, 0.5) for who, zip_code, _ in OTHERS]
    assert not quiet(*(of_each(each) for each in (others + ADDED, others)))
