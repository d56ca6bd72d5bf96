"""The guarantee to each person on every engine, by black-box audit of all that is released.

The chance of a false alarm is 1e-6 in each audit, and seeds are fixed.  Each audit has twins that
it must catch; the full audits of every aggregate are in ``tests/tables/audits``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.engines import ENGINES
from tests.tables.audits.families import FAMILIES, SWEEP, quiet, showing_every_group, spending
from tests.tables.audits.people import CROWD, LONE, NEIGHBOURS
from tests.tables.audits.remembering import remembering
from tests.tables.engines.cores import visits_in

if TYPE_CHECKING:
    from sfumato.tables import Plan
    from tests.engines import Engines

pytestmark = pytest.mark.full

AUDITED = ["count", "sum", "mean", "unknown keys"]
OTHERS = ENGINES[1:]


def neighbours(
    engines: Engines, engine: str, name: str, pair: str, **declared: Any
) -> tuple[Plan, Plan]:
    """The plans of a family with and without one person, in an engine."""
    family, (others, added) = FAMILIES[name], NEIGHBOURS[pair]
    tables = (
        visits_in(engines, engine, rows, **{**family.declared, **declared})
        for rows in (others + added, others)
    )
    one, other = (
        table.group_by(*family.by).agg(**family.asked).plan(**family.target) for table in tables
    )
    return one, other


@pytest.mark.parametrize("name", AUDITED)
@pytest.mark.parametrize("engine", OTHERS)
def test_one_person_is_hidden(engines: Engines, engine: str, name: str) -> None:
    for pair in NEIGHBOURS if SWEEP else [CROWD]:
        assert quiet(*neighbours(engines, engine, name, pair))


@pytest.mark.parametrize("name", AUDITED)
@pytest.mark.parametrize("engine", OTHERS)
def test_twin_no_limit_for_a_person_is_caught(engines: Engines, engine: str, name: str) -> None:
    assert not quiet(*neighbours(engines, engine, name, CROWD, unit="row", limits={}))


@pytest.mark.parametrize("name", AUDITED)
@pytest.mark.parametrize("engine", OTHERS)
def test_twin_too_little_noise_is_caught(engines: Engines, engine: str, name: str) -> None:
    pair = neighbours(engines, engine, name, FAMILIES[name].worst)
    assert not quiet(*(spending(each, 64) for each in pair))


@pytest.mark.parametrize("engine", OTHERS)
def test_a_lone_key_is_hidden_up_to_delta(engines: Engines, engine: str) -> None:
    pair = neighbours(engines, engine, "unknown keys", LONE)
    with remembering():
        assert quiet(*pair)
        assert not quiet(*map(showing_every_group, pair))
