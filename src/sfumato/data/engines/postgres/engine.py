"""PostgreSQL: one connection of our own, one read-only transaction for each run."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from sfumato.data.engines.engine import Engine, arrow_of, check_unfolded, worded
from sfumato.data.engines.postgres.catalog import TableName, described
from sfumato.data.engines.postgres.compiling import rewritten, written
from sfumato.data.engines.postgres.session import Address, PostgresSession
from sfumato.errors import InputError
from sfumato.refusal import Given, text
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    import ibis.expr.types as ir
    import pyarrow as pa


_CANNOT = mark("PostgreSQL cannot answer this; ask it of a file or a frame")
_LONGEST_NAME = 63
#: A tenth of what takes it seconds, once its planner has written every column out.
_MOST_OPERATIONS = 500_000


class PostgresEngine(Engine):
    """A database of a PostgreSQL server, which holds the rows and keeps them."""

    title = "PostgreSQL"
    name = "postgres"

    def __init__(self, address: Address) -> None:
        super().__init__()
        self.address = address
        self._session = PostgresSession(address)
        weakref.finalize(self, self._session.close)

    def table(self, name: TableName, shown: str) -> ir.Table:
        """Return a table of the database; no row is read."""
        return described(self._session, name, shown)

    def sees(self, other: Engine) -> bool:
        """Tell whether another engine is of the same database."""
        return isinstance(other, PostgresEngine) and other.address == self.address

    def reading(self) -> AbstractContextManager[None]:
        """See one moment of the tables until the block ends, in all queries."""
        self.check_process()
        return self._session.reading()

    def fetch(self, query: ir.Table, *, complaint: Given) -> pa.Table:
        """Run a query and return its result."""
        self.check_process()
        rows = self._session.run(_sql(query, pretty=False), complaint)
        return arrow_of(rows, query.schema())

    def batches(self, query: ir.Table, *, rows: int, complaint: Given) -> Iterator[pa.RecordBatch]:
        """Run a query and yield its result in parts, which the server hands over one by one."""
        self.check_process()
        schema = query.schema()
        for part in self._session.parts(_sql(query, pretty=False), rows, complaint):
            yield from arrow_of(part, schema).to_batches()

    def keep(self, query: ir.Table, *, complaint: Given) -> ir.Table:  # noqa: ARG002
        """Return the query itself: a user who may only read can have nothing kept."""
        return query

    def forget(self, kept: ir.Table) -> None:
        """Do nothing, since nothing was kept."""

    def check(self, query: ir.Table) -> None:
        """Refuse what cannot be asked of PostgreSQL, which plans it; nothing is run."""
        self.check_process()
        complaint = text("the query cannot be put to {address}", address=self.address)
        self._session.check(_sql(query, pretty=False), complaint, otherwise=_CANNOT)

    def sql(self, query: ir.Table) -> str:
        """Return a query as PostgreSQL would be told it."""
        return _sql(query, pretty=True)


def _sql(query: ir.Table, *, pretty: bool) -> str:
    _check_names(query)

    def rewrite() -> str:
        found = rewritten(query)
        check_unfolded(found, most=_MOST_OPERATIONS, title=PostgresEngine.title)
        return written(found, pretty=pretty)

    return worded(rewrite, InputError("E-ENGINE-UNABLE", _CANNOT))


def _check_names(query: ir.Table) -> None:
    """Refuse names that PostgreSQL would cut, since two of them could become one."""
    import ibis.expr.operations as ops

    names = {name for each in query.op().find(ops.Relation) for name in each.schema}
    for name in sorted(names):
        if len(name.encode()) > _LONGEST_NAME:
            raise InputError(
                "E-COLUMN-NAME",
                "PostgreSQL cannot hold names of more than {longest_name} bytes, such as {name!r}",
                "give the column a shorter one",
                longest_name=_LONGEST_NAME,
                name=name[:20] + "…",
            )
