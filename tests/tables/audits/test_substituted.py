"""The guarantee where neighbours differ by one person's rows for others: nobody comes or goes.

Adding and removing moves a sum by what one person may add; substituting moves it by twice that.
The twin is the noise of the former with the guarantee of the latter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf
from tests.tables.audits.families import Family, audited, quiet, spending
from tests.tables.audits.people import HIGH, LOW, OTHERS, visits_of

if TYPE_CHECKING:
    from sfumato.tables import Plan
    from tests.tables.audits.people import Visit

pytestmark = pytest.mark.full

#: One question for each kind of noise and choice.
ASKED: dict[str, dict[str, Any]] = {
    "count": {"n": sf.count()},
    "sum": {"s": sf.sum(sf.col("x") - 5, bounds=(-5, 5))},
    "mean": {"m": sf.mean("x")},
    "median": {"m": sf.median("n", confidence=None)},
    "mode": {"c": sf.tables.mode("city")},
    "histogram": {"h": sf.histogram("x", [0, 5, 10])},
}
#: Enough draws to tell twice the ε from the ε.
DRAWS = 6_000


def substituted(asked: dict[str, Any], by: tuple[str, ...]) -> tuple[Plan, Plan]:
    """Return plans on tables in which one person's rows are as different as can be."""
    family = Family(asked, by=by, declared={"relation": "substitute"})
    one: list[Visit] = visits_of("moved", (LOW, 0), city="Oslo")
    other = [("moved", "w02", HIGH, 6, "Rome") for _ in one]
    return family.plan([*OTHERS, *one]), family.plan([*OTHERS, *other])


@pytest.mark.parametrize("name", ASKED)
def test_what_one_person_has_is_hidden(name: str) -> None:
    by = ("ward",) if name in ("count", "sum") else ()
    assert quiet(*substituted(ASKED[name], by))


@pytest.mark.parametrize(("name", "by"), [("count", ("ward",)), ("sum", ())])
def test_twin_noise_for_adding_or_removing_is_caught(name: str, by: tuple[str, ...]) -> None:
    one, other = substituted(ASKED[name], by)
    assert not audited(one, other, samples=DRAWS).violated
    twins = spending(one, 2), spending(other, 2)
    assert audited(*twins, samples=DRAWS).violated
