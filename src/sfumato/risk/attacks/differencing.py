"""Differencing: exact counts and sums of overlapping groups, subtracted from each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Any

from sfumato.data import open_source
from sfumato.data.names import asked_names
from sfumato.errors import InputError
from sfumato.risk.attacks.determined import determined_sums
from sfumato.risk.attacks.differencing_report import Differencing, SmallGroup

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

    from sfumato.data import Source

__all__ = ["MOST_GROUPS", "difference"]

#: How many combinations of the published columns may occur.
MOST_GROUPS = 100_000
_USUAL = 5

#: The columns of a table, and the numbers of the groups that one of its cells holds.
_Cell = tuple[tuple[str, ...], frozenset[int]]


def difference(
    data: Any,
    *,
    publish: str | Iterable[str | Iterable[str]],
    value: str | None = None,
    hide_below: int = 0,
    at_least: int | None = None,
) -> Differencing:
    """Find which small groups are given away by exact counts and sums of overlapping groups.

    A table by department and one by department and sex overlap: a hidden cell of the second is
    what is left of the first when the other cells are taken off.  All such subtractions are found
    at once :cite:p:`denning1979`, whatever their number of steps: a figure follows from the
    published ones exactly if it is a combination of them, which is decided over the rationals
    :cite:p:`chin1982`.

    The attacker knows which combinations of the published columns occur, and not how many people
    or what sums they have.  What could be inferred from figures being whole or not negative comes
    on top, and is not looked for.  (Row M-RISK-6.)

    Parameters
    ----------
    data
        A path (CSV or Parquet), or a pandas, polars or Arrow table: one row a person.
    publish
        The columns of each table that is published: a name, or several; ``()`` is one figure of
        everybody.
    value
        A column whose sum is published beside each count.
    hide_below
        Cells of fewer people are hidden, as many publishers do; 0 hides none.
    at_least
        A group of fewer people is small; by default ``hide_below``, or else 5.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.risk import difference
    >>> staff = pd.DataFrame({"team": ["a"] * 6, "sex": ["F"] + ["M"] * 5, "pay": range(6)})
    >>> print(difference(staff, publish=["team", ("team", "sex")], value="pay", hide_below=3))
    1 group of fewer than 3 people is given away by exact figures
    published: counts and sums of pay, in 3 cells
    tables: team; team, sex
    hidden are cells of fewer than 3; subtraction gives back 1 of 1
    1 person is alone in such a group
      group  people  pay  how
      a, F        1    0  hidden
    not private: exact figures, for the data owner
    """
    tables = _tables(publish)
    least, below = _whole(at_least, "at_least", 1), _whole(hide_below, "hide_below", 0)
    source = open_source(data)
    columns = tuple(dict.fromkeys(name for table in tables for name in table))
    for names in (*tables, () if value is None else value):
        source.check_columns(names)
    atoms = _atoms(source, columns, value)
    attack = _Attack(atoms, columns, below, least or below or _USUAL, has_value=value is not None)
    return attack.report(source.name, tables, value)


def _tables(publish: Any) -> tuple[tuple[str, ...], ...]:
    listed = [publish] if isinstance(publish, str) else publish
    if not isinstance(listed, Iterable):
        listed = [listed]
    tables = tuple(dict.fromkeys(asked_names(each, "publish") for each in listed))
    if not tables:
        message = "no table is named; name the columns of each that is published, such as 'sex'"
        raise InputError(message)
    return tables


def _whole(number: Any, name: str, least: int) -> int:
    if number is None:
        return 0
    if not isinstance(number, int) or isinstance(number, bool) or number < least:
        message = f"{name} takes a whole number of {least} or more; {number!r:.60} is not"
        raise InputError(message)
    return number


@dataclass(frozen=True)
class _Group:
    """People who are alike in all published columns, or in those of one table."""

    key: tuple[str, ...]
    people: int
    total: float


def _atoms(source: Source, columns: tuple[str, ...], value: str | None) -> list[_Group]:
    """Return how many people, and what sum, each combination of the published columns has."""
    keys = {f"key{place}": _text(source.table[name]) for place, name in enumerate(columns)}
    rows = source.table.select(**keys, value=_number(source, value))
    query = rows.group_by(list(keys)) if keys else rows
    counted = query.agg(n=rows.count(), total=rows.value.sum().fill_null(0.0))
    found = source.fetch(counted.limit(MOST_GROUPS + 1)).to_pylist()
    if not sum(row["n"] for row in found):
        message = f"{source.name} has no rows below its header; there is nothing to publish"
        raise InputError(message)
    if len(found) > MOST_GROUPS:
        message = (
            f"the published columns of {source.name} have more than {MOST_GROUPS:,} combinations, "
            "too many to subtract; publish fewer columns at a time"
        )
        raise InputError(message)
    return sorted(
        (_Group(tuple(row[key] for key in keys), row["n"], row["total"]) for row in found),
        key=lambda each: each.key,
    )


def _text(column: ir.Value) -> ir.Value:
    return column.cast("string").fill_null("(empty)")


def _number(source: Source, value: str | None) -> ir.Value:
    """Return the published value as a number; refuse a column that has something else."""
    import ibis

    if value is None:
        return ibis.literal(0.0)
    column = source.table[value]
    # Trimming also keeps the engine from casting while it parses, where a bad cell is an error.
    number = (column.strip() if column.type().is_string() else column).try_cast("float64")
    odd = column.notnull() & (number.isnull() | number.isnan() | number.isinf())
    count = source.fetch(source.table.aggregate(odd=source.table.count(where=odd))).to_pylist()
    if count[0]["odd"]:
        message = (
            f"{count[0]['odd']:,} cells of {value!r} in {source.name} are no numbers, and sums of "
            "it are asked for; name a column of numbers"
        )
        raise InputError(message)
    return number


@dataclass(frozen=True)
class _Attack:
    """The smallest groups that tables can tell apart, and what is hidden and small."""

    atoms: list[_Group]
    columns: tuple[str, ...]
    hide_below: int
    at_least: int
    has_value: bool

    def report(
        self, name: str, tables: Sequence[tuple[str, ...]], value: str | None
    ) -> Differencing:
        """Find what the published cells show, and what follows from them."""
        cells = [(table, members) for table in tables for members in self._cells(table)]
        shown = [each for each in cells if self._people(each[1]) >= self.hide_below]
        hidden = [each for each in cells if self._people(each[1]) < self.hide_below]
        unlisted = self._unlisted(cells)
        follows = self._follows(shown, [*hidden, *unlisted])
        return Differencing(
            data=name,
            publish=tuple(tables),
            value=value,
            hide_below=self.hide_below,
            at_least=self.at_least,
            cells=len(cells),
            hidden_cells=len(hidden),
            shown=self._groups(filter(self._is_small, shown), "shown"),
            recovered=self._groups(compress(hidden, follows), "hidden"),
            pieced_together=self._groups(
                filter(self._is_small, compress(unlisted, follows[len(hidden) :])),
                "never published",
            ),
        )

    def _follows(self, shown: Sequence[_Cell], wanted: Sequence[_Cell]) -> list[bool]:
        known = [members for _, members in shown]
        return determined_sums(known, [members for _, members in wanted], len(self.atoms))

    def _cells(self, table: tuple[str, ...]) -> list[frozenset[int]]:
        """Return the cells of a table, each as the numbers of its groups."""
        places = [self.columns.index(name) for name in table]
        cells: dict[tuple[str, ...], set[int]] = defaultdict(set)
        for number, atom in enumerate(self.atoms):
            cells[tuple(atom.key[place] for place in places)].add(number)
        return [frozenset(members) for members in cells.values()]

    def _unlisted(self, cells: Sequence[_Cell]) -> list[_Cell]:
        """Return the smallest groups, without those that a table has as a cell."""
        listed = {members for _, members in cells}
        alone = (frozenset({number}) for number in range(len(self.atoms)))
        return [(self.columns, members) for members in alone if members not in listed]

    def _people(self, members: frozenset[int]) -> int:
        return sum(self.atoms[each].people for each in members)

    def _is_small(self, cell: _Cell) -> bool:
        return self._people(cell[1]) < self.at_least

    def _groups(self, cells: Iterable[_Cell], how: str) -> tuple[SmallGroup, ...]:
        """Return cells as groups, the smallest first."""
        groups = [self._group(table, members, how) for table, members in cells]
        return tuple(sorted(groups, key=lambda each: (each.people, list(each.group.items()))))

    def _group(self, table: tuple[str, ...], members: frozenset[int], how: str) -> SmallGroup:
        atom = self.atoms[min(members)]
        total = sum(self.atoms[each].total for each in sorted(members))
        return SmallGroup(
            group={name: atom.key[self.columns.index(name)] for name in table},
            people=self._people(members),
            total=total if self.has_value else None,
            how=how,
        )
