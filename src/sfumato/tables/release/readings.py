"""Noisy sums as numbers, and how far off each may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.tables.plan.spans import Span
from sfumato.tables.run.runner import with_limits

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from sfumato.tables.plan.measurements import Measurement
    from sfumato.tables.plan.outline import Outline
    from sfumato.tables.run.content import Content

__all__ = ["Readings"]

#: Makes up for the rounding of sums to floats.
_ROUNDING = 1e-12
_MOST_LEFT_OUT = 0.99


class Readings:
    """The noisy sums of a release, in natural units."""

    def __init__(self, plan: Outline, content: Content) -> None:
        self._contribution = with_limits(plan.contribution, content.limits)
        self._chosen = content.limits
        self._measures = plan.measures
        self._cells = max(len(content.keys), 1)
        self.sums: dict[Measurement, NDArray[np.float64]] = {
            step.measurement: _floats(column, self._unit(step.measurement))
            for step, column in zip(plan.measures, content.sums, strict=True)
        }

    def spans(
        self, measurements: tuple[Measurement, ...], confidence: Fraction
    ) -> dict[Measurement, Span]:
        """Return spans that hold what was measured, all of them together, with a confidence.

        What a limit is expected to leave out, where it was chosen privately, is in them: taken to
        be spread over the groups as the rows are.
        """
        each = 1 - (1 - confidence) / len(set(measurements))
        found = {}
        for step in self._measures:
            if step.measurement in measurements:
                mechanism = step.mechanism(self._contribution, self._cells)
                reach = mechanism.error(confidence=each) * self._unit(step.measurement)
                values = self.sums[step.measurement]
                slack = reach + np.abs(values) * _ROUNDING
                noisy = Span(values - slack, values + slack)
                found[step.measurement] = self._with_left_out(step.measurement, noisy)
        return found

    def _with_left_out(self, measurement: Measurement, noisy: Span) -> Span:
        chosen = self._chosen.get(measurement.limited_by)
        if chosen is None or not chosen.left_out:
            return noisy
        share = min(chosen.left_out, _MOST_LEFT_OUT)
        missed = np.maximum(np.abs(noisy.low), np.abs(noisy.high)) * share / (1 - share)
        return Span(noisy.low - (missed if measurement.factors else 0.0), noisy.high + missed)

    def _unit(self, measurement: Measurement) -> float:
        return float(measurement.step) / self._contribution.fine


def _floats(column: tuple[int, ...], unit: float) -> NDArray[np.float64]:
    return np.array([float(each) for each in column], dtype=np.float64) * unit
