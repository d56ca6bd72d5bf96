"""What is public about a column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class KnownColumn:
    """What is public about a column.

    Parameters
    ----------
    type
        One of the six types of expressions, or "other".
    bounds
        To which its values are clamped, "auto", or None.
    values
        Its public values, or None.
    complete
        Whether missing values count as the middle of the bounds.
    declared
        Whether it is a column of the table as declared; false once it was derived.
    own_name
        What it is called where its rows are; None once it was derived.
    is_public
        Whether it is a column of a public table.
    """

    type: str
    bounds: Any = None
    values: tuple[Any, ...] | None = None
    complete: bool = False
    declared: bool = True
    own_name: str | None = None
    is_public: bool = False


def types(columns: Mapping[str, KnownColumn]) -> dict[str, str]:
    """Return the types alone."""
    return {name: each.type for name, each in columns.items()}
