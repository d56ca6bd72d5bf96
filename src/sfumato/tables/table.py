"""A private table: rows that are only ever asked about, and what is declared of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sfumato.data.names import asked_names, check_names
from sfumato.errors import InputError, UnknownNameError
from sfumato.tables.columns import known_columns
from sfumato.tables.declaring import declaration
from sfumato.tables.expressions import Expression, as_expression
from sfumato.tables.query import Query
from sfumato.tables.tree.aggregates import Aggregate
from sfumato.tables.tree.question import Held
from sfumato.tables.tree.steps import Derive, Filter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.tables.release.release import Release
    from sfumato.tables.tree.steps import Step

__all__ = ["GroupedTable", "PrivateTable"]


@dataclass(frozen=True, eq=False, repr=False)
class PrivateTable(Held):
    """A table about people that answers under differential privacy.

    ``sf.table`` and ``sf.open`` make one.

    Attributes
    ----------
    steps
        What is done to rows before they are asked about.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> people = pd.DataFrame({"id": [1, 2, 3], "sex": ["F", "M", "F"]})
    >>> table = sf.table(people, unit="id", keys={"sex": ["F", "M"]})
    >>> table.columns
    ('id', 'sex')
    """

    steps: tuple[Step, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, those derived included.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> sf.table(pd.DataFrame({"age": [61, 64]}), unit="row").columns
        ('age',)
        """
        return tuple(known_columns(self.policy, self.schema, self.steps))

    def filter(self, condition: Expression) -> PrivateTable:
        """Ask only about the rows for which a condition is true.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> print(table.filter(sf.col("age") > 60).agg(n=sf.count()))
        n = count(*) where age > 60
        """
        if not isinstance(condition, Expression):
            message = (
                f"filter takes a condition, not {type(condition).__name__}; write "
                "filter(sf.col('age') > 60)"
            )
            raise InputError(message)
        return self._after(Filter(condition))

    def with_columns(self, /, **columns: Any) -> PrivateTable:
        """Add columns computed from the others of the same row, or put them in their place.

        What was declared of a column that is replaced is forgotten: it was about other values.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> table.with_columns(decade=sf.col("age") // 10).columns
        ('age', 'decade')
        """
        unit = getattr(self.relation.unit, "column", None)
        if unit in columns:
            message = (
                f"the column {unit!r} says whose row it is and cannot be replaced; give the new "
                "column another name"
            )
            raise InputError(message)
        derived = tuple((name, as_expression(each)) for name, each in columns.items())
        return self._after(Derive(derived)) if derived else self

    def declare(
        self, *, bounds: Mapping[str, Any] | None = None, keys: Mapping[str, Any] | None = None
    ) -> PrivateTable:
        """Declare bounds and public keys of columns, those that were derived included.

        Parameters
        ----------
        bounds
            Between which the values of a column are taken, by its name.
        keys
            The public values of a column, by its name.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 14]}), unit="row")
        >>> band = sf.when(sf.col("age") < 18, "child").otherwise("adult")
        >>> banded = table.with_columns(band=band).declare(keys={"band": ["child", "adult"]})
        >>> banded.group_by("band").agg(n=sf.count()).plan(epsilon=1).keys.count
        2
        """
        return self._after(declaration(self, bounds, keys))

    def group_by(self, *names: str | Sequence[str]) -> GroupedTable:
        """Ask about each group of rows that are alike in some columns.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"sex": ["F"]}), unit="row", keys={"sex": ["F", "M"]})
        >>> table.group_by("sex").keys
        ('sex',)
        """
        known = self.columns
        keys = asked_names(names[0] if len(names) == 1 else names, "group_by")
        for name in keys:
            if name not in known:
                where = self.source.name
                raise UnknownNameError(kind="column", name=name, known=known, where=where)
            if keys.count(name) > 1:
                message = f"the column {name!r} is named twice; name each column once"
                raise InputError(message)
        return GroupedTable(self, keys)

    def agg(self, /, **aggregates: Aggregate) -> Query:
        """Ask about all rows together.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> print(table.agg(n=sf.count()))
        n = count(*)
        """
        return GroupedTable(self, ()).agg(**aggregates)

    def sql(self, text: str, **target: Any) -> Release:
        """Answer a question in SQL; see ``Query.release`` for what it takes besides.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> people = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> answer = people.sql("SELECT COUNT(*) AS n FROM people WHERE age > 60", epsilon=1)
        >>> isinstance(answer["n"], int)
        True
        """
        return self.query(text).release(**target)

    def query(self, text: str, *, keys: Mapping[str, Any] | None = None) -> Query:
        """Return a question in SQL as a query, to plan it before it is answered.

        Parameters
        ----------
        text
            ``SELECT`` of keys and aggregates, with ``WHERE``, ``GROUP BY`` and so on.
        keys
            The public values of keys that the question derives, by their names in it.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> people = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> print(people.query("SELECT COUNT(*) AS n FROM people WHERE age > 60"))
        n = count(*) where age > 60
        """
        from sfumato.tables.sql import read_sql

        query = read_sql(text, self)
        if not keys:
            return query
        derived = replace(self, steps=query.steps)
        return replace(query, steps=(*query.steps, declaration(derived, None, keys)))

    def __repr__(self) -> str:
        return f"<private table {self.source.name}: {self.relation}>"

    def _after(self, step: Step) -> PrivateTable:
        changed = replace(self, steps=(*self.steps, step))
        known = known_columns(self.policy, self.schema, changed.steps)
        check_names(tuple(known), "the question")
        return changed


@dataclass(frozen=True, eq=False, repr=False)
class GroupedTable:
    """A private table whose rows are grouped.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> table = sf.table(pd.DataFrame({"sex": ["F"]}), unit="row", keys={"sex": ["F", "M"]})
    >>> table.group_by("sex")
    <private table the table, by sex>
    """

    table: PrivateTable
    keys: tuple[str, ...]

    def agg(self, /, **aggregates: Aggregate) -> Query:
        """Ask for some aggregates of each group.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"sex": ["F"]}), unit="row", keys={"sex": ["F", "M"]})
        >>> print(table.group_by("sex").agg(n=sf.count()))
        n = count(*) by sex
        """
        if not aggregates:
            message = "agg takes at least one aggregate; write agg(n=sf.count())"
            raise InputError(message)
        for name, each in aggregates.items():
            if not isinstance(each, Aggregate):
                message = (
                    f"agg takes aggregates, and {name!r} is {type(each).__name__}; write "
                    f"agg({name}=sf.count()) or agg({name}=sf.mean('age'))"
                )
                raise InputError(message)
            if name in self.keys:
                message = f"the answer would have two columns {name!r}; rename the aggregate"
                raise InputError(message)
        return Query(self.table, tuple(aggregates.items()), self.keys, self.table.steps)

    def __repr__(self) -> str:
        return f"<private table {self.table.source.name}, by {', '.join(self.keys)}>"
