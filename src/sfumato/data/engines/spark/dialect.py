"""The words of Spark for operations of Ibis, as the embedded engine means them.

It is loaded when a query is written, and not before, since it loads Ibis.

Spark raises where a moment of a day, the beginning of a quarter or a later moment lies beyond the
64 bits of microseconds that it has, or the 32 bits of days.  Sums and products of whole numbers
raise nowhere, since our session is not in ANSI mode.  Whatever lies outside the years 1 to 9999 is
null elsewhere.
"""

from __future__ import annotations

import functools
import re
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import ibis.expr.datatypes as dt
import sqlglot as sg
import sqlglot.expressions as sge
from ibis.backends.sql.compilers import PySparkCompiler
from ibis.backends.sql.compilers.base import NULL
from ibis.common.exceptions import UnsupportedOperationError

from sfumato.data.doubles import LARGEST
from sfumato.data.engines.engine import LONGEST_TEXT, capital
from sfumato.errors import InputError

if TYPE_CHECKING:
    import ibis.expr.types as ir


#: Spark's name for their database.
VIEWS = "global_temp"


def written(query: ir.Table, *, pretty: bool = False) -> str:
    """Return a query in the words of Spark; one that was checked is written already."""
    return _written(query.op(), pretty)


@lru_cache(maxsize=16)
def _written(operation: Any, pretty: bool) -> str:  # noqa: FBT001

    compiler = SparkSqlCompiler()
    tree = compiler.to_sqlglot(operation.to_expr())
    return str(tree.sql(dialect=compiler.dialect, pretty=pretty))


class Letters(NamedTuple):
    """Letters, and what each of them becomes."""

    these: str
    become: str


#: Small letters that depend on the place in the word, or are two.
SMALL = Letters("İΣ", "iσ")
_SURROGATES = range(0xD800, 0xE000)


@functools.cache
def several_capitals() -> Letters:
    """Return the letters with several capitals, and the one that stands for them."""
    places = (place for place in range(sys.maxunicode) if place not in _SURROGATES)
    these = [letter for letter in map(chr, places) if len(letter.upper()) > 1]
    return Letters("".join(these), "".join(map(capital, these)))


_DAY = 86_400_000_000
#: The microseconds of units that a day is made of.
_SHORT = {"h": 3_600_000_000, "m": 60_000_000, "s": 1_000_000}
_LONG = {"Y": "YEAR", "M": "MM", "W": "WEEK"}
#: So many days before the first of a month is the month before, and twice as many the one before
#: that.
_MONTH_AT_LEAST = 28


def midnight(day: Any) -> Any:
    """Return the first moment of a day, in UTC."""
    return _moment(_product(_as("BIGINT", _call("unix_date", day)), _DAY))


def cut_day(day: Any, unit: str) -> Any:
    """Return the first day of a unit of time, which is called as Ibis does."""
    if unit == "D":
        return day
    if unit != "Q":
        return _call("trunc", day, sge.convert(_LONG[unit]))
    into = (_call("month", day) - 1) % 3
    before = _call("date_sub", cut_day(day, "M"), into * _MONTH_AT_LEAST)
    return cut_day(before, "M")


def cut_moment(moment: Any, unit: str) -> Any:
    """Return the first moment of a unit of time."""
    if unit not in _SHORT:
        return midnight(cut_day(_as("DATE", moment), unit))
    since = _call("pmod", _micros(moment), _whole(_SHORT[unit]))
    return _moment(_micros(moment) - since)


def _moment(micros: Any) -> Any:
    return _call("timestamp_micros", micros)


def _micros(moment: Any) -> Any:
    return _call("unix_micros", moment)


def _product(number: Any, times: int) -> Any:
    return number * _whole(times)


def _whole(number: int) -> Any:
    return _as("BIGINT", sge.convert(number))


def _as(kind: str, value: Any) -> Any:
    return sge.cast(value, kind, dialect="spark")


def _call(name: str, *given: Any) -> Any:
    return sge.Anonymous(this=name.upper(), expressions=list(given))


# ruff: noqa: ARG002, D102, N802 - Ibis names the methods and what they are given.


#: Holds a whole number of 64 bits; its sum has room for 10^19 of them.
_WIDE = "decimal(28, 0)"
#: How a pattern begins that a whole text has to fit.
_WHOLE = "(?s)^"
_DAYS_ALONE = "days are added up and counted, and no other unit"


class SparkSqlCompiler(PySparkCompiler):  # type: ignore[misc]
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
        return sge.paren(arg, copy=False).is_(NULL)

    def visit_NotNull(self, op: Any, *, arg: Any) -> Any:
        return sge.paren(arg, copy=False).is_(sg.not_(NULL))

    def visit_Between(self, op: Any, **given: Any) -> Any:
        """Put it in parentheses: what stands behind it would belong to its upper end."""
        return sge.paren(super().visit_Between(op, **given), copy=False)

    def visit_Cast(self, op: Any, *, arg: Any, to: Any) -> Any:
        kind = op.arg.dtype
        if to.is_string() and (kind.is_floating() or kind.is_binary() or _has_point(kind)):
            raise InputError(
                "E-COLUMN-TYPE",
                "Spark writes numbers with a point, and bytes, otherwise than other engines "
                "do, and groups are chosen by how ids and keys are written",
                "use ids and keys of text, whole numbers or dates",
            )
        if kind.is_string() and to.is_string():
            # So columns enter an expression: some bytes in them may be no text.
            is_short = self.f.anon.octet_length(arg) <= sge.convert(LONGEST_TEXT)
            return self.if_(is_short, self.f.anon.make_valid_utf8(arg), NULL)
        if kind.is_date() and to.is_timestamp():
            return midnight(arg)
        return super().visit_Cast(op, arg=arg, to=to)

    def visit_TryCast(self, op: Any, *, arg: Any, to: Any) -> Any:
        """Round a double as other engines do: Spark's own cast cuts it, and takes 2^63 for less."""
        if not op.arg.dtype.is_floating() or to.is_floating():
            return super().visit_TryCast(op, arg=arg, to=to)
        if not to.is_integer():
            message = f"no cast from a double to {to} gives what it gives elsewhere"
            raise UnsupportedOperationError(message)
        whole, beyond = self.f.anon.rint(arg), 2.0 ** (8 * to.nbytes - 1)
        has_room = sg.and_(whole >= self._double(-beyond), whole < self._double(beyond))
        return self.if_(has_room, self.cast(whole, to), NULL)

    def visit_ScalarUDF(self, op: Any, **given: Any) -> Any:
        """Take a double as other engines do: to Spark the floor of NaN is 0, and of 1e300 2^63."""
        name, arg = self.__sql_name__(op), next(iter(given.values()))
        if name == "isfinite":
            return self.f.abs(arg) <= self._double(LARGEST)
        if name in {"floor", "ceil"}:
            # Beyond all doubles are whole, or none.
            has_fraction = self.f.abs(arg) < self._double(2.0**52)
            return self.if_(has_fraction, self.cast(self.f[name](arg), dt.float64), arg)
        return super().visit_ScalarUDF(op, **given)

    def _double(self, number: float) -> Any:
        return self.cast(sge.convert(repr(number)), dt.float64)

    def visit_IntervalFromInteger(self, op: Any, *, arg: Any, unit: Any) -> Any:
        """Take days as their number, which is added up as one."""
        if unit.short != "D":
            raise UnsupportedOperationError(_DAYS_ALONE)
        return arg

    def visit_DateAdd(self, op: Any, *, left: Any, right: Any) -> Any:
        return _call("date_add", left, _as("INT", right))

    def visit_TimestampAdd(self, op: Any, *, left: Any, right: Any) -> Any:
        return _moment(_micros(left) + _product(right, _DAY))

    def visit_DateDelta(self, op: Any, *, left: Any, right: Any, **_: Any) -> Any:
        if op.part.value != "day":
            raise UnsupportedOperationError(_DAYS_ALONE)
        return _as("BIGINT", _call("datediff", left, right))

    def visit_DateTruncate(self, op: Any, *, arg: Any, unit: Any) -> Any:
        return cut_day(arg, unit.short)

    def visit_TimestampTruncate(self, op: Any, *, arg: Any, unit: Any) -> Any:
        return cut_moment(arg, unit.short)

    def visit_IsInf(self, op: Any, *, arg: Any) -> Any:
        """Compare with infinity; what Ibis writes is true of nothing."""
        return self.f.abs(arg).eq(self.cast(sge.convert("inf"), dt.float64))

    def visit_Sum(self, op: Any, *, arg: Any, where: Any) -> Any:
        """Add whole numbers up with room to spare; Spark's own sum would wrap."""
        wide = op.arg.dtype.is_integer() or op.arg.dtype.is_boolean()
        added = self.cast(arg, dt.dtype(_WIDE)) if wide else arg
        return self.agg.sum(added, where=where)

    def visit_Least(self, op: Any, *, arg: Any) -> Any:
        """Take one value as it is; Spark's own wants several."""
        return self.f.least(*arg) if len(arg) > 1 else arg[0]

    def visit_Greatest(self, op: Any, *, arg: Any) -> Any:
        return self.f.greatest(*arg) if len(arg) > 1 else arg[0]

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

    def visit_StringSQLLike(self, op: Any, *, arg: Any, pattern: Any, **_: Any) -> Any:
        """Look for each piece once: Spark's own way tries them at all places together."""
        pieces = (re.escape(each).replace("_", ".") for each in pattern.this.split("%"))
        return super().visit_RegexSearch(op, arg=arg, pattern=sge.convert(_in_turn(*pieces)))

    def visit_RegexExtract(self, op: Any, *, arg: Any, pattern: Any, index: Any) -> Any:
        return self.f.anon.regexp_extract(arg, _as_java(pattern), index)


def _has_point(kind: dt.DataType) -> bool:
    return bool(kind.is_decimal() and kind.scale != 0)


def _as_java(pattern: Any) -> Any:
    r"""Return a pattern as Java reads it, to which \v is a class, and $ comes before an end."""
    text = re.sub(
        r"(?s)\\(.)", lambda found: r"\x0B" if found[1] == "v" else found[0], pattern.this
    )
    if text.startswith(_WHOLE):
        # A star that stands for itself has a backslash before it.
        return sge.convert(_in_turn(*text[len(_WHOLE) : -1].split(".*")))
    return sge.convert(text[:-1] + r"\z" if text.endswith("$") else text)


def _in_turn(first: str, *others: str) -> str:
    r"""Return a pattern of texts that begin with a piece, have others in turn, and end with one.

    Each piece between is taken where it is found first, and never looked for again: to try all
    places of all pieces together takes a time that grows with a power of the text's length.
    """
    if not others:
        return rf"(?s)\A{first}\z"
    *between, last = others
    return rf"(?s)\A{first}{''.join(f'(?>.*?{each})' for each in between)}.*{last}\z"
