"""Labels by which the things of a picture are told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["told_apart"]


def told_apart(labels: Sequence[str]) -> list[str]:
    """Return labels by which things are told apart; equal ones get their number."""
    return [
        f"{label} ({labels[:place].count(label) + 1})" if labels.count(label) > 1 else label
        for place, label in enumerate(labels)
    ]
