"""The statements on the rows of a book, the same for every store."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from sfumato.ledger.storage.schema import SCHEMA_VERSION, books, entries, ledgers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Row = Mapping[Any, Any]

#: What the columns of a row say again of its entry, for looking things up.
SAID_AGAIN = ("kind", "analyst", "request", "settles")

_CHUNK = 1000
_ONE: sa.ColumnClause[int] = sa.literal_column("1", sa.Integer)
#: What is looked up: not what is kept beside an entry, which may be long, but whether it is.
_COLUMNS = [
    *(each for each in entries.columns if each.name != "content"),
    entries.c.content.is_not(None).label("is_kept"),
]


def _conditional_insert() -> sa.Insert:
    """Return the one statement that writes: an entry, if the one before it is the last.

    The row of the book is locked, so that writers queue up.  The primary key lets one entry into
    each place, whatever the isolation, and the table's constraint lets none exceed a budget.
    """
    sequence = sa.bindparam("sequence", type_=sa.BigInteger)
    before = (
        sa.select(_ONE)
        .where(entries.c.book == sa.bindparam("book", type_=sa.Integer))
        .where(entries.c.sequence == sequence - _ONE)
        .where(entries.c.hash == sa.bindparam("previous", type_=sa.Text))
    )
    form = sa.bindparam("form", type_=sa.Integer)
    known_form = sa.select(_ONE).where(ledgers.c.schema_version == form)
    row = (
        sa.select(*(sa.cast(sa.bindparam(each.name), each.type) for each in entries.columns))
        .select_from(books)
        .where(books.c.id == sa.bindparam("book", type_=sa.Integer))
        .where(before.exists() | (sequence == _ONE))
        .where(known_form.exists())
        .with_for_update(of=books)
    )
    return entries.insert().from_select([each.name for each in entries.columns], row)


_INSERT = _conditional_insert()
_NOTHING = {each.name: None for each in entries.columns}
_LOCKED = sa.select(books.c.id).where(books.c.id == sa.bindparam("number")).with_for_update()
_OF_BOOK = entries.c.book == sa.bindparam("number")
_SEEN = entries.alias("seen")
_HASH_SEEN = (
    sa.select(_SEEN.c.hash)
    .where(_SEEN.c.book == sa.bindparam("number"), _SEEN.c.sequence == sa.bindparam("seen"))
    .scalar_subquery()
    .label("hash_seen")
)
LAST = sa.select(*_COLUMNS, _HASH_SEEN).where(_OF_BOOK).order_by(entries.c.sequence.desc()).limit(1)
AT = sa.select(*_COLUMNS).where(_OF_BOOK, entries.c.sequence == sa.bindparam("place"))
LAST_OF_ANALYST = (
    sa.select(*_COLUMNS)
    .where(_OF_BOOK, entries.c.analyst == sa.bindparam("who"), entries.c.own.is_not(None))
    .order_by(entries.c.sequence.desc())
    .limit(1)
)
REQUESTED = sa.select(*_COLUMNS).where(
    _OF_BOOK,
    entries.c.analyst == sa.bindparam("who"),
    entries.c.request == sa.bindparam("key"),
)
SETTLING = sa.select(*_COLUMNS).where(_OF_BOOK, entries.c.settles == sa.bindparam("place"))
#: As the driver gives it: a damaged one may be of any type.
_CONTENT = sa.select(sa.type_coerce(entries.c.content, sa.Text)).where(
    _OF_BOOK, entries.c.sequence == sa.bindparam("place")
)
_AFTER = (
    sa.select(*_COLUMNS)
    .where(_OF_BOOK, entries.c.sequence > sa.bindparam("place"))
    .order_by(entries.c.sequence)
    .limit(_CHUNK)
)


def lock(connection: sa.Connection, book: int) -> None:
    """Have other writers to a book wait, where a transaction alone does not make them."""
    if connection.dialect.name != "sqlite":
        connection.execute(_LOCKED, {"number": book})


def new_book(connection: sa.Connection, name: str) -> int | None:
    """Write the name of a new book and return its number; None if the name is taken."""
    try:
        connection.execute(books.insert().values(name=name))
    except sa.exc.IntegrityError:
        return None
    return int(connection.execute(sa.select(books.c.id).where(books.c.name == name)).scalar_one())


def appended(connection: sa.Connection, row: Row, previous: str) -> bool:
    """Write a row if the entry before it is the last one; say whether it was written."""
    try:
        statement = insert_text(connection.dialect)
        result = connection.exec_driver_sql(statement, insert_values(row, previous))
    except sa.exc.IntegrityError:
        return False
    return result.rowcount == 1


@lru_cache(maxsize=16)
def compiled(statement: sa.Select[Any], dialect: sa.Dialect) -> tuple[str, dict[str, Any]]:
    """Return a statement that looks things up as a text, and what it is given besides."""
    made = statement.compile(dialect=dialect)
    return str(made), dict(made.params)


@lru_cache(maxsize=8)
def insert_text(dialect: sa.Dialect) -> str:
    """Return the statement that writes, put together once for all."""
    return str(_INSERT.compile(dialect=dialect))


def insert_values(row: Row, previous: str) -> dict[str, Any]:
    """Return what the statement that writes is given."""
    return {**_NOTHING, **row, "previous": previous, "form": SCHEMA_VERSION}


def first_row(connection: sa.Connection, statement: sa.Select[Any], **values: Any) -> Row | None:
    """Look up one row by one statement."""
    return connection.execute(statement, values).mappings().first()


def content_of(connection: sa.Connection, book: int, sequence: int) -> bytes | None:
    """Return the bytes that are kept with a release."""
    found = connection.execute(_CONTENT, {"number": book, "place": sequence}).scalar()
    return found if isinstance(found, bytes | None) else repr(found).encode()


def next_rows(connection: sa.Connection, book: int, *, after: int) -> Sequence[Row]:
    """Return up to a thousand rows of a book that follow a place in it, in order."""
    return connection.execute(_AFTER, {"number": book, "place": after}).mappings().all()


def all_rows(connection: sa.Connection, book: int) -> Iterator[Row]:
    """Yield the rows of a book in order."""
    after = 0
    while found := next_rows(connection, book, after=after):
        yield from found
        after = found[-1]["sequence"]


def analysts_of(connection: sa.Connection, book: int) -> list[str]:
    """Return everybody who was charged in a book, in alphabetical order."""
    who = entries.c.analyst
    found = sa.select(who).where(entries.c.book == book, who.is_not(None)).distinct().order_by(who)
    return [str(each) for each in connection.execute(found).scalars()]


def without_a_book(connection: sa.Connection) -> int:
    """Return how many entries there are whose book is not listed."""
    listed = entries.c.book.in_(sa.select(books.c.id))
    return int(connection.execute(sa.select(sa.func.count()).where(~listed)).scalar_one())


def unsettled(connection: sa.Connection, book: int) -> list[Row]:
    """Return the charges that no release and no closing followed, in order."""
    later = entries.alias("later")
    settled = sa.select(_ONE).where(later.c.book == book, later.c.settles == entries.c.sequence)
    charges = (
        sa.select(*_COLUMNS)
        .where(entries.c.book == book, entries.c.kind == "charge", ~settled.exists())
        .order_by(entries.c.sequence)
    )
    return [*connection.execute(charges).mappings()]
