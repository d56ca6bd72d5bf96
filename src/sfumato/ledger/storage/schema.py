"""The tables of a ledger, and how those of an older form are brought forward."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from sfumato.errors import InputError
from sfumato.ledger.storage.place import how_to_make
from sfumato.ledger.storage.sqlite import check_is_free

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Step = Callable[[sa.Connection], None]

#: The form of the tables that this program makes and works on.
SCHEMA_VERSION = 1
#: A budget that is used up, in the units of the column ``used``.
FULL = 10**18

METADATA = sa.MetaData()

ledgers = sa.Table(
    "sfumato_ledger",
    METADATA,
    sa.Column("single", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("schema_version", sa.Integer, nullable=False),
    sa.Column("id", sa.Text, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
    sa.CheckConstraint("single = 1", name="sfumato_ledger_is_one"),
)

books = sa.Table(
    "sfumato_books",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
)

entries = sa.Table(
    "sfumato_entries",
    METADATA,
    sa.Column("book", sa.Integer, sa.ForeignKey(books.c.id), primary_key=True),
    sa.Column("sequence", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("analyst", sa.Text),
    sa.Column("request", sa.Text),
    sa.Column("settles", sa.BigInteger),
    sa.Column("used", sa.BigInteger, nullable=False),
    sa.Column("shared", sa.Text, nullable=False),
    sa.Column("own", sa.Text),
    sa.Column("signature", sa.Text),
    sa.Column("content", sa.LargeBinary),
    sa.CheckConstraint("sequence > 0", name="sfumato_entries_from_one"),
    sa.CheckConstraint(f"used >= 0 AND used <= {FULL}", name="sfumato_entries_within_budget"),
    sqlite_with_rowid=False,
)

sa.Index(
    "sfumato_entries_by_request",
    entries.c.book,
    entries.c.analyst,
    entries.c.request,
    unique=True,
    sqlite_where=entries.c.request.is_not(None),
    postgresql_where=entries.c.request.is_not(None),
)
sa.Index(
    "sfumato_entries_settled_once",
    entries.c.book,
    entries.c.settles,
    unique=True,
    sqlite_where=entries.c.settles.is_not(None),
    postgresql_where=entries.c.settles.is_not(None),
)
sa.Index(
    "sfumato_entries_by_analyst",
    entries.c.book,
    entries.c.analyst,
    entries.c.sequence,
    sqlite_where=entries.c.own.is_not(None),
    postgresql_where=entries.c.own.is_not(None),
)


_REFUSAL = "a ledger is only ever appended to"
_SQLITE_TRIGGER = """
CREATE TRIGGER {table}_no_{verb} BEFORE {verb} ON {table}
BEGIN SELECT RAISE(ABORT, '{refusal}'); END
"""
#: What REPLACE removes, no trigger of SQLite is told of.
_SQLITE_NO_REPLACEMENT = """
CREATE TRIGGER {table}_no_replacement BEFORE INSERT ON {table}
WHEN EXISTS (SELECT 1 FROM {table} WHERE book = NEW.book AND sequence = NEW.sequence)
BEGIN SELECT RAISE(ABORT, '{refusal}'); END
"""
_POSTGRES_FUNCTION = """
CREATE FUNCTION {table}_unchanged() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '{refusal}'; END $$
"""
_POSTGRES_TRIGGER = """
CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
FOR EACH STATEMENT EXECUTE FUNCTION {table}_unchanged()
"""


def _guard(table: sa.Table, connection: sa.Connection, **_: Any) -> None:
    """Have the store itself refuse to change or to remove a row."""
    if connection.dialect.name == "sqlite":
        texts = [_SQLITE_TRIGGER.replace("{verb}", verb) for verb in ("update", "delete")]
        texts += [_SQLITE_NO_REPLACEMENT] if table is entries else []
    else:
        texts = [_POSTGRES_FUNCTION, _POSTGRES_TRIGGER]
    for text in texts:
        connection.exec_driver_sql(text.format(table=table.name, refusal=_REFUSAL))


for _table in (books, entries):
    sa.event.listen(_table, "after_create", _guard)


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
