"""What the owner of a table asks about its exposure, and what attackers would find.

Most of it is asked of ``sfumato.risk`` as it is; each is loaded when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from sfumato.doors import door
from sfumato.errors import UnknownNameError

if TYPE_CHECKING:
    from sfumato.risk import Anonymized, difference, homogeneity, intersect, link, risk, scoreboard

__all__ = [
    "Anonymized",
    "Drawing",
    "difference",
    "homogeneity",
    "intersect",
    "link",
    "read_drawing",
    "risk",
    "scoreboard",
]

Drawing = Literal["classes", "columns", "information"]


def read_drawing(text: str) -> Drawing:
    """Return the picture of exposure of a name, or refuse it before any work is done."""
    for name in get_args(Drawing):
        if text == name:
            known: Drawing = name
            return known
    raise UnknownNameError(kind="drawing", name=text[:60], known=get_args(Drawing))


if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {"sfumato.risk": "Anonymized difference homogeneity intersect link risk scoreboard"},
    )
