"""The safe forms that functions are compiled from: each gives null for what has no value.

An engine may work out a branch that a condition rules out, so a condition is inside of what it is
for.  An optimiser may decide one from what a file tells of a column, and Parquet does not tell of
NaN: so no comparison is trusted to leave NaN out, which `is_finite` does, row by row, and what
becomes an integer does so by a cast that cannot fail (`sfumato.data.doubles`).

=========  =========  ==========================================================================
from       to         value
=========  =========  ==========================================================================
integer    number     the nearest double
integer    text       its digits
integer    boolean    whether it is not 0
number     integer    without what is behind the point; null beyond 2^62
boolean    integer    0 or 1; so to number
boolean    text       'true' or 'false'
text       integer    an optional sign and 1 to 18 digits
text       number     an optional sign, digits with an optional point, an optional exponent
text       boolean    true, t, yes, y, 1 or false, f, no, n, 0, in small or capital letters
text       date       YYYY-MM-DD
text       timestamp  a date, and optionally a blank or a T with HH:MM, HH:MM:SS, HH:MM:SS.ffffff
date       timestamp  its midnight
date       text       YYYY-MM-DD
timestamp  date       its day
=========  =========  ==========================================================================

Blanks around a text do not count, and a timestamp may end in Z.  Any other text is null, "nan" and
"inf" among them.  Other casts are refused: engines write numbers and timestamps differently.
"""

from __future__ import annotations

import re
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from sfumato.data import doubles, is_finite
from sfumato.tables.expressions.values import UNITS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import ibis.expr.types as ir


#: The engine's type for each of ours.
ENGINE_TYPES = {
    "integer": "int64",
    "number": "float64",
    "text": "string",
    "boolean": "boolean",
    "date": "date",
    "timestamp": "timestamp",
}
LONGEST = 10_000
LARGEST_WHOLE = 2.0**62
FIRST_DAY, LAST_DAY = "0001-01-01", "9999-12-31"
FIRST_MOMENT, LAST_MOMENT = "0001-01-01 00:00:00", "9999-12-31 23:59:59.999999"
_LIKE = {"%": ".*", "_": "."}
_MOST_PIECES = 8
_MOST_DAYS = 3_652_058
_UNIT_LETTERS = dict(zip(UNITS, "YQMWDhms", strict=True))


_BLANKS = r"[ \t\n\r\f\v]*"
_DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIME = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?"
_INTEGER = "[+-]?[0-9]{1,18}"
_NUMBER = "[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?"
_TRUE, _FALSE = ("true", "t", "yes", "y", "1"), ("false", "f", "no", "n", "0")


def exactly(value: ir.Value, kind: str) -> ir.Value:
    """Return ``value`` cast in the engine, even where Ibis thinks that it has the type already."""
    import ibis.expr.datatypes as dt
    import ibis.expr.operations as ops

    return ops.Cast(value, dt.dtype(ENGINE_TYPES[kind])).to_expr()


def constant(value: Any, kind: str) -> ir.Value:
    """Return a value of the query in the engine's own type, to the last bit."""
    import ibis

    if value is None:
        return nulls(kind)
    if kind in {"text", "boolean"}:
        return ibis.literal(value, ENGINE_TYPES[kind])
    return ibis.literal(str(value)).cast(ENGINE_TYPES[kind])


def nulls(kind: str) -> ir.Value:
    """Return the null of a type; not as a literal, of which Ibis asks "is it null" for "="."""
    import ibis

    return exactly(ibis.null(ENGINE_TYPES[kind]), kind)


def held(condition: ir.Value, value: ir.Value) -> ir.Value:
    """Return ``value`` where a condition is true, and null elsewhere."""
    import ibis

    return ibis.cases((condition, value))


def finite(value: ir.Value) -> ir.Value:
    """Return a double, or null if it is infinite or not a number."""
    return held(is_finite(value), value)


def finite_from(value: ir.Value, lower: float) -> ir.Value:
    """Return a double, or null if it is below a constant, infinite or not a number."""
    return held(is_finite(value) & (value >= constant(lower, "number")), value)


def within(value: ir.Value, lower: Any, upper: Any, kind: str) -> ir.Value:
    """Return a value that is no double, or null if it lies outside two constants."""
    return held((value >= constant(lower, kind)) & (value <= constant(upper, kind)), value)


def whole(value: ir.Value) -> ir.Value:
    """Return a double of at most 2^62 in size, or null; one that is not a number may stay."""
    return held(value.abs() <= constant(LARGEST_WHOLE, "number"), value)


def short(text: ir.Value) -> ir.Value:
    """Return a text, or null if it is long enough to grow out of hand."""
    return held(text.length() <= LONGEST, text)


def dated(value: ir.Value, kind: str) -> ir.Value:
    """Return a date or a timestamp of the years 1 to 9999, or null."""
    if kind == "date":
        return within(value, FIRST_DAY, LAST_DAY, kind)
    return within(value, FIRST_MOMENT, LAST_MOMENT, kind)


def floor(value: ir.Value) -> ir.Value:
    """Return the floor of a double as an integer."""
    return doubles.floor(whole(value))


def rounded_to(value: ir.Value, digits: int) -> ir.Value:
    """Return a double with so many digits; one too large to have any behind is left alone."""
    import ibis

    step = constant(float(10**digits), "number")
    scaled = value * step
    small = scaled.abs() < constant(2.0**52, "number")
    near = exactly(doubles.nearest(held(small, scaled)), "number") / step
    return ibis.cases((small, near), else_=value)


def negatable(value: ir.Value) -> ir.Value:
    """Return an integer, or null for the one whose negative has no room."""
    return held(value > constant(-(2**63), "integer"), value)


def clip(value: ir.Value, lower: ir.Value, upper: ir.Value) -> ir.Value:
    """Return a value moved to the nearer bound; null stays null."""
    return held(value.notnull(), least(greatest(value, lower), upper))


def least(*values: ir.Value) -> ir.Value:
    """Return the least of the values that are not null."""
    import ibis

    return ibis.least(*values)


def greatest(*values: ir.Value) -> ir.Value:
    """Return the greatest of the values that are not null."""
    import ibis

    return ibis.greatest(*values)


def is_one_of(value: ir.Value, others: Sequence[Any]) -> ir.Value:
    """Return whether a value equals one of others; of booleans in words that Ibis writes rightly.

    It writes ``x IS NULL IN (...)``, which no engine reads.
    """
    if value.type().is_boolean():
        return reduce(or_, (value == each for each in others))
    return value.isin(others)


def like(text: ir.Value, pattern: str) -> ir.Value:
    """Return whether a text fits a pattern; engines disagree about backslashes, so none is left."""
    if "\\" not in pattern:
        return text.like(pattern)
    pieces = re.findall(r"\\[\\%_]|.", pattern, re.DOTALL)
    wanted = "".join(_LIKE.get(each, re.escape(each[-1])) for each in pieces)
    return text.re_search(f"(?s)^{wanted}$")


def replaced(text: ir.Value, old: str, new: str) -> ir.Value:
    """Return a text with pieces replaced, unless it is long enough to grow out of hand."""
    return short(text).replace(constant(old, "text"), constant(new, "text"))


def cut(kind: str) -> Callable[[ir.Value, str], ir.Value]:
    """Return what gives the beginning of a unit of time, as a date or as a timestamp."""
    return lambda value, unit: exactly(value.truncate(_UNIT_LETTERS[unit]), kind)


def days_until(start: ir.Value, end: ir.Value) -> ir.Value:
    """Return the number of midnights from one date or timestamp to another."""
    return exactly(end, "date").delta(exactly(start, "date"), unit="day").cast("int64")


def later(kind: str) -> Callable[[ir.Value, ir.Value], ir.Value]:
    """Return what gives a date, or a timestamp, so many days later."""

    def moved(value: ir.Value, days: ir.Value) -> ir.Value:
        found = value + within(days, -_MOST_DAYS, _MOST_DAYS, "integer").as_interval("D")
        return dated(exactly(found, kind) if kind == "date" else found, kind)

    return moved


def joined(one: ir.StringValue, other: ir.StringValue) -> ir.Value:
    """Return one text after another, with one character too many at least if it is too long.

    It is cut now and then: a cut at each step would nest too deep for whoever writes the query.
    """
    both = _piece(one) + _piece(other)
    return both.right(LONGEST + 1) if _pieces(both) > _MOST_PIECES else both


def _piece(text: ir.Value) -> ir.Value:
    return text if _pieces(text) > 1 else text.right(LONGEST + 1)


def _pieces(text: ir.Value) -> int:
    """Return how many texts one is joined of since it was cut."""
    import ibis.expr.operations as ops

    found = text.op()
    if not isinstance(found, ops.StringConcat):
        return 1
    return sum(_pieces(each.to_expr()) for each in found.arg)


def _read(pattern: str, kind: str, ending: str = "") -> Callable[[ir.Value], ir.Value]:
    """Return a cast of the texts that fit a pattern; what does not is the empty text, then null."""
    whole_text = f"^{_BLANKS}({pattern}){ending}{_BLANKS}$"
    engine_type = ENGINE_TYPES[kind]
    return lambda text: text.re_extract(whole_text, 1).try_cast(engine_type)


def _read_dated(pattern: str, kind: str, ending: str = "") -> Callable[[ir.Value], ir.Value]:
    read = _read(pattern, kind, ending)
    return lambda text: dated(read(text), kind)


def _read_boolean(text: ir.Value) -> ir.Value:
    import ibis

    word = text.strip().lower()
    return ibis.cases((word.isin(_TRUE), True), (word.isin(_FALSE), False))


def _without_fraction(number: ir.Value) -> ir.Value:
    return floor(number.abs()) * exactly(number.sign(), "integer")


def _true_or_false(value: ir.Value) -> ir.Value:
    import ibis

    return ibis.cases((value, "true"), (~value, "false"))


#: How a value of one type becomes one of another; "raw" is a double that is null unless finite.
CASTS: dict[tuple[str, str], Callable[[ir.Value], ir.Value]] = {
    ("integer", "number"): lambda value: exactly(value, "number"),
    ("integer", "text"): lambda value: exactly(value, "text"),
    ("integer", "boolean"): lambda value: value != constant(0, "integer"),
    ("number", "integer"): _without_fraction,
    ("boolean", "integer"): lambda value: exactly(value, "integer"),
    ("boolean", "number"): lambda value: exactly(exactly(value, "integer"), "number"),
    ("boolean", "text"): _true_or_false,
    ("text", "integer"): _read(_INTEGER, "integer"),
    ("text", "number"): _read(_NUMBER, "number"),
    ("text", "boolean"): _read_boolean,
    ("text", "date"): _read_dated(_DATE, "date"),
    ("text", "timestamp"): _read_dated(f"{_DATE}([ T]{_TIME})?", "timestamp", "Z?"),
    ("date", "timestamp"): lambda value: exactly(value, "timestamp"),
    ("date", "text"): lambda value: exactly(value, "text"),
    ("timestamp", "date"): lambda value: exactly(value, "date"),
}
