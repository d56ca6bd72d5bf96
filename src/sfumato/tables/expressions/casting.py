"""Casts: from each type to the others, with null for what cannot be one.

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

from typing import TYPE_CHECKING

from sfumato.tables.expressions.forms import floor
from sfumato.tables.expressions.guards import constant, dated, exactly

if TYPE_CHECKING:
    from collections.abc import Callable

    import ibis.expr.types as ir

_BLANKS = r"[ \t\n\r\f\v]*"
_DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIME = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?"
_INTEGER = "[+-]?[0-9]{1,18}"
_NUMBER = "[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?"
_TRUE, _FALSE = ("true", "t", "yes", "y", "1"), ("false", "f", "no", "n", "0")


def _read(pattern: str, kind: str, ending: str = "") -> Callable[[ir.Value], ir.Value]:
    """Return a cast of the texts that fit a pattern; what does not is the empty text, then null."""
    whole_text = f"^{_BLANKS}({pattern}){ending}{_BLANKS}$"
    engine_type = {"integer": "int64", "number": "float64"}.get(kind, kind)
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
