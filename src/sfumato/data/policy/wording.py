"""How a mistake in a policy is told: where it stands, what was given, what to write."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["at", "refusal", "shown"]

_LONGEST = 60
_MOST_LISTED = 4


@contextmanager
def at(place: str) -> Iterator[None]:
    """Put the place of a mistake before its sentence."""
    try:
        yield
    except InputError as error:
        error.args = (f"{place}: {error}",)
        raise


def refusal(given: Any, *, what: str, allowed: str, write: str) -> InputError:
    """Return the error about something that cannot be used."""
    return InputError(f"{what} must be {allowed}, not {shown(given)}; write {write}, say")


def shown(value: Any) -> str:
    """Return a declared value as a message can show it; of a table or a column, only its type."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, (list, tuple)):
        return _listed(value)
    if isinstance(value, (str, int, float, Decimal, Fraction, date)) or value is None:
        return _cut(value)
    return f"a value of type {type(value).__name__}"


def _listed(values: list[Any] | tuple[Any, ...]) -> str:
    listed = [shown(each) for each in values[:_MOST_LISTED]]
    return f"[{', '.join([*listed, '…'] if len(values) > _MOST_LISTED else listed)}]"


def _cut(value: Any) -> str:
    try:
        text = str(value) if isinstance(value, (Decimal, Fraction, date)) else repr(value)
    except ValueError:
        return "a number of thousands of digits"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
