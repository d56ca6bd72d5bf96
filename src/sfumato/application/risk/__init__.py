"""What the owner of a table asks about its exposure, and what attackers would find.

Most of it is asked of ``sfumato.risk`` as it is; each is loaded when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

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


def __getattr__(name: str) -> Any:
    if name not in __all__:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from sfumato import risk as room

    return getattr(room, name)


def __dir__() -> list[str]:
    return __all__
