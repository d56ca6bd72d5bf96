"""A hierarchy over the values that a column has, as small numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import at
from sfumato.risk.generalising.hierarchy import Hierarchy, Label, Level, check_tree
from sfumato.risk.generalising.listed import Listed
from sfumato.risk.generalising.values import as_text
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sfumato.risk.generalising.odd import Odd

__all__ = ["Ladder", "Rung", "build_ladder"]


@dataclass(frozen=True, eq=False)
class Rung:
    """One level of a column.

    Attributes
    ----------
    name
        What the level does, in words.
    labels
        The labels, each once.
    codes
        For each value of the column, the place of its label.
    """

    name: str
    labels: tuple[Label, ...]
    codes: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Ladder:
    """The levels of a column, the values themselves first.

    Attributes
    ----------
    column
        Its name.
    rungs
        The levels.
    made
        Whether the hierarchy was made because none was given.
    odd
        The cells that it was not made for, where there are some.
    """

    column: str
    rungs: tuple[Rung, ...]
    made: bool = False
    odd: Odd | None = None


def build_ladder(
    column: str, values: Sequence[Any], hierarchy: Hierarchy, *, made: bool = False
) -> Ladder:
    """Return the levels of a hierarchy over the values of a column.

    A level that was made, not written down, and holds no two values together that the level below
    tells apart is left out: it would only make the search longer.
    """
    ground = Level(
        mark("as it is"), tuple(None if each is None else as_text(each) for each in values)
    )
    with at(tr("the column {column!r} cannot be generalised", column=column)):
        levels = [ground, *hierarchy.levels(values)]
        # Values that differ may be written alike, so the tree stands on their places.
        check_tree([tuple(map(str, range(len(values)))), *(each.labels for each in levels[1:])])
    first = Rung(ground.name, ground.labels, np.arange(len(values)))
    rungs = [first, *(_rung(each) for each in levels[1:])]
    kept = rungs if isinstance(hierarchy, Listed) else _those_that_merge(rungs)
    return Ladder(column, tuple(kept), made)


def _rung(level: Level) -> Rung:
    place: dict[Label, int] = {}
    codes = [place.setdefault(label, len(place)) for label in level.labels]
    return Rung(level.name, tuple(place), np.array(codes, dtype=np.int64))


def _those_that_merge(rungs: Sequence[Rung]) -> list[Rung]:
    kept = [rungs[0]]
    for rung in rungs[1:]:
        if len(rung.labels) < len(kept[-1].labels):
            kept.append(rung)
    return kept
