"""A ledger on a server: PostgreSQL, with commits that wait for its disk."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from sfumato.errors import InputError, MissingExtraError

#: What is written is text in every language, whatever the environment says.
_UTF8 = {"client_encoding": "utf8"}
_TRANSACTIONS: dict[str, Any] = {"pool_pre_ping": True}
#: Nothing is left to be undone when a connection is given back.
_SINGLE_STATEMENTS: dict[str, Any] = {"isolation_level": "AUTOCOMMIT", "pool_reset_on_return": None}


def postgres_engine(url: sa.URL, *, alone: bool) -> sa.Engine:
    """Return an engine on a server, whose commits are durable once they return.

    Parameters
    ----------
    url
        Where the server and the database are.
    alone
        Whether each statement is a transaction of its own.
    """
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise MissingExtraError("a ledger on PostgreSQL", extra="postgres") from None
    url = url.difference_update_query(["client_encoding"])
    how = _SINGLE_STATEMENTS if alone else _TRANSACTIONS
    engine = sa.create_engine(url, pool_size=8, max_overflow=-1, connect_args=_UTF8, **how)
    sa.event.listen(engine, "connect", _settle)
    return engine


def _settle(connection: Any, _: Any) -> None:
    """Have every commit of a session wait for the disk, and refuse a server that does not.

    A program that stops in the middle of a charge keeps others waiting for a minute at most.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit TO on")
        cursor.execute("SET idle_in_transaction_session_timeout TO '60s'")
        cursor.execute("SET default_transaction_isolation TO 'read committed'")
        found = {}
        for setting in ("fsync", "server_encoding"):
            cursor.execute(f"SHOW {setting}")
            found[setting] = cursor.fetchone()[0]
    connection.commit()
    if found["fsync"] != "on":
        raise InputError(
            "E-LEDGER-SERVER",
            "the PostgreSQL server runs with fsync = off, so what was spent could be lost",
            "write fsync = on in its configuration",
        )
    if found["server_encoding"] != "UTF8":
        raise InputError(
            "E-LEDGER-SERVER",
            "the PostgreSQL database cannot hold text in every language",
            "create it with ENCODING 'UTF8'",
        )
