"""Aggregates that are chosen or counted in cells: quantiles, extremes, histograms, favourites."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sfumato.tables.tree.aggregates import Aggregate, OfColumn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.tables.expressions import Expression

_HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Quantiles(OfColumn):
    """The values below which shares of the rows lie.

    Parameters
    ----------
    ranks
        The shares, in order.
    confidence
        That of the confidence intervals; None for none.
    """

    ranks: tuple[Fraction, ...] = (_HALF,)
    confidence: Fraction | None = None

    word = "quantiles"

    def answer_columns(self, name: str) -> tuple[str, ...]:
        """Return a column for each: its name, and the share in percent."""
        return tuple(f"{name}_q{float(100 * rank):.12g}" for rank in self.ranks)

    def __str__(self) -> str:
        return f"{self.word}({', '.join([str(self.of), *(f'{float(r):g}' for r in self.ranks)])})"


@dataclass(frozen=True)
class Quantile(Quantiles):
    """The value below which a share of the rows lies."""

    word = "quantile"

    def answer_columns(self, name: str) -> tuple[str, ...]:
        """Return its name."""
        return (name,)


@dataclass(frozen=True)
class Median(Quantile):
    """The value below which half of the rows lie."""

    word = "median"

    def __str__(self) -> str:
        return f"{self.word}({self.of})"


@dataclass(frozen=True)
class Extremum(OfColumn):
    """A value near one end of a column."""


@dataclass(frozen=True)
class Minimum(Extremum):
    """A value near the least one."""

    word = "minimum"


@dataclass(frozen=True)
class Maximum(Extremum):
    """A value near the greatest one."""

    word = "maximum"


@dataclass(frozen=True)
class Histogram(Aggregate):
    """How many rows lie between edges."""

    of: Expression
    edges: tuple[Fraction, ...]

    word = "histogram"

    @property
    def operands(self) -> tuple[Expression, ...]:
        """The column."""
        return (self.of,)

    @property
    def bounds(self) -> tuple[Fraction, Fraction]:
        """The outer edges."""
        return self.edges[0], self.edges[-1]

    def answer_columns(self, name: str) -> tuple[str, ...]:
        """Return a column for each bin: its name, and its edges."""
        ends = [_shown(edge) for edge in self.edges]
        return tuple(f"{name}_{low}_to_{high}" for low, high in pairwise(ends))

    @property
    def labels(self) -> tuple[str, ...]:
        """What each bin is called."""
        return bin_labels(self.edges)


@dataclass(frozen=True)
class TopK(Aggregate):
    """The values that most rows have.

    Parameters
    ----------
    of
        The column.
    count
        How many values; None for the mode alone, in a column of the aggregate's name.
    values
        The values to choose from; None for those declared.
    method
        "permute_and_flip" or "exponential".
    """

    of: Expression
    count: int | None
    values: tuple[Any, ...] | None
    method: str

    word = "top_k"

    @property
    def operands(self) -> tuple[Expression, ...]:
        """The column."""
        return (self.of,)

    def answer_columns(self, name: str) -> tuple[str, ...]:
        """Return a column for each, numbered."""
        if self.count is None:
            return (name,)
        return tuple(f"{name}_{place + 1}" for place in range(self.count))

    def __str__(self) -> str:
        return f"mode({self.of})" if self.count is None else f"top_k({self.of}, {self.count})"


def bin_labels(edges: Sequence[Fraction]) -> tuple[str, ...]:
    """Return what each bin is called; the first and the last take in what lies beyond the edges."""
    ends = list(map(_shown, edges))
    inner = [f"{low} to {high}" for low, high in pairwise(ends)]
    if len(inner) < 2:
        return ("all",) * len(inner)
    return (f"below {ends[1]}", *inner[1:-1], f"{ends[-2]} or more")


def _shown(edge: Fraction) -> str:
    return str(edge.numerator) if edge.denominator == 1 else repr(float(edge))
