"""Values that are no names of columns: numbers, dates, times, ids and addresses."""

from __future__ import annotations

import re

__all__ = ["is_value"]

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
