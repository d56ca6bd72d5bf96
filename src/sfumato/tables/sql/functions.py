"""Dates, timestamps, days between them, and sums that may be of days."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.tables.expressions import (
    Case,
    Cast,
    Expression,
    FunctionCall,
    Literal,
    coalesce,
    type_of,
)
from sfumato.tables.sql.literals import (
    Make,
    TranslationRule,
    call,
    calling,
    literal,
    moment,
    number,
    slots,
)
from sfumato.tables.sql.refusals import (
    BINARY,
    COMPARISONS,
    DATE_PARTS,
    SEVERAL,
    SUNDAY_FIRST,
    UNARY,
    WEEKDAY,
    kind,
    only,
    refusal,
    shortened,
)
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlglot.expressions import Expr

    from sfumato.tables.sql.names import Names


_NUMBERS = {"integer", "number"}
#: How many parts a difference of three numbers has: the numbers, and two minus signs.
_DIFFERENCE = 5


def _comparing(function: str) -> Make:
    """Return what makes a comparison, in which a text beside a date is read as one."""

    def make(names: Names, node: Expr, below: list[Expression]) -> Expression:  # noqa: ARG001
        return FunctionCall(function, tuple(_dated(below, names)))

    return make


def _dated(values: Sequence[Expression], names: Names) -> Sequence[Expression]:
    _check_quoted(values, names)
    if not any(_is_text(each) for each in values):
        return values
    others = {type_of(each, names.schema) for each in values if not _is_text(each)}
    wanted = next((each for each in ("timestamp", "date") if each in others), None)
    if wanted is None:
        return values
    return [
        moment(str(each.value), wanted) if isinstance(each, Literal) and _is_text(each) else each
        for each in values
    ]


def _check_quoted(values: Sequence[Expression], names: Names) -> None:
    """Refuse a date without quotes, which is a difference of numbers, beside texts and dates."""
    written = next((found for each in values if (found := _bare_date(each))), None)
    if written is None or all(type_of(each, names.schema) in _NUMBERS for each in values):
        return
    raise InputError(
        "E-SQL-SYNTAX",
        "{written} without quotes is a difference of three numbers",
        "write DATE '{written}'",
        written=written,
    )


def _bare_date(value: Expression) -> str | None:
    """Return the date that three numbers with minus signs between them look like."""
    written = str(value) if value.size == _DIFFERENCE else ""
    found = re.fullmatch(r"\(([0-9]{4}) - ([0-9]{1,2})\) - ([0-9]{1,2})", written)
    try:
        return found and dt.date(*map(int, found.groups())).isoformat()
    except ValueError:
        return None


def _is_text(value: Expression) -> bool:
    return isinstance(value, Literal) and isinstance(value.value, str)


def _is_in(names: Names, node: Expr, below: list[Expression]) -> Expression:
    if len(below) == 1 or any(isinstance(each, Literal) and each.value is None for each in below):
        raise refusal(
            of=mark("IN with NULL or without values"),
            write=mark("IN ('a', 'b'), and IS NULL for the rest"),
        )
    return _comparing("is_in")(names, node, below)


def _like(_: Names, node: Expr, below: list[Expression]) -> Expression:
    found = FunctionCall("like", tuple(below))
    return FunctionCall("not", (found,)) if node.args.get("negate") else found


def _not(_: Names, __: Expr, below: list[Expression]) -> Expression:
    (inner,) = below
    if isinstance(inner, FunctionCall) and inner.function == "is_null":
        return FunctionCall("is_not_null", inner.arguments)
    return FunctionCall("not", (inner,))


def _null_test(node: Expr) -> Sequence[Expr]:
    this, other, _ = only(node, "this", "expression", "negate")
    if kind(other) != "Null":
        raise refusal(
            of=mark("IS with anything but NULL"), write=mark("x IS NULL, or the condition itself")
        )
    return [this]


def _is_null(_: Names, node: Expr, below: list[Expression]) -> Expression:
    return FunctionCall("is_not_null" if node.args.get("negate") else "is_null", tuple(below))


def _case_parts(node: Expr) -> Sequence[Expr]:
    this, branches, default = only(node, "this", "ifs", "default")
    found = [] if this is None else [this]
    for each in branches:
        found += only(each, "this", "true")
    return found if default is None else [*found, default]


def _case(names: Names, node: Expr, below: list[Expression]) -> Expression:
    start = 0 if node.args.get("this") is None else 1
    count = len(node.args["ifs"])
    pairs = [(below[i], below[i + 1]) for i in range(start, start + 2 * count, 2)]
    if start:
        equal = _comparing("equal")
        pairs = [(equal(names, node, [below[0], value]), then) for value, then in pairs]
    otherwise = below[-1] if len(below) > start + 2 * count else Literal(None)
    return Case(tuple(pairs), otherwise)


def _choice(_: Names, __: Expr, below: list[Expression]) -> Expression:
    condition, value, *otherwise = below
    return Case(((condition, value),), *otherwise)


def _null_if(names: Names, node: Expr, below: list[Expression]) -> Expression:
    same = _comparing("equal")(names, node, below)
    return Case(((same, Literal(None)),), below[0])


_TWO = slots("this", "expression")

LOGIC = {
    **{name: TranslationRule(_TWO, _comparing(function)) for name, function in COMPARISONS.items()},
    "Between": TranslationRule(slots("this", "low", "high"), _comparing("between")),
    "In": TranslationRule(slots("this", optional=["expressions"]), _is_in),
    "Like": TranslationRule(slots("this", "expression", flags=["negate"]), _like),
    "Is": TranslationRule(_null_test, _is_null),
    "Not": TranslationRule(slots("this"), _not),
    "Case": TranslationRule(_case_parts, _case),
    "If": TranslationRule(slots("this", "true", optional=["false"]), _choice),
    "Nullif": TranslationRule(_TWO, _null_if),
}


_WHOLE_TEXT = 10**6


def _negative(_: Names, __: Expr, below: list[Expression]) -> Expression:
    (value,) = below
    if isinstance(value, Literal) and type(value.value) in {int, float}:
        return Literal(-value.value)  # type: ignore[operator]
    return FunctionCall("negative", (value,))


def _divided(names: Names, node: Expr, below: list[Expression]) -> Expression:
    """Return a quotient, of whole numbers a whole one where the dialect says so."""
    found = FunctionCall("divide", tuple(below))
    is_whole = all(type_of(each, names.schema) == "integer" for each in below)
    return Cast(found, "integer") if node.args.get("typed") and is_whole else found


def _round(_: Names, __: Expr, below: list[Expression]) -> Expression:
    value, *digits = below
    to_whole = all(isinstance(each, Literal) and each.value == 0 for each in digits)
    return FunctionCall("round", (value,) if to_whole else (value, *digits))


def _log(_: Names, __: Expr, below: list[Expression]) -> Expression:
    base, *value = below
    if not value or not isinstance(base, Literal) or base.value != 10:
        raise refusal(
            of=mark("LOG of a base that is not said to be 10"), write=mark("LN(x) or LOG10(x)")
        )
    return FunctionCall("log10", tuple(value))


def _substring(_: Names, __: Expr, below: list[Expression]) -> Expression:
    value, *places = below
    length = [] if len(places) > 1 else [Literal(_WHOLE_TEXT)]
    return FunctionCall("substring", (value, *places, *length))


def _concatenated(names: Names, node: Expr, below: list[Expression]) -> Expression:
    """Return texts joined into one; in some dialects a null counts as the empty text."""
    _check_texts(names, below)
    first, *others = [_text(each) for each in below] if node.args.get("coalesce") else below
    for each in others:
        first = FunctionCall("add", (first, each))
    return first


def _text(value: Expression) -> Expression:
    return value if isinstance(value, Literal) else coalesce(value, "")


def _joined(names: Names, _: Expr, below: list[Expression]) -> Expression:
    _check_texts(names, below)
    return FunctionCall("add", tuple(below))


def _check_texts(names: Names, values: Sequence[Expression]) -> None:
    if not {type_of(each, names.schema) for each in values} <= {"text", "null"}:
        raise refusal(
            of=mark("|| or CONCAT of other values than texts"), write="CAST(x AS TEXT) || y"
        )


SCALARS = {
    **calling(UNARY, slots("this")),
    **calling(BINARY, slots("this", "expression")),
    **calling(SEVERAL, slots("this", optional=["expressions"], flags=["ignore_nulls"])),
    "Neg": TranslationRule(slots("this"), _negative),
    "Div": TranslationRule(
        lambda node: only(node, "this", "expression", "typed", "safe")[:2], _divided
    ),
    "Round": TranslationRule(slots("this", optional=["decimals"]), _round),
    "Log": TranslationRule(slots("this", optional=["expression"]), _log),
    "Substring": TranslationRule(slots("this", "start", optional=["length"]), _substring),
    "Replace": TranslationRule(slots("this", "expression", "replacement"), call("replace")),
    "Concat": TranslationRule(slots("expressions", flags=["safe", "coalesce"]), _concatenated),
    "DPipe": TranslationRule(slots("this", "expression", flags=["safe"]), _joined),
}


_DATED = {"date", "timestamp"}
_DAYS = {"day", "days"}
_SUNDAY_FIRST = {"dow", "dayofweek", "weekday"}
#: Units as Spark's TRUNC abbreviates them.
_UNIT_WORDS = {"mm": "month", "mon": "month", "yy": "year", "yyyy": "year"}
#: What is the same of a timestamp and of its day.
_OF_DAYS = {"DateDiff", "Year", "Quarter", "Month", "Day", "DayOfMonth", "DayOfYear"}


def part_of(unit: str, value: Expression) -> Expression:
    """Return a part of a date, such as the year."""
    function = DATE_PARTS.get(unit.lower())
    if unit.lower() in _SUNDAY_FIRST:
        raise refusal(of=SUNDAY_FIRST, write=WEEKDAY)
    if function is None:
        raise refusal(
            of=tr("the part {unit!r} of a date", unit=shortened(unit)),
            write=tr("one of {date_parts}", date_parts=", ".join(DATE_PARTS).upper()),
        )
    return FunctionCall(function, (value,))


def _unit(node: Expr | None) -> str:
    if node is None or kind(node) not in {"Var", "Literal"}:
        raise refusal(of=mark("a date function without a unit"), write="DATE_TRUNC('month', x)")
    return str(node.name).lower()


def _extract(_: Names, node: Expr, below: list[Expression]) -> Expression:
    return part_of(_unit(node.this), below[-1])


def _truncated(names: Names, node: Expr, below: list[Expression]) -> Expression:
    unit = _unit(node.args.get("unit"))
    value = _day(names, below[0]) if kind(node) == "DateTrunc" else below[0]
    return FunctionCall("date_trunc", (value, Literal(_UNIT_WORDS.get(unit, unit))))


def _days_between(names: Names, node: Expr, below: list[Expression]) -> Expression:
    """Return the midnights between two dates, unless the dialect counts something else."""
    unit = node.args.get("unit")
    if names.dialect == "postgres":
        raise refusal(
            of=mark("DATEDIFF, which PostgreSQL does not have,"), write="DAYS_UNTIL(x, y)"
        )
    if unit is not None and _unit(unit) not in _DAYS:
        raise refusal(of=mark("a difference of dates in other units than days"), write="days")
    later, earlier = below
    if unit is not None and names.dialect == "spark" and not _are_dates(names, below):
        raise refusal(of=mark("DATEDIFF(DAY, ...) of timestamps"), write="DATEDIFF(y, x)")
    return FunctionCall("days_until", (earlier, later))


def _are_dates(names: Names, values: Sequence[Expression]) -> bool:
    return all(type_of(each, names.schema) == "date" for each in values)


def _day(names: Names, value: Expression) -> Expression:
    """Return the date of a value that Spark takes for one."""
    return value if type_of(value, names.schema) == "date" else Cast(value, "date")


def _as_date(names: Names, node: Expr, below: list[Expression]) -> Expression:
    """Return what Spark reads as a date; the parts of a timestamp's day are its own."""
    (value,) = below
    is_dated = type_of(value, names.schema) in _DATED
    return value if is_dated and kind(node.parent) in _OF_DAYS else _day(names, value)


def _shift(node: Expr) -> Sequence[Expr]:
    """Return a date and the days that Spark adds; days taken away come as a product with -1."""
    this, days, unit = only(node, "this", "expression", "unit")
    if _unit(unit) not in _DAYS:
        raise refusal(of=mark("a date moved by other units than days"), write="DATE_ADD(x, 7)")
    if kind(days) == "Interval":
        return [this]
    return [this, days.this if _is_taken_away(days) else days]


def _is_taken_away(days: Expr) -> bool:
    return kind(days) == "Mul" and kind(days.expression) == "Neg"


def _shifted(names: Names, node: Expr, below: list[Expression]) -> Expression:
    if len(below) == 1:
        return FunctionCall(
            "add_days", (_day(names, below[0]), Literal(_interval_days(node.expression)))
        )
    days = _opposite(below[1]) if _is_taken_away(node.expression) else below[1]
    return FunctionCall("add_days", (_day(names, below[0]), days))


def _without_interval(node: Expr) -> Sequence[Expr]:
    this, other = only(node, "this", "expression")
    return [this] if kind(other) == "Interval" else [this, other]


def _moved(function: str, sign: int) -> Make:
    """Return what makes a sum or a difference, of numbers or of dates and days."""

    def make(names: Names, node: Expr, below: list[Expression]) -> Expression:
        if len(below) == 1:
            days = Literal(sign * _interval_days(node.expression))
            return FunctionCall("add_days", (below[0], days))
        found = _calendar(names, below, sign)
        return FunctionCall(function, tuple(below)) if found is None else found

    return make


def _calendar(names: Names, below: list[Expression], sign: int) -> Expression | None:
    """Return days between dates, or a date some days on; None for anything else."""
    left, right = below
    first, second = (type_of(each, names.schema) for each in below)
    if sign < 0 and first == second == "date":
        return FunctionCall("days_until", (right, left))
    if first in _DATED and second == "integer":
        return FunctionCall("add_days", (left, right if sign > 0 else _opposite(right)))
    return None


def _opposite(value: Expression) -> Expression:
    if isinstance(value, Literal) and isinstance(value.value, int):
        return Literal(-value.value)
    return FunctionCall("negative", (value,))


def _interval_days(node: Expr) -> int:
    this, unit = only(node, "this", "unit")
    given = literal(this) if kind(this) == "Literal" else None
    days = number(given) if isinstance(given, str) and given.isdigit() else given
    if _unit(unit) not in _DAYS or not isinstance(days, int):
        raise refusal(
            of=mark("an interval of other units than whole days"), write="x + INTERVAL 7 DAY"
        )
    return days


_ADD, _SUBTRACT = _moved("add", 1), _moved("subtract", -1)

TIMES = {
    "Add": TranslationRule(_without_interval, _ADD),
    "Sub": TranslationRule(_without_interval, _SUBTRACT),
    "DateAdd": TranslationRule(_without_interval, _ADD),
    "DateSub": TranslationRule(_without_interval, _SUBTRACT),
    "Extract": TranslationRule(lambda node: only(node, "expression", "this")[:1], _extract),
    "TimestampTrunc": TranslationRule(slots("this", flags=["unit"]), _truncated),
    "DateTrunc": TranslationRule(slots("this", flags=["unit"]), _truncated),
    "TsOrDsAdd": TranslationRule(_shift, _shifted),
    "TsOrDsToDate": TranslationRule(slots("this", flags=["safe"]), _as_date),
    "DateDiff": TranslationRule(
        slots("this", "expression", flags=["unit", "date_part_boundary"]), _days_between
    ),
}
