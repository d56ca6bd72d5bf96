"""Equivalence classes: how many, how small, and how many people are alone.

Everything starts from *cells*: one line a combination of values, as key0, key1, ... and how many
rows have it, as ``mass``.  No name of a user's column is in a query, so none can clash.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.data import Source, open_source
from sfumato.errors import InputError
from sfumato.printing import NotPrivate, counted, listed
from sfumato.risk.exposed import read_exposed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import ibis.expr.types as ir


#: How many combinations occur how often: sizes in order, and how many have each.
Sizes = dict[int, int]

# So many groupings are asked for in one query; more would take the engine long to plan.
_MOST_AT_ONCE = 60


def opened(data: Any) -> Source:
    """Return a table in an engine; one that is opened already is taken as it is."""
    return data if isinstance(data, Source) else open_source(data)


def cells_of(table: ir.Table, names: Sequence[str]) -> ir.Table:
    """Return the query for the cells of some columns."""
    by = {f"key{position}": table[name] for position, name in enumerate(names)}
    return table.group_by(**by).agg(mass=table.count())


def keys(first: int, last: int) -> list[str]:
    """Return the names of keys in the cells."""
    return [f"key{position}" for position in range(first, last)]


def sizes_of(cells: ir.Table) -> ir.Table:
    """Return the query for how many cells have each mass."""
    return cells.group_by(size=cells.mass).agg(classes=cells.count())


def fetch_sizes(source: Source, cells: ir.Table, groupings: Sequence[Sequence[str]]) -> list[Sizes]:
    """Group the cells by some keys, in each of several ways, and count groups by their size."""
    found: list[Sizes] = []
    for start in range(0, len(groupings), _MOST_AT_ONCE):
        found += _fetched(source, cells, groupings[start : start + _MOST_AT_ONCE])
    return found


def _fetched(source: Source, cells: ir.Table, groupings: Sequence[Sequence[str]]) -> list[Sizes]:
    import ibis

    each = [_numbered(number, cells, chosen) for number, chosen in enumerate(groupings)]
    query = ibis.union(*each) if len(each) > 1 else each[0]
    found: list[Sizes] = [{} for _ in groupings]
    for line in source.fetch(query.order_by(["grouping", "size"])).to_pylist():
        found[line["grouping"]][line["size"]] = line["classes"]
    return found


def _numbered(number: int, cells: ir.Table, chosen: Sequence[str]) -> ir.Table:
    import ibis

    coarser = cells.group_by(list(chosen)).agg(mass=cells.mass.sum())
    counted = sizes_of(coarser)
    return counted.select(
        grouping=ibis.literal(number, "int64"), size=counted["size"], classes=counted.classes
    )


def check_rows(source: Source, sizes: Sizes) -> None:
    """Refuse a table without people."""
    if not sizes:
        raise InputError(
            "E-TABLE-EMPTY",
            "{source} has no rows below its header",
            "there is nobody to look at",
            source=source.name,
        )


@dataclass(frozen=True)
class Classes(NotPrivate):
    """Equivalence classes of rows on some columns, counted by their size.

    Attributes
    ----------
    columns
        The quasi-identifiers.
    sizes
        The sizes that occur, the smallest first.
    counts
        How many classes have each size.

    Examples
    --------
    >>> from sfumato.risk import k_anonymity
    >>> found = k_anonymity("examples/hospital-a.csv", quasi=["sex", "smoker"])
    >>> found.sizes, found.counts
    ((4, 5), (1, 1))
    """

    columns: tuple[str, ...]
    sizes: tuple[int, ...]
    counts: tuple[int, ...]

    @property
    def k(self) -> int:
        """The size of the smallest equivalence class.

        Examples
        --------
        >>> from sfumato.risk import k_anonymity
        >>> k_anonymity("examples/hospital-a.csv", quasi="age").k
        1
        """
        return self.sizes[0]

    @property
    def rows(self) -> int:
        """How many rows there are.

        Examples
        --------
        >>> from sfumato.risk import k_anonymity
        >>> k_anonymity("examples/hospital-a.csv", quasi="age").rows
        9
        """
        return sum(size * count for size, count in zip(self.sizes, self.counts, strict=True))

    @property
    def total(self) -> int:
        """How many classes there are.

        Examples
        --------
        >>> from sfumato.risk import k_anonymity
        >>> k_anonymity("examples/hospital-a.csv", quasi="sex").total
        2
        """
        return sum(self.counts)

    @property
    def uniques(self) -> int:
        """How many rows are unique: alone in their equivalence class.

        Examples
        --------
        >>> from sfumato.risk import k_anonymity
        >>> k_anonymity("examples/hospital-a.csv", quasi="zip").uniques
        5
        """
        return self.of_size(1)

    @property
    def entropy(self) -> float:
        """The entropy of the columns: how far they identify a person, in bits.

        Examples
        --------
        >>> from sfumato.risk import k_anonymity
        >>> round(k_anonymity("examples/hospital-a.csv", quasi="sex").entropy, 6)
        0.991076
        """
        return entropy_of(dict(zip(self.sizes, self.counts, strict=True)))

    def of_size(self, size: int) -> int:
        """Return how many classes have a size.

        Examples
        --------
        >>> from sfumato.risk import k_anonymity
        >>> k_anonymity("examples/hospital-a.csv", quasi="zip").of_size(4)
        1
        """
        return dict(zip(self.sizes, self.counts, strict=True)).get(size, 0)

    def rows_below(self, size: int) -> int:
        """Return how many rows are in classes smaller than a size.

        Examples
        --------
        >>> from sfumato.risk import k_anonymity
        >>> k_anonymity("examples/hospital-a.csv", quasi="zip").rows_below(4)
        5
        """
        pairs = zip(self.sizes, self.counts, strict=True)
        return sum(each * count for each, count in pairs if each < size)

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.risk import k_anonymity
        >>> print(k_anonymity("examples/hospital-a-generalised.csv", quasi=["age", "sex"]))
        k = 2: every equivalence class on age, sex has 2 rows or more
        9 rows in 4 equivalence classes
        not private: exact figures, for the data owner
        """
        columns = listed(self.columns)
        smallest = (
            f"every equivalence class on {columns} has {self.k:,} rows or more"
            if self.k > 1
            else f"{counted(self.uniques, 'row')} unique on {columns}"
        )
        classes = counted(self.total, "equivalence class")
        return [f"k = {self.k:,}: {smallest}", f"{counted(self.rows, 'row')} in {classes}"]

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import k_anonymity
        >>> k_anonymity("examples/hospital-a.csv", quasi="sex").figures()["k"]
        4
        """
        return {
            "columns": list(self.columns),
            "k": self.k,
            "rows": self.rows,
            "classes": self.total,
            "unique_rows": self.uniques,
            "entropy_bits": self.entropy,
            "class_sizes": [list(each) for each in zip(self.sizes, self.counts, strict=True)],
        }


def k_anonymity(data: Any, *, quasi: str | Iterable[str]) -> Classes:
    """Measure how small the smallest equivalence class is, by one query.

    A table is k-anonymous when every equivalence class has k rows at least on the
    quasi-identifiers :cite:p:`sweeney2002`.

    Parameters
    ----------
    data
        A path (CSV or Parquet), a pandas, polars or Arrow table, one of Ibis, or a ``Source``
        that ``sfumato.data.open_source`` opened, for several questions.
    quasi
        The columns that somebody may know of a person from elsewhere.

    Examples
    --------
    >>> from sfumato.risk import k_anonymity
    >>> k_anonymity("examples/hospital-a.csv", quasi="age").k
    1
    >>> quasi = ["age", "sex", "zip", "smoker"]
    >>> k_anonymity("examples/hospital-a-generalised.csv", quasi=quasi).k
    2
    """
    exposed = read_exposed(opened(data), quasi=quasi)
    found = exposed.source.ask(_sizes, exposed.quasi)
    sizes = dict(sorted((line["size"], line["classes"]) for line in found))
    check_rows(exposed.source, sizes)
    return made_classes(exposed.quasi, sizes)


def _sizes(table: ir.Table, quasi: Sequence[str]) -> ir.Table:
    return sizes_of(cells_of(table, quasi))


def made_classes(columns: Sequence[str], sizes: Sizes) -> Classes:
    """Return classes from how many have each size."""
    return Classes(tuple(columns), tuple(sizes), tuple(sizes.values()))


def entropy_of(sizes: Sizes) -> float:
    """Return the entropy in bits of the class of a random row, from how many have each size.

    Exact counts go in, so that the engine's order of rows has no say in the digits.
    """
    rows = sum(size * count for size, count in sizes.items())
    within = math.fsum(count * size * math.log2(size) for size, count in sizes.items())
    return max(0.0, math.log2(rows) - within / rows)
