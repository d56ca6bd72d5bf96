"""From a query of Ibis to the SQL of Spark, which means what it means to the embedded engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ibis.expr.types as ir

__all__ = ["written"]


def written(query: ir.Table, *, pretty: bool = False) -> str:
    """Return a query in the words of Spark.

    Examples
    --------
    >>> import ibis
    >>> from sfumato.data.engines.spark.compiling import written
    >>> rows = ibis.table({"paid": "float64"}, name="rows")
    >>> written(rows.select(size=rows.paid.log10()))
    'SELECT LOG10(`t0`.`paid`) AS `size` FROM `rows` AS `t0`'
    """
    from sfumato.data.engines.spark.dialect import Compiler

    compiler = Compiler()
    return str(compiler.to_sqlglot(query).sql(dialect=compiler.dialect, pretty=pretty))
