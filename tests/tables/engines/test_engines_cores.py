"""All that is computed before noise is the same on every engine, to the last bit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.engines import ENGINES
from tests.tables.audits.families import FAMILIES, SWEEP
from tests.tables.audits.people import CROWD, NEIGHBOURS
from tests.tables.engines.cores import cores, visits_in

if TYPE_CHECKING:
    from tests.engines import Engines
    from tests.tables.audits.families import Family

pytestmark = pytest.mark.full

SPECIAL = "NaN, infinities, nulls and the greatest integers"
#: Each way to ask an engine, once.
CHOSEN = [
    *("count", "people", "sum", "covariance", "median", "histogram", "mode", "unknown keys"),
    *("automatic bounds", "sample and aggregate, mean"),
]
NAMES = list(FAMILIES) if SWEEP else CHOSEN
TABLES = list(NEIGHBOURS) if SWEEP else [SPECIAL]


def asked(engines: Engines, engine: str, family: Family, neighbours: str) -> list[Any]:
    others, added = NEIGHBOURS[neighbours]
    table = visits_in(engines, engine, others + added, **family.declared)
    return cores(table.group_by(*family.by).agg(**family.asked).plan(**family.target))


@pytest.mark.parametrize("neighbours", TABLES)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("engine", ENGINES[1:])
def test_every_core_is_that_of_the_embedded_engine(
    engines: Engines, engine: str, name: str, neighbours: str
) -> None:
    family = FAMILIES[name]
    found = asked(engines, engine, family, neighbours)
    assert found == asked(engines, "duckdb", family, neighbours)
    assert found


def test_twin_another_table_has_other_cores(engines: Engines) -> None:
    """Otherwise the test above could not fail."""
    one, other = (asked(engines, "duckdb", FAMILIES["sum"], each) for each in (SPECIAL, CROWD))
    assert one != other


def test_every_way_to_ask_is_among_those_chosen(engines: Engines) -> None:
    from tests.tables.audits.remembering import EXACT

    found = {
        name for each in CHOSEN for name, _ in asked(engines, "duckdb", FAMILIES[each], SPECIAL)
    }
    assert found == {name for _, name in EXACT}
