"""A question to a private table, as a frozen value: what was declared, and what is asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.data import Source
    from sfumato.data.policy import Policy
    from sfumato.privacy import Relation
    from sfumato.tables.tree.after import After
    from sfumato.tables.tree.aggregates import Aggregate
    from sfumato.tables.tree.steps import Step

__all__ = ["Held", "Question"]


@dataclass(frozen=True, eq=False, repr=False)
class Held:
    """Rows that are held, and what is declared of them.

    Attributes
    ----------
    policy
        What is declared: the unit of privacy, bounds, public keys, limits, budget, ledger.
    source
        Where the rows are.
    schema
        The columns and their types.
    frame
        The kind of frame in which answers are given by default.
    """

    policy: Policy
    source: Source = field(repr=False)
    schema: Mapping[str, str] = field(repr=False)
    frame: str = "arrow"

    @property
    def relation(self) -> Relation:
        """Which tables are neighbours."""
        return self.policy.relation

    def __deepcopy__(self, _memo: Any) -> Held:
        return self

    def __reduce__(self) -> NoReturn:
        raise InputError(
            "E-NOT-COPIED",
            "a private table is not pickled, nor what refers to it: it would take its rows along",
            "keep release.to_pandas() or release.content instead",
        )


@dataclass(frozen=True, eq=False, repr=False)
class Question:
    """Aggregates of the rows of a private table, for each group.

    Attributes
    ----------
    table
        The private table.
    aggregates
        What is asked of each group, by name.
    keys
        The columns that rows are grouped by.
    steps
        What is done to rows before.
    after
        What is done to the answer.
    """

    table: Held
    aggregates: tuple[tuple[str, Aggregate], ...]
    keys: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    after: tuple[After, ...] = ()

    def __str__(self) -> str:
        asked = ", ".join(f"{name} = {each}" for name, each in self.aggregates)
        by = f" by {', '.join(self.keys)}" if self.keys else ""
        done = "".join(f" {each}" for each in self.steps)
        return f"{asked}{by}{done}" + "".join(f", {each}" for each in self.after)

    def __repr__(self) -> str:
        return f"<{self} of {self.table.source.name}>"
