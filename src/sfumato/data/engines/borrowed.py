"""A DuckDB connection that is the user's own, with the tables that it has."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache, partial
from threading import RLock
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from sfumato.data.engines.duck import DuckDBEngine, guarded_duckdb
from sfumato.errors import InputError
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterator

    import ibis.expr.types as ir

    from sfumato.data.engines.engine import Engine

__all__ = ["BorrowedDuckDB", "as_borrowed"]

#: Settings by which operations would mean something else, and what they must be.
_NEEDED = {
    "default_collation": "",
    "integer_division": False,
    "ieee_floating_point_ops": True,
}
_COMPLAINT = mark("the settings of DuckDB cannot be read")
#: Whose turn it is, for each connection of Ibis.
_TURNS: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()


class BorrowedDuckDB(DuckDBEngine):
    """DuckDB as the user opened it; the settings that change what is meant are checked."""

    def __init__(self, backend: Any) -> None:
        super().__init__(backend)
        for name, needed in _NEEDED.items():
            found = guarded_duckdb(partial(_setting, backend, name), _COMPLAINT)
            if found != needed:
                raise InputError(
                    "E-ENGINE-SETTING",
                    "DuckDB is set to {name} = {found!r}, by which queries would mean "
                    "something else",
                    "set it to {needed!r}",
                    name=name,
                    found=found,
                    needed=needed,
                )

        self.connection = backend.con
        self._alone = _TURNS.setdefault(backend, RLock())

    def sees(self, other: Engine) -> bool:
        """Tell whether another engine is of the same connection."""
        return isinstance(other, BorrowedDuckDB) and other.connection is self.connection

    @contextmanager
    def reading(self) -> Iterator[None]:
        """See one moment of the tables until the block ends, though others may write.

        A connection has one transaction, so that threads take turns, each for a whole one.
        """
        with self._alone:
            if self._is_within():
                # The user's own transaction sees one moment already.
                yield
                return
            self.connection.execute("BEGIN")
            try:
                yield
            finally:
                self._end()

    def _is_within(self) -> bool:
        """Tell whether a transaction is open: to begin another would be the end of it."""
        import duckdb

        ask = "SELECT txid_current()"
        try:
            first, second = (self.connection.execute(ask).fetchall() for _ in range(2))
        except duckdb.TransactionException:
            return True
        return bool(first == second)

    def _end(self) -> None:
        import duckdb

        try:
            self.connection.execute("COMMIT")
        except duckdb.Error:
            self.connection.execute("ROLLBACK")


def _setting(backend: Any, name: str) -> Any:
    return backend.con.execute("SELECT current_setting($1)", [name]).fetchall()[0][0]


def as_borrowed(table: ir.Table) -> ir.Table:
    """Return a user's table with its text compared by bytes, and nothing else.

    A column may have a collation of its own, of which no catalogue tells, by which `a` is `A`: a
    group, a person or a public row would be taken for another.
    """
    import ibis.expr.operations as ops

    if table.op().find((ops.RandomScalar, ops.RandomUUID, ops.Sample)):
        raise InputError(
            "E-TABLE-RANDOM",
            "the table of Ibis is drawn at random, so that each query would read other rows",
            "write it to a table, and open that",
        )
    encode, decode = _by_bytes()
    texts = [name for name, kind in table.schema().items() if kind.is_string()]
    return table.mutate(**{name: decode(encode(table[name])) for name in texts})


@cache
def _by_bytes() -> tuple[Any, Any]:
    """Return DuckDB's functions from text to its bytes, and back."""
    import ibis

    def encode(text: Any) -> Any: ...

    def decode(given: Any) -> Any: ...

    builtin = ibis.udf.scalar.builtin
    return (
        builtin(encode, signature=(("string",), "binary")),
        builtin(decode, signature=(("binary",), "string")),
    )
