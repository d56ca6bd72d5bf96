"""How a mistake in a policy is told: where it stands, what was given, what to write."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from sfumato.errors import InputError
from sfumato.refusal import Given, Hint, text
from sfumato.translation import TOO_LONG, Marked, mark

_LONGEST = 60
_MOST_LISTED = 4


def refusal(given: Any, *, what: Given, allowed: Given, write: Given) -> InputError:
    """Return the error about something that cannot be used."""
    return InputError(
        "E-POLICY-VALUE",
        "{what} must be {allowed}, not {given}",
        "write {write}, say",
        what=what,
        allowed=allowed,
        given=shown(given),
        write=write,
    )


def shown(value: Any) -> Given:
    """Return a declared value as a message can show it; of a table or a column, only its type."""
    if isinstance(value, dict):
        return mark("a table")
    if isinstance(value, (list, tuple)):
        return _listed(value)
    if isinstance(value, (str, int, float, Decimal, Fraction, date)) or value is None:
        return _cut(value)
    return text("a value of type {kind}", kind=type(value).__name__)


def _listed(values: list[Any] | tuple[Any, ...]) -> str:
    listed = [_inside(each) for each in values[:_MOST_LISTED]]
    return f"[{', '.join([*listed, '…'] if len(values) > _MOST_LISTED else listed)}]"


def _inside(value: Any) -> str:
    """Return what stands in a list; what is no plain value is only hinted at."""
    given = "{…}" if isinstance(value, dict) else shown(value)
    return "…" if isinstance(given, (Hint, Marked)) else given


def _cut(value: Any) -> Given:
    try:
        text = str(value) if isinstance(value, (Decimal, Fraction, date)) else repr(value)
    except ValueError:
        return TOO_LONG
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
