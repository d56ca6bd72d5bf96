"""Columns of numbers of a private table, as somebody below it may add them up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from sfumato.data.policy import LedgerPlace
    from sfumato.data.source import Source
    from sfumato.privacy import Relation


#: The column that is the privacy unit.
PERSON = "person"


@dataclass(frozen=True, eq=False)
class Measured:
    """Some columns of numbers of a private table, after all that is done to its rows.

    ``PrivateTable.numbers`` makes one.  Nothing of it is private yet.

    Attributes
    ----------
    source
        Where the rows are, and what runs a query on them.
    table
        The rows, as an expression of Ibis: ``x0``, ``x1`` and so on, doubles in the order of the
        names, null or NaN where there is no number; and ``person``, unless each row is another
        person's.
    names
        What the columns are called.
    low, high
        Between which the values of each column are taken.
    relation
        Which tables are neighbours.
    limit
        The most rows of a person that count; None where it is not declared.
    ledger
        Where to charge; None where nothing is declared.
    budgeted
        Whether a budget is declared.
    origin
        What errors call the policy file, if there is one.
    digest
        A few digits that differ where the rows, or what is declared of them, could.
    """

    source: Source = field(repr=False)
    table: ir.Table = field(repr=False)
    names: tuple[str, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    relation: Relation
    limit: int | None = None
    ledger: LedgerPlace | None = None
    budgeted: bool = False
    origin: str = ""
    digest: str = ""

    @property
    def has_people(self) -> bool:
        """Whether a person may own several rows."""
        return PERSON in self.table.columns
