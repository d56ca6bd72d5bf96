"""Shares in words."""

from __future__ import annotations

__all__ = ["percent"]

#: Shares below are not worth a figure, and from here on they are all but a whole.
_HARDLY, _WHOLE = 0.001, 0.995


def percent(share: float) -> str:
    """Return a share in percent, in two digits.

    Examples
    --------
    >>> from sfumato.tables.plan.shares import percent
    >>> percent(0.0002), percent(0.0312), percent(0.9995)
    ('0 %', '3.1 %', '100 %')
    """
    if share < _HARDLY:
        return "0 %"
    return f"{100 * share:.2g} %" if share < _WHOLE else "100 %"
