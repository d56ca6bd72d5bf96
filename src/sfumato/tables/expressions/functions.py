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

Casts are in ``sfumato.tables.expressions.guards``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.data import doubles
from sfumato.errors import InputError
from sfumato.refusal import Declaration, any_of, text
from sfumato.tables.expressions import guards
from sfumato.tables.expressions.nodes import Column
from sfumato.tables.expressions.values import TYPES, UNITS, written_name
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import ibis.expr.types as ir

    from sfumato.refusal import Given
    from sfumato.tables.expressions.nodes import Expression, FunctionCall


_READ_FROM_TEXT = ("number", "date", "timestamp", "boolean", "integer")
#: A number that is handed over as a double: as it is, finite, fit to divide by, and so on.
DOUBLES = ("number", "raw", "kept", "finite", "divisor", "positive", "not_negative")
_WIDENED = {"timestamp": {"date", "timestamp"}, "piece": {"text"}} | {
    each: {"integer", "number"} for each in DOUBLES
}


@dataclass(frozen=True)
class Whole:
    """A whole number that the query writes down."""

    least: int
    most: int

    def fits(self, value: Any) -> bool:
        """Return whether a value is allowed."""
        return type(value) is int and self.least <= value <= self.most

    def __str__(self) -> str:
        return tr("a whole number from {least} to {most}", least=self.least, most=self.most)


@dataclass(frozen=True)
class Text:
    """A text that the query writes down."""

    most: int

    def fits(self, value: Any) -> bool:
        """Return whether a value is allowed."""
        return isinstance(value, str) and len(value) <= self.most

    def __str__(self) -> str:
        return tr("a written text of at most {most} characters", most=self.most)


@dataclass(frozen=True)
class OneOfTypes:
    """One of several words."""

    words: tuple[str, ...]

    def fits(self, value: Any) -> bool:
        """Return whether a value is allowed."""
        return isinstance(value, str) and value in self.words

    def __str__(self) -> str:
        return tr("one of {words}", words=", ".join(map(repr, self.words)))


Parameter = str | Whole | Text | OneOfTypes


@dataclass(frozen=True)
class Signature:
    """One form of a function.

    Attributes
    ----------
    parameters
        What it takes: a type, a kind of double, a piece of a text, or a constant.
    result
        The type it gives; "same" for that of its parameters, "raw" for a double that is null
        unless it is finite, "kept" for a number that is as good as the one that came in, "piece"
        for a text that is null if it is too long.
    make
        The engine's value from the engine's values.
    repeats
        Whether the last parameter may be given more than once.
    """

    parameters: tuple[Parameter, ...]
    result: str
    make: Callable[..., ir.Value]
    repeats: bool = False

    def result_type(self, types: Sequence[str]) -> str:
        """Return the type of the result; nulls alone give a null, which is of every type."""
        if self.result == "same":
            return "null" if set(types) == {"null"} else str(self.parameters[0])
        return _shown(self.result)

    def parameters_for(self, count: int) -> tuple[Parameter, ...]:
        """Return the parameters of a call with so many arguments."""
        more = count - len(self.parameters) if self.repeats else 0
        return self.parameters + self.parameters[-1:] * more

    def fits(self, arguments: Sequence[Expression], types: Sequence[str]) -> bool:
        """Return whether it takes these arguments."""
        parameters = self.parameters_for(len(arguments))
        return len(parameters) == len(arguments) and all(
            accepts(*each) for each in zip(parameters, arguments, types, strict=True)
        )

    def __str__(self) -> str:
        shown = ", ".join(_shown(each) for each in self.parameters)
        return f"({shown}, ...)" if self.repeats else f"({shown})"


def accepts(parameter: Parameter, argument: Expression, given: str) -> bool:
    """Return whether a parameter takes an argument of a type; null goes for any type."""
    if not isinstance(parameter, str):
        return parameter.fits(getattr(argument, "value", None))
    return given == "null" or given in _WIDENED.get(parameter, {parameter})


def fitting(call: FunctionCall, forms: Sequence[Signature], types: Sequence[str]) -> Signature:
    """Return the first form of a function that takes the arguments of a call."""
    for form in forms:
        if form.fits(call.arguments, types):
            return form
    raise _declaring(call, forms, types) or InputError(
        "E-EXPRESSION-UNDEFINED",
        "{call} has no value: {function} takes {takes} and was given ({types})",
        "cast what does not fit, or write another function",
        call=shortened(call),
        function=call.function,
        takes=any_of(dict.fromkeys(map(str, forms))),
        types=", ".join(types),
    )


def _declaring(
    call: FunctionCall, forms: Sequence[Signature], types: Sequence[str]
) -> InputError | None:
    """Return what to declare of a column that is text, as those of a CSV file are, or None.

    A number is offered before an integer, beside one too: cells such as 1.5 are no integers.
    """
    texts = {
        place: each.name
        for place, each in enumerate(call.arguments)
        if isinstance(each, Column) and types[place] == "text"
    }
    beside = (each for each in types if each not in {"text", "null", "integer"})
    for kind in (*beside, *_READ_FROM_TEXT):
        read = [kind if place in texts else each for place, each in enumerate(types)]
        if texts and any(form.fits(call.arguments, read) for form in forms):
            name = next(iter(texts.values()))
            return InputError(
                "E-EXPRESSION-UNDEFINED",
                "{call} has no value, since {name} is text",
                "declare {types} where a CSV file is the table{times}, or cast it",
                call=shortened(call),
                name=written_name(name),
                types=Declaration("types", name, kind),
                times=_with_times(name) if kind == "date" else "",
            )
    return None


def common_type(types: Sequence[str]) -> str | None:
    """Return the narrowest type that all of several types can be taken as, or None."""
    if all(each == "null" for each in types):
        return "null"
    for wanted in TYPES:
        if all(each in {"null"} | _WIDENED.get(wanted, {wanted}) for each in types):
            return wanted
    return None


def shortened(expression: Expression, most: int = 120) -> str:
    """Return an expression as text that fits in a sentence."""
    text = str(expression)
    return text if len(text) <= most else text[: most - 3] + "..."


def _shown(parameter: Parameter) -> str:
    if parameter in DOUBLES:
        return "number"
    return "text" if parameter == "piece" else str(parameter)


def _with_times(name: str) -> Given:
    """Return what to declare of cells that a date alone would not read."""
    declared = Declaration("types", name, "timestamp")
    return text(" ({declared} where there is a time of day)", declared=declared)


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
        Signature(("piece", "piece"), "piece", guards.joined),
    ),
    "subtract": _one("raw", "raw", gives="raw", make=lambda a, b: a - b),
    "multiply": _one("raw", "raw", gives="raw", make=lambda a, b: a * b),
    "divide": _one("raw", "divisor", gives="raw", make=lambda a, b: a / b),
    "modulo": _one("raw", "divisor", gives="raw", make=lambda a, b: a % b),
    "power": _one("finite", "finite", gives="raw", make=lambda a, b: a**b),
    "floor_divide": _one("raw", "divisor", gives="integer", make=lambda a, b: guards.floor(a / b)),
    "sqrt": _one("not_negative", gives="raw", make=lambda a: a.sqrt()),
    "ln": _one("positive", gives="raw", make=lambda a: a.ln()),
    "log10": _one("positive", gives="raw", make=lambda a: a.log10()),
    "exp": _one("finite", gives="raw", make=lambda a: a.exp()),
}
_ROUNDING = {
    "negative": (
        Signature(("integer",), "integer", lambda a: -guards.negatable(a)),
        Signature(("kept",), "kept", lambda a: -a),
    ),
    "abs": (
        Signature(("integer",), "integer", lambda a: guards.negatable(a).abs()),
        Signature(("kept",), "kept", lambda a: a.abs()),
    ),
    "sign": (
        Signature(("integer",), "integer", lambda a: a.sign().cast("int64")),
        Signature(("number",), "number", lambda a: a.sign().cast("float64")),
    ),
    "clip": _each(_ORDERED, 3, "same", guards.clip),
    "floor": (
        Signature(("integer",), "integer", lambda a: a),
        Signature(("raw",), "integer", guards.floor),
    ),
    "ceil": (
        Signature(("integer",), "integer", lambda a: a),
        Signature(("raw",), "integer", lambda a: doubles.ceiling(guards.whole(a))),
    ),
    "round": (
        Signature(("integer",), "integer", lambda a: a),
        Signature(("raw",), "integer", lambda a: doubles.nearest(guards.whole(a))),
        Signature(("integer", Whole(1, 15)), "integer", lambda a, _: a),
        Signature(("raw", Whole(1, 15)), "raw", guards.rounded_to),
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
        TYPES, 2, "boolean", lambda a, *others: guards.is_one_of(a, others), repeats=True
    ),
    "and": _one("boolean", "boolean", gives="boolean", make=lambda a, b: a & b),
    "or": _one("boolean", "boolean", gives="boolean", make=lambda a, b: a | b),
    "not": _one("boolean", gives="boolean", make=lambda a: ~a),
    "is_null": _each(TYPES, 1, "boolean", lambda a: a.isnull()),
    "is_not_null": _each(TYPES, 1, "boolean", lambda a: a.notnull()),
    "coalesce": _each(TYPES, 1, "same", lambda a, *others: a.coalesce(*others), repeats=True),
    "least": _each(_ORDERED, 1, "same", guards.least, repeats=True),
    "greatest": _each(_ORDERED, 1, "same", guards.greatest, repeats=True),
}
_TEXTS = {
    "lower": _one("text", gives="text", make=lambda a: a.lower()),
    "upper": _one("text", gives="text", make=lambda a: a.upper()),
    "strip": _one("text", gives="text", make=lambda a: a.strip()),
    "length": _one("text", gives="integer", make=_part("length")),
    "substring": _one(
        "text", Whole(1, 10**6), _PLACE, gives="text", make=lambda a, i, n: a.substr(i - 1, n)
    ),
    "left": _one("text", _PLACE, gives="text", make=lambda a, n: a.left(n)),
    "right": _one("text", _PLACE, gives="text", make=lambda a, n: a.right(n)),
    "starts_with": _one("text", "text", gives="boolean", make=lambda a, b: a.startswith(b)),
    "ends_with": _one("text", "text", gives="boolean", make=lambda a, b: a.endswith(b)),
    "contains": _one("text", "text", gives="boolean", make=lambda a, b: a.contains(b)),
    "like": _one("text", Text(1000), gives="boolean", make=guards.like),
    "replace": _one("text", Text(100), Text(100), gives="text", make=guards.replaced),
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
    "weekday": _each(_DATED, 1, "integer", lambda a: a.day_of_week.index().cast("int64") + 1),
    "date_trunc": (
        Signature(("date", _DAY_UNITS), "date", guards.cut("date")),
        Signature(("timestamp", OneOfTypes(UNITS)), "timestamp", guards.cut("timestamp")),
    ),
    "days_until": _each(_DATED, 2, "integer", guards.days_until),
    "add_days": (
        Signature(("date", "integer"), "date", guards.later("date")),
        Signature(("timestamp", "integer"), "timestamp", guards.later("timestamp")),
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
