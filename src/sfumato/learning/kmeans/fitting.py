"""Carrying a plan out: what is released of points, and nothing else of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import InputError
from sfumato.learning.kmeans.cells import most_levels
from sfumato.learning.kmeans.lloyd import noise_of_sums, noisy_rounds, printed_rounds
from sfumato.learning.kmeans.model import Centres
from sfumato.learning.kmeans.starting import (
    centres_of_cells,
    cost_told,
    far_apart,
    residual,
)
from sfumato.learning.kmeans.synopsis import noisy_cells
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sfumato.learning.kmeans.plan.parts import Synopsis
    from sfumato.learning.kmeans.plan.plan import Plan
    from sfumato.learning.kmeans.points.base import Points
    from sfumato.learning.kmeans.space import Space
    from sfumato.sampling import BitSource

__all__ = ["check_drawable", "fitted"]

#: Of rounds without a synopsis: how much of a centre's fair share of the box counts as near.
_NEAR = 0.8
#: No radius is greater than so many times half the box.
_FARTHEST = 3


def check_drawable(plan: Plan, space: Space) -> None:
    """Refuse noise that is too wide to be drawn, before anything is charged for."""
    try:
        if plan.synopsis is not None:
            plan.synopsis.splitting(plan.change, most_levels(space) - plan.synopsis.level)
        if plan.rounds is not None:
            farthest = _FARTHEST * plan.dimensions * space.unit
            noise_of_sums(plan.rounds, plan.change, farthest, plan.clusters * plan.dimensions)
    except InputError:
        raise InputError(
            "E-EPSILON-TOO-SMALL",
            "{epsilon} is too small for noise that can be drawn, for so many points of a "
            "person and so many columns",
            "write {example}, say",
            epsilon=Argument("epsilon"),
            example=Argument("epsilon", 1),
        ) from None


def fitted(points: Points, plan: Plan, source: BitSource) -> Centres:
    """Return the centres that a plan finds."""
    random = np.random.default_rng(source.integer(128))
    if plan.printed is not None:
        return printed_rounds(points, plan.clusters, plan.printed, plan.change, source, random)
    if plan.synopsis is not None:
        return _from_cells(points, plan, plan.synopsis, source, random)
    start = Centres(
        far_apart(plan.clusters, points.space, random),
        np.zeros(plan.clusters),
        np.full((plan.clusters, plan.dimensions), float(points.space.unit)),
    )
    return _after_rounds(points, start, _public_radii(plan, points.space.unit), plan, source)


def _from_cells(
    points: Points,
    plan: Plan,
    synopsis: Synopsis,
    source: BitSource,
    random: np.random.Generator,
) -> Centres:
    space, kept = points.space, synopsis.kept
    cells = noisy_cells(points, synopsis, plan.change, source)
    found = centres_of_cells(cells, plan.clusters, kept, space, random)
    if plan.rounds is not None:
        radius = residual(cells, found.places, kept, plan.rounds.norm)
        found = _after_rounds(points, found, [radius] * plan.rounds.number, plan, source)
    return replace(found, cost=cost_told(cells, found.places, kept, space))


def _after_rounds(
    points: Points, start: Centres, radii: Iterable[float], plan: Plan, source: BitSource
) -> Centres:
    if plan.rounds is None:
        return start
    return noisy_rounds(points, start, radii, plan.rounds, plan.change, source)


def _public_radii(plan: Plan, unit: int) -> Iterator[float]:
    """Yield how far points count in rounds that nothing was released before.

    Half the box first, then what each centre's share of the box would be.
    """
    rounds = plan.rounds
    if rounds is None:
        return
    d = plan.dimensions
    half = (d if rounds.norm == "l1" else d**0.5) * unit
    yield half
    for _ in range(rounds.number - 1):
        yield half * _NEAR / plan.clusters ** (1 / d)
