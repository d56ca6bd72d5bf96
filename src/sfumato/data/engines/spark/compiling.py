"""From a query of Ibis to the SQL of Spark, which means what it means to the embedded engine."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any

from sfumato.data.engines.spark.letters import SMALL, several_capitals

if TYPE_CHECKING:
    import ibis.expr.types as ir

__all__ = ["VIEWS", "written"]

#: The database of the views that all sessions of a cluster's application see.
VIEWS = "global_temp"
#: Holds a whole number of 64 bits; its sum has room for 10^19 of them.
_WIDE = "decimal(28, 0)"


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
    compiler = _compiler()
    return str(compiler.to_sqlglot(query).sql(dialect=compiler.dialect, pretty=pretty))


@functools.cache
def _compiler() -> Any:
    import ibis.expr.datatypes as dt
    import sqlglot as sg
    import sqlglot.expressions as sge
    from ibis.backends.sql.compilers import PySparkCompiler
    from ibis.backends.sql.compilers.base import NULL

    class Compiler(PySparkCompiler):  # type: ignore[misc]
        """Where Spark or Ibis mean something else by an operation, other words for it."""

        __slots__ = ()

        def visit_NonNullLiteral(self, op: Any, *, value: Any, dtype: Any) -> Any:  # noqa: N802
            """Write numbers in their own type: to Spark 0.1 is a decimal, and 1 has 32 bits."""
            if dtype.is_floating():
                return self.cast(sge.convert(repr(float(value))), dtype)
            if dtype.is_int64():
                return self.cast(sge.convert(int(value)), dtype)
            return super().visit_NonNullLiteral(op, value=value, dtype=dtype)

        def visit_Field(self, op: Any, *, rel: Any, name: str) -> Any:  # noqa: ARG002, N802
            return sg.column(name, table=rel.alias_or_name, quoted=self.quoted)

        def visit_InMemoryTable(self, op: Any, *, name: str, **_: Any) -> Any:  # noqa: ARG002, N802
            return sg.table(name, db=VIEWS, quoted=self.quoted)

        def visit_IsNull(self, op: Any, *, arg: Any) -> Any:  # noqa: ARG002, N802
            return arg.is_(NULL)

        def visit_NotNull(self, op: Any, *, arg: Any) -> Any:  # noqa: ARG002, N802
            return arg.is_(sg.not_(NULL))

        def visit_Sum(self, op: Any, *, arg: Any, where: Any) -> Any:  # noqa: N802
            """Add whole numbers up with room to spare; Spark's own sum would wrap."""
            wide = op.arg.dtype.is_integer() or op.arg.dtype.is_boolean()
            added = self.cast(arg, dt.dtype(_WIDE)) if wide else arg
            return self.agg.sum(added, where=where)

        def visit_Log10(self, op: Any, *, arg: Any) -> Any:  # noqa: ARG002, N802
            """Write a logarithm of its own; Ibis writes a quotient of two."""
            return self.f.anon.log10(arg)

        def visit_Lowercase(self, op: Any, *, arg: Any) -> Any:  # noqa: ARG002, N802
            return self.f.lower(self.f.translate(arg, *SMALL))

        def visit_Uppercase(self, op: Any, *, arg: Any) -> Any:  # noqa: ARG002, N802
            """Take the letters one by one where some of them have several capitals."""
            several = several_capitals()
            letter = sg.to_identifier("letter")
            alone = self.if_(
                self.f.anon.contains(several.these, letter),
                self.f.translate(letter, *several),
                self.f.upper(letter),
            )
            letters = self.f.anon.transform(
                self.f.anon.split(arg, ""), sge.Lambda(this=alone, expressions=[letter])
            )
            some = self.f.anon.rlike(arg, f"[{several.these}]")
            return self.if_(some, self.f.anon.array_join(letters, ""), self.f.upper(arg))

        def visit_RegexSearch(self, op: Any, *, arg: Any, pattern: Any) -> Any:  # noqa: N802
            return super().visit_RegexSearch(op, arg=arg, pattern=_as_java(pattern))

        def visit_RegexExtract(  # noqa: N802
            self, op: Any, *, arg: Any, pattern: Any, index: Any
        ) -> Any:
            return self.f.anon.regexp_extract(arg, _as_java(pattern), index)

    return Compiler()


def _as_java(pattern: Any) -> Any:
    r"""Return a pattern as Java reads it, to which \v is a class, and $ comes before an end."""
    import sqlglot.expressions as sge

    text = re.sub(r"\\(.)", lambda found: r"\x0B" if found[1] == "v" else found[0], pattern.this)
    return sge.convert(text[:-1] + r"\z" if text.endswith("$") else text)
