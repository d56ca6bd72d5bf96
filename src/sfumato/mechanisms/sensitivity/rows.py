"""What a row may be: one of a list, or several cells, each from a domain of its own.

A search tries the *corners* of a domain first, then its *landmarks* (all values of a list; ends,
neighbours of ends and telling magnitudes of an interval), then draws and nudges.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import islice, product
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

__all__ = ["Columns", "Domain", "Listed"]

_MOST_CORNERS = 16


class Domain(ABC):
    """The rows that a table may hold.

    Examples
    --------
    >>> from sfumato.mechanisms.sensitivity.domains import read_domain
    >>> read_domain(((0, 1), ["F", "M"])).corners[0]
    (0.0, 'F')
    """

    @property
    @abstractmethod
    def size(self) -> int | None:
        """How many rows there are, None for an interval.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity.domains import read_domain
        >>> read_domain(([1, 2], ["F", "M"])).size
        4
        """

    @property
    @abstractmethod
    def corners(self) -> tuple[Any, ...]:
        """The extreme rows.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity.domains import read_domain
        >>> read_domain(([1, 2, 3], ["F"])).corners
        ((1, 'F'), (3, 'F'))
        """

    @abstractmethod
    def landmarks(self) -> Iterator[Any]:
        """Go through the rows worth trying one by one: all of them where they are listed.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity.domains import read_domain
        >>> list(read_domain(["a", "b"]).landmarks())
        ['a', 'b']
        """

    @abstractmethod
    def draw(self, random: Random) -> Any:
        """Return some row.

        Examples
        --------
        >>> from random import Random
        >>> from sfumato.mechanisms.sensitivity.domains import read_domain
        >>> read_domain([7]).draw(Random(1))
        7
        """

    @abstractmethod
    def nudge(self, row: Any, random: Random) -> Any:
        """Return a row near another.

        Examples
        --------
        >>> from random import Random
        >>> from sfumato.mechanisms.sensitivity.domains import read_domain
        >>> 0 <= read_domain((0, 1)).nudge(0.5, Random(1)) <= 1
        True
        """


@dataclass(frozen=True)
class Listed(Domain):
    """The values of a list.

    Examples
    --------
    >>> from sfumato.mechanisms.sensitivity.rows import Listed
    >>> Listed((3, 1, 2)).corners
    (1, 3)
    """

    values: tuple[Any, ...]

    @property
    def size(self) -> int:
        """How many values there are.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity.rows import Listed
        >>> Listed(("a", "b")).size
        2
        """
        return len(self.values)

    @property
    def corners(self) -> tuple[Any, ...]:
        """The least and the greatest value, or the first and the last where there is no order.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity.rows import Listed
        >>> Listed(("b", 1, "a")).corners
        ('b', 'a')
        """
        try:
            ends = (min(self.values), max(self.values))
        except TypeError:
            ends = (self.values[0], self.values[-1])
        return ends[: self.size]

    def landmarks(self) -> Iterator[Any]:
        """Go through all values.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity.rows import Listed
        >>> list(Listed((1, 2)).landmarks())
        [1, 2]
        """
        return iter(self.values)

    def draw(self, random: Random) -> Any:
        """Return a value of the list.

        Examples
        --------
        >>> from random import Random
        >>> from sfumato.mechanisms.sensitivity.rows import Listed
        >>> Listed((7,)).draw(Random(1))
        7
        """
        return random.choice(self.values)

    def nudge(self, row: Any, random: Random) -> Any:
        """Return another value, most often: a list knows no distance.

        Examples
        --------
        >>> from random import Random
        >>> from sfumato.mechanisms.sensitivity.rows import Listed
        >>> Listed((7,)).nudge(7, Random(1))
        7
        """
        other = self.draw(random)
        return self.draw(random) if other is row else other


@dataclass(frozen=True)
class Columns(Domain):
    """Rows of several cells, each from a domain of its own.

    Examples
    --------
    >>> from sfumato.mechanisms.sensitivity.rows import Columns, Listed
    >>> Columns((Listed((1, 2)), Listed(("a", "b", "c")))).size
    6
    """

    columns: tuple[Domain, ...]

    @property
    def size(self) -> int | None:
        """How many rows there are, None where a column is an interval.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity.interval import Interval
        >>> from sfumato.mechanisms.sensitivity.rows import Columns, Listed
        >>> Columns((Listed((1, 2)), Interval(0.0, 1.0))).size is None
        True
        """
        sizes = [each.size for each in self.columns]
        return None if None in sizes else math.prod(size for size in sizes if size is not None)

    @property
    def corners(self) -> tuple[Any, ...]:
        """The corners of all columns together.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity.rows import Columns, Listed
        >>> Columns((Listed((1, 2)), Listed(("a",)))).corners
        ((1, 'a'), (2, 'a'))
        """
        return tuple(islice(product(*(each.corners for each in self.columns)), _MOST_CORNERS))

    def landmarks(self) -> Iterator[tuple[Any, ...]]:
        """Go through the landmarks of all columns together.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity.rows import Columns, Listed
        >>> list(Columns((Listed((1, 2)), Listed(("a",)))).landmarks())
        [(1, 'a'), (2, 'a')]
        """
        return product(*(list(each.landmarks()) for each in self.columns))

    def draw(self, random: Random) -> tuple[Any, ...]:
        """Return a row with each cell drawn by its column.

        Examples
        --------
        >>> from random import Random
        >>> from sfumato.mechanisms.sensitivity.rows import Columns, Listed
        >>> Columns((Listed((7,)), Listed(("a",)))).draw(Random(1))
        (7, 'a')
        """
        return tuple(each.draw(random) for each in self.columns)

    def nudge(self, row: tuple[Any, ...], random: Random) -> tuple[Any, ...]:
        """Return a row with one cell nudged.

        Examples
        --------
        >>> from random import Random
        >>> from sfumato.mechanisms.sensitivity.rows import Columns, Listed
        >>> Columns((Listed((7,)), Listed(("a",)))).nudge((7, "a"), Random(1))
        (7, 'a')
        """
        place = random.randrange(len(row))
        cell = self.columns[place].nudge(row[place], random)
        return (*row[:place], cell, *row[place + 1 :])
