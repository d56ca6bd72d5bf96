"""From a query of Ibis to the SQL of Spark, which means what it means to the embedded engine."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ibis.expr.types as ir

__all__ = ["written"]


def written(query: ir.Table, *, pretty: bool = False) -> str:
    """Return a query in the words of Spark; one that was checked is written already."""
    return _written(query.op(), pretty)


@lru_cache(maxsize=16)
def _written(operation: Any, pretty: bool) -> str:  # noqa: FBT001
    from sfumato.data.engines.spark.dialect import Compiler

    compiler = Compiler()
    tree = compiler.to_sqlglot(operation.to_expr())
    return str(tree.sql(dialect=compiler.dialect, pretty=pretty))
