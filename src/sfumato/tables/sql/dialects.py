"""Which SQL a private table reads: that of the engine where its rows are."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.tables.sql.asked import AskedTable

#: The dialects that are read, each called as its engine is.
DIALECTS = ("duckdb", "postgres", "spark")
DEFAULT = DIALECTS[0]


def dialect_of(table: AskedTable) -> str:
    """Return the dialect in which a table is asked."""
    return table.source.engine.name
