"""The statements that an engine would be told for a plan; none of them is run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.tables.run.dry import queries_of

if TYPE_CHECKING:
    from sfumato.tables.plan.outline import Outline


@dataclass(frozen=True)
class EngineStatement:
    """One statement, and what it is for."""

    purpose: str
    sql: str

    def __str__(self) -> str:
        return f"-- {self.purpose}\n{self.sql};"


def statements_of(plan: Outline) -> tuple[EngineStatement, ...]:
    """Return what an engine would be told for a plan, in order; no row is read."""
    engine = plan.query.table.source.engine
    return tuple(EngineStatement(purpose, engine.sql(query)) for purpose, query in queries_of(plan))
