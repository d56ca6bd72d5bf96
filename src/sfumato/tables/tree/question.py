"""A question to a private table, as a frozen value: what is asked of which rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.tables.tree.after import After
    from sfumato.tables.tree.aggregates import Aggregate
    from sfumato.tables.tree.steps import Held, Step


@dataclass(frozen=True, eq=False, repr=False)
class Question:
    """Aggregates of the rows of a private table, for each group.

    Attributes
    ----------
    table
        The private table, after what is done to its rows.
    aggregates
        What is asked of each group, by name.
    keys
        The columns that rows are grouped by.
    after
        What is done to the answer.
    """

    table: Held
    aggregates: tuple[tuple[str, Aggregate], ...]
    keys: tuple[str, ...] = ()
    after: tuple[After, ...] = ()

    @property
    def steps(self) -> tuple[Step, ...]:
        """What is done to rows before."""
        return self.table.steps

    def __str__(self) -> str:
        asked = ", ".join(f"{name} = {each}" for name, each in self.aggregates)
        by = f" by {', '.join(self.keys)}" if self.keys else ""
        done = "".join(f" {each}" for each in self.steps)
        return f"{asked}{by}{done}" + "".join(f", {each}" for each in self.after)

    def __repr__(self) -> str:
        return f"<{self} of {self.table.source.name}>"
