"""People who are made up: how they answer, drawn some at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.sampling.sparing import many_below

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from sfumato.sampling import BitSource

    Answers = Mapping[str, NDArray[Any]]

__all__ = ["Chosen", "Habit", "Spread"]

#: Up to this total of weights, who answers what is looked up in a table.
_TABLE = 1 << 20
_FLOAT_BITS = 53


class Habit(ABC):
    """How people answer one question, or two that hang together."""

    @abstractmethod
    def answers(self, people: int, source: BitSource) -> Answers:
        """Return the answers of some people, drawn apart from each other, by question."""


@dataclass(frozen=True, eq=False)
class Chosen(Habit):
    """Choices that are drawn by whole weights.

    Parameters
    ----------
    names
        The questions.
    shape
        How many choices each has.
    weights
        A weight for each choice, or for each combination of choices row by row.
    """

    names: tuple[str, ...]
    shape: tuple[int, ...]
    weights: NDArray[np.int64]

    def answers(self, people: int, source: BitSource) -> Answers:
        """Return the answers of some people."""
        drawn = many_below(int(self._ends[-1]), people, source=source)
        places = self._place(drawn)
        parts = [places] if len(self.shape) == 1 else np.unravel_index(places, self.shape)
        return dict(zip(self.names, parts, strict=True))

    @cached_property
    def _ends(self) -> NDArray[np.int64]:
        return np.cumsum(self.weights)

    @cached_property
    def _table(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(len(self.weights)), self.weights)

    def _place(self, drawn: NDArray[np.int64]) -> NDArray[np.int64]:
        if self._ends[-1] == len(self.weights) and self.weights.all():
            return drawn
        if self._ends[-1] <= _TABLE:
            return self._table.take(drawn)
        return np.searchsorted(self._ends, drawn, side="right")


@dataclass(frozen=True)
class Spread(Habit):
    """Numbers that are spread evenly over an interval between the bounds.

    Parameters
    ----------
    name
        The question.
    low, high
        The interval, where the lower bound is 0 and the upper one is 1.
    """

    name: str
    low: float
    high: float

    def answers(self, people: int, source: BitSource) -> Answers:
        """Return the answers of some people."""
        if self.low == self.high:
            return {self.name: np.full(people, self.low)}
        words = source.words(people) >> np.uint64(64 - _FLOAT_BITS)
        even = np.ldexp(words.astype(np.float64), -_FLOAT_BITS)
        return {self.name: self.low + (self.high - self.low) * even}
