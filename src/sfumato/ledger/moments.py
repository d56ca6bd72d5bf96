"""Moments, as they are written in a ledger: UTC, to the microsecond, in order."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from sfumato.errors import InputError
from sfumato.ledger.fields import SEE_VERIFY

__all__ = ["checked_moment", "is_written", "now", "read_moment", "written_moment"]


def now() -> datetime:
    """Return this moment.

    Examples
    --------
    >>> from sfumato.ledger.moments import now
    >>> now().tzinfo
    datetime.timezone.utc
    """
    return datetime.now(UTC)


def written_moment(moment: datetime) -> str:
    """Return a moment as a text whose order is that of time.

    Examples
    --------
    >>> from datetime import UTC, datetime
    >>> from sfumato.ledger.moments import written_moment
    >>> written_moment(datetime(2026, 11, 15, 9, tzinfo=UTC))
    '2026-11-15T09:00:00.000000Z'
    """
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def checked_moment(moment: Any) -> datetime:
    """Return what a clock said, if it is a moment that means the same everywhere.

    Examples
    --------
    >>> from sfumato.ledger.moments import checked_moment, now
    >>> checked_moment(now()) <= now()
    True
    """
    if not isinstance(moment, datetime) or moment.tzinfo is None:
        message = "clock must say the time with its time zone; write lambda: datetime.now(UTC)"
        raise InputError(message)
    return moment


def is_written(text: str) -> bool:
    """Tell whether a text says a moment in the one form in which they are written.

    Examples
    --------
    >>> from sfumato.ledger.moments import is_written
    >>> is_written("2026-11-15T09:00:00.000000Z"), is_written("2026-11-15")
    (True, False)
    """
    try:
        return written_moment(read_moment(text)) == text
    except (ValueError, OverflowError):
        return False


def read_moment(text: str) -> datetime:
    """Return the moment that the text of an entry says; refuse one without a time zone.

    Examples
    --------
    >>> from sfumato.ledger.moments import read_moment
    >>> read_moment("2026-11-15T09:00:00.000000Z").year
    2026
    """
    with suppress(ValueError, TypeError):
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            return moment
    message = f"the moment {text!r:.40} is not as sfumato writes it; {SEE_VERIFY}"
    raise InputError(message)
