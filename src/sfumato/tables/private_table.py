"""A private table: rows that are only ever asked about, and what is declared of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Never

from sfumato.data import asked_names, check_names
from sfumato.data.policy import ColumnPolicy, Limits, single_keys
from sfumato.errors import InputError, UnknownNameError, at
from sfumato.tables.column import check_held
from sfumato.tables.expressions import Expression, as_expression
from sfumato.tables.joining import given_tables, joined
from sfumato.tables.numbers import measured
from sfumato.tables.query import GroupedTable, check_keys
from sfumato.tables.tree.rows import Declare, Derive, Filter, Held, PerPerson, with_step
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.data import Measured
    from sfumato.tables.query import Query
    from sfumato.tables.release.release import Release
    from sfumato.tables.tree.aggregates import Aggregate
    from sfumato.tables.tree.public import PublicTable
    from sfumato.tables.tree.rows import Step


def declaration(
    table: Held, bounds: Mapping[str, Any] | None, keys: Mapping[str, Any] | None
) -> Declare:
    """Return what is declared of the columns of a table, checked against their types."""
    given = {"bounds": _read(bounds, "bounds"), "values": _read(keys, "keys")}
    names = dict.fromkeys(name for each in given.values() for name in each)
    return Declare(tuple((name, _column(name, given, table)) for name in names))


def _column(name: Any, given: Mapping[str, Mapping[str, Any]], table: Held) -> ColumnPolicy:
    columns = table.steps.known
    if name not in columns:
        where = table.source.name
        raise UnknownNameError(kind="column", name=name, known=columns, where=where)
    declared = {kind: each[name] for kind, each in given.items() if name in each}
    with at(tr("the column {name!r}", name=name), column=name):
        if "values" in declared:
            declared["values"] = single_keys(declared["values"], name)
        said = ColumnPolicy(type=columns[name].type, **declared)
    if columns[name].declared:
        check_held(table.source, name, said.values or ())
    return said


def _read(given: Any, word: str) -> Mapping[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{word} must be a mapping from columns",
            "write {word}={{'band': …}}",
            word=word,
        )
    return given


@dataclass(frozen=True, eq=False, repr=False)
class PrivateTable(Held):
    """A table about people that answers under differential privacy.

    ``sf.table`` and ``sf.open`` make one.

    Attributes
    ----------
    tables
        Public tables that questions in SQL may join, by their names.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> people = pd.DataFrame({"id": [1, 2, 3], "sex": ["F", "M", "F"]})
    >>> table = sf.table(people, unit="id", keys={"sex": ["F", "M"]})
    >>> table.columns
    ('id', 'sex')
    """

    tables: Mapping[str, PublicTable] = field(default_factory=dict)

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
        return tuple(self.steps.known)

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
            raise InputError(
                "E-CONDITION-TYPE",
                "filter takes a condition, not {kind}",
                "write filter(sf.col('age') > 60)",
                kind=type(condition).__name__,
            )
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
            raise InputError(
                "E-COLUMN-IS-UNIT",
                "the column {unit!r} is the privacy unit and cannot be replaced",
                "give the new column another name",
                unit=unit,
            )
        derived = tuple((name, as_expression(each)) for name, each in columns.items())
        return self._after(Derive(derived)) if derived else self

    def join(
        self, other: PublicTable | PrivateTable, on: Any = None, *, how: str = "inner"
    ) -> PrivateTable:
        """Put the columns of another table beside those of this one.

        Parameters
        ----------
        other
            A public table (``sf.public``), or another private one about the same people.
        on
            Of a public table: the columns that must be alike, as in ``"zip"``, ``["zip", "year"]``
            or ``{"zip": "code"}`` where the public table calls it otherwise.  Two private tables
            are joined by the person's id, and ``on`` is left out.
        how
            "inner", or "left" to keep rows of this table that have no match.

        Notes
        -----
        *Theorem.*  Let each person's rows, in all private tables of the question, become rows
        that depend on that person's rows alone.  Then tables that differ by one person become
        tables that differ by rows of that person.  Both joins do so: who is added or removed, or
        whose rows are others, is so in both private tables, and the guarantee is about both
        together.  How much of a person counts is limited last, of the joined rows.

        A row that matches several becomes several, and limits on rows grow accordingly; what is
        not declared is chosen privately.  Where each row is another person's, a public table must
        have each key once.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> visits = sf.table(pd.DataFrame({"id": [7, 7, 8], "zip": ["1010"] * 3}), unit="id")
        >>> regions = sf.public(pd.DataFrame({"zip": ["1010"], "region": ["Vienna"]}))
        >>> visits.join(regions, on="zip").columns
        ('id', 'zip', 'region')
        """
        changed = joined(self, other, on, how)
        check_names(changed.columns, mark("the joined table"))
        return changed

    def per_person(self, /, *unnamed: Never, **aggregates: Aggregate) -> PrivateTable:
        """Make one row of all the rows of a person: the id, and what is computed of the rows.

        People without rows do not appear.  Each then has one row, in one group: no limit is needed.

        Parameters
        ----------
        aggregates
            ``sf.count()``, ``sf.count("x")``, ``sf.sum("x")``, ``sf.mean("x")``,
            ``sf.minimum("x")`` and ``sf.maximum("x")``, by the names of the new columns.  Here
            they are computed without noise, of the rows of one person, and nothing is released
            before the rows of all are asked about.  Values are taken between the bounds that are
            declared, or given; the sum or mean of a column of numbers needs them.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> visits = sf.table(pd.DataFrame({"id": [7, 7, 8], "cost": [10, 20, 5]}), unit="id")
        >>> each = visits.per_person(visits=sf.count(), cost=sf.sum("cost"))
        >>> each.columns
        ('id', 'visits', 'cost')
        >>> print(each.agg(cost=sf.mean("cost", bounds=(0, 100))))
        cost = mean(cost) for each person visits = count(*), cost = sum(cost)
        """
        step = PerPerson.of(self.relation, aggregates, unnamed)
        one = replace(self.policy, limits=Limits(rows=1, groups=1))
        return self._after(step, policy=one)

    def declare(
        self,
        *,
        bounds: Mapping[str, Any] | None = None,
        keys: Mapping[str, Any] | None = None,
        limits: Limits | Mapping[str, Any] | None = None,
    ) -> PrivateTable:
        """Declare bounds and public keys of columns, and how much of one person counts.

        Parameters
        ----------
        bounds
            Between which the values of a column are taken, by its name.
        keys
            The public values of a column, by its name.
        limits
            How much of one person counts of the rows as they are here, joined or not.

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
        policy = self.policy.with_changes(limits=limits)
        said = declaration(self, bounds, keys)
        if not said.columns:
            return replace(self, policy=policy)
        return with_step(self, said, policy=policy)

    def group_by(self, *names: str | Sequence[str], **computed: Never) -> GroupedTable:
        """Ask about each group of rows that are alike in some columns.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"sex": ["F"]}), unit="row", keys={"sex": ["F", "M"]})
        >>> table.group_by("sex").keys
        ('sex',)
        """
        if "keys" in computed:
            raise InputError(
                "E-ARGUMENT-TYPE",
                "group_by takes the names of columns, and keys are declared",
                "write declare(keys=…).group_by(…)",
            )
        for name in computed:
            raise InputError(
                "E-ARGUMENT-TYPE",
                "group_by takes the names of columns, and {name} is computed",
                "write with_columns({name}=…).group_by({column!r})",
                name=name,
                column=name,
            )
        given = asked_names(names[0] if len(names) == 1 else names, "group_by")
        check_keys(given, self.columns, self.source.name)
        return GroupedTable(self, given)

    def agg(self, /, *unnamed: Never, **aggregates: Aggregate) -> Query:
        """Ask about all rows together.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> print(table.agg(n=sf.count()))
        n = count(*)
        """
        return GroupedTable(self, ()).agg(*unnamed, **aggregates)

    def numbers(
        self, columns: str | Sequence[str] | None = None, *, bounded: bool = True
    ) -> Measured:
        """Return columns of numbers for a model to be learned of them; see ``sf.KMeans``.

        Parameters
        ----------
        columns
            Their names; all columns of numbers with declared bounds where left out.
        bounded
            Whether they need bounds; a model that brings its own domain looks at none.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> people = pd.DataFrame({"age": [61, 64], "paid": [10.5, 3.0]})
        >>> table = sf.table(people, unit="row", bounds={"age": (0, 110), "paid": (0, 50)})
        >>> table.numbers().names
        ('age', 'paid')
        """
        return measured(self, columns, bounded=bounded)

    def sql(self, text: str, *, tables: Mapping[str, Any] | None = None, **target: Any) -> Release:
        """Answer a question in SQL; see ``query``, and ``Query.release`` for what it takes besides.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> people = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> answer = people.sql("SELECT COUNT(*) AS n FROM people WHERE age > 60", epsilon=1)
        >>> isinstance(answer["n"], int)
        True
        """
        return self.query(text, tables=tables).release(**target)

    def query(
        self,
        text: str,
        *,
        keys: Mapping[str, Any] | None = None,
        tables: Mapping[str, Any] | None = None,
    ) -> Query:
        """Return a question in SQL as a query, to plan it before it is answered.

        Parameters
        ----------
        text
            ``SELECT`` of keys and aggregates, with ``WHERE``, ``GROUP BY`` and so on.
        keys
            The public values of keys that the question derives, by their names in it.
        tables
            The tables that the question joins besides those of the policy, by name.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> people = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> print(people.query("SELECT COUNT(*) AS n FROM people WHERE age > 60"))
        n = count(*) where age > 60
        """
        from sfumato.tables.sql import read_sql

        query = read_sql(text, self, {**self.tables, **given_tables(tables)})
        if not keys:
            return query
        declared = declaration(query.table, None, keys)
        return replace(query, table=with_step(query.table, declared))

    def __repr__(self) -> str:
        return f"<{self.source.name}, private: {self.relation}>"

    def _repr_html_(self) -> str:
        from sfumato.tables.render import html_of_table

        return html_of_table(self)

    if not TYPE_CHECKING:
        # What people write of data frames is answered by how to ask it; nothing else is here.
        def __getattr__(self, name):
            from sfumato.tables.idioms import IDIOMS, column_not_shown, rows_not_shown

            if name in IDIOMS:
                raise rows_not_shown(name, self.schema)
            if "steps" in vars(self) and name in self.columns:
                raise column_not_shown(name)
            message = f"{type(self).__name__!r} object has no attribute {name!r}"
            raise AttributeError(message, name=name, obj=self)

        def __getitem__(self, name):
            return self.__getattr__("__getitem__")

        def __len__(self):
            return self.__getattr__("__len__")

        def __iter__(self):
            return self.__getattr__("__iter__")

        def __bool__(self):
            return True

    def _after(self, step: Step, **changes: Any) -> PrivateTable:
        changed = with_step(self, step, **changes)
        check_names(changed.columns, mark("the query"))
        return changed
