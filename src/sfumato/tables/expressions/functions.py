r"""Every function of the language: what it takes, what it gives, and how an engine computes it.

Null in gives null out, except where the table says otherwise.  Nothing here can fail because of
a row.  An integer has 64 bits.  Arithmetic is done in double precision, on integers too (exact to
2^53), and what is not finite is null: so is every result that overflows.  A column's own NaN is
null; a column's own infinity stays one, so that ``clip`` takes it to its bound and comparisons
know its side, and arithmetic makes it null.  Dates and timestamps lie in the years 1 to 9999.

===================================  ==================  =====================================
function                             gives               special values
===================================  ==================  =====================================
add, subtract, multiply              number              null where not finite
add (of two texts)                   text                beyond 10,000 characters: null
divide                               number              by 0: null
modulo                               number              by 0: null; the sign is the dividend's
power                                number              null where not finite, as 0 ** -1
floor_divide                         integer             by 0, or beyond 2^62: null
negative, abs                        the type it had     of -2^63: null
sign                                 the type it had     -1, 0 or 1
clip                                 the widest type     a null bound is none; upper wins
round, floor, ceil                   integer             beyond 2^62: null
round (to 1 to 15 digits)            number              halves away from zero
sqrt                                 number              below 0: null
ln, log10                            number              not above 0: null
exp                                  number              null where not finite
equal, not_equal                     boolean             integers with numbers as doubles
less, less_equal                     boolean             texts by their bytes
greater, greater_equal               boolean             dates with timestamps at midnight
between                              boolean             both ends belong to it
is_in                                boolean             as equal to one of them
and, or, not                         boolean             false AND null is false, true OR null true
is_null, is_not_null                 boolean             never null
coalesce                             the common type     the first that is not null
least, greatest                      the common type     nulls do not count
lower, upper                         text                letters one by one, as the engine's table
strip                                text                takes off blanks, tabs and line ends
length                               integer             code points
substring, left, right               text                places outside the text hold nothing
starts_with, ends_with, contains     boolean             the empty text is in every text
like                                 boolean             % any text, _ one character, \ escapes
replace                              text                of more than 10,000 characters: null
year, quarter, month, day            integer
weekday, day_of_year                 integer             Monday is 1, Sunday 7
hour, minute, second                 integer             of a date 0; the whole second
date_trunc                           the type it had     weeks begin on Monday
days_until                           integer             midnights between
add_days                             the type it had     outside the years 1 to 9999: null
===================================  ==================  =====================================

Casts are in ``sfumato.tables.expressions.casting``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.tables.expressions import forms
from sfumato.tables.expressions.names import TYPES, UNITS
from sfumato.tables.expressions.signatures import OneOfTypes, Signature, Text, Whole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_ORDERED = tuple(each for each in TYPES if each != "boolean")
_DATED = ("date", "timestamp")
_PLACE = Whole(0, 10**6)
_DAY_UNITS = OneOfTypes(UNITS[:5])


def _each(
    types: Sequence[str], count: int, result: str, make: Callable[..., Any], **more: Any
) -> tuple[Signature, ...]:
    """Return one form for each of several types."""
    return tuple(Signature((kind,) * count, result, make, **more) for kind in types)


def _one(*parameters: Any, gives: str, make: Callable[..., Any]) -> tuple[Signature, ...]:
    return (Signature(parameters, gives, make),)


def _part(method: str) -> Callable[..., Any]:
    return lambda value: getattr(value, method)().cast("int64")


_ARITHMETIC = {
    "add": (
        Signature(("raw", "raw"), "raw", lambda a, b: a + b),
        Signature(("piece", "piece"), "piece", forms.joined),
    ),
    "subtract": _one("raw", "raw", gives="raw", make=lambda a, b: a - b),
    "multiply": _one("raw", "raw", gives="raw", make=lambda a, b: a * b),
    "divide": _one("raw", "divisor", gives="raw", make=lambda a, b: a / b),
    "modulo": _one("raw", "divisor", gives="raw", make=lambda a, b: a % b),
    "power": _one("finite", "finite", gives="raw", make=lambda a, b: a**b),
    "floor_divide": _one("raw", "divisor", gives="integer", make=forms.floor_divide),
    "sqrt": _one("not_negative", gives="raw", make=lambda a: a.sqrt()),
    "ln": _one("positive", gives="raw", make=lambda a: a.ln()),
    "log10": _one("positive", gives="raw", make=lambda a: a.log10()),
    "exp": _one("finite", gives="raw", make=lambda a: a.exp()),
}
_ROUNDING = {
    "negative": (
        Signature(("integer",), "integer", lambda a: -forms.negatable(a)),
        Signature(("kept",), "kept", lambda a: -a),
    ),
    "abs": (
        Signature(("integer",), "integer", lambda a: forms.negatable(a).abs()),
        Signature(("kept",), "kept", lambda a: a.abs()),
    ),
    "sign": (
        Signature(("integer",), "integer", lambda a: a.sign().cast("int64")),
        Signature(("number",), "number", lambda a: a.sign().cast("float64")),
    ),
    "clip": _each(_ORDERED, 3, "same", forms.clip),
    "floor": (
        Signature(("integer",), "integer", lambda a: a),
        Signature(("raw",), "integer", forms.floor),
    ),
    "ceil": (
        Signature(("integer",), "integer", lambda a: a),
        Signature(("raw",), "integer", forms.ceil),
    ),
    "round": (
        Signature(("integer",), "integer", lambda a: a),
        Signature(("raw",), "integer", forms.rounded),
        Signature(("integer", Whole(1, 15)), "integer", lambda a, _: a),
        Signature(("raw", Whole(1, 15)), "raw", forms.rounded_to),
    ),
}
_COMPARING = {
    "equal": _each(TYPES, 2, "boolean", lambda a, b: a == b),
    "not_equal": _each(TYPES, 2, "boolean", lambda a, b: a != b),
    "less": _each(_ORDERED, 2, "boolean", lambda a, b: a < b),
    "less_equal": _each(_ORDERED, 2, "boolean", lambda a, b: a <= b),
    "greater": _each(_ORDERED, 2, "boolean", lambda a, b: a > b),
    "greater_equal": _each(_ORDERED, 2, "boolean", lambda a, b: a >= b),
    "between": _each(_ORDERED, 3, "boolean", lambda a, low, high: a.between(low, high)),
    "is_in": _each(
        TYPES, 2, "boolean", lambda a, *others: forms.is_one_of(a, others), repeats=True
    ),
    "and": _one("boolean", "boolean", gives="boolean", make=lambda a, b: a & b),
    "or": _one("boolean", "boolean", gives="boolean", make=lambda a, b: a | b),
    "not": _one("boolean", gives="boolean", make=lambda a: ~a),
    "is_null": _each(TYPES, 1, "boolean", lambda a: a.isnull()),
    "is_not_null": _each(TYPES, 1, "boolean", lambda a: a.notnull()),
    "coalesce": _each(TYPES, 1, "same", lambda *all_: forms.first(all_), repeats=True),
    "least": _each(_ORDERED, 1, "same", lambda *all_: forms.least(all_), repeats=True),
    "greatest": _each(_ORDERED, 1, "same", lambda *all_: forms.greatest(all_), repeats=True),
}
_TEXTS = {
    "lower": _one("text", gives="text", make=lambda a: a.lower()),
    "upper": _one("text", gives="text", make=lambda a: a.upper()),
    "strip": _one("text", gives="text", make=lambda a: a.strip()),
    "length": _one("text", gives="integer", make=_part("length")),
    "substring": _one("text", Whole(1, 10**6), _PLACE, gives="text", make=forms.substring),
    "left": _one("text", _PLACE, gives="text", make=lambda a, n: a.left(n)),
    "right": _one("text", _PLACE, gives="text", make=lambda a, n: a.right(n)),
    "starts_with": _one("text", "text", gives="boolean", make=lambda a, b: a.startswith(b)),
    "ends_with": _one("text", "text", gives="boolean", make=lambda a, b: a.endswith(b)),
    "contains": _one("text", "text", gives="boolean", make=lambda a, b: a.contains(b)),
    "like": _one("text", Text(1000), gives="boolean", make=forms.like),
    "replace": _one("text", Text(100), Text(100), gives="text", make=forms.replaced),
}
_TIMES = {
    **{
        name: _each(_DATED, 1, "integer", _part(name))
        for name in ("year", "quarter", "month", "day", "day_of_year")
    },
    **{
        name: _one("timestamp", gives="integer", make=_part(name))
        for name in ("hour", "minute", "second")
    },
    "weekday": _each(_DATED, 1, "integer", forms.weekday),
    "date_trunc": (
        Signature(("date", _DAY_UNITS), "date", forms.cut_date),
        Signature(("timestamp", OneOfTypes(UNITS)), "timestamp", forms.cut_timestamp),
    ),
    "days_until": _each(_DATED, 2, "integer", forms.days_until),
    "add_days": (
        Signature(("date", "integer"), "date", forms.later_date),
        Signature(("timestamp", "integer"), "timestamp", forms.later_timestamp),
    ),
}

#: The forms of each function, narrowest first.
FUNCTIONS: dict[str, tuple[Signature, ...]] = {
    **_ARITHMETIC,
    **_ROUNDING,
    **_COMPARING,
    **_TEXTS,
    **_TIMES,
}
