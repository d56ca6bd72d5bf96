"""Moments, as they are written in a ledger: UTC, to the microsecond, in order."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from sfumato.errors import InputError
from sfumato.ledger.fields import SEE_VERIFY

__all__ = ["checked_moment", "is_written", "now", "read_moment", "written_moment"]


def now() -> datetime:
    """Return this moment."""
    return datetime.now(UTC)


def written_moment(moment: datetime) -> str:
    """Return a moment as a text whose order is that of time."""
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def checked_moment(moment: Any) -> datetime:
    """Return what a clock said, if it is a moment that means the same everywhere."""
    if not isinstance(moment, datetime) or moment.tzinfo is None:
        raise InputError(
            "E-MOMENT-FORM",
            "clock must say the time with its time zone",
            "write lambda: datetime.now(UTC)",
        )
    return moment


def is_written(text: str) -> bool:
    """Tell whether a text says a moment in the one form in which they are written."""
    try:
        return written_moment(read_moment(text)) == text
    except (ValueError, OverflowError):
        return False


def read_moment(text: str) -> datetime:
    """Return the moment that the text of an entry says; refuse one without a time zone."""
    with suppress(ValueError, TypeError):
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            return moment
    raise InputError(
        "E-LEDGER-DAMAGED",
        "the moment {text!r:.40} is not as sfumato writes it",
        "{see_verify}",
        text=text,
        see_verify=SEE_VERIFY,
    )
