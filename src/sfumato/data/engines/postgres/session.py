"""A connection to a server, and transactions in which rows are read and nothing else is done."""

from __future__ import annotations

import re
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sfumato.data.engines.engine import failed, guarded, unreadable
from sfumato.errors import InputError, MissingExtraError
from sfumato.refusal import Given, text
from sfumato.translation import Sentences, mark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


_SCHEMES = ("postgresql://", "postgres://")
_WITH_DRIVER = re.compile(r"postgres(ql)?\+[a-z0-9]{1,20}")
_SECRETS = ("password", "sslpassword")
_FORM = "postgresql://host:5432/database"


@dataclass(frozen=True)
class Address:
    """A database of a server.

    Attributes
    ----------
    parameters
        What a connection is made with, besides what the environment and libpq's own files say.
    secret
        A password that another connection was made with; it is never shown.
    """

    parameters: tuple[tuple[str, str], ...] = field(repr=False)
    secret: str = field(default="", repr=False)

    def __str__(self) -> str:
        given = dict(self.parameters)
        host = given.get("host", "")
        port = f":{given['port']}" if "port" in given and host else ""
        return f"postgresql://{host}{port}/{given.get('dbname', '')}"

    def __repr__(self) -> str:
        return f"Address({str(self)!r})"


def is_address(data: Any) -> bool:
    """Tell whether something is the address of a server, or was meant to be."""
    return isinstance(data, str) and "://" in data


def read_address(text: str) -> Address:
    """Return an address, refused if it is of another kind or has a password in it."""
    if not text.startswith(_SCHEMES):
        raise _other_kind(text.partition("://")[0])
    parameters = _parsed(text)
    if any(each in parameters for each in _SECRETS):
        raise InputError(
            "E-ADDRESS-PASSWORD",
            "the address of the server has a password in it, which would be seen",
            "write {form} and keep the password in PGPASSWORD or ~/.pgpass",
            form=_FORM,
        )
    return Address(tuple(sorted(parameters.items())))


def psycopg_module() -> Any:
    """Return the library that talks to servers, or say which extra has it."""
    try:
        import ibis  # noqa: F401
        import psycopg
    except ImportError:
        raise MissingExtraError(
            purpose=mark("reading a table of PostgreSQL"), extra="postgres"
        ) from None
    return psycopg


def _other_kind(scheme: str) -> InputError:
    if _WITH_DRIVER.fullmatch(scheme):
        return InputError(
            "E-ADDRESS-FORM",
            "an address names no driver, and {scheme!r} does",
            "write {form}",
            scheme=scheme,
            form=_FORM,
        )
    if not (scheme.isalnum() and len(scheme) < 20):
        return InputError(
            "E-ADDRESS-FORM", "tables cannot be read at such an address", "write {form}", form=_FORM
        )
    return InputError(
        "E-ADDRESS-FORM",
        "tables cannot be read at an address that begins with {scheme!r}",
        "write {form}",
        scheme=scheme,
        form=_FORM,
    )


def _parsed(text: str) -> dict[str, str]:
    psycopg = psycopg_module()
    try:
        found = psycopg.conninfo.conninfo_to_dict(text)
    except (psycopg.Error, UnicodeError):
        found = None
    if found is None or "\0" in text:
        raise InputError(
            "E-ADDRESS-FORM", "the address of the server cannot be read", "write {form}", form=_FORM
        )
    return {name: str(value) for name, value in found.items()}


# Names mean what the server itself means by them, whatever the user's own functions are called;
# values are written and read in one way, whatever the database or the role is set to.
_BEGIN = """
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SET LOCAL search_path = pg_catalog, pg_temp;
SET LOCAL standard_conforming_strings = on;
SET LOCAL array_nulls = on;
SET LOCAL timezone = 'UTC';
SET LOCAL datestyle = 'ISO, YMD';
SET LOCAL intervalstyle = 'postgres';
SET LOCAL extra_float_digits = 1;
SET LOCAL jit = off;
SET LOCAL transform_null_equals = off
"""
#: What the server says of itself and of the connection, and nothing of a row.
_REASONS: Sentences = {
    "28": "the server refuses the user or the password",
    "3D": "the server has no such database",
    "42501": "the user may not read it",
    "42703": "a column is gone; open the table again",
    "42P01": "a table is gone; open it again",
    "53": "the server is out of memory, connections or disk",
    "57014": "the server stopped it, or it took longer than the server allows",
    "57P": "the server is shutting down",
    "08": "there is no connection to the server",
}
#: What the server calls the rows that are fetched in parts.
_PARTS = "sfumato_parts"
_BEFORE_A_SESSION: Sentences = {
    "no password supplied": "the server asks for a password; write it into ~/.pgpass, or set "
    "PGPASSWORD",
    "authentication failed": "the server refuses the user or the password",
    "does not exist": "the server has no such user or no such database",
    "definition of service": "there is no such service in pg_service.conf",
}


class PostgresSession:
    """One connection, made when it is first needed, and made again when it was lost.

    Threads that share it take turns, each for a whole transaction.
    """

    def __init__(self, address: Address) -> None:
        self.address = address
        self._connection: Any = None
        self._turn = threading.RLock()
        self._is_reading = False

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read in one transaction, which sees one moment of the tables until the block ends."""
        with self._turn:
            if self._is_reading:
                yield
                return
            self._begin()
            self._is_reading = True
            try:
                yield
            finally:
                self._is_reading = False
                self._end()

    def run(self, sql: str, complaint: Given, given: tuple[Any, ...] | None = None) -> list[Any]:
        """Return the rows that a statement gives, in the transaction or in one of its own."""

        def answer() -> list[Any]:
            with self._connection.cursor(binary=True) as cursor:
                cursor.execute(sql, given)
                return list(cursor.fetchall())

        with self.reading():
            rows: list[Any] = self._guarded(answer, complaint)
            return rows

    def check(self, sql: str, complaint: Given, *, otherwise: Given) -> None:
        """Have the server plan a statement, which reads no row and runs nothing.

        Parameters
        ----------
        complaint
            What to say where the server tells a reason that is known.
        otherwise
            What to say where it has no way to do it.
        """

        def plan() -> None:
            self._connection.execute(f"EXPLAIN {sql}")

        with self.reading():
            self._guarded(plan, complaint, otherwise)

    def parts(self, sql: str, rows: int, complaint: Given) -> Iterator[list[Any]]:
        """Yield the rows that a statement gives, so many at a time; the server holds the rest."""
        with self.reading(), self._connection.cursor(_PARTS, binary=True) as cursor:
            self._guarded(lambda: cursor.execute(sql), complaint)
            while part := self._guarded(lambda: list(cursor.fetchmany(rows)), complaint):
                yield part

    def schemas(self) -> list[str]:
        """Return the schemas in which the user's own session looks for a table, in order."""
        with self._turn:
            connection = self._connected()
            ask = "SELECT pg_catalog.current_schemas(false)"
            rows = self._guarded(lambda: connection.execute(ask).fetchall(), self._unreachable())
            return [str(each) for each in rows[0][0]]

    def close(self) -> None:
        """End the connection."""
        if self._connection is not None:
            self._connection.close()

    def _begin(self) -> None:
        psycopg = psycopg_module()
        try:
            self._connected().execute(_BEGIN)
        except psycopg.Error:
            # The server has been away since the last time, and nothing was read yet.
            self.close()
            self._guarded(lambda: self._connected().execute(_BEGIN), self._unreachable())

    def _end(self) -> None:
        if self._connection is not None and not self._connection.closed:
            psycopg = psycopg_module()
            try:
                self._connection.execute("ROLLBACK")
            except psycopg.Error:
                self._connection.close()

    def _connected(self) -> Any:
        if self._connection is None or self._connection.closed:
            self._connection = self._guarded(self._connect, self._unreachable())
        return self._connection

    def _connect(self) -> Any:
        given = dict(self.address.parameters)
        if self.address.secret:
            given["password"] = self.address.secret
        given.setdefault("connect_timeout", "30")
        given.setdefault("fallback_application_name", "sfumato")
        return psycopg_module().connect(**given, client_encoding="UTF8", autocommit=True)

    def _unreachable(self) -> Given:
        return text("the database {address} cannot be reached", address=self.address)

    @staticmethod
    def _guarded(action: Callable[[], Any], complaint: Given, otherwise: Given = "") -> Any:
        psycopg = psycopg_module()

        def instead(error: Exception) -> BaseException | None:
            if not isinstance(error, (psycopg.Error, OSError, UnicodeError)):
                return None
            if isinstance(error, psycopg.DataError) and not otherwise:
                return failed("PostgreSQL", error, "psycopg", "ibis-framework")
            reason = _reason(error)
            if reason:
                return unreadable(
                    text("{complaint} ({reason})", complaint=complaint, reason=reason)
                )
            return unreadable(otherwise or complaint)

        return guarded(action, instead)


def _reason(error: Exception) -> str:
    """Return what is known of a failure without a word of the server's own, if anything."""
    state = getattr(error, "sqlstate", None)
    if state is not None:
        known = (_REASONS.get(state[:length]) for length in (5, 3, 2))
        return mark(next(filter(None, known), ""))
    for words, reason in _BEFORE_A_SESSION.items():
        if words in str(error):
            return mark(reason)
    psycopg = psycopg_module()
    lost = isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError))
    return mark(_REASONS["08"] if lost else "")
