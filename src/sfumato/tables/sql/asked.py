"""What SQL needs of a private table: a private table offers SQL, so neither imports the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.data import Source
    from sfumato.data.policy import Policy
    from sfumato.privacy import Relation
    from sfumato.tables.expressions import Expression
    from sfumato.tables.known import KnownColumn
    from sfumato.tables.query import Query
    from sfumato.tables.tree.aggregates import Aggregate


class Grouped(Protocol):
    """Rows in groups, of which aggregates can be asked."""

    def agg(self, **aggregates: Aggregate) -> Query:
        """Return the query for some aggregates of each group."""
        ...


class AskedTable(Protocol):
    """A private table: what is declared of it, and what can be done to its rows."""

    @property
    def policy(self) -> Policy:
        """What is declared of the table."""
        ...

    @property
    def source(self) -> Source:
        """Where the rows are."""
        ...

    @property
    def known(self) -> Mapping[str, KnownColumn]:
        """What is known of each column."""
        ...

    @property
    def relation(self) -> Relation:
        """Which tables are neighbours."""
        ...

    def filter(self, condition: Expression) -> Self:
        """Return the table with only some of its rows."""
        ...

    def with_columns(self, **columns: Any) -> Self:
        """Return the table with more columns."""
        ...

    def group_by(self, *names: str) -> Grouped:
        """Return the rows in groups."""
        ...

    def per_person(self, **aggregates: Aggregate) -> Self:
        """Return one row for each person."""
        ...

    def join(self, other: Any, *, on: Any = None, how: str = "inner") -> Self:
        """Return the rows beside those of another table."""
        ...
