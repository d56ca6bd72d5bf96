"""What is charged for a plan is no more than what is guaranteed, whatever the plan is made of."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from tests.tables.audits.families import FAMILIES, spending
from tests.tables.audits.people import OTHERS, visits

if TYPE_CHECKING:
    from sfumato.tables import Plan

#: Rounding up, of a result and on the way to it.
ABOVE = 1 + 1e-9
DELTA = Fraction(1, 10**6)
TARGETS: dict[str, dict[str, Any]] = {
    "pure": {"epsilon": 1},
    "pure, small": {"epsilon": "1/1000"},
    "pure, great": {"epsilon": 30},
    "Laplace with a delta": {"epsilon": 1, "delta": DELTA, "noise": "laplace"},
    "Gaussian": {"epsilon": 1, "delta": DELTA, "noise": "gaussian"},
    "Gaussian, great": {"epsilon": 12, "delta": DELTA, "noise": "gaussian"},
    "zCDP": {"rho": "1/8"},
}
#: All that can be asked together, without groups.
ASKED = {
    name: asked
    for family in FAMILIES.values()
    if family.protects_people
    for name, asked in ((str(each), each) for each in family.asked.values())
}
LIMITS: list[dict[str, Any]] = [{"rows": 3}, {"groups": 2, "rows_per_group": 4}, {}]


def keeps_its_guarantee(plan: Plan) -> bool:
    """Whether the events of a plan, composed, cost no more than is guaranteed."""
    together, guarantee = sf.compose(plan.event, relation=plan.guarantee.relation), plan.guarantee
    if isinstance(guarantee, sf.ZeroConcentratedDP):
        return together.rho() <= guarantee.rho() * ABOVE
    delta = getattr(guarantee, "exact_delta", 0)
    return together.epsilon(delta=delta) <= float(guarantee.exact_epsilon) * ABOVE  # type: ignore[attr-defined]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("relation", ["add-remove", "substitute"])
def test_each_aggregate_alone(target: str, relation: str) -> None:
    table = visits(OTHERS, relation=relation)
    for asked in ASKED.values():
        assert keeps_its_guarantee(table.agg(a=asked).plan(**TARGETS[target])), str(asked)


@pytest.mark.parametrize("limits", LIMITS, ids=str)
@given(data=st.data())
@settings(max_examples=25)
def test_any_of_them_together(limits: dict[str, Any], data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from(sorted(ASKED)), min_size=1, max_size=5, unique=True))
    target = data.draw(st.sampled_from(sorted(TARGETS)))
    by = data.draw(st.sampled_from([(), ("ward",), ("ward", "city")]))
    asked = {f"a{place}": ASKED[name] for place, name in enumerate(names)}
    if by:
        asked = {name: each for name, each in asked.items() if "sample" not in str(each)}
    table = visits(OTHERS, limits=limits).group_by(*by)
    plan = table.agg(**(asked or {"n": sf.count()})).plan(**TARGETS[target])
    assert keeps_its_guarantee(plan)


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
@pytest.mark.parametrize("asked", ["n", "n and m", "n and q"])
def test_groups_that_are_found(noise: str, asked: str) -> None:
    table = visits(OTHERS, keys={}, limits={"groups": 2, "rows": 4}).group_by("ward")
    possible = {"n": sf.count(), "m": sf.mean("x"), "q": sf.median("n")}
    chosen = {name: possible[name] for name in asked.split(" and ")}
    plan = table.agg(**chosen).plan(epsilon=1, delta=DELTA, noise=noise)
    assert plan.search is not None
    assert keeps_its_guarantee(plan)


@pytest.mark.parametrize("target", ["pure", "zCDP"])
def test_twin_a_plan_that_spends_a_tenth_more_is_seen(target: str) -> None:
    for asked in ASKED.values():
        plan = visits(OTHERS).agg(a=asked).plan(**TARGETS[target])
        assert not keeps_its_guarantee(spending(plan, Fraction(11, 10))), str(asked)


def test_twin_gaussian_noise_that_is_a_hundredth_too_small_is_seen() -> None:
    plan = visits(OTHERS).agg(n=sf.count(), m=sf.mean("x")).plan(**TARGETS["Gaussian"])
    assert not keeps_its_guarantee(spending(plan, Fraction(101, 100)))


@pytest.mark.parametrize("target", ["pure", "zCDP"])
def test_nothing_that_is_guaranteed_is_left_unspent(target: str) -> None:
    """Where nothing has to be found first, the events cost exactly what is guaranteed."""
    plan = visits(OTHERS).agg(n=sf.count(), m=sf.mean("x")).plan(**TARGETS[target])
    together = sf.compose(plan.event)
    if target == "pure":
        assert together.epsilon(delta=0) >= 1 / ABOVE
    else:
        assert together.rho() >= 1 / 8 / ABOVE
