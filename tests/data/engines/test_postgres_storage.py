"""However PostgreSQL stores and plans them, special cells have the outcomes that DuckDB gives them.

A planner may know of rows before it reads them: by statistics, constraints, indexes, partitions
and domains.  None of that may decide whether a question fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sfumato.data import open_source
from tests.engines import STORAGES, Postgres, secret
from tests.tables.engines.answering import differing, kept
from tests.tables.engines.cores import cores
from tests.tables.engines.specials import TYPES, specials
from tests.tables.engines.test_engines_forms import CONDITIONS, FORMS
from tests.tables.engines.test_engines_questions import DECLARED, QUESTIONS, STAYS, VISITS

if TYPE_CHECKING:
    from sfumato.data import Source
    from tests.engines import Engines

pytestmark = pytest.mark.full

#: Settings of a role or a database that would change what is meant.
SETTINGS = {
    "array_nulls": "off",
    "datestyle": "'SQL, DMY'",
    "extra_float_digits": "-15",
    "intervalstyle": "'sql_standard'",
    "standard_conforming_strings": "off",
    "timezone": "'Asia/Tokyo'",
    "transform_null_equals": "on",
}


def stored(engines: Engines, statements: list[str], settings: dict[str, str]) -> Source:
    """The special cells in a database of their own."""
    database = Postgres(engines.postgres.cluster)
    database.load(specials(), "rows")
    database.change(statements, settings)
    with secret(database.cluster):
        return open_source(database.url, table="rows")


@pytest.mark.parametrize("storage", STORAGES)
def test_special_cells_have_one_outcome_however_they_are_stored(
    engines: Engines, storage: str
) -> None:
    source, rows = stored(engines, *STORAGES[storage]), specials()
    turn = list(STORAGES).index(storage) % 3
    assert differing(source, rows, TYPES, list(FORMS.values())[turn::3]) == {}
    assert kept(source, TYPES, CONDITIONS) == kept(open_source(rows), TYPES, CONDITIONS)


@pytest.mark.parametrize("name", ["derived columns", "many keys", "beside a public table"])
def test_settings_of_the_database_make_no_difference(engines: Engines, name: str) -> None:
    database = Postgres(engines.postgres.cluster)
    database.change([], SETTINGS)
    found = [
        cores(QUESTIONS[name](hold(VISITS, **DECLARED), hold(STAYS, unit="id")).plan(epsilon=1))
        for hold in (database.held, lambda rows, **said: engines.held("duckdb", rows, **said))
    ]
    assert found[0] == found[1]
