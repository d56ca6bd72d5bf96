"""One query that is answered."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import sfumato as sf

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.tables.query import Query
    from tests.tables.sql.clinic import Clinic

DIALECTS = ("duckdb", "postgres", "spark")

patient, age, cost, sex, ward, smoker, born, admitted, code = map(
    sf.col,
    ["patient_id", "age", "cost", "sex", "ward", "smoker", "born", "admitted", "zip"],
)


@dataclass(frozen=True)
class Legal:
    """A query that is answered.

    Attributes
    ----------
    duckdb
        The text; in the other dialects the same where nothing else is given.
    asked
        The same question in Python.
    keys
        The public values of keys that it derives.
    bare
        What a bare DuckDB is asked for the same numbers; the text itself where it is not given.
    near
        How far an answer may be from that, of aggregates that are chosen from a grid.
    """

    duckdb: str
    asked: Callable[[Clinic], Query]
    postgres: str | None = None
    spark: str | None = None
    keys: Mapping[str, Any] = field(default_factory=dict)
    bare: str | None = None
    near: float = 0.0

    def text(self, dialect: str, called: str = "visits") -> str:
        """The text in a dialect, with the name that the visits go by."""
        return re.sub(r"\bvisits\b", called, getattr(self, dialect) or self.duckdb)

    def query(self, clinic: Clinic, dialect: str) -> Query:
        """The question, read from its text, of a clinic in an engine of that dialect."""
        text = self.text(dialect, clinic.visits.policy.table or "visits")
        return clinic.visits.query(text, tables=clinic.tables, keys=self.keys)
