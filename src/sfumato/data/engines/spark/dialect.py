# ruff: noqa: ARG002, D102, N802 - Ibis names the methods and what they are given.
"""The words of Spark for operations of Ibis, as the embedded engine means them.

It is loaded when a query is written, and not before, since it loads Ibis.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar

import ibis.expr.datatypes as dt
import sqlglot as sg
import sqlglot.expressions as sge
from ibis.backends.sql.compilers import PySparkCompiler
from ibis.backends.sql.compilers.base import NULL

from sfumato.data.engines.spark.letters import SMALL, several_capitals
from sfumato.data.engines.spark.views import VIEWS
from sfumato.errors import InputError

__all__ = ["Compiler"]

#: Holds a whole number of 64 bits; its sum has room for 10^19 of them.
_WIDE = "decimal(28, 0)"


class Compiler(PySparkCompiler):  # type: ignore[misc]
    """Where Spark or Ibis mean something else by an operation, other words for it."""

    __slots__ = ()
    # What Ibis names here for its own compiler would replace the methods below.
    SIMPLE_OPS: ClassVar[dict[Any, str]] = {}

    def visit_NonNullLiteral(self, op: Any, *, value: Any, dtype: Any) -> Any:
        """Write numbers in their own type: to Spark 0.1 is a decimal, and 1 has 32 bits."""
        if dtype.is_floating():
            return self.cast(sge.convert(repr(float(value))), dtype)
        if dtype.is_int64():
            return self.cast(sge.convert(int(value)), dtype)
        return super().visit_NonNullLiteral(op, value=value, dtype=dtype)

    def visit_Field(self, op: Any, *, rel: Any, name: str) -> Any:
        return sg.column(name, table=rel.alias_or_name, quoted=self.quoted)

    def visit_InMemoryTable(self, op: Any, *, name: str, **_: Any) -> Any:
        view, database = (sg.to_identifier(each, quoted=self.quoted) for each in (name, VIEWS))
        return sge.Table(this=view, db=database)

    def visit_IsNull(self, op: Any, *, arg: Any) -> Any:
        return arg.is_(NULL)

    def visit_NotNull(self, op: Any, *, arg: Any) -> Any:
        return arg.is_(sg.not_(NULL))

    def visit_Cast(self, op: Any, *, arg: Any, to: Any) -> Any:
        kind = op.arg.dtype
        if to.is_string() and (kind.is_floating() or kind.is_binary() or _has_point(kind)):
            message = (
                "Spark writes numbers with a point, and bytes, otherwise than other engines do, "
                "and groups are chosen by how ids and keys are written; use ids and keys of text, "
                "whole numbers or dates"
            )
            raise InputError(message)
        return super().visit_Cast(op, arg=arg, to=to)

    def visit_Sum(self, op: Any, *, arg: Any, where: Any) -> Any:
        """Add whole numbers up with room to spare; Spark's own sum would wrap."""
        wide = op.arg.dtype.is_integer() or op.arg.dtype.is_boolean()
        added = self.cast(arg, dt.dtype(_WIDE)) if wide else arg
        return self.agg.sum(added, where=where)

    def visit_Sign(self, op: Any, *, arg: Any) -> Any:
        """Give the sign of a whole number as one; Spark's own is a double."""
        return self.cast(self.f.sign(arg), op.dtype)

    def visit_Log10(self, op: Any, *, arg: Any) -> Any:
        """Write a logarithm of its own; Ibis writes a quotient of two."""
        return self.f.anon.log10(arg)

    def visit_Lowercase(self, op: Any, *, arg: Any) -> Any:
        return self.f.lower(self.f.translate(arg, *SMALL))

    def visit_Uppercase(self, op: Any, *, arg: Any) -> Any:
        """Take the letters one by one, since some of them have several capitals."""
        several = several_capitals()
        letter = sg.to_identifier("letter")
        alone = self.if_(
            self.f.anon.contains(several.these, letter),
            self.f.translate(letter, *several),
            self.f.upper(letter),
        )
        each = sge.Lambda(this=alone, expressions=[letter])
        letters = self.f.anon.transform(self.f.anon.split(arg, ""), each)
        return self.f.anon.array_join(letters, "")

    def visit_RegexSearch(self, op: Any, *, arg: Any, pattern: Any) -> Any:
        return super().visit_RegexSearch(op, arg=arg, pattern=_as_java(pattern))

    def visit_RegexExtract(self, op: Any, *, arg: Any, pattern: Any, index: Any) -> Any:
        return self.f.anon.regexp_extract(arg, _as_java(pattern), index)


def _has_point(kind: dt.DataType) -> bool:
    return bool(kind.is_decimal() and kind.scale != 0)


def _as_java(pattern: Any) -> Any:
    r"""Return a pattern as Java reads it, to which \v is a class, and $ comes before an end."""
    text = re.sub(
        r"(?s)\\(.)", lambda found: r"\x0B" if found[1] == "v" else found[0], pattern.this
    )
    return sge.convert(text[:-1] + r"\z" if text.endswith("$") else text)
