"""A private table whose rows are grouped, or taken together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Never

from sfumato.data.names import check_apart
from sfumato.errors import InputError, UnknownNameError
from sfumato.tables.query import Query
from sfumato.tables.tree.aggregates import check_aggregates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.tables.tree.aggregates import Aggregate
    from sfumato.tables.tree.steps import Held


@dataclass(frozen=True, eq=False, repr=False)
class GroupedTable:
    """A private table whose rows are grouped.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> table = sf.table(pd.DataFrame({"sex": ["F"]}), unit="row", keys={"sex": ["F", "M"]})
    >>> table.group_by("sex")
    <the table, private, by sex>
    """

    table: Held
    keys: tuple[str, ...]

    def agg(self, /, *unnamed: Never, **aggregates: Aggregate) -> Query:
        """Ask for some aggregates of each group.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"sex": ["F"]}), unit="row", keys={"sex": ["F", "M"]})
        >>> print(table.group_by("sex").agg(n=sf.count()))
        n = count(*) by sex
        """
        check_aggregates(aggregates, "agg", unnamed=unnamed)
        for name in aggregates:
            if name in self.keys:
                raise InputError(
                    "E-COLUMN-TWICE",
                    "the answer would have two columns {name!r}",
                    "rename the aggregate",
                    name=name,
                )
        return Query(self.table, tuple(aggregates.items()), self.keys)

    def __repr__(self) -> str:
        return f"<{self.table.source.name}, private, by {', '.join(self.keys)}>"

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            from sfumato.tables.idioms import AGGREGATES, groups_not_shown

            if name in AGGREGATES:
                raise groups_not_shown(name)
            raise AttributeError(
                f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self
            )


def check_keys(keys: Sequence[str], known: Sequence[str], where: str) -> None:
    """Refuse a column that is not there, or that is named twice."""
    for name in keys:
        check_apart(name, known)
        if name not in known:
            raise UnknownNameError(kind="column", name=name, known=known, where=where)
        if keys.count(name) > 1:
            raise InputError(
                "E-COLUMN-TWICE",
                "the column {name!r} is named twice",
                "name each column once",
                name=name,
            )
