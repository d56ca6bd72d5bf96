"""Sets of people that figures are published of, such as ``age>=50 and sex=female``."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import reduce
from operator import and_, eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.numeric import any_float
from sfumato.numeric.numerals import rational
from sfumato.refusal import Argument
from sfumato.risk.attacks.written import written

if TYPE_CHECKING:
    from collections.abc import Callable

    import ibis.expr.types as ir

    from sfumato.data import Source

__all__ = ["Condition", "read_condition"]

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
