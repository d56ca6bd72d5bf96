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
    """The rows that a table may hold."""

    @property
    @abstractmethod
    def size(self) -> int | None:
        """How many rows there are, None for an interval."""

    @property
    @abstractmethod
    def corners(self) -> tuple[Any, ...]:
        """The extreme rows."""

    @abstractmethod
    def landmarks(self) -> Iterator[Any]:
        """Go through the rows worth trying one by one: all of them where they are listed."""

    @abstractmethod
    def draw(self, random: Random) -> Any:
        """Return some row."""

    @abstractmethod
    def nudge(self, row: Any, random: Random) -> Any:
        """Return a row near another."""


@dataclass(frozen=True)
class Listed(Domain):
    """The values of a list."""

    values: tuple[Any, ...]

    @property
    def size(self) -> int:
        """How many values there are."""
        return len(self.values)

    @property
    def corners(self) -> tuple[Any, ...]:
        """The least and the greatest value, or the first and the last where there is no order."""
        try:
            ends = (min(self.values), max(self.values))
        except TypeError:
            ends = (self.values[0], self.values[-1])
        return ends[: self.size]

    def landmarks(self) -> Iterator[Any]:
        """Go through all values."""
        return iter(self.values)

    def draw(self, random: Random) -> Any:
        """Return a value of the list."""
        return random.choice(self.values)

    def nudge(self, row: Any, random: Random) -> Any:
        """Return another value, most often: a list knows no distance."""
        other = self.draw(random)
        return self.draw(random) if other is row else other


@dataclass(frozen=True)
class Columns(Domain):
    """Rows of several cells, each from a domain of its own."""

    columns: tuple[Domain, ...]

    @property
    def size(self) -> int | None:
        """How many rows there are, None where a column is an interval."""
        sizes = [each.size for each in self.columns]
        return None if None in sizes else math.prod(size for size in sizes if size is not None)

    @property
    def corners(self) -> tuple[Any, ...]:
        """The corners of all columns together."""
        return tuple(islice(product(*(each.corners for each in self.columns)), _MOST_CORNERS))

    def landmarks(self) -> Iterator[tuple[Any, ...]]:
        """Go through the landmarks of all columns together."""
        return product(*(list(each.landmarks()) for each in self.columns))

    def draw(self, random: Random) -> tuple[Any, ...]:
        """Return a row with each cell drawn by its column."""
        return tuple(each.draw(random) for each in self.columns)

    def nudge(self, row: tuple[Any, ...], random: Random) -> tuple[Any, ...]:
        """Return a row with one cell nudged."""
        place = random.randrange(len(row))
        cell = self.columns[place].nudge(row[place], random)
        return (*row[:place], cell, *row[place + 1 :])
