"""Opening a table: a file, a frame, a table of a server, or a table of Ibis."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sfumato.data.clustered import is_of_spark, open_spark
from sfumato.data.engines.embedded import EmbeddedEngine
from sfumato.data.engines.postgres.address import is_address
from sfumato.data.local import open_local, reopened
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.data.source import Source

__all__ = ["gathered", "open_source", "open_sources"]


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
        from sfumato.data.served import open_served

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
        from sfumato.data.served import open_ibis

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
