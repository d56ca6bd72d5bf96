"""Noisy sums as they were released, in natural units."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.tables.plan.noisy import NoisySums, SumNoise
from sfumato.tables.run.runner import with_limits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.tables.plan.outline import Outline
    from sfumato.tables.run.content import ReleasedContent


def readings_of(plan: Outline, content: ReleasedContent) -> NoisySums:
    """Return the noisy sums of a release, with what was added to them."""
    contribution = with_limits(plan.contribution, content.limits)
    cells = max(len(content.keys), 1)
    sums, noises, left_out = {}, {}, {}
    for step, column in zip(plan.measures, content.sums, strict=True):
        measurement = step.measurement
        unit = float(measurement.step) / contribution.fine
        sums[measurement] = _floats(column, unit)
        noises[measurement] = SumNoise(step.mechanism(contribution, cells), unit)
        chosen = content.limits.get(measurement.limited_by)
        left_out[measurement] = 0.0 if chosen is None else chosen.at_most
    return NoisySums(sums, noises, left_out)


def _floats(column: tuple[int, ...], unit: float) -> NDArray[np.float64]:
    return np.array([float(each) for each in column], dtype=np.float64) * unit
