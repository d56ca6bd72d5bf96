"""Spark: data frames of the user's, asked in a session of our own on the same cluster."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from sfumato.data.engines.engine import Engine, arrow_of, check_unfolded, worded
from sfumato.data.engines.spark.dialect import VIEWS, written
from sfumato.data.engines.spark.session import OwnSession, quietly
from sfumato.data.names import check_names
from sfumato.errors import InputError
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    import ibis.expr.datatypes as dt
    import ibis.expr.types as ir
    import pyarrow as pa

    from sfumato.refusal import Given


#: What Ibis calls a type; a moment is its date and time in UTC, where our session is.
_TYPES = {
    "boolean": "boolean",
    "tinyint": "int8",
    "smallint": "int16",
    "int": "int32",
    "bigint": "int64",
    "float": "float32",
    "double": "float64",
    "string": "string",
    "binary": "binary",
    "date": "date",
    "timestamp": "timestamp",
    "timestamp_ntz": "timestamp",
}


def column_types(frame: Any, shown: str) -> dict[str, dt.DataType]:
    """Return the type of each column of a data frame as Ibis knows it; no row is read."""
    check_names(frame.columns, shown)
    return {each.name: _type(each.name, each.dataType, shown) for each in frame.schema.fields}


def _type(name: str, kind: Any, shown: str) -> dt.DataType:
    import ibis.expr.datatypes as dt

    text = str(kind.simpleString())
    if text.startswith("string collate"):
        raise InputError(
            "E-COLUMN-TYPE",
            "the column {name!r} of {shown} has a collation of its own, by which other texts "
            "are equal than elsewhere",
            "cast it to a plain string",
            name=name,
            shown=shown,
        )
    known = text if text.startswith("decimal") else _TYPES.get(text)
    return dt.unknown if known is None else dt.dtype(known)


#: Its optimizer takes some seconds over so many, once it has written every column out.
_MOST_OPERATIONS = 20_000
# Spark refuses to repeat what need not come out the same the second time, and runs nothing.
_TWICE = "SELECT * FROM VALUES (1), (2), LATERAL (SELECT count(*) FROM {view})"


class SparkEngine(Engine):
    """The cluster of a data frame, which holds the rows or computes them."""

    title = "Spark"
    name = "spark"

    def __init__(self, session: Any) -> None:
        super().__init__()
        self._session: OwnSession = quietly(lambda: OwnSession(session))
        self._kept: dict[str, Any] = {}
        self._beside: set[SparkEngine] = set()

    def read_frame(self, frame: Any, *, name: str, complaint: Given) -> ir.Table:
        """Return a data frame as a table; no row is read."""
        self._session.run(self._session.check_reading, complaint)
        types = self._session.run(lambda: column_types(frame, name), complaint)
        view = self._session.run(lambda: self._session.show(frame), complaint)
        again = tr(
            "{name} need not be the same when it is computed again, as with rand() or "
            "uuid(); write it to a file or a table, and open a data frame that reads that",
            name=name,
        )
        twice = _TWICE.format(view=f"{VIEWS}.{view}")
        self._session.run(lambda: self._session.frame(twice), again)
        return _view(types, view)

    def sees(self, other: Engine) -> bool:
        """Tell whether another engine is of the same application on the same cluster."""
        if not isinstance(other, SparkEngine) or other.application != self.application:
            return False
        if other is not self:
            # Its views go with it, so that it has to stay.
            self._beside.add(other)
        return True

    @property
    def application(self) -> str:
        """The application whose sessions see each other's views."""
        return self._session.application

    def fetch(self, query: ir.Table, *, complaint: Given) -> pa.Table:
        """Run a query and return its result."""
        self.check_process()
        sql, schema = _sql(query), query.schema().to_pyarrow()

        def answer() -> pa.Table:
            with self._session.shown(_written_down(query)):
                return _as_declared(self._session.frame(sql).toArrow(), schema)

        found: pa.Table = self._session.run(answer, complaint)
        return found

    def batches(self, query: ir.Table, *, rows: int, complaint: Given) -> Iterator[pa.RecordBatch]:
        """Run a query and yield its result in parts; one partition at a time is here."""
        self.check_process()
        sql, schema = _sql(query), query.schema()
        with self._session.shown(_written_down(query)):
            found = self._session.run(lambda: self._session.frame(sql).toLocalIterator(), complaint)
            while part := self._session.run(lambda: list(islice(found, rows)), complaint):
                yield from arrow_of(part, schema).to_batches()

    def keep(self, query: ir.Table, *, complaint: Given) -> ir.Table:
        """Have the cluster keep what a query gives when it is first asked for it."""
        self.check_process()
        if _written_down(query):
            return query
        sql = _sql(query)
        frame = self._session.run(lambda: self._session.frame(sql).persist(), complaint)
        view = self._session.run(lambda: self._session.show(frame), complaint)
        self._kept[view] = frame
        return _view(query.schema(), view)

    def forget(self, kept: ir.Table) -> None:
        """Let go of what was kept."""
        import ibis.expr.operations as ops

        if isinstance(kept.op(), ops.UnboundTable):
            view = kept.op().name
            frame = self._kept.pop(view)
            complaint = mark("Spark cannot forget what it keeps")
            self._session.run(frame.unpersist, complaint)
            self._session.run(lambda: self._session.hide(view), complaint)

    def check(self, query: ir.Table) -> None:
        """Refuse what cannot be asked of Spark; nothing is run."""
        sql = _sql(query)

        def ask() -> None:
            self._session.check_reading()
            with self._session.shown(_written_down(query)):
                self._session.frame(sql)

        self._session.run(ask, mark("Spark cannot answer this; ask it of a file or a frame"))

    def sql(self, query: ir.Table) -> str:
        """Return a query as Spark would be told it."""
        return _sql(query, pretty=True)


def _view(schema: Any, name: str) -> ir.Table:
    import ibis

    table: ir.Table = ibis.table(schema, name=name, database=VIEWS)
    return table


def _sql(query: ir.Table, *, pretty: bool = False) -> str:
    check_unfolded(query, most=_MOST_OPERATIONS, title=SparkEngine.title)
    unable = InputError(
        "E-ENGINE-UNABLE", "Spark cannot answer this", "ask it of a file or a frame"
    )
    return worded(lambda: written(query, pretty=pretty), unable)


def _written_down(query: ir.Table) -> dict[str, pa.Table]:
    """Return the tables that a query itself has written down, such as its keys."""
    import ibis.expr.operations as ops

    found = query.op().find(ops.InMemoryTable)
    return {each.name: each.data.to_pyarrow(each.schema) for each in found}


def _as_declared(answer: pa.Table, schema: Any) -> pa.Table:
    """Return an answer in the types that every engine gives, its texts in UTF-8."""
    found = answer.rename_columns(schema.names).cast(schema)
    found.validate(full=True)
    return found
