"""Every form of every function, and every cast, on cells that engines stumble on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sfumato.data import open_source
from sfumato.tables.expressions import type_of
from sfumato.tables.expressions.functions import FUNCTIONS
from sfumato.tables.expressions.guards import CASTS
from tests.engines import ENGINES
from tests.tables.engines.answering import differing, kept
from tests.tables.engines.forms import every_form
from tests.tables.engines.specials import TYPES, specials

if TYPE_CHECKING:
    from tests.engines import Engines

pytestmark = pytest.mark.full

OTHERS = ENGINES[1:]
FORMS = every_form({name: kind for name, kind in TYPES.items() if name != "n"})
CONDITIONS = [each for each in FORMS.values() if type_of(each, TYPES) == "boolean"]


def test_every_function_and_every_cast_is_asked_for() -> None:
    called = {getattr(each, "function", "") for each in FORMS.values()}
    assert set(FUNCTIONS) <= called
    casts = [each for each in FORMS if each.startswith("CAST(")]
    assert len(casts) == 2 * len(CASTS)


@pytest.mark.parametrize("engine", OTHERS)
def test_every_form_gives_the_same_on_special_cells(engines: Engines, engine: str) -> None:
    rows = specials()
    assert differing(engines.source(engine, rows), rows, TYPES, FORMS.values()) == {}


@pytest.mark.parametrize("engine", OTHERS)
def test_every_condition_keeps_the_same_rows(engines: Engines, engine: str) -> None:
    rows = specials()
    chosen = CONDITIONS if engine == "postgres" else CONDITIONS[::4]
    found = kept(engines.source(engine, rows), TYPES, chosen)
    assert found == kept(open_source(rows), TYPES, chosen)
