"""A session beside the user's, in which SQL means what we mean, while theirs stays as it is."""

from __future__ import annotations

import logging
import os
import secrets
import warnings
import weakref
from contextlib import contextmanager, suppress
from threading import Thread, get_ident
from typing import TYPE_CHECKING, Any

from sfumato.data.engines.engine import guarded, unreadable
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import pyarrow as pa

    from sfumato.refusal import Given


#: What decides about the meaning of SQL; whatever else does is as Spark has it by default.
_MEANING = {
    "spark.sql.ansi.enabled": "false",
    "spark.sql.caseSensitive": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.timestampType": "TIMESTAMP_LTZ",
}
#: What decides about speed, and about how files are read, is taken over from the user's session.
_TAKEN_OVER = (
    "spark.hadoop.",
    "spark.sql.adaptive.",
    "spark.sql.autoBroadcastJoinThreshold",
    "spark.sql.avro.",
    "spark.sql.csv.",
    "spark.sql.files.",
    "spark.sql.hive.",
    "spark.sql.json.",
    "spark.sql.orc.",
    "spark.sql.parquet.",
    "spark.sql.shuffle.partitions",
    "spark.sql.sources.",
)
#: By what files are read in the user's own session, whatever ours says; one value of each makes a
#: question fail on an old date.
_READING = (
    "spark.sql.parquet.datetimeRebaseModeInRead",
    "spark.sql.parquet.int96RebaseModeInRead",
    "spark.sql.avro.datetimeRebaseModeInRead",
)
_FAILING = "EXCEPTION"
#: Where PySpark and what it talks to Spark with report errors, which may quote a cell.
_REPORTS = "SQLQueryContextLogger"
_TRANSCRIPTS = ("py4j.clientserver", "py4j.java_gateway")


class OwnSession:
    """Runs SQL on the application of the user's session, and on views that it makes there.

    The views are of the kind that all sessions of the application see; their names cannot be
    guessed, and they go when the session does.
    """

    def __init__(self, theirs: Any) -> None:
        self._theirs = theirs
        self._own = _beside(theirs)
        self._views: list[str] = []
        end = weakref.finalize(self, _drop, self._own, self._views, os.getpid())
        end.atexit = False

    @property
    def application(self) -> str:
        """What all sessions share whose views are seen here."""
        return str(self._own.sparkContext.applicationId)

    def check_reading(self) -> None:
        """Refuse a user's session in which one row can make every question fail."""
        for name in _READING:
            if self._theirs.conf.get(name, "CORRECTED").upper() == _FAILING:
                raise InputError(
                    "E-ENGINE-SETTING",
                    "the session of Spark says {name} = {failing}, by which one old date "
                    "makes a query fail",
                    "set it to CORRECTED, or to LEGACY for files that Hive wrote",
                    name=name,
                    failing=_FAILING,
                )

    def show(self, frame: Any, name: str = "") -> str:
        """Make a data frame a view, and return the name of the view."""
        name = name or f"sfumato_{secrets.token_hex(16)}"
        frame.createGlobalTempView(name)
        self._views.append(name)
        return name

    @contextmanager
    def shown(self, tables: Mapping[str, pa.Table]) -> Iterator[None]:
        """Make tables views of given names until the block ends."""
        try:
            for name, table in tables.items():
                self.show(self._theirs.createDataFrame(_in_utc(table)), name)
            yield
        finally:
            for name in tables.keys() & set(self._views):
                self.hide(name)

    def hide(self, name: str) -> None:
        """Drop a view."""
        self._views.remove(name)
        self._own.catalog.dropGlobalTempView(name)

    def frame(self, sql: str) -> Any:
        """Return what a statement would give, as a data frame that is not computed yet."""
        return self._own.sql(sql)

    def run(self, action: Callable[[], Any], complaint: Given) -> Any:
        """Run something on the cluster; Ctrl-C stops it there too."""

        def instead(error: Exception) -> BaseException:
            return KeyboardInterrupt() if _was_stopped(error) else unreadable(complaint)

        try:
            return guarded(lambda: quietly(action), instead)
        except KeyboardInterrupt:
            self._own.interruptAll()
            raise


def _was_stopped(error: BaseException | None) -> bool:
    """Tell whether an error came of Ctrl-C, after which PySpark waits for its job and fails."""
    if error is None or isinstance(error, KeyboardInterrupt):
        return error is not None
    return _was_stopped(error.__context__)


def quietly(action: Callable[[], Any]) -> Any:
    """Run something of PySpark without its reports, which may quote a cell, and its advice."""
    from pyspark.logger import PySparkLogger

    # Asked for in any other way, it would be a logger that PySpark cannot use.
    reports = [PySparkLogger.getLogger(_REPORTS), *map(logging.getLogger, _TRANSCRIPTS)]
    me = get_ident()

    def from_others(record: logging.LogRecord) -> bool:
        return record.thread != me

    for each in reports:
        each.addFilter(from_others)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return action()
    finally:
        for each in reports:
            each.removeFilter(from_others)


def _beside(theirs: Any) -> Any:
    """Return a session of our own on the same cluster."""
    from pyspark import RDD

    # A new session would make itself the one that the user's RDDs become data frames of.
    to_frame = RDD.toDF
    own = theirs.newSession()
    RDD.toDF = to_frame  # type: ignore[method-assign]
    for name in own.conf.getAll:
        if name.startswith("spark.sql.") and own.conf.isModifiable(name):
            own.conf.unset(name)
    for name, value in (_taken_over(theirs) | _MEANING).items():
        own.conf.set(name, value)
    return own


def _taken_over(theirs: Any) -> dict[str, str]:
    return {
        name: value
        for name, value in theirs.conf.getAll.items()
        if name.startswith(_TAKEN_OVER)
        and (theirs.conf.isModifiable(name) or name.startswith("spark.hadoop."))
    }


def _drop(own: Any, views: list[str], process: int) -> None:
    """Drop the views, unless we are a copy of the process that made them."""

    def drop() -> None:
        with suppress(Exception):
            for name in views:
                own.catalog.dropGlobalTempView(name)

    if os.getpid() == process:
        # This may be called while the same thread is in the middle of talking to Spark.
        Thread(target=drop, daemon=True).start()


def _in_utc(table: pa.Table) -> pa.Table:
    """Return a table whose timestamps are moments, which no session takes for its own time."""
    import pyarrow as pa

    utc = pa.timestamp("us", "UTC")
    kinds = pa.types.is_timestamp
    fields = [each.with_type(utc) if kinds(each.type) else each for each in table.schema]
    return table.cast(pa.schema(fields))
