"""Opening a table: a file, a frame, a table of a server, or a table of Ibis."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data.csv_text import read_header
from sfumato.data.engines.duck import BorrowedDuckDB, as_borrowed
from sfumato.data.engines.embedded import EmbeddedEngine
from sfumato.data.engines.engine import guarded, unreadable
from sfumato.data.engines.postgres.catalog import TableName, read_table_name
from sfumato.data.engines.postgres.session import Address, is_address, read_address
from sfumato.data.files import check_readable, is_csv, quoted
from sfumato.data.names import check_names
from sfumato.data.source import Source
from sfumato.errors import InputError, MissingExtraError
from sfumato.refusal import Argument, text
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.data.engines.postgres.engine import PostgresEngine
    from sfumato.data.engines.spark.engine import SparkEngine


_NAME = mark("the table")
_COMPLAINT = mark(
    "Spark could not compute {name}; check that it can be counted with .count(), and look into "
    "Spark's own log for the reason"
)


def is_of_spark(data: Any) -> bool:
    """Tell whether something is a data frame of Spark, without loading Spark to know it."""
    spark = sys.modules.get("pyspark.sql")
    return spark is not None and isinstance(data, spark.DataFrame)


def open_spark(frame: Any) -> Source:
    """Return a data frame of Spark as a table; no row is read."""
    complaint = text(_COMPLAINT, name=_NAME)
    engine = guarded(lambda: _spark_engine(frame), lambda _: unreadable(complaint))
    table = engine.read_frame(frame, name=_NAME, complaint=complaint)
    return Source(_NAME, table, engine, complaint)


def open_spark_table(table: Any, backend: Any) -> Source:
    """Return a table that Ibis has in Spark, as the data frame that it stands for."""
    from sfumato.data.engines.spark.session import quietly

    complaint = mark(
        "Spark does not know the table of Ibis; make it a view of Spark, and open that"
    )
    sql = backend.compile(table)
    frame = guarded(lambda: quietly(lambda: backend.raw_sql(sql)), lambda _: unreadable(complaint))
    return open_spark(frame)


def _spark_engine(frame: Any) -> SparkEngine:
    """Return what asks a data frame; one that has no driver here, or no end, is refused."""
    try:
        import ibis  # noqa: F401
    except ImportError:
        raise MissingExtraError(purpose=mark("reading a table of Spark"), extra="spark") from None
    if type(frame).__module__.startswith("pyspark.sql.connect"):
        raise InputError(
            "E-SPARK-CONNECT",
            "{name} is a data frame of Spark Connect, which has no session beside the user's own",
            "open it in a program that is itself the driver of the cluster",
            name=_NAME,
        )
    if frame.isStreaming:
        raise InputError(
            "E-TABLE-ENDLESS",
            "{name} is a stream, which has no end",
            "write it to a table, and open that",
            name=_NAME,
        )
    from sfumato.data.engines.spark.engine import SparkEngine

    return SparkEngine(frame.sparkSession)


_SERVED_COMPLAINT = mark(
    "{name} could not be read to the end; check that the table is as it was when it was opened, "
    "and that the user may read it"
)


def open_served(address: str, table: Any) -> Source:
    """Return a table of a PostgreSQL database; no row is read."""
    place = read_address(address)
    if table is None:
        raise InputError(
            "E-TABLE-NAME",
            "it is not said which table of {place} is meant",
            "write {table}, or {example} with its schema",
            place=place,
            table=Argument("table", "visits"),
            example=Argument("table", "clinic.visits"),
        )
    from sfumato.data.engines.postgres.engine import PostgresEngine

    return _found(PostgresEngine(place), read_table_name(table))


def open_ibis(table: Any) -> Source:
    """Return a table of Ibis, in the engine that it is in; no row is read."""
    backend = _backend(table)
    opened = None if backend is None else _OPENED.get(backend.name)
    if opened is None:
        raise InputError(
            "E-TABLE-KIND",
            "the table of Ibis is in {where}",
            "open one of DuckDB, PostgreSQL or Spark, or give a frame or a file",
            where=mark("no database") if backend is None else repr(backend.name),
        )
    return opened(table, backend)


def _backend(table: Any) -> Any:
    """Return the database of a table of Ibis; None where there is none, or more than one."""
    from ibis.common.exceptions import IbisError

    try:
        return table.get_backend()
    except IbisError:
        return None


def _of_duckdb(table: Any, backend: Any) -> Source:
    import ibis.expr.operations as ops

    held = table.op()
    name = repr(held.name) if isinstance(held, ops.DatabaseTable) else _NAME
    check_names(list(table.columns), name)
    complaint = text(_SERVED_COMPLAINT, name=name)
    return Source(name, as_borrowed(table), BorrowedDuckDB(backend), complaint)


def _of_postgres(table: Any, backend: Any) -> Source:
    """Return a table in a connection of our own, made as that of Ibis was."""
    import ibis.expr.operations as ops

    from sfumato.data.engines.postgres.engine import PostgresEngine

    held = table.op()
    if not isinstance(held, ops.DatabaseTable):
        raise InputError(
            "E-TABLE-KIND",
            "the table of Ibis is computed from others",
            "make it a view of PostgreSQL and open that, or open the table itself and filter "
            "it afterwards",
        )
    info = backend.con.info
    parameters = tuple(sorted(info.get_parameters().items()))
    named = TableName(held.name, held.namespace.database)
    return _found(PostgresEngine(Address(parameters, info.password)), named)


def _found(engine: PostgresEngine, named: TableName) -> Source:
    name = f"{str(named)!r} of {engine.address}"
    return Source(name, engine.table(named, name), engine, text(_SERVED_COMPLAINT, name=name))


_OPENED = {"duckdb": _of_duckdb, "postgres": _of_postgres, "pyspark": open_spark_table}


_CSV_COMPLAINT = mark(
    "{name} cannot be read as CSV; each line should have as many cells as the header, in UTF-8, "
    'with "quotes" around a cell that contains the delimiter, and all lines should end alike'
)
_PARQUET_COMPLAINT = mark(
    "{name} cannot be read as Parquet; check that it is one and that it is whole"
)
_FRAME_COMPLAINT = mark(
    "{name} cannot be read; give a pandas, polars or Arrow table whose columns hold text, dates or "
    "ordinary numbers, one type each, or a file's path"
)


def open_local(*data: Any) -> tuple[Source, ...]:
    """Hand several files or frames to one engine."""
    engine = _engine([Path(each) for each in data if isinstance(each, (str, os.PathLike))])
    return tuple(_open(each, engine) for each in data)


def reopened(sources: Sequence[Source]) -> tuple[Source, ...]:
    """Hand files and frames that were opened one by one to one engine."""
    engine = _engine([each.path for each in sources if each.path is not None])
    return tuple(_reopened(each, engine) for each in sources)


def without_fallible(source: Source) -> Source:
    """Return a table with nothing in the columns that the engine may fail to read."""
    import ibis

    engine, path = source.engine, source.path
    if not source.fallible or path is None or not isinstance(engine, EmbeddedEngine):
        return source
    if set(source.fallible) == set(source.column_names):
        raise InputError(
            "E-COLUMN-TYPE",
            "{source} has only timestamps in milliseconds, of which a far one makes the "
            "engine fail",
            "write them in microseconds",
            source=source.name,
        )
    rest = engine.read_parquet(path, without=source.fallible, complaint=source.complaint)
    nothing = dict.fromkeys(source.fallible, ibis.null())
    return replace(source, table=rest.mutate(**nothing).select(*source.column_names))


def check_texts(source: Source, column: str) -> None:
    """Refuse a column of a Parquet file with texts that are not UTF-8, which would be changed."""
    engine, path = source.engine, source.path
    if path is not None and not is_csv(path) and isinstance(engine, EmbeddedEngine):
        complaint = text(
            "the column {column!r} of {source} holds texts that are not UTF-8, of which two could "
            "be taken for one; write them as UTF-8",
            column=column,
            source=source.name,
        )
        engine.check_texts(path, column, complaint=complaint)


def _engine(paths: Sequence[Path]) -> EmbeddedEngine:
    for path in paths:
        check_readable(path)
    return EmbeddedEngine(paths)


def _reopened(source: Source, engine: EmbeddedEngine) -> Source:
    """Return a table in another engine; a frame can be read by any."""
    if source.path is None:
        return replace(source, engine=engine)
    opened = _open(source.path, engine)
    if opened.table.schema() != source.table.schema():
        opened = without_fallible(opened)
    if opened.table.schema() != source.table.schema():
        raise InputError(
            "E-TABLE-CHANGED",
            "{source} has other columns than when it was opened",
            "open it again",
            source=source.name,
        )
    return replace(opened, name=source.name)


def _open(data: Any, engine: EmbeddedEngine) -> Source:
    if not isinstance(data, (str, os.PathLike)):
        return _open_frame(data, engine)
    path = Path(data)
    return _open_csv(path, engine) if is_csv(path) else _open_parquet(path, engine)


def _open_frame(frame: Any, engine: EmbeddedEngine) -> Source:
    complaint = text(_FRAME_COMPLAINT, name=_NAME)
    table = engine.read_frame(frame, name=_NAME, complaint=complaint)
    return Source(_NAME, table, engine, complaint)


def _open_csv(path: Path, engine: EmbeddedEngine) -> Source:
    name = quoted(path)
    complaint = text(_CSV_COMPLAINT, name=name)
    header = read_header(path)
    check_names(header.names, name)
    table = engine.read_csv(path, header, complaint=complaint)
    named = table.select([each for each in header.names if each])
    return Source(name, named, engine, complaint, is_text=True, path=path.absolute())


def _open_parquet(path: Path, engine: EmbeddedEngine) -> Source:
    name = quoted(path)
    complaint = text(_PARQUET_COMPLAINT, name=name)
    columns = engine.parquet_columns(path, complaint=complaint)
    names = [each for each, _ in columns]
    check_names(names, name)
    table = engine.read_parquet(path, complaint=complaint)
    fallible = tuple(each for each, may_fail in columns if each and may_fail)
    source = Source(name, table, engine, complaint, path=path.absolute(), fallible=fallible)
    return _as_named(source, names)


def _as_named(source: Source, names: Sequence[str]) -> Source:
    """Return the source with its named columns; refuse if the engine calls one otherwise."""
    if len(source.column_names) != len(names):
        raise unreadable(source.complaint)
    found = [each for each, name in zip(source.column_names, names, strict=True) if name]
    if [each.strip() for each in found] != [name.strip() for name in names if name]:
        raise unreadable(source.complaint)
    return replace(source, table=source.table.select(found))


def open_source(data: Any, *, table: str | None = None) -> Source:
    """Hand a table to an engine, or find it in one; no row is read yet.

    Parameters
    ----------
    data
        The path of a file (.csv, .csv.gz, .tsv, .tsv.gz, .parquet, .pq); a pandas, polars or
        Arrow table; the address of a PostgreSQL database (``postgresql://host/database``); a
        data frame of Spark; or a table of Ibis.  The cells of a CSV are text: ``01`` and ``1``
        are two outcomes, and an empty cell is a null, which is an outcome of its own.
    table
        Which table of the database: its name, with its schema before a point if need be.

    Examples
    --------
    >>> import polars as pl
    >>> from sfumato.data import count_groups, open_source
    >>> source = open_source(pl.DataFrame({"smoker": ["yes", "no", "yes"]}))
    >>> sorted(count_groups(source, ["smoker"]).counts.tolist())
    [1, 2]
    """
    if is_address(data):
        return open_served(data, table)
    if table is not None:
        raise InputError(
            "E-TABLE-NAME",
            "table={table!r:.60} names a table of a database, and what is opened is none",
            "leave it out, or open postgresql://host/database",
            table=table,
        )
    if is_of_spark(data):
        return open_spark(data)
    if _is_of_ibis(data):
        return open_ibis(data)
    return open_local(data)[0]


def open_sources(*data: Any) -> tuple[Source, ...]:
    """Hand several tables to one engine, so that they can be counted side by side.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.data import open_sources
    >>> left, right = open_sources(pd.DataFrame({"x": [1]}), pd.DataFrame({"x": [2]}))
    >>> left.engine is right.engine
    True
    """
    if not any(is_address(each) or is_of_spark(each) or _is_of_ibis(each) for each in data):
        return open_local(*data)
    return gathered([open_source(each) for each in data])


def gathered(sources: Sequence[Source]) -> tuple[Source, ...]:
    """Return the same tables in one engine, so that a query can read them all.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.data import gathered, open_source
    >>> one, two = (open_source(pd.DataFrame({"x": [each]})) for each in (1, 2))
    >>> left, right = gathered([one, two])
    >>> left.engine is right.engine
    True
    """
    engine = sources[0].engine
    if all(engine.sees(each.engine) for each in sources):
        return tuple(replace(each, engine=engine) for each in sources)
    if all(isinstance(each.engine, EmbeddedEngine) for each in sources):
        return reopened(sources)
    titles = " and ".join(dict.fromkeys(each.engine.title for each in sources))
    raise InputError(
        "E-ENGINES-DIFFER",
        "the tables are in engines that do not see each other ({titles})",
        "open both from one database, or both from files or frames",
        titles=titles,
    )


def _is_of_ibis(data: Any) -> bool:
    """Tell whether something is a table of Ibis, without loading Ibis to know it."""
    ibis = sys.modules.get("ibis")
    return ibis is not None and isinstance(data, ibis.Table)
