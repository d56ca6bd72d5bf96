"""Carrying a plan out: what is released of points, and nothing else of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import InputError
from sfumato.learning.kmeans.cells import most_levels
from sfumato.learning.kmeans.lloyd import noise_of_sums, noisy_rounds, printed_rounds
from sfumato.learning.kmeans.model import Centres
from sfumato.learning.kmeans.starting import centres_of_cells, far_apart, residual
from sfumato.learning.kmeans.synopsis import noisy_cells

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    """Refuse noise that is too wide to be drawn, before anything is charged for.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> from sfumato.learning.kmeans.fitting import check_drawable
    >>> from sfumato.learning.kmeans.space import space_of
    >>> plan = sf.KMeans(epsilon=1, bounds=(0, 1)).plan(dimensions=2)
    >>> check_drawable(plan, space_of(np.zeros(2), np.ones(2)))
    """
    try:
        if plan.synopsis is not None:
            plan.synopsis.splitting(plan.change, most_levels(space) - plan.synopsis.level)
        if plan.rounds is not None:
            farthest = _FARTHEST * plan.dimensions * space.unit
            noise_of_sums(plan.rounds, plan.change, farthest, plan.clusters * plan.dimensions)
    except InputError:
        message = (
            "epsilon is too small for noise that can be drawn, for so many points of a person and "
            "so many columns; write epsilon=1, say"
        )
        raise InputError(message) from None


def fitted(points: Points, plan: Plan, source: BitSource) -> Centres:
    """Return the centres that a plan finds."""
    random = np.random.default_rng(source.integer(128))
    if plan.printed is not None:
        return printed_rounds(points, plan.clusters, plan.printed, plan.change, source, random)
    space = points.space
    if plan.synopsis is None:
        start = Centres(
            far_apart(plan.clusters, space, random),
            np.zeros(plan.clusters),
            np.full((plan.clusters, plan.dimensions), float(space.unit)),
        )
        radii = _public_radii(plan, space.unit)
    else:
        cells = noisy_cells(points, plan.synopsis, plan.change, source)
        kept = plan.synopsis.kept
        start = centres_of_cells(cells, plan.clusters, kept, space, random)
        norm = "l1" if plan.rounds is None else plan.rounds.norm
        one = residual(cells, start.places, kept, norm)
        radii = iter([one] * (0 if plan.rounds is None else plan.rounds.number))
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
