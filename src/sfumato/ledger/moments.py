"""Moments, as they are written in a ledger: UTC, to the microsecond, in order."""

from __future__ import annotations

from datetime import UTC, datetime

__all__ = ["now", "read_moment", "written_moment"]


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


def read_moment(text: str) -> datetime:
    """Return the moment that a text says.

    Examples
    --------
    >>> from sfumato.ledger.moments import read_moment
    >>> read_moment("2026-11-15T09:00:00.000000Z").year
    2026
    """
    return datetime.fromisoformat(text)
