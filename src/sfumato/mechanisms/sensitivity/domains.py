"""What a row may be: a value of a list, a float of an interval, or several such cells.

A search tries the *corners* of a domain first, then its *landmarks* (all values of a list; ends,
neighbours of ends and telling magnitudes of an interval), then draws and nudges.
"""

from __future__ import annotations

import math
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import islice, product
from numbers import Number
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.mechanisms.sensitivity.tables import Bounds
from sfumato.numeric import float_above, float_below, shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random


_MOST_CORNERS = 16
#: Zero, the smallest and the greatest floats, and where whole numbers and sums lose bits.
_MAGNITUDES = tuple(
    sign * size
    for size in (
        *(0.0, 1.0, 0.1, 0.3, 0.7, 1 / 3, 2.0, 10.0, 100.0),
        *(5e-324, sys.float_info.min, 1e-20, 2.0**-53, 1e-10),
        *(1e10, 2.0**53, 2.0**63, 1e100, sys.float_info.max),
    )
    for sign in (1, -1)
)


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
class ValueList(Domain):
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


@dataclass(frozen=True)
class FloatInterval(Domain):
    """The floats between two ends."""

    lower: float
    upper: float

    @property
    def size(self) -> None:
        """None: there is no list of all."""

    @property
    def corners(self) -> tuple[float, ...]:
        """The two ends."""
        return tuple(dict.fromkeys((self.lower, self.upper)))

    def landmarks(self) -> Iterator[float]:
        """Go through the ends, their neighbours, and magnitudes of every kind."""
        tried = (*self.corners, *_inner_ends(self.lower, self.upper), *_MAGNITUDES)
        return iter(dict.fromkeys(each for each in tried if self.lower <= each <= self.upper))

    def draw(self, random: Random) -> float:
        """Return a landmark, an even draw, one even in magnitude, or a short decimal."""
        kind = random.randrange(4)
        if kind == 0:
            return random.choice(list(self.landmarks()))
        if kind == 1:
            return self._clip(random.choice((-1, 1)) * 2.0 ** random.uniform(-60, 60))
        even = self._between(random.random())
        return even if kind == 2 else self._clip(round(even, random.randrange(3)))

    def nudge(self, row: float, random: Random) -> float:
        """Return the next float, one at some distance of any magnitude, or a fresh draw."""
        kind = random.randrange(4)
        if kind == 0:
            return self._clip(math.nextafter(row, random.choice((-math.inf, math.inf))))
        if kind == 1:
            return self.draw(random)
        share = random.choice((-1, 1)) * 2.0 ** random.uniform(-30, 0)
        return self._clip(row + share * (self.upper / 2 - self.lower / 2))

    def _between(self, share: float) -> float:
        return self._clip(self.lower * (1 - share) + self.upper * share)

    def _clip(self, value: float) -> float:
        return min(max(value, self.lower), self.upper)


def _inner_ends(lower: float, upper: float) -> tuple[float, ...]:
    return (
        math.nextafter(lower, math.inf),
        math.nextafter(upper, -math.inf),
        lower / 2 + upper / 2,
        lower / 2,
        upper / 2,
        upper / 3,
    )


def read_domain(domain: Any) -> Domain:
    """Return the domain that is described by two ends, a list, or a tuple of such columns."""
    if isinstance(domain, (list, range)) and len(domain):
        return ValueList(tuple(domain))
    if isinstance(domain, tuple) and len(domain) == 2 and _are_numbers(domain):
        return _read_interval(*domain)
    if isinstance(domain, tuple) and domain and not _are_numbers(domain):
        return Columns(tuple(map(read_domain, domain)))
    raise InputError(
        "E-ARGUMENT-TYPE",
        "domain must say what a row may be, not {domain}",
        "write (0, 110) for numbers between two ends, ['a', 'b'] or range(10) for listed "
        "values, or a tuple of one such a column",
        domain=shown(domain),
    )


def _are_numbers(values: tuple[Any, ...]) -> bool:
    return all(isinstance(each, (Number, str)) for each in values)


def _read_interval(lower: Any, upper: Any) -> FloatInterval:
    bounds = Bounds.between(lower, upper)
    interval = FloatInterval(float_above(bounds.lower) + 0.0, float_below(bounds.upper) + 0.0)
    if not -math.inf < interval.lower <= interval.upper < math.inf:
        raise InputError(
            "E-DOMAIN-EMPTY",
            "no float lies in {bounds}",
            "give a wider interval, or a list of values",
            bounds=bounds,
        )
    return interval
