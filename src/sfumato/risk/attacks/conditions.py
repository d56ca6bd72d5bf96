"""Sets of people that figures are published of, such as ``age>=50 and sex=female``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import reduce
from operator import and_, eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    import ibis.expr.types as ir

    from sfumato.data import Source

__all__ = ["Condition", "read_condition"]

_TEST = re.compile(r"\s*(.+?)\s*(>=|<=|!=|==|[<>=≥≤≠])\s*(.+?)\s*")
_AND = re.compile(r"(\s+and\s+)", re.IGNORECASE)
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

    Examples
    --------
    >>> from sfumato.risk.attacks.conditions import read_condition
    >>> read_condition("age>=50 and sex=female").tests
    (('age', '>=', '50'), ('sex', '=', 'female'))
    """

    text: str
    tests: tuple[tuple[str, str, str], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are tested, once each.

        Examples
        --------
        >>> from sfumato.risk.attacks.conditions import read_condition
        >>> read_condition("age>=50 and age<60").columns
        ('age',)
        """
        return tuple(dict.fromkeys(column for column, _, _ in self.tests))

    def holds(self, source: Source) -> ir.BooleanValue:
        """Return whether a row is in the set; a row without a tested cell is not.

        Examples
        --------
        >>> from sfumato.data import open_source
        >>> from sfumato.risk.attacks.conditions import read_condition
        >>> source = open_source("examples/hospital-a.csv")
        >>> inside = source.table.filter(read_condition("age>=64").holds(source))
        >>> source.fetch(inside.aggregate(n=inside.count())).to_pylist()
        [{'n': 3}]
        """
        tests = [_holds(source.table[column], sign, value) for column, sign, value in self.tests]
        together: ir.BooleanValue = reduce(and_, tests)
        return together.fill_null(False)  # noqa: FBT003


def read_condition(text: str) -> Condition:
    """Return who is in a set, from tests that are joined by ``and``.

    Examples
    --------
    >>> from sfumato.risk.attacks.conditions import read_condition
    >>> read_condition("older people")
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: a set is written as age>=50 and sex=female, say; 'older people' \
is not so
    """
    found = [_TEST.fullmatch(part) for part in _parts(text)]
    tests = tuple((match[1], match[2], match[3]) for match in found if match)
    if len(tests) < len(found):
        message = f"a set is written as age>=50 and sex=female, say; {text!r:.60} is not so"
        raise InputError(message)
    return Condition(" ".join(text.split()), tests)


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
    number = None if column.type().is_temporal() else _number(value)
    if number is None:
        written = value.lower() if column.type().is_boolean() else value
        return _SIGNS[sign](column.cast("string"), written)
    # Trimming also keeps the engine from casting while it parses, where a bad cell is an error.
    cell = column.strip() if column.type().is_string() else column
    if cell.type().is_string() and _CODE.fullmatch(value) and sign in ("=", "==", "!=", "≠"):
        return _SIGNS[sign](cell, value)
    holds = _SIGNS[sign](cell.try_cast("float64"), number)
    return holds.fill_null(column.notnull()) if sign in ("!=", "≠") else holds


def _number(value: str) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None
