"""From a query of Ibis to the SQL of PostgreSQL."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ibis.expr.types as ir

__all__ = ["fenced", "written"]


def written(query: ir.Table, *, pretty: bool) -> str:
    """Return a query, rewritten already, in the words of PostgreSQL."""
    compiler = _compiler()
    return str(compiler.to_sqlglot(query).sql(dialect=compiler.dialect, pretty=pretty))


def fenced(table: ir.Table) -> ir.Table:
    """Return a table whose columns the server works out before it works with them.

    Otherwise it would write each of them out wherever it is used.
    """
    import ibis.expr.operations as ops

    found: ir.Table = ops.Limit(table.op(), n=None, offset=0).to_expr()
    return found


@functools.cache
def _compiler() -> Any:
    import sqlglot as sg
    from ibis.backends.sql.compilers import PostgresCompiler

    class Compiler(PostgresCompiler):  # type: ignore[misc]
        __slots__ = ()

        def visit_Limit(self, op: Any, *, parent: Any, n: Any, offset: Any) -> Any:  # noqa: N802
            if n is None and offset == 0:
                return sg.select("*").from_(parent).offset(0)
            return super().visit_Limit(op, parent=parent, n=n, offset=offset)

    return Compiler()
