"""What is measured together and charged for once: one person moves all of it by no more.

A step that adds noise of the scale S/ε to each of several sums costs ε in all, if one person moves
the sums, each in units of its S, by one together: in L1 for Laplace noise, in L2 for Gaussian.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf
from sfumato.tables.run.contribution_bounding import exact_sums
from sfumato.tables.run.rows import EngineRows
from tests.cases import rings
from tests.tables.audits.people import CROWD, NEIGHBOURS, ODD, UPPER, visits

if TYPE_CHECKING:
    from sfumato.tables import Plan
    from sfumato.tables.plan.measurements import Measurement

ASKED: dict[str, Any] = {
    "n": sf.count(),
    "k": sf.count("x"),
    "p": sf.people(),
    "m": sf.mean("x"),
    "s": sf.sum("x"),
    "d": sf.std("n"),
    "c": sf.tables.covariance("x", "n"),
    "t": sf.sum(sf.col("x") * 2, bounds=(-1, "0.3")),
}
#: What it costs, and what is declared of one person.
NORMS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "L1": ({"epsilon": 1}, {"rows": 3}),
    "L2": ({"rho": 1}, {"groups": 2, "rows_per_group": 2}),
}


def planned(rows: list[Any], norm: str) -> Plan:
    target, limits = NORMS[norm]
    return visits(rows, limits=limits).group_by("ward").agg(**ASKED).plan(**target)


def neighbours(name: str, norm: str) -> tuple[Plan, Plan]:
    others, added = NEIGHBOURS[name]
    return planned(others + added, norm), planned(others, norm)


def in_units(plan: Plan) -> dict[Measurement, list[Fraction]]:
    """The exact sums of all groups, each in units of its sensitivity."""
    measured = [each.measurement for each in plan.measures]
    rows = EngineRows(plan.query.table)
    found = exact_sums(rows, plan.keys, measured, plan.contribution)
    return {
        each: [Fraction(int(value)) / plan.contribution.sensitivity(each) for value in column]
        for each, column in found.items()
    }


def moved(one: Plan, other: Plan, norm: str) -> list[Fraction]:
    """How far each step moves: the sum of sizes, or of squares, over all that it measures."""
    before, after = in_units(one), in_units(other)
    power = 1 if norm == "L1" else 2
    steps = [each.joint or (each.measurement,) for each in one.measures if not each.is_paid]
    return [
        sum(
            (
                abs(left - right) ** power
                for each in joint
                for left, right in zip(before[each], after[each], strict=True)
            ),
            Fraction(0),
        )
        for joint in steps
    ]


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("name", rings(NEIGHBOURS, first=[CROWD, ODD]))
def test_one_person_moves_a_step_by_one_at_most(name: str, norm: str) -> None:
    assert max(moved(*neighbours(name, norm), norm)) <= 1


def test_it_is_nearly_reached() -> None:
    """Otherwise there would be more noise than needed."""
    assert sorted(moved(*neighbours(UPPER, "L1"), "L1"))[-2] > Fraction(9, 10)


def test_twin_without_a_unit_it_is_exceeded() -> None:
    others, added = NEIGHBOURS[UPPER]
    asked = {name: each for name, each in ASKED.items() if name != "p"}
    pair = [
        visits(rows, unit="row", limits={}).group_by("ward").agg(**asked).plan(epsilon=1)
        for rows in (others + added, others)
    ]
    assert min(moved(pair[0], pair[1], "L1")) > 1


def test_twin_steps_that_are_charged_for_apart_are_not_one() -> None:
    """If all steps were charged for as one, one person would move it by more."""
    assert sum(moved(*neighbours(UPPER, "L1"), "L1")) > 1
