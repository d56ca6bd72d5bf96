"""A picture of what was spent, for the front ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.ledger import Ledger

if TYPE_CHECKING:
    from sfumato.printing.plotting import Chart

__all__ = ["draw_ledger"]


def draw_ledger(
    dataset: str | None = None, *, place: str | None = None, analyst: str | None = None
) -> Chart:
    """Draw what was spent of one book charge by charge, or of all books side by side.

    Parameters
    ----------
    dataset
        The book; None for all.
    place
        The ledger; None for the default.
    analyst
        Of one book: draw this analyst beside everyone together.
    """
    with Ledger.open(place) as ledger:
        return ledger.plot(dataset, analyst=analyst)
