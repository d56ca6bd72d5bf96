"""What a careless engine would betray: for each kind of neighbours a slip that the audit catches.

Each slip is one that is easily made: ids that are compared otherwise in one place than in another,
values that are taken as they are, groups that are read off the rows, people who are counted as
often as they come.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import ibis
import ibis.expr.types as ir
import pytest

import sfumato as sf
from sfumato.data.number_columns import PERSON
from sfumato.tables.plan.partition_selection import Keys
from sfumato.tables.run import contribution_bounding
from sfumato.tables.run.rows import EngineRows
from tests.cases import rings
from tests.tables.audits.families import FAMILIES, SWEEP, Family, neighbours, quiet, sampled
from tests.tables.audits.people import (
    CROWD,
    EMPTY,
    GREATEST,
    LONE,
    NEIGHBOURS,
    OTHERS,
    UPPER,
    visits_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.tables import Plan
    from sfumato.tables.plan.measurements import Measurement


@ibis.udf.scalar.builtin  # type: ignore[untyped-decorator]
def nfc_normalize(text: str) -> str:  # type: ignore[empty-body]
    """Return a text in its composed normal form."""


#: How ids are compared where they should be identical; a null equals nothing.
COMPARED: dict[str, Callable[[Any], Any]] = {
    "rows without an id": lambda person: person,
    "an id that differs in case": lambda person: person.lower(),
    "an id that differs in a trailing space": lambda person: person.rstrip(),
    "an id that differs in its normal form": nfc_normalize,
}


@pytest.mark.full
@pytest.mark.parametrize("family", ["count", "count, Gaussian"])
@pytest.mark.parametrize("name", COMPARED)
def test_twin_ids_that_are_compared_carelessly_are_caught(
    monkeypatch: pytest.MonkeyPatch, name: str, family: str
) -> None:
    seen_as = COMPARED[name]
    monkeypatch.setattr(ir.Value, "identical_to", lambda one, other: seen_as(one) == seen_as(other))
    assert not quiet(*neighbours(FAMILIES[family], name))


#: A value that one person has fifty times, and its column.
ODD: dict[str, tuple[str, Any]] = {
    "NaN": ("x", float("nan")),
    "infinity": ("x", float("inf")),
    "minus infinity": ("x", float("-inf")),
    "null": ("x", None),
    "the greatest float": ("x", 1.7976931348623157e308),
    "the greatest integer": ("n", GREATEST),
    "the least integer": ("n", -GREATEST - 1),
    "an integer that is null": ("n", None),
}


def odd(name: str) -> tuple[Plan, Plan]:
    """The plans of a mean with and without a person whose values are odd."""
    column, value = ODD[name]
    family = Family({"m": sf.mean(column)}, by=())
    added = visits_of("odd", (value, 3) if column == "x" else (5.0, value))
    return family.plan(OTHERS + added), family.plan(OTHERS)


@pytest.mark.parametrize("name", rings(ODD, first=["NaN", "the least integer"]))
def test_an_odd_value_is_hidden(name: str) -> None:
    assert quiet(*odd(name))


@pytest.mark.parametrize("name", rings(ODD, first=["NaN", "the least integer"]))
def test_twin_an_odd_value_that_is_taken_as_it_is_is_caught(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """What is missing is a number that stands for it, and nothing is clipped."""

    monkeypatch.setattr(EngineRows, "_added", lambda _, measurement: _as_it_is(measurement))
    assert not quiet(*odd(name))


def _as_it_is(measurement: Measurement) -> Any:
    """What a row adds, in steps."""
    if not measurement.factors:
        return ibis.literal(1, "int64")
    (factor,) = measurement.factors
    value = ibis._[factor.text].cast("float64").fill_null(-999.0)
    centred = value - float(factor.shift + measurement.centre)
    return (centred * float(1 / measurement.step)).floor().cast("int64")


@pytest.mark.parametrize("name", [EMPTY, LONE])
def test_twin_groups_that_are_read_off_the_rows_are_caught(name: str) -> None:
    others, added = NEIGHBOURS[name]
    assert not quiet(*map(_with_groups_of, (others + added, others)))


def _with_groups_of(rows: list[Any]) -> Plan:
    """The plan of a count of the wards that there are rows of."""
    wards = tuple((ward,) for ward in sorted({row[1] for row in rows}))
    return replace(FAMILIES["count"].plan(rows), keys=Keys(("ward",), wards))


def test_twin_a_group_of_many_rows_of_one_person_is_caught() -> None:
    pair = neighbours(FAMILIES["unknown keys"], LONE, unit="row", limits={})
    assert not quiet(*pair)


@pytest.mark.parametrize("family", ["people", *(["people, Gaussian"] if SWEEP else [])])
def test_twin_people_who_are_counted_as_often_as_they_come_are_caught(
    monkeypatch: pytest.MonkeyPatch, family: str
) -> None:
    def each_time(table: ir.Table, keys: Keys) -> ir.Table:
        return table.select([PERSON, *keys.columns]).mutate(add0=ibis.literal(1, "int64"))

    monkeypatch.setattr(contribution_bounding, "_once", each_time)
    assert not quiet(*neighbours(FAMILIES[family], CROWD))


@pytest.mark.full
def test_twin_a_person_in_many_blocks_is_caught() -> None:
    family = Family(sampled("median", 32, "arrow"), by=())
    assert not quiet(*neighbours(family, UPPER, unit="row", limits={}))
