"""What operations of Ibis mean to the embedded engine, in words that mean it to PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ibis.expr.types as ir

__all__ = ["rewritten"]


def rewritten(query: ir.Table) -> ir.Table:
    """Return a query that means to PostgreSQL what the given one means to the embedded engine."""
    return query
