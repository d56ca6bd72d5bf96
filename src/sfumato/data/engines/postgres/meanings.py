"""The operations that PostgreSQL understands otherwise, and how to say to it what is meant.

Each rule takes an operation, of parts that were rewritten already, and returns what to say
instead, and those parts that it repeats; or None where nothing has to be said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.data.engines.postgres import arithmetic
from sfumato.data.engines.postgres.arithmetic import double
from sfumato.data.engines.postgres.casts import (
    READERS,
    decimal_to_double,
    double_to_text,
    to_integer,
)
from sfumato.data.engines.postgres.functions import call
from sfumato.data.engines.postgres.keysets import unnested
from sfumato.data.engines.postgres.remainders import remainder
from sfumato.data.engines.postgres.texts import as_bytes, from_bytes, lowered, raised

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.data.engines.postgres.ranges import Range

    RangeOf = Callable[[Any], Range]
    Said = tuple[Any, tuple[Any, ...]]
    Rule = Callable[[Any, RangeOf], Said | None]

__all__ = ["MEANINGS"]

#: A value of each type, to stand for null where nulls are to equal each other.
_ANY_VALUE = {
    "string": "",
    "boolean": False,
    "date": "1970-01-01",
    "timestamp": "1970-01-01",
    "uuid": "00000000-0000-0000-0000-000000000000",
}
_FIRST_DAY, _DAYS = "0001-01-01", 3_652_058


def _is_double(op: Any) -> bool:
    return bool(op.dtype.is_floating())


def _literal(op: Any, _: RangeOf) -> Said | None:
    """Write a number as a double: with a point alone it would be one of many digits."""
    if not _is_double(op) or op.value is None:
        return None
    return double(op.value).op(), ()


def _sum(op: Any, ranges: RangeOf) -> Said | None:
    if not _is_double(op) or ranges(op.left).sum_is_calm(ranges(op.right)):
        return None
    sign = -1 if type(op).__name__ == "Subtract" else 1
    left, right = _doubles(op)
    return arithmetic.added(left, right, sign=sign).op(), (left.op(), right.op())


def _product(op: Any, ranges: RangeOf) -> Said | None:
    if not _is_double(op) or ranges(op.left).product_is_calm(ranges(op.right)):
        return None
    left, right = _doubles(op)
    return arithmetic.multiplied(left, right).op(), (left.op(), right.op())


def _quotient(op: Any, ranges: RangeOf) -> Said | None:
    left, right = _doubles(op)
    if ranges(op.left).quotient_is_calm(ranges(op.right)):
        return (left / right.nullif(double(0.0))).op(), ()
    return arithmetic.divided(left, right).op(), (left.op(), right.op())


def _remainder(op: Any, _: RangeOf) -> Said | None:
    if not _is_double(op):
        return None
    left, right = _doubles(op)
    return remainder(left, right).op(), (left.op(), right.op())


def _power(op: Any, _: RangeOf) -> Said | None:
    left, right = _doubles(op)
    return arithmetic.power(left, right).op(), (left.op(), right.op())


def _doubles(op: Any) -> list[Any]:
    return [
        each.to_expr() if each.dtype.is_float64() else each.to_expr().cast("float64")
        for each in (op.left, op.right)
    ]


def _exp(op: Any, _: RangeOf) -> Said | None:
    return arithmetic.exponential(op.arg.to_expr()).op(), (op.arg,)


def _round(op: Any, _: RangeOf) -> Said | None:
    """Halves go away from zero, and not to the even one."""
    import ibis

    value = op.arg.to_expr()
    if not op.dtype.is_integer() or not op.arg.dtype.is_floating():
        return None
    whole = call("trunc", "float64", value)
    away = (value - whole).abs() >= double(0.5)
    found = ibis.cases((away, whole + value.sign()), else_=whole)
    return found.cast(op.dtype).op(), (op.arg,)


def _cast(op: Any, _: RangeOf) -> Said | None:
    given, to = op.arg.dtype, op.to
    value = op.arg.to_expr()
    if given.is_boolean() and to.is_integer():
        return to_integer(value).op(), (op.arg,)
    if given.is_decimal() and to.is_float64() and given.precision is None:
        return decimal_to_double(value).op(), (op.arg,)
    if given.is_floating() and to.is_string():
        return double_to_text(value).op(), (op.arg,)
    if given.is_decimal() and to.is_string():
        return call("trim_scale", "decimal", value).cast("string").op(), ()
    return None


def _try_cast(op: Any, _: RangeOf) -> Said | None:
    given, to = op.arg.dtype, op.to
    if given.is_timestamp() and to.is_timestamp():
        return op.arg, ()
    reader = READERS.get(str(to).lstrip("!")) if given.is_string() else None
    return None if reader is None else (reader(op.arg.to_expr()).op(), (op.arg,))


def _ordered(op: Any, _: RangeOf) -> Said | None:
    if not op.left.dtype.is_string():
        return None
    left, right = (as_bytes(each.to_expr()).op() for each in (op.left, op.right))
    return type(op)(left, right), ()


def _between(op: Any, _: RangeOf) -> Said | None:
    if not op.arg.dtype.is_string():
        return None
    return type(op)(*(as_bytes(each.to_expr()).op() for each in op.args)), ()


def _extreme(op: Any, _: RangeOf) -> Said | None:
    if not op.dtype.is_string():
        return None
    parts = [as_bytes(each.to_expr()).op() for each in op.arg]
    return from_bytes(type(op)(parts).to_expr()).op(), ()


def _sort_key(op: Any, _: RangeOf) -> Said | None:
    if not op.arg.dtype.is_string():
        return None
    return op.copy(arg=as_bytes(op.arg.to_expr()).op()), ()


def _identical(op: Any, _: RangeOf) -> Said | None:
    """Two equalities, by which PostgreSQL can look rows up; it cannot by "is not distinct"."""
    import ibis

    left, right = op.left.to_expr(), op.right.to_expr()
    kind = left.type()
    other = ibis.literal(_ANY_VALUE.get(str(kind.copy(nullable=True)), 0)).cast(kind)
    same = left.coalesce(other) == right.coalesce(other.cast(right.type()))
    return (same & (left.isnull() == right.isnull())).op(), ()


def _lower(op: Any, _: RangeOf) -> Said | None:
    return lowered(op.arg.to_expr()).op(), (op.arg,)


def _upper(op: Any, _: RangeOf) -> Said | None:
    return raised(op.arg.to_expr()).op(), (op.arg,)


def _search(op: Any, _: RangeOf) -> Said | None:
    return call("textregexeq", "boolean", op.arg.to_expr(), op.pattern.to_expr()).op(), ()


def _digest(op: Any, _: RangeOf) -> Said | None:
    return (call("md5", "string", op.arg.to_expr()).op(), ()) if op.how == "md5" else None


def _days_between(op: Any, _: RangeOf) -> Said | None:
    return call("date_mi", "int64", op.left.to_expr(), op.right.to_expr()).op(), ()


def _days_later(op: Any, _: RangeOf) -> Said | None:
    """Days outside the years 1 to 9999 are null: PostgreSQL has none long before."""
    import ibis

    value, days = op.left.to_expr(), op.right.arg.to_expr()
    day = value if op.left.dtype.is_date() else value.cast("date")
    place = call("date_mi", "int64", day, ibis.literal(_FIRST_DAY).cast("date")) + days
    return ibis.cases((place.between(0, _DAYS), op.to_expr())).op(), (op.left, op.right.arg)


def _memory(op: Any, _: RangeOf) -> Said | None:
    return unnested(op), ()


MEANINGS: dict[str, Rule] = {
    "Literal": _literal,
    "Add": _sum,
    "Subtract": _sum,
    "Multiply": _product,
    "Divide": _quotient,
    "Modulus": _remainder,
    "Power": _power,
    "Exp": _exp,
    "Round": _round,
    "Cast": _cast,
    "TryCast": _try_cast,
    **dict.fromkeys(("Less", "LessEqual", "Greater", "GreaterEqual"), _ordered),
    "Between": _between,
    "Least": _extreme,
    "Greatest": _extreme,
    "SortKey": _sort_key,
    "IdenticalTo": _identical,
    "Lowercase": _lower,
    "Uppercase": _upper,
    "RegexSearch": _search,
    "HexDigest": _digest,
    "DateDelta": _days_between,
    "DateAdd": _days_later,
    "TimestampAdd": _days_later,
    "InMemoryTable": _memory,
}
