"""Releasing quantiles, histograms and favourites of the cells of each group."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.mechanisms import ExponentialQuantile
from sfumato.tables.plan.selecting.bins import Bins
from sfumato.tables.plan.selecting.extremes import Extreme
from sfumato.tables.plan.selecting.favourites import Favourites
from sfumato.tables.plan.selecting.ranks import PARTS, Ranks
from sfumato.tables.run.cells import exact_cells

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from sfumato.mechanisms import Mechanism
    from sfumato.tables.plan.contribution import ChosenLimit, Contribution
    from sfumato.tables.plan.keys import Keys
    from sfumato.tables.plan.selecting.looks import LookAtCells
    from sfumato.tables.plan.selecting.tallies import AnyTally
    from sfumato.tables.run.rows import EngineRows

    CellCounts = NDArray[np.int64]
    Choose = Callable[[Mechanism[Any, Any], Any], Any]


def look_at_cells(
    rows: EngineRows,
    keys: Keys,
    steps: Sequence[LookAtCells],
    contribution: Contribution,
    limits: Mapping[str, ChosenLimit],
    source: Any,
) -> list[list[int]]:
    """Return what steps release of the cells that rows fall into, each group by group."""

    def choose(mechanism: Mechanism[Any, Any], value: Any) -> Any:
        return mechanism.release(value, source=source).value

    exact: dict[AnyTally, CellCounts] = {}
    found = []
    for step in steps:
        tally, chosen = step.look.tally, limits.get(step.limited_by)
        if tally not in exact:
            exact[tally] = exact_cells(rows, keys, tally, contribution)
        left_out = 0.0 if chosen is None else chosen.left_out
        found.append(release_cells(step, exact[tally], contribution, choose, left_out=left_out))
    return found


def release_cells(
    step: LookAtCells,
    cells: CellCounts,
    contribution: Contribution,
    choose: Choose,
    *,
    left_out: float = 0.0,
) -> list[int]:
    """Return what a step releases of the cells of all groups, group by group.

    Parameters
    ----------
    cells
        One row a group, in fine steps.
    contribution
        With the limits that were chosen.
    choose
        Returns what a mechanism releases for a value.
    left_out
        The share of rows that a limit chosen before is expected to leave out.
    """
    look = step.look
    if isinstance(look, Bins):
        noise = look.mechanism(step, contribution, len(cells))
        return [int(each) for each in choose(noise, cells.ravel().astype(object))]
    if isinstance(look, Ranks):
        chosen = _ranks(look, step, contribution, choose, left_out)
    elif isinstance(look, Favourites):
        favourite = look.mechanism(step, contribution)
        chosen = partial(_favourites, count=look.count, mechanism=favourite, choose=choose)
    elif isinstance(look, Extreme):
        extreme = look.mechanism(step, contribution)
        chosen = lambda group: [choose(extreme, group)]  # noqa: E731
    return [cell for group in cells for cell in chosen(group)]


def _ranks(
    look: Ranks, step: LookAtCells, contribution: Contribution, choose: Choose, left_out: float
) -> Callable[[CellCounts], list[int]]:
    """Return what chooses the quantiles of a group, then their lower and their upper bars."""
    tree = QuantileTree(
        look.ranks,
        look.level_epsilon(step),
        step.sensitivity(contribution),
        contribution.relation,
    )
    sides = (-1, 1) if look.bars else ()
    bars = [
        look.bar(step, contribution, rank, side=side, left_out=left_out)
        for side in sides
        for rank in look.ranks
    ]
    return lambda group: [*tree.chosen(group, choose), *(choose(bar, group) for bar in bars)]


@dataclass(frozen=True)
class QuantileTree:
    """Several quantiles of the same cells, the middle one first; see ``Ranks``.

    Parameters
    ----------
    ranks
        In order.
    epsilon
        Of each level.
    sensitivity
        Of the cells.
    relation
        Which tables are neighbours.
    """

    ranks: tuple[Fraction, ...]
    epsilon: Fraction
    sensitivity: Fraction
    relation: Any

    def chosen(self, cells: CellCounts, choose: Choose) -> list[int]:
        """Return the cell of each quantile."""
        parts = 1 if len(self.ranks) == 1 else PARTS
        points = self._inside(
            np.repeat(cells, parts), self.ranks, (Fraction(0), Fraction(1)), choose
        )
        return [point // parts for point in points]

    def _inside(
        self,
        cells: CellCounts,
        ranks: Sequence[Fraction],
        ends: tuple[Fraction, Fraction],
        choose: Choose,
    ) -> list[int]:
        """Return quantiles of the cells between two ranks, among them and what they begin after."""
        if not ranks:
            return []
        (low, high), place = ends, len(ranks) // 2
        middle = ranks[place]
        found = choose(self.mechanism((middle - low) / (high - low)), cells)
        left = self._inside(cells[: found + 1], ranks[:place], (low, middle), choose)
        beyond = np.concatenate(([0], cells[found + 1 :]))
        right = self._inside(beyond, ranks[place + 1 :], (middle, high), choose)
        return [*left, found, *(found + each for each in right)]

    def mechanism(self, rank: Fraction) -> ExponentialQuantile:
        """Return what chooses at a rank relative to the rows of a side."""
        parts = 1 if len(self.ranks) == 1 else PARTS
        return ExponentialQuantile(
            epsilon=self.epsilon,
            rank=rank,
            sensitivity=self.sensitivity * parts,
            relation=self.relation,
        )


def _favourites(
    cells: CellCounts, *, count: int, mechanism: Mechanism[Any, Any], choose: Choose
) -> list[int]:
    """Return the cells that are chosen one after the other, each among those left."""
    left = dict(enumerate(cells.tolist()))
    found = []
    for _ in range(count):
        found.append(choose(mechanism, left))
        del left[found[-1]]
    return found
