"""Which picture of a table's exposure is wanted, for the shell."""

from __future__ import annotations

from typing import Literal, get_args

from sfumato.errors import UnknownNameError

__all__ = ["Drawing", "read_drawing"]

Drawing = Literal["classes", "columns", "information"]


def read_drawing(text: str) -> Drawing:
    """Return the picture that a name stands for, or refuse it before any work is done."""
    for name in get_args(Drawing):
        if text == name:
            known: Drawing = name
            return known
    raise UnknownNameError(kind="drawing", name=text[:60], known=get_args(Drawing))
