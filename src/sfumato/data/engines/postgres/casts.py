"""Casts that give null, infinity or 0 where PostgreSQL would raise."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any

from sfumato.data.engines.engine import LONGEST_TEXT, capital
from sfumato.data.engines.functions import call
from sfumato.data.engines.postgres.arithmetic import double

if TYPE_CHECKING:
    from collections.abc import Callable

    import ibis.expr.types as ir


_INTEGER = "^[+-]?[0-9]{1,18}$"
_NUMBER = "^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?$"
_DATE = "^[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIME = "([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?)?$"

#: What rounds to infinity, and what rounds to 0: half a step beyond the greatest double, and half
#: of the least.
_BEYOND, _VANISHING = str(2**1024 - 2**970), f"{5**1075}e-1075"


def fits(text: ir.Value, pattern: str) -> ir.Value:
    """Return whether a text fits a pattern."""
    return call("textregexeq", "boolean", text, pattern)


def double_to_text(value: ir.Value) -> ir.Value:
    """Return the digits of a double, with a point where it is whole; so ids are told apart."""
    import ibis

    text = call(
        "lower", "string", call("replace", "string", value.cast("string"), "Infinity", "inf")
    )
    return ibis.cases((fits(text, "^-?[0-9]+$"), text + ".0"), else_=text)


def double_to_whole(value: ir.Value, kind: Any) -> ir.Value:
    """Return the nearest whole number to a double, the even of two; null where it has no room.

    To PostgreSQL NaN is greater than all numbers, so that it lies beyond the end.
    """
    import ibis

    beyond = 2.0 ** (8 * kind.nbytes - 1)
    has_room = (value >= double(-beyond - 0.5)) & (value < double(beyond - 0.5))
    return ibis.cases((has_room, value.cast(kind)))


def to_integer(value: ir.Value) -> ir.Value:
    """Return true and false as 1 and 0."""
    import ibis

    return ibis.cases((value, ibis.literal(1, "int64")), (~value, ibis.literal(0, "int64")))


def decimal_to_double(value: ir.Value) -> ir.Value:
    """Return a number of any number of digits as the nearest double."""
    import ibis

    def written(text: str) -> ir.Value:
        return ibis.literal(text).cast("decimal")

    size = call("abs", "decimal", value)
    nothing, sign = double(0.0), call("sign", "decimal", value).cast("float64")
    return ibis.cases(
        (value == written("NaN"), double(float("nan"))),
        (size >= written(_BEYOND), sign * double(float("inf"))),
        (size <= written(_VANISHING), nothing),
        else_=value.cast("float64"),
    )


def _read_integer(text: ir.Value) -> ir.Value:
    import ibis

    return ibis.cases((fits(text, _INTEGER), text.cast("int64")))


def _read_number(text: ir.Value) -> ir.Value:
    """Return a number that is written with any number of digits, and any exponent."""
    import ibis

    mantissa = call("regexp_replace", "string", text, "[eE].*$", "")
    digits = call("translate", "string", mantissa, "+-.", "")
    telling = call("ltrim", "string", digits, "0")
    before = call("split_part", "string", call("ltrim", "string", mantissa, "+-"), ".", 1)
    # The number is 0.ddd… times ten to this power.
    place = _exponent(text) + before.length() - digits.length() + telling.length()
    rounded = ("0." + telling.left(1000) + "e" + place.cast("string")).cast("decimal")
    sign = ibis.cases((text.left(1) == "-", double(-1.0)), else_=double(1.0))
    beyond, nothing = sign * double(float("inf")), double(0.0)
    value = ibis.cases(
        (telling == "", nothing),
        (place.between(-320, 308), text.cast("float64")),
        (place > 309, beyond),
        (place < -330, nothing),
        (rounded >= ibis.literal(_BEYOND).cast("decimal"), beyond),
        (rounded <= ibis.literal(_VANISHING).cast("decimal"), nothing),
        else_=text.cast("float64"),
    )
    return ibis.cases((fits(text, _NUMBER), value))


def _exponent(text: ir.Value) -> ir.Value:
    """Return the exponent of a number as it is written, cut where it is beyond all numbers."""
    import ibis

    written = call("split_part", "string", call("lower", "string", text), "e", 2)
    size = call("ltrim", "string", call("ltrim", "string", written, "+-"), "0")
    cut = ibis.cases((size == "", "0"), (size.length() > 9, "999999999"), else_=size)
    value = cut.cast("int64")
    return ibis.cases((written.left(1) == "-", -value), else_=value)


def _read_date(text: ir.Value) -> ir.Value:
    import ibis

    return ibis.cases((_is_day(text, "$"), text.cast("date")))


def _read_timestamp(text: ir.Value) -> ir.Value:
    import ibis

    return ibis.cases((_is_day(text, _TIME), text.cast("timestamp")))


def _is_day(text: ir.Value, ending: str) -> ir.Value:
    """Return whether a text begins with a day of the calendar, in the years 1 to 9999."""
    import ibis

    shown = fits(text, _DATE + ending)
    year, month, day = (
        ibis.cases((shown, text.substr(start, length).cast("int64")))
        for start, length in ((0, 4), (5, 2), (8, 2))
    )
    leaps = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    last = ibis.cases(
        (month.isin([4, 6, 9, 11]), 30),
        (month == 2, ibis.cases((leaps, 29), else_=28)),
        else_=31,
    )
    return shown & (year >= 1) & month.between(1, 12) & day.between(1, last)


#: How texts are read as values of other types, null where they are none.
READERS: dict[str, Callable[[ir.Value], ir.Value]] = {
    "int64": _read_integer,
    "float64": _read_number,
    "date": _read_date,
    "timestamp": _read_timestamp,
}


def as_bytes(text: ir.Value) -> ir.Value:
    """Return the bytes of a text, which are in the order of its characters."""
    return call("convert_to", "binary", text, "UTF8")


def from_bytes(content: ir.Value) -> ir.Value:
    """Return the text of some bytes."""
    return call("convert_from", "string", content, "UTF8")


def short_text(text: ir.Value) -> ir.Value:
    """Return a text, null where it is too long for some function of the server."""
    import ibis

    return ibis.cases((call("octet_length", "int64", text) <= LONGEST_TEXT, text))


def lowered(text: ir.Value) -> ir.Value:
    """Return a text in small letters, one for each."""
    return _mapped(text, "lower")


def raised(text: ir.Value) -> ir.Value:
    """Return a text in capital letters, one for each."""
    return _mapped(text, "upper")


def _mapped(text: ir.Value, method: str) -> ir.Value:
    """Change a text by a table of letters: first those of ASCII, then others if there are any."""
    import ibis

    ascii_, others = _letters(method)
    plain = call("translate", "string", text, *ascii_)
    has_others = call("octet_length", "int64", text) != text.length()
    return ibis.cases((has_others, call("translate", "string", plain, *others)), else_=plain)


@functools.cache
def _letters(method: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the letters of ASCII and all others that change, and what they become."""
    changed = {}
    for place in [*range(1, 0xD800), *range(0xE000, sys.maxunicode + 1)]:
        letter = chr(place)
        other = _CHANGES[method](letter)
        if other != letter:
            changed[letter] = other
    parts = [
        {k: v for k, v in changed.items() if k.isascii() is wanted} for wanted in (True, False)
    ]
    found = tuple(("".join(each), "".join(each.values())) for each in parts)
    return found[0], found[1]


def _lower(letter: str) -> str:
    return "i" if letter == "İ" else letter.lower()


_CHANGES: dict[str, Callable[[str], str]] = {"lower": _lower, "upper": capital}
