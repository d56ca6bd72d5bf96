"""A numbered statement of the source, with a check that can fail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Finding", "Statement"]


@dataclass(frozen=True)
class Finding:
    """What a check saw.

    Attributes
    ----------
    holds
        Whether the statement held on every instance.
    instances
        How many instances there were.
    figures
        What was compared, in figures.
    """

    holds: bool
    instances: int
    figures: str


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A numbered statement, a check of it, and a false variant on which the same check must fail.

    Attributes
    ----------
    name
        Its number in the source: "Proposition 5.4".
    title
        What it is about, in a few words.
    text
        What it says, put right where the source errs.
    check
        Looks at an instance and says what it saw.
    instance
        What is checked.
    twin
        The same with something deliberately wrong.
    wrong
        What is wrong with the twin.
    """

    name: str
    title: str
    text: str
    check: Callable[[Any], Finding]
    instance: Any
    twin: Any
    wrong: str

    def confirm(self) -> Finding:
        """Check the statement."""
        return self.check(self.instance)

    def challenge(self) -> Finding:
        """Check the twin, which must fail."""
        return self.check(self.twin)
