"""Sets of people that figures are published of, such as ``age>=50 and sex=female``, and groups."""

from __future__ import annotations

import math
import re
import sys
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import and_, eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any

from sfumato.data import asked_names
from sfumato.errors import InputError
from sfumato.numeric import any_float, rational
from sfumato.printing import counted
from sfumato.refusal import Argument
from sfumato.risk.attacks.cells import written

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from decimal import Decimal

    import ibis.expr.types as ir

    from sfumato.data import Source


#: How many combinations of the published columns may occur.
MOST_GROUPS = 100_000
_EXACT = "decimal(38, 9)"
_GREATEST_EXACT = 1e18
_TEST = re.compile(r"\s*(.+?)\s*(>=|<=|!=|==|[<>=≥≤≠])\s*(.*?)\s*")
# Not within quotes: an even number of them comes after it.
_AND = re.compile(r"(\s+and\s+)(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", re.IGNORECASE)
_QUOTED = re.compile(r"\"(.*)\"|'(.*)'|“(.*)”|‘(.*)’")
_JOINED = re.compile(r".+[<>=≥≤≠]|(.*\s)?or\s", re.IGNORECASE)
_DATE = r"^[0-9]{4}(-[0-9]{2})?(-[0-9]{2}([ T].*)?)?$"
_EQUAL, _UNEQUAL = ("=", "=="), ("!=", "≠")
_CODE = re.compile(r"0\d+")
_SIGNS: dict[str, Callable[..., ir.BooleanValue]] = {
    "=": eq,
    "==": eq,
    "!=": ne,
    "≠": ne,
    "<": lt,
    "<=": le,
    "≤": le,
    ">": gt,
    ">=": ge,
    "≥": ge,
}


@dataclass(frozen=True)
class Condition:
    """Who is in a set: those for whom every test holds.

    Attributes
    ----------
    text
        The condition as written.
    tests
        A column, a sign and a value each.
    """

    text: str
    tests: tuple[tuple[str, str, str], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are tested, once each."""
        return tuple(dict.fromkeys(column for column, _, _ in self.tests))

    def holds(self, source: Source) -> ir.BooleanValue:
        """Return whether a row is in the set; a row without a tested cell is not."""
        tests = [_holds(source.table[column], sign, value) for column, sign, value in self.tests]
        together: ir.BooleanValue = reduce(and_, tests)
        return together.fill_null(False)  # noqa: FBT003


def read_condition(text: str) -> Condition:
    """Return who is in a set, from tests that are joined by ``and``."""
    found = [_TEST.fullmatch(part) for part in _parts(text)]
    tests = tuple((match[1], match[2], _value(match, text)) for match in found if match)
    if len(tests) < len(found):
        raise InputError(
            "E-CONDITION-FORM",
            "a set is written as age>=50 and sex=female, say",
            "{text!r:.60} is not of this form",
            text=text,
        )
    return Condition(" ".join(text.split()), tests)


def read_sets(where: Any) -> tuple[Condition, ...]:
    """Return the sets that are published, once each."""
    conditions = map(read_condition, asked_names(where, "where"))
    return tuple({each.text: each for each in conditions}.values())


def check_names(columns: Sequence[str], sets: Sequence[str]) -> None:
    """Refuse a set that is called as a column is."""
    for name in columns:
        if name in sets:
            raise InputError(
                "E-COLUMN-TWICE",
                "a column and a set are both called {name!r}",
                "rename the column",
                name=name,
            )


def check_sets(source: Source, sets: Sequence[str], inside: Sequence[Sequence[str]]) -> None:
    """Refuse a set with nobody in it: its condition does not say what was meant."""
    for place, text in enumerate(sets):
        if all(each[place] == "no" for each in inside):
            raise InputError(
                "E-VALUE-ABSENT",
                "nobody of {source} is in the set {text!r:.60}",
                "write the value as it is in the table",
                source=source.name,
                text=text,
            )


def _value(test: re.Match[str], text: str) -> str:
    """Return what a column is compared with; nothing where empty cells are meant."""
    sign, value = test[2], test[3]
    quoted = _QUOTED.fullmatch(value)
    if quoted is None and _JOINED.match(value):
        raise InputError(
            "E-CONDITION-FORM",
            "where joins tests by 'and' only, and {text!r:.60} is not of this form",
            "give each set by itself, and put a value in quotes that has 'or', =, < or > in it",
            text=text,
        )
    plain = next(each for each in quoted.groups() if each is not None) if quoted else value
    if sign not in (*_EQUAL, *_UNEQUAL) and _number(plain) is None and not re.match(_DATE, plain):
        raise InputError(
            "E-CONDITION-FORM",
            "{where} takes a number or a date as 2026-11-16 after {sign}, and {plain!r:.60} "
            "is none",
            "compare texts with = or !=",
            sign=sign,
            plain=plain,
            where=Argument("where"),
        )
    return plain


def _parts(text: str) -> list[str]:
    """Return the tests; an "and" before what is no test belongs to a value, as in a name."""
    first, *rest = _AND.split(text)
    parts = [first]
    for joined, part in zip(rest[::2], rest[1::2], strict=True):
        if _TEST.fullmatch(part):
            parts.append(part)
        else:
            parts[-1] += joined + part
    return parts


def _holds(column: ir.Value, sign: str, value: str) -> ir.BooleanValue:
    """Return a test, as one of numbers where the value is a number and the column may have some."""
    if not value:
        return written(column).isnull() if sign in _EQUAL else written(column).notnull()
    number = None if column.type().is_temporal() else _number(value)
    if number is None:
        return _holds_as_text(column, sign, value)
    # Trimming also keeps the engine from casting while it parses, where a bad cell is an error.
    cell = column.strip() if column.type().is_string() else column
    if cell.type().is_string() and _CODE.fullmatch(value) and sign in (*_EQUAL, *_UNEQUAL):
        return _SIGNS[sign](cell, value)
    holds = _SIGNS[sign](cell.try_cast("float64"), number)
    return holds.fill_null(column.notnull()) if sign in _UNEQUAL else holds


def _holds_as_text(column: ir.Value, sign: str, value: str) -> ir.BooleanValue:
    """Return a test of texts; what is no date comes neither before one nor after it."""
    cell = written(column)
    holds = _SIGNS[sign](cell, value.lower() if column.type().is_boolean() else value.strip())
    return holds if sign in (*_EQUAL, *_UNEQUAL) else holds & cell.re_search(_DATE)


def _number(value: str) -> float | None:
    """Return the float that a value writes; a fraction may be a text, as in 24/7."""
    number = None if "/" in value else rational(value)
    near = math.inf if number is None else any_float(number)
    return near if math.isfinite(near) else None


@dataclass(frozen=True)
class Group:
    """People whom no published figure tells apart.

    Attributes
    ----------
    key
        What they are like: a cell of each published column, and for each published set whether
        they are in it, ``yes`` or ``no``.
    people, total
        How many they are, and what sum of the published value they have, exactly; None where no
        value of them is known.
    """

    key: tuple[str, ...]
    people: int
    total: Fraction | None


def groups_of(
    source: Source, columns: Sequence[str], sets: Sequence[Condition], value: str | None
) -> list[Group]:
    """Return the groups that published columns and sets make, in order."""
    seen = [_text(source.table[name]) for name in columns]
    seen += [each.holds(source).ifelse("yes", "no") for each in sets]
    keys = {f"key{place}": column for place, column in enumerate(seen)}
    rows = source.table.select(**keys, value=_number_of(source, value))
    query = rows.group_by(list(keys)) if keys else rows
    counted = query.agg(n=rows.count(), total=rows.value.sum())
    found = source.fetch(counted.limit(MOST_GROUPS + 1)).to_pylist()
    if not sum(row["n"] for row in found):
        raise InputError(
            "E-TABLE-EMPTY",
            "{source} has no rows below its header",
            "there is nothing to publish",
            source=source.name,
        )
    if len(found) > MOST_GROUPS:
        raise InputError(
            "E-TOO-LARGE",
            "the published columns of {source} have more than {most_groups:,} combinations, "
            "too many to subtract",
            "publish fewer columns at a time",
            source=source.name,
            most_groups=MOST_GROUPS,
        )
    _check_sums(source, value, [row["total"] for row in found])
    groups = (Group(tuple(row[k] for k in keys), row["n"], _exact(row["total"])) for row in found)
    return sorted(groups, key=lambda each: each.key)


def _exact(total: Decimal | float | None) -> Fraction | None:
    return None if total is None else Fraction(total)


def _check_sums(source: Source, value: str | None, sums: Sequence[Decimal | float | None]) -> None:
    if math.fsum(abs(float(each)) / sys.float_info.max for each in sums if each is not None) >= 1:
        raise InputError(
            "E-TOO-LARGE",
            "the sum of {value!r} in {source} is too great to be worked out",
            "name a column of smaller numbers",
            value=value,
            source=source.name,
        )


def _text(column: ir.Value) -> ir.Value:
    return column.cast("string").fill_null("(empty)")


def _number_of(source: Source, value: str | None) -> ir.Value:
    """Return the published value as a number; refuse a column that has something else.

    Numbers are added up as decimals where all of them are such, and else as floats.
    """
    import ibis

    if value is None:
        return ibis.literal(0)
    column = source.table[value]
    # Trimming also keeps the engine from casting while it parses, where a bad cell is an error.
    cell = column.strip() if column.type().is_string() else column
    number, exact = cell.try_cast("float64"), cell.try_cast(_EXACT)
    odd = column.notnull() & (number.isnull() | number.isnan() | number.isinf())
    same = (exact.cast("float64") == number) & (number.abs() < _GREATEST_EXACT)
    counts = source.table.aggregate(
        odd=source.table.count(where=odd),
        rounded=source.table.count(where=column.notnull() & ~same.fill_null(False)),  # noqa: FBT003
    )
    found = source.fetch(counts).to_pylist()[0]
    if found["odd"]:
        raise InputError(
            "E-COLUMN-TYPE",
            "the column {value!r} of {source} has no number in {cells}, and sums of it are "
            "asked for",
            "name a column of numbers",
            cells=counted(found["odd"], "cell"),
            value=value,
            source=source.name,
        )
    return number if found["rounded"] else exact
