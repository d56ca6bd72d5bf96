"""Data frames of Spark, whose rows a cluster holds or computes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from sfumato.data.engines.guarding import guarded, unreadable
from sfumato.data.source import Source
from sfumato.errors import InputError, MissingExtraError
from sfumato.refusal import text
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.data.engines.spark.engine import SparkEngine

__all__ = ["is_of_spark", "open_spark", "open_spark_table"]

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
    engine = guarded(lambda: _engine(frame), lambda _: unreadable(complaint))
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


def _engine(frame: Any) -> SparkEngine:
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
