"""A private step as it was taken."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.audit.certificate.measured import Measured

if TYPE_CHECKING:
    from sfumato.audit.certificate.choices import Cells
    from sfumato.audit.certificate.noise import Noise
    from sfumato.privacy.events import Event

__all__ = ["Limit", "Taken"]


@dataclass(frozen=True)
class Limit:
    """How much of one person counts.

    Parameters
    ----------
    name
        By which it was chosen, where it was.
    weighing
        What is limited: "people" for groups, "value" for the sizes of what rows add, or rows.
    norm
        "l1" or "l2", over groups.
    most
        The limit.
    """

    name: str
    weighing: str
    norm: str
    most: Fraction


@dataclass(frozen=True)
class Taken:
    """A step as it was taken.

    Parameters
    ----------
    kind, place
        Which, and where it stands.
    event
        What is charged for it; None if that is charged with another.
    measured
        What a row adds, for sums and counts.
    limit
        How much of a person counts.
    noise
        What was added.
    together
        The place of the step that it is measured together with.
    cells
        The cells that rows fall into.
    sensitivity
        How far one change can move it, in fine steps.
    said
        What else is said of it.
    """

    kind: str
    place: int
    event: Event | None
    measured: Measured = field(default_factory=lambda: Measured("rows"))
    limit: Limit | None = None
    noise: Noise | None = None
    together: int | None = None
    cells: Cells | None = None
    sensitivity: Fraction = Fraction(0)
    said: dict[str, Any] = field(default_factory=dict)
