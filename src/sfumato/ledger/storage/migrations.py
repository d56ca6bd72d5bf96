"""Tables of an older form are brought forward; those of a newer one are refused."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import sqlalchemy as sa

from sfumato.errors import InputError
from sfumato.ledger.storage.places import how_to_make
from sfumato.ledger.storage.schema import METADATA, SCHEMA_VERSION, ledgers
from sfumato.ledger.storage.sqlite import check_is_free

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Step = Callable[[sa.Connection], None]

__all__ = [
    "MIGRATIONS",
    "bring_forward",
    "has_tables",
    "make_tables",
    "read_version",
    "wait_for_turn",
]

#: By the version of the tables: what brings them to the next one.
MIGRATIONS: Mapping[int, Step] = {}

#: What writers that make or change tables queue up for on a server; any number would do.
_TURN = 0x5F0A70


def make_tables(connection: sa.Connection, place: str) -> None:
    """Make the tables of a new ledger, within a transaction."""
    if has_tables(connection):
        raise InputError(
            "E-LEDGER-EXISTS",
            "there is a ledger already at {place!r}",
            "open it, or name another place",
            place=place,
        )
    METADATA.create_all(connection, checkfirst=False)
    connection.execute(
        ledgers.insert().values(
            single=1,
            schema_version=SCHEMA_VERSION,
            id=secrets.token_hex(16),
            created=datetime.now(UTC).isoformat(),
        )
    )


def has_tables(connection: sa.Connection) -> bool:
    """Tell whether there are tables of a ledger."""
    return sa.inspect(connection).has_table(ledgers.name)


def read_version(connection: sa.Connection, place: str) -> int:
    """Return the version of the tables; refuse a place without any, or with newer ones."""
    if not has_tables(connection):
        check_is_free(connection, place)
        raise InputError(
            "E-LEDGER-MISSING",
            "there is no ledger at {place!r} yet",
            "make one with {make}",
            make=how_to_make(place),
            place=place,
        )
    version = connection.execute(sa.select(ledgers.c.schema_version)).scalar()
    if type(version) is not int or version < 1:
        raise InputError(
            "E-LEDGER-DAMAGED",
            "the ledger {place!r} is damaged: it does not say its version",
            place=place,
        )
    if version > SCHEMA_VERSION:
        raise InputError(
            "E-FORMAT-VERSION",
            "the ledger {place!r} is of version {version}, this program knows {schema_version}",
            "install a newer sfumato",
            place=place,
            version=version,
            schema_version=SCHEMA_VERSION,
        )
    return version


def bring_forward(connection: sa.Connection, place: str) -> None:
    """Bring older tables up to date, all steps in the one transaction that is under way."""
    wait_for_turn(connection)
    for version in range(read_version(connection, place), SCHEMA_VERSION):
        MIGRATIONS[version](connection)
        connection.execute(ledgers.update().values(schema_version=version + 1))


def wait_for_turn(connection: sa.Connection) -> None:
    """Have those who make or change tables on a server do so one after another."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_TURN)))
