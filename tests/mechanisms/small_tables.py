"""Small columns with all their neighbours, and how far apart two distributions are on them."""

from __future__ import annotations

from itertools import combinations_with_replacement, pairwise, product
from typing import TYPE_CHECKING, Any

from flint import arb

from sfumato.numeric import as_ball, float_below, working_precision

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sfumato.mechanisms import OutputDistribution

    Column = tuple[int, ...]

#: The values of the small columns, and bounds on them.
DOMAIN = (0, 1, 4, 10)
BOUNDS = (0, 10)
#: Ends of cells that merge the outputs: near the values, between them, and at the bounds.
EDGES = [0, 0.01, 0.3, 0.9, 1, 1.1, 1.7, 2.5, 3.3, 3.9, 4, 4.1, 4.7, 6, 7.5, 9, 9.7, 9.99, 10]


def columns(size: int) -> list[Column]:
    """All columns of so many values of the domain, sorted."""
    return list(combinations_with_replacement(DOMAIN, size))


def substitutions(column: Column) -> set[Column]:
    """All columns in which one value was replaced, sorted."""
    places = product(range(len(column)), DOMAIN)
    return {tuple(sorted((*column[:i], new, *column[i + 1 :]))) for i, new in places}


def neighbours(size: int) -> Iterator[tuple[Column, Column]]:
    """All ordered pairs of columns that one substitution lies between."""
    for column in columns(size):
        for other in substitutions(column) - {column}:
            yield column, other


def merged(distribution: OutputDistribution[Any]) -> list[arb]:
    """The probabilities of the cells between the edges, with what lies beyond the last."""
    ends = [distribution.cumulative(edge) for edge in EDGES]
    inner = [high - low for low, high in pairwise(ends)]
    return [ends[0], *inner, 1 - ends[-1]]


def excess(one: Sequence[arb], other: Sequence[arb], epsilon: Any) -> float:
    """A lower bound on the δ needed at ε: by how much one distribution exceeds e^ε the other."""
    factor = as_ball(epsilon).exp()
    over = [a - factor * b for a, b in zip(one, other, strict=True)]
    return float_below(sum((each for each in over if each > 0), arb(0)))


def greatest_excess(
    distribution: Callable[[Column], OutputDistribution[Any]],
    sizes: Sequence[int],
    epsilon: Any,
    cells: Callable[[OutputDistribution[Any]], Sequence[arb]] = merged,
) -> float:
    """The greatest such bound over all neighbours."""
    with working_precision(192):
        chances = {
            column: cells(distribution(column)) for size in sizes for column in columns(size)
        }
        pairs = [pair for size in sizes for pair in neighbours(size)]
        return max(excess(chances[one], chances[other], epsilon) for one, other in pairs)
