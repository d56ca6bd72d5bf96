"""Queries that are answered, each with the same question in Python, for every engine.

They are data: a text for each dialect, what it must be read as, and a text of our own that a bare
DuckDB answers with the same numbers.
"""

from __future__ import annotations

from tests.tables.sql.corpus.aggregates import AGGREGATES
from tests.tables.sql.corpus.expressions import EXPRESSIONS
from tests.tables.sql.corpus.grouped import GROUPED
from tests.tables.sql.corpus.joined import JOINED
from tests.tables.sql.corpus.nested import NESTED

__all__ = ["LEGAL"]

LEGAL = {each.duckdb: each for each in (*AGGREGATES, *GROUPED, *EXPRESSIONS, *NESTED, *JOINED)}
