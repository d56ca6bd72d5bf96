"""Names of columns: those a table has, and those that were asked for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.refusal import Given, text
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


# The engine tells names apart by any letter but the case of these.
_LOWERED = str.maketrans(ascii_uppercase, ascii_lowercase)


def asked_names(columns: Any, argument: str = "columns") -> tuple[str, ...]:
    """Return the names in ``columns``, which may be a single one."""
    listed = (columns,) if isinstance(columns, str) else columns
    names = tuple(listed) if isinstance(listed, Iterable) else (listed,)
    for name in names:
        if not isinstance(name, str):
            raise InputError(
                "E-COLUMN-NAME",
                "{argument} takes the name of a column, or several, such as 'age' or ['age', "
                "'sex']",
                "{kind} is not the type of a name",
                argument=argument,
                kind=type(name).__name__,
            )
    return names


def check_apart(name: str, known: Collection[str]) -> None:
    """Refuse several names that are written as one, such as ``"age,sex"``."""
    several = [each.strip() for each in name.split(",")]
    if len(several) > 1 and name not in known and all(each in known for each in several):
        raise InputError(
            "E-COLUMN-NAME",
            "{name!r} is one text with the names of several columns",
            "write {several}",
            name=name,
            several=str(several),
        )


def check_names(names: Sequence[str], where: Given) -> None:
    """Refuse a table in which a name cannot be told from another, or none has a name."""
    named = [name for name in names if name]
    fault = _repeated(named) or _alike(named) or (None if named else mark("no column with a name"))
    if fault is not None:
        raise InputError(
            "E-COLUMN-NAME",
            "{where} has {fault}",
            "give each column a name of its own",
            where=where,
            fault=fault,
        )


def _repeated(names: Sequence[str]) -> Given | None:
    name, times = max(Counter(names).items(), key=lambda item: item[1], default=("", 0))
    if times < 2:
        return None
    return text("{times} columns with the name {name!r}", times=times, name=name)


def _alike(names: Sequence[str]) -> Given | None:
    first: dict[str, str] = {}
    for name in names:
        other = first.setdefault(name.translate(_LOWERED), name)
        if other != name:
            return text(
                "columns whose names differ only in case ({other!r}, {name!r})",
                other=other,
                name=name,
            )
    return None


_NUMBER = r"[+-]?(?:\d++[.,]?\d*+|[.,]\d++)e[+-]?\d++"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = (
    rf"(?:\d[\d./-]{{5,9}}|{_DAY}[-./ ]{{0,2}}{_MONTH}[-./, ]{{0,2}}\d{{2,4}}|"
    rf"{_MONTH}[-./ ]{{1,2}}{_DAY}[-./, ]{{1,2}}\d{{2,4}}|\d{{4}}[-./ ]{_MONTH}[-./ ]{_DAY})"
)
_TIME = (
    r"\d{1,2}:?\d{2}(?::?\d{2}(?:[.,]\d{1,9})?)? ?(?:[ap]\.?m\.?)?"
    r" ?(?:z|utc|gmt|[+-]\d{2}:?(?:\d{2})?)?"
)
_UUID = r"\{?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\}?"
_ADDRESS = r"[^@\s]++@[^@\s.]++(?:\.[^@\s.]++)++"

# A number or a date without a letter needs no pattern.
_VALUE = re.compile(
    rf"{_NUMBER}|{_DATE}(?:(?:, ?|[t ]){_TIME})?|{_TIME}|{_UUID}|{_ADDRESS}", re.IGNORECASE
)


def is_value(name: str) -> bool:
    """Tell whether a text reads as a number, a date, a time, an id or an address, not as a name.

    What has digits and no letter is none; so a header of years is taken for a row of numbers.
    """
    if any(map(str.isdigit, name)) and not any(map(str.isalpha, name)):
        return True
    return _VALUE.fullmatch(name) is not None
