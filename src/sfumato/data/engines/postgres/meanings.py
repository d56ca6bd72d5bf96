"""The operations that PostgreSQL understands otherwise, and how to say to it what is meant.

Each rule takes an operation, of parts that were rewritten already, and returns what to say
instead, and those parts that it repeats; or None where nothing has to be said.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from sfumato.data.doubles import LARGEST
from sfumato.data.engines.functions import call
from sfumato.data.engines.postgres import arithmetic
from sfumato.data.engines.postgres.arithmetic import double
from sfumato.data.engines.postgres.casts import (
    READERS,
    as_bytes,
    decimal_to_double,
    double_to_text,
    double_to_whole,
    from_bytes,
    lowered,
    raised,
    short_text,
    to_integer,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.data.engines.postgres.ranges import Range

    RangeOf = Callable[[Any], Range]
    Said = tuple[Any, tuple[Any, ...]]
    Rule = Callable[[Any, RangeOf], Said | None]


def unnested(memory: Any) -> Any:
    """Return a table of Ibis in memory as lists that the server unnests side by side."""
    import ibis
    import ibis.expr.operations as ops

    rows = memory.data.to_pyarrow(memory.schema)
    lists = {
        name: ibis.literal(_listed(rows[name].to_pylist())).cast(f"array<{_kind(kind)}>")
        for name, kind in memory.schema.items()
    }
    return ops.DummyTable({name: ops.Unnest(each) for name, each in lists.items()})


def _kind(kind: Any) -> str:
    return str(kind.copy(nullable=True))


def _listed(values: list[Any]) -> str:
    """Return values as PostgreSQL writes an array."""
    return "{" + ",".join(map(_written, values)) + "}"


def _written(value: Any) -> str:
    if value is None:
        return "NULL"
    text = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


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
    return _of_doubles(op, functools.partial(arithmetic.added, sign=sign))


def _product(op: Any, ranges: RangeOf) -> Said | None:
    if not _is_double(op) or ranges(op.left).product_is_calm(ranges(op.right)):
        return None
    return _of_doubles(op, arithmetic.multiplied)


def _quotient(op: Any, ranges: RangeOf) -> Said | None:
    if ranges(op.left).quotient_is_calm(ranges(op.right)):
        left, right = _doubles(op)
        return (left / right.nullif(double(0.0))).op(), ()
    return _of_doubles(op, arithmetic.divided)


def _remainder(op: Any, _: RangeOf) -> Said | None:
    return _of_doubles(op, arithmetic.remainder) if _is_double(op) else None


def _power(op: Any, _: RangeOf) -> Said | None:
    return _of_doubles(op, arithmetic.power)


def _of_doubles(op: Any, function: Callable[[Any, Any], Any]) -> Said:
    left, right = _doubles(op)
    return function(left, right).op(), (left.op(), right.op())


def _doubles(op: Any) -> list[Any]:
    return [
        each.to_expr() if each.dtype.is_float64() else each.to_expr().cast("float64")
        for each in (op.left, op.right)
    ]


def _of_its_argument(change: Callable[[Any], Any]) -> Rule:
    return lambda op, _: (change(op.arg.to_expr()).op(), (op.arg,))


def _is_finite(op: Any, _: RangeOf) -> Said | None:
    """Compare with the greatest number; to PostgreSQL a NaN is greater than all."""
    (given,) = op.args
    return (given.to_expr().abs() <= double(LARGEST)).op(), ()


def _rounded(op: Any, _: RangeOf) -> Said:
    """Halves go away from zero, and not to the even one."""
    import ibis

    (given,) = op.args
    value = given.to_expr()
    whole = call("trunc", "float64", value)
    away = (value - whole).abs() >= double(0.5)
    return ibis.cases((away, whole + value.sign()), else_=whole).op(), (given,)


def _in_whole(op: Any, ranges: RangeOf) -> Said | None:
    """Round a double to a whole number, which is null where 64 bits do not hold it."""
    if not op.arg.dtype.is_floating() or not op.dtype.is_integer():
        return None
    name = type(op).__name__.lower()
    found = call(name, "float64", op.arg.to_expr().cast("float64")).op()
    rounded = _rounded(found, ranges)[0] if name == "round" else found
    return double_to_whole(rounded.to_expr(), op.dtype).op(), (op.arg,)


def _sign(op: Any, _: RangeOf) -> Said | None:
    """Give the sign of a whole number as one; the server's own is a double."""
    if not op.dtype.is_integer():
        return None
    return op.arg.to_expr().cast("float64").sign().cast(op.dtype).op(), ()


def _cast(op: Any, _: RangeOf) -> Said | None:
    given, to = op.arg.dtype, op.to
    value = op.arg.to_expr()
    if given.is_boolean() and to.is_numeric():
        return to_integer(value).cast(to).op(), (op.arg,)
    if given.is_decimal() and to.is_float64() and given.precision is None:
        return decimal_to_double(value).op(), (op.arg,)
    if given.is_floating() and to.is_string():
        return double_to_text(value).op(), (op.arg,)
    if given.is_decimal() and to.is_string():
        return call("trim_scale", "decimal", value).cast("string").op(), ()
    if given.is_string() and to.is_string() and not _is_as_stored(op.arg):
        return short_text(op.to_expr()).op(), ()
    return None


def _is_as_stored(value: Any) -> bool:
    """Tell whether a value is written down in the query, or in the server's own table."""
    import ibis.expr.operations as ops

    return isinstance(value, ops.Literal) or isinstance(
        getattr(value, "rel", None), ops.UnboundTable
    )


def _try_cast(op: Any, ranges: RangeOf) -> Said | None:
    """Give null for what is none of a type; the server's own cast, which Ibis writes, raises."""
    from ibis.common.exceptions import UnsupportedOperationError

    given, to, value = op.arg.dtype, op.to, op.arg.to_expr()
    if given.is_timestamp() and to.is_timestamp():
        return op.arg, ()
    if given.is_floating() and to.is_integer():
        if to.is_int64() and ranges(op.arg).is_held():
            return value.cast(to).op(), ()
        return double_to_whole(value, to).op(), (op.arg,)
    reader = READERS.get(str(to).lstrip("!")) if given.is_string() else None
    if reader is None:
        message = f"there is no cast from {given} to {to} that gives null"
        raise UnsupportedOperationError(message)
    return reader(value).op(), (op.arg,)


def _compared(op: Any, _: RangeOf) -> Said | None:
    """Compare texts by their bytes."""
    if not op.args[0].dtype.is_string():
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


MEANINGS: dict[str, Rule] = {
    "Literal": _literal,
    "Add": _sum,
    "Subtract": _sum,
    "Multiply": _product,
    "Divide": _quotient,
    "Modulus": _remainder,
    "Power": _power,
    "Exp": _of_its_argument(arithmetic.exponential),
    "isfinite": _is_finite,
    "round": _rounded,
    **dict.fromkeys(("Floor", "Ceil", "Round"), _in_whole),
    "Sign": _sign,
    "Cast": _cast,
    "TryCast": _try_cast,
    **dict.fromkeys(("Less", "LessEqual", "Greater", "GreaterEqual", "Between"), _compared),
    "Least": _extreme,
    "Greatest": _extreme,
    "SortKey": _sort_key,
    "IdenticalTo": _identical,
    "Lowercase": _of_its_argument(lowered),
    "Uppercase": _of_its_argument(raised),
    "RegexSearch": _search,
    "HexDigest": _digest,
    "DateDelta": _days_between,
    "DateAdd": _days_later,
    "TimestampAdd": _days_later,
    "InMemoryTable": lambda op, _: (unnested(op), ()),
}
