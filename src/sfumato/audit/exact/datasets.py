"""All tables of a finite domain."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from math import comb
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.numeric import read_count, shown
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

__all__ = ["Datasets"]


class Datasets:
    """All tables of so many rows over some values; a table is a tuple of rows.

    Parameters
    ----------
    values
        What a row can be.
    size
        How many rows every table has; or give ``most``.
    most
        How many rows a table has at most.
    ordered
        False for mechanisms to which the order of the rows is all the same: then each multiset of
        rows is one table, in the order of the values.

    Examples
    --------
    >>> from sfumato.audit.exact.datasets import Datasets
    >>> list(Datasets(["a", "b"], size=2, ordered=False))
    [('a', 'a'), ('a', 'b'), ('b', 'b')]
    >>> len(Datasets([0, 1], most=3))
    15
    """

    def __init__(
        self,
        values: Iterable[Hashable],
        *,
        size: int | None = None,
        most: int | None = None,
        ordered: bool = True,
    ) -> None:
        self.values = _read_values(values)
        if (size is None) == (most is None):
            raise InputError(
                "E-ARGUMENT-CONFLICT",
                "Datasets takes either size or most, the number of rows",
                "write {size}, say",
                size=Argument("size", 3),
            )
        last = _read_size(size if most is None else most, "size" if most is None else "most")
        self.sizes = range(last, last + 1) if most is None else range(last + 1)
        self.ordered = ordered

    def __iter__(self) -> Iterator[tuple[Hashable, ...]]:
        return (self.named(each) for each in self.codes())

    def __len__(self) -> int:
        return self.count

    @property
    def count(self) -> int:
        """How many tables there are; unlike a length it may be vast.

        Examples
        --------
        >>> from sfumato.audit.exact.datasets import Datasets
        >>> Datasets([0, 1], size=100).count == 2**100
        True
        """
        kinds = len(self.values)
        if self.ordered:
            return sum(kinds**size for size in self.sizes)
        return sum(comb(kinds + size - 1, size) for size in self.sizes)

    def codes(self) -> Iterator[tuple[int, ...]]:
        """Iterate over the tables, each row as the place of its value.

        Examples
        --------
        >>> from sfumato.audit.exact.datasets import Datasets
        >>> list(Datasets(["a", "b"], size=1).codes())
        [(0,), (1,)]
        """
        places = range(len(self.values))
        for size in self.sizes:
            if self.ordered:
                yield from product(places, repeat=size)
            else:
                yield from combinations_with_replacement(places, size)

    def named(self, codes: tuple[int, ...]) -> tuple[Hashable, ...]:
        """Return a table of values from one of places.

        Examples
        --------
        >>> from sfumato.audit.exact.datasets import Datasets
        >>> Datasets(["a", "b"], size=2).named((1, 0))
        ('b', 'a')
        """
        return tuple(self.values[code] for code in codes)

    def __repr__(self) -> str:
        rows = f"size={self.sizes[0]}" if len(self.sizes) == 1 else f"most={self.sizes[-1]}"
        order = "" if self.ordered else ", ordered=False"
        return f"Datasets({shown(list(self.values))}, {rows}{order})"


def _read_values(values: Any) -> tuple[Hashable, ...]:
    try:
        found = tuple(values)
        distinct = len(set(found)) == len(found)
    except TypeError:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "values must be a list of what a row can be, not {values}",
            values=shown(values),
        ) from None
    if not found or not distinct:
        raise InputError(
            "E-ARGUMENT-TWICE",
            "values must name at least one value, and each once",
            "write [0, 1], say",
        )
    return found


def _read_size(value: Any, name: str) -> int:
    return read_count(value, name, least=0, write=Argument(name, 3))
