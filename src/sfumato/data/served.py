"""Tables that a database holds already: found by address and name, or given as one of Ibis."""

from __future__ import annotations

from typing import Any

from sfumato.data.engines.postgres.address import read_address
from sfumato.data.engines.postgres.catalog import read_table_name
from sfumato.data.engines.postgres.engine import PostgresEngine
from sfumato.data.source import Source
from sfumato.errors import InputError

__all__ = ["open_ibis", "open_served"]

_COMPLAINT = (
    "{name} could not be read to the end; check that the table is as it was when it was opened, "
    "and that the user may read it"
)


def open_served(address: str, table: Any) -> Source:
    """Return a table of a PostgreSQL database; no row is read.

    Examples
    --------
    >>> from sfumato.data.served import open_served
    >>> open_served("postgresql://localhost/hospital", None)
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: it is not said which table of postgresql://localhost/hospital is \
meant; write table="visits", or table="clinic.visits" with its schema
    """
    place = read_address(address)
    if table is None:
        message = (
            f"it is not said which table of {place} is meant; write "
            'table="visits", or table="clinic.visits" with its schema'
        )
        raise InputError(message)
    named = read_table_name(table)
    engine, name = PostgresEngine(place), f"{str(named)!r} of {place}"
    return Source(name, engine.table(named, name), engine, _COMPLAINT.format(name=name))


def open_ibis(table: Any) -> Source:
    """Return a table of Ibis, in the engine that it is in."""
    message = f"a table of Ibis in {table.get_backend().name} cannot be opened; give a file"
    raise InputError(message)
