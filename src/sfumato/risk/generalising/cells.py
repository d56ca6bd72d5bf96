"""The table in short: each combination of values once, with how many rows have it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data import count_groups
from sfumato.errors import InputError
from sfumato.risk.exposed import Exposed, blanks_among
from sfumato.risk.exposure.closeness import ordered_distances
from sfumato.risk.generalising.hierarchy import as_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pyarrow as pa
    from numpy.typing import NDArray


_MOST_KEYS = 2**62


def combined(codes: Sequence[NDArray[np.int64]], sizes: Sequence[int]) -> NDArray[np.int64]:
    """Return one number a row for its combination of codes, each below its size."""
    keys = np.zeros(len(codes[0]), dtype=np.int64)
    span = 1
    for code, size in zip(codes, sizes, strict=True):
        if span * size > _MOST_KEYS:
            keys = np.unique(keys, return_inverse=True)[1]
            span = len(keys)
        keys = keys * size + code
        span *= size
    return keys


def distinct(keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where each key is first, the keys in order, and for each row which one it has."""
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    return first, group


def summed(amounts: NDArray[np.int64], group: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return the sum of the amounts in each group; sums below 2**53 are exact."""
    return np.bincount(group, weights=amounts, minlength=count).astype(np.int64)


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """A column as codes.

    Attributes
    ----------
    name
        Its name.
    values
        Its values in order, each once, as an Arrow array; a missing one last.
    codes
        For each cell, the place of its value.
    """

    name: str
    values: pa.Array
    codes: NDArray[np.int64]

    def encode(self, column: pa.ChunkedArray) -> NDArray[np.int64]:
        """Return the places of other cells of the same column, in the order of its rows."""
        import pyarrow.compute as pc

        found = pc.index_in(_plain(column), value_set=self.values)
        if found.null_count:
            raise InputError(
                "E-TABLE-CHANGED",
                "the column {name!r} changed while it was read",
                "try again",
                name=self.name,
            )
        places: NDArray[np.int64] = found.to_numpy().astype(np.int64)
        return places

    def counted(self, counts: NDArray[np.int64]) -> list[tuple[Any, int]]:
        """Return the values, and how many rows have each; of each cell so many rows."""
        having = np.bincount(self.codes, counts, len(self.values)).astype(np.int64)
        return list(zip(self.values.to_pylist(), having.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class SensitiveSpread:
    """Which sensitive values the rows of each class have, and how often.

    Attributes
    ----------
    name
        The sensitive column.
    owner, value, counts
        The pairs that occur: a class, the place of a value, and how many rows have both.
    size
        How many values there are.
    ranks
        The rank of each value where they have an order, so that near ones are nearer than far
        ones; None where they have none.
    """

    name: str
    owner: NDArray[np.int64]
    value: NDArray[np.int64]
    counts: NDArray[np.int64]
    size: int
    ranks: NDArray[np.int64] | None = None

    def of_table(self, kept: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the share of each value among the rows of the classes that are kept."""
        inside = kept[self.owner]
        total = np.bincount(self.value[inside], self.counts[inside], self.size)
        shares: NDArray[np.float64] = total / max(total.sum(), 1)
        return shares

    def distinct(self, classes: int) -> NDArray[np.int64]:
        """Return how many values each class has."""
        return np.bincount(self.owner, minlength=classes)

    def entropy(self, sizes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the entropy of each class, in bits.

        2 to its power is entropy l-diversity :cite:p:`machanavajjhala2007`: so many
        equally frequent values are as uncertain.
        """
        shares = self.counts / sizes[self.owner]
        terms = -shares * np.log2(shares)
        return np.bincount(self.owner, terms, len(sizes)).astype(np.float64, copy=False)

    def distance(self, sizes: NDArray[np.int64], table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how far each class is from the shares of a table, from 0 to 1.

        The earth mover's distance of t-closeness :cite:p:`li2007`: by ranks where values have an
        order, with equal distances where they have none.
        """
        if self.ranks is None:
            # What a class has too much of some values is what it has too little of others.
            excess = np.maximum(self.counts / sizes[self.owner] - table[self.value], 0)
            return np.bincount(self.owner, excess, len(sizes)).astype(np.float64, copy=False)
        ranks = self.ranks[self.value]
        order = np.lexsort([ranks, self.owner])
        return ordered_distances(
            ranks[order],
            self.counts[order],
            self.distinct(len(sizes)),
            np.bincount(self.ranks, table),
        )

    def merged(self, group: NDArray[np.int64]) -> SensitiveSpread:
        """Return what classes hold together that are in one group."""
        owner = group[self.owner]
        first, pair = distinct(owner * self.size + self.value)
        counts = summed(self.counts, pair, len(first))
        return replace(self, owner=owner[first], value=self.value[first], counts=counts)

    def only(self, kept: NDArray[np.bool_]) -> SensitiveSpread:
        """Return what some of the classes hold."""
        inside = kept[self.owner]
        owner = (np.cumsum(kept) - 1)[self.owner[inside]]
        return replace(self, owner=owner, value=self.value[inside], counts=self.counts[inside])


@dataclass(frozen=True, eq=False)
class CodedCells:
    """The combinations of quasi-identifiers that occur, in order.

    Attributes
    ----------
    columns
        The quasi-identifiers.
    counts
        How many rows each combination has.
    secrets
        The sensitive columns.
    blanks
        The columns of both kinds in which cells differ only by blanks around them, and how many.
    """

    columns: tuple[CodedColumn, ...]
    counts: NDArray[np.int64]
    secrets: tuple[SensitiveSpread, ...]
    blanks: Mapping[str, int] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """How many rows the table has."""
        return int(self.counts.sum())

    def locate(self, table: pa.Table) -> NDArray[np.int64]:
        """Return the cell of each row of a table, in the order of its rows."""
        codes = [
            np.concatenate([each.codes, each.encode(table[each.name])]) for each in self.columns
        ]
        sizes = [len(each.values) for each in self.columns]
        _, group = distinct(combined(codes, sizes))
        own, others = np.split(group, [len(self.counts)])
        place = np.zeros(len(group), dtype=np.int64)
        place[own] = np.arange(len(own))
        self._check_same(place[others], own, others)
        return place[others]

    def _check_same(
        self, places: NDArray[np.int64], own: NDArray[np.int64], others: NDArray[np.int64]
    ) -> None:
        """Refuse rows that are not those that were counted."""
        counts = np.bincount(places, minlength=len(self.counts))
        if not np.isin(others, own).all() or not np.array_equal(counts, self.counts):
            raise InputError(
                "E-TABLE-CHANGED",
                "the table has changed since it was generalised",
                "generalise it again",
            )


def read_cells(exposed: Exposed, ordered: Sequence[str] = ()) -> CodedCells:
    """Count the combinations in the engine, in one query, and return them in order.

    Parameters
    ----------
    exposed
        The table.
    ordered
        Which sensitive columns have an order.
    """
    names = [*exposed.quasi, *exposed.sensitive]
    counted = count_groups(exposed.source, names, with_keys=True)
    counts = counted.counts.astype(np.int64)
    every = [_column(name, counted.keys[name]) for name in names]  # type: ignore[index]
    known, secret = every[: len(exposed.quasi)], every[len(exposed.quasi) :]
    keys = combined([each.codes for each in known], [len(each.values) for each in known])
    first, group = distinct(keys)
    return CodedCells(
        tuple(CodedColumn(each.name, each.values, each.codes[first]) for each in known),
        summed(counts, group, len(first)),
        tuple(_secret(each, group, counts, is_ordered=each.name in ordered) for each in secret),
        {each.name: number for each in every if (number := _blanks(each, counts))},
    )


def _blanks(column: CodedColumn, counts: NDArray[np.int64]) -> int:
    import pyarrow as pa

    kind = column.values.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        return 0
    return blanks_among(column.counted(counts))


def _secret(
    column: CodedColumn, group: NDArray[np.int64], counts: NDArray[np.int64], *, is_ordered: bool
) -> SensitiveSpread:
    size = len(column.values)
    first, pair = distinct(group * size + column.codes)
    return SensitiveSpread(
        column.name,
        group[first],
        column.codes[first],
        summed(counts, pair, len(first)),
        size,
        _ranks(column) if is_ordered else None,
    )


def _ranks(column: CodedColumn) -> NDArray[np.int64]:
    """Return the rank of each value: a missing one is below all others, and text is numbers."""
    values = column.values.to_pylist()
    keys = [as_number(each) if isinstance(each, str) else each for each in values]
    if any(key is None and value is not None for key, value in zip(keys, values, strict=True)):
        raise InputError(
            "E-CELLS-UNREADABLE",
            "the column {column!r} is named as ordered, and some of its cells are no numbers",
            "leave it out of the ordered columns, or write numbers in it",
            column=column.name,
        )
    places = [(key is not None, key != key, 0 if key != key else key) for key in keys]
    rank = {place: number for number, place in enumerate(sorted(set(places)))}
    return np.array([rank[place] for place in places], dtype=np.int64)


def _column(name: str, cells: pa.ChunkedArray) -> CodedColumn:
    import pyarrow as pa
    import pyarrow.compute as pc

    plain = _plain(cells)
    values = pc.unique(plain)
    ordered = values.take(pc.sort_indices(values))
    if isinstance(ordered, pa.ChunkedArray):
        ordered = ordered.combine_chunks()
    return CodedColumn(
        name, ordered, pc.index_in(plain, value_set=ordered).to_numpy().astype(np.int64)
    )


def _plain(cells: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return cells by themselves, and 0 for -0, which engines take for one value."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(cells.type):
        return cells.cast(cells.type.value_type)
    return pc.add(cells, 0.0) if pa.types.is_floating(cells.type) else cells
