"""What is done to rows, one by one, before they are added up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.data.policy import ColumnPolicy
    from sfumato.tables.expressions import Expression

__all__ = ["Declare", "Derive", "Filter", "Step"]


@dataclass(frozen=True)
class Filter:
    """Keep the rows for which a condition is true.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.tables.tree.steps import Filter
    >>> print(Filter(sf.col("age") > 60))
    where age > 60
    """

    condition: Expression

    def __str__(self) -> str:
        return f"where {self.condition}"


@dataclass(frozen=True)
class Derive:
    """Add columns computed from the others of the same row, or put them in their place.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.tables.tree.steps import Derive
    >>> print(Derive((("old", sf.col("age") > 60),)))
    with old = age > 60
    """

    columns: tuple[tuple[str, Expression], ...]

    def __iter__(self) -> Iterator[tuple[str, Expression]]:
        return iter(self.columns)

    def __str__(self) -> str:
        return "with " + ", ".join(f"{name} = {each}" for name, each in self.columns)


@dataclass(frozen=True)
class Declare:
    """Say what is public about columns, those that were derived included.

    Examples
    --------
    >>> from sfumato.data.policy import ColumnPolicy
    >>> from sfumato.tables.tree.steps import Declare
    >>> print(Declare((("band", ColumnPolicy(values=("young", "old"))),)))
    declaring band in ('young', 'old')
    """

    columns: tuple[tuple[str, ColumnPolicy], ...]

    def __str__(self) -> str:
        return "declaring " + ", ".join(_declared(name, each) for name, each in self.columns)


def _declared(name: str, column: ColumnPolicy) -> str:
    if column.values is not None:
        return f"{name} in {column.values}"
    if isinstance(column.bounds, tuple):
        return f"{name} from {column.bounds[0]} to {column.bounds[1]}"
    return name


#: What is done to rows, or said of them.
Step = Filter | Derive | Declare
