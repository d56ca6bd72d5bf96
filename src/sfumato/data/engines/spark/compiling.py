"""From a query of Ibis to the SQL of Spark, which means what it means to the embedded engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ibis.expr.types as ir

__all__ = ["written"]


def written(query: ir.Table, *, pretty: bool = False) -> str:
    """Return a query in the words of Spark."""
    from sfumato.data.engines.spark.dialect import Compiler

    compiler = Compiler()
    return str(compiler.to_sqlglot(query).sql(dialect=compiler.dialect, pretty=pretty))
