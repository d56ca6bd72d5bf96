"""The private steps of a plan as they were taken: sensitivity, noise and event of each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import singledispatchmethod
from typing import TYPE_CHECKING, Any

from sfumato.errors import InternalError
from sfumato.mechanisms import DiscreteLaplace
from sfumato.privacy.events import plain, to_json
from sfumato.tables.expressions import document
from sfumato.tables.plan.bounds import FindBounds
from sfumato.tables.plan.cells import LookAtCells
from sfumato.tables.plan.histograms import Bins, Favourites
from sfumato.tables.plan.measurements import histogram_sensitivity
from sfumato.tables.plan.outputs import Output
from sfumato.tables.plan.quantiles import Extreme, Ranks
from sfumato.tables.plan.steps import ChooseLimit, FindKeys, Measure
from sfumato.tables.release.answer import written_value
from sfumato.tables.sample_aggregation import BlockSample

if TYPE_CHECKING:
    from sfumato.mechanisms import DiscreteGaussian
    from sfumato.privacy.events import Event
    from sfumato.tables.plan.cells import GridTally, Look
    from sfumato.tables.plan.measurements import Contribution, Factor, Measurement
    from sfumato.tables.plan.outline import Outline
    from sfumato.tables.plan.steps import PrivateStep


def measured_document(measurement: Measurement) -> dict[str, Any]:
    """Return what a row adds to a sum."""
    if measurement.weighing == "people":
        return {"measured": "people"}
    present = [document(each) for each in measurement.needed]
    if not measurement.factors:
        return {"measured": "absent" if measurement.absent else "rows", "present": present}
    return {
        "measured": "sum",
        "factors": [factor_document(each) for each in measurement.factors],
        "centre": plain(measurement.centre),
        "grid": plain(measurement.step),
        "most": measurement.most,
        "turned": measurement.turned,
        "present": present,
    }


def factor_document(factor: Factor) -> dict[str, Any]:
    """Return a column of numbers as it is added up."""
    return {
        "of": document(factor.of),
        "low": plain(factor.low),
        "high": plain(factor.high),
        "shift": plain(factor.shift),
        "complete": factor.complete,
        "whole": factor.whole,
    }


def limit_document(contribution: Contribution, name: str) -> dict[str, Any] | None:
    """Return how much of a person counts; None where each row is protected by itself."""
    if contribution.column is None:
        return None
    limit = contribution.limits[name]
    most = None if limit.most is None else plain(limit.most)
    return {"name": name, "weighing": limit.weighing, "norm": limit.norm, "most": most}


def noise_document(noise: DiscreteLaplace | DiscreteGaussian) -> dict[str, Any]:
    """Return what was added to each number, in fine steps."""
    if isinstance(noise, DiscreteLaplace):
        return {"noise": "discrete_laplace", "scale": plain(noise.scale)}
    return {"noise": "discrete_gaussian", "sigma": plain(noise.sigma)}


#: The cells of the histogram by which a limit is chosen.
_SIZES = 22


def event_document(event: Event) -> dict[str, Any]:
    """Return one event as JSON has it."""
    entry: dict[str, Any] = json.loads(to_json(event))["events"][0]
    return entry


@dataclass(frozen=True)
class StepsTaken:
    """The steps of a plan, once its bounds and limits are known.

    Parameters
    ----------
    plan
        With the bounds that were found.
    contribution
        With the limits that were chosen.
    groups
        How many groups there were.
    """

    plan: Outline
    contribution: Contribution
    groups: int

    def documents(self, planned: Outline) -> list[dict[str, Any]]:
        """Return each step, with what was charged for it before anything was found."""
        charged = [None if step.is_paid else step.event for step in planned.steps]
        return [
            self._document(step) | {"event": None if event is None else event_document(event)}
            for step, event in zip(self.plan.steps, charged, strict=True)
        ]

    def made_of(self) -> dict[str, list[int]]:
        """Return from which steps each aggregate is read, in the order of its formula."""
        places = {
            each.spent_on: place
            for place, each in enumerate(self.plan.steps)
            if isinstance(each, (Measure, LookAtCells))
        }
        found = {
            each.name: [
                places[part]
                for part in (each.measurements if isinstance(each, Output) else (each.look,))
            ]
            for each in self.plan.outputs
        }
        sampled = {
            each.name: [place]
            for place, each in enumerate(self.plan.steps)
            if isinstance(each, BlockSample)
        }
        return found | sampled

    @singledispatchmethod
    def _document(self, step: PrivateStep) -> dict[str, Any]:
        raise InternalError(
            "E-CERTIFICATE-UNABLE",
            "a step that a certificate does not know was taken: {step}",
            step=step,
        )

    @_document.register
    def _(self, step: FindKeys) -> dict[str, Any]:
        return {"step": "find_keys", "groups": step.groups}

    @_document.register
    def _(self, step: FindBounds) -> dict[str, Any]:
        fine = step.contribution.fine
        return {
            "step": "find_bounds",
            "name": str(step.of),
            "of": document(step.of),
            "noise": noise_document(step.mechanism),
            "sensitivity": plain(histogram_sensitivity(self.contribution.relation) * fine),
        }

    @_document.register
    def _(self, step: ChooseLimit) -> dict[str, Any]:
        relation = self.contribution.relation
        sensitivity = histogram_sensitivity(relation)
        return {
            "step": "choose_limit",
            "weighing": step.weighing,
            "limits": list(step.names),
            "noise": noise_document(step.share.noise(sensitivity, _SIZES, relation)),
            "sensitivity": plain(sensitivity),
        }

    @_document.register
    def _(self, step: Measure) -> dict[str, Any]:
        return {
            "step": "measure",
            "what": measured_document(step.measurement),
            "limit": limit_document(self.contribution, step.limited_by),
            "noise": noise_document(step.mechanism(self.contribution, max(self.groups, 1))),
            "sensitivity": plain(self.contribution.sensitivity(step.measurement)),
            "with": self._first_of(step) if step.is_paid else None,
        }

    @_document.register
    def _(self, step: LookAtCells) -> dict[str, Any]:
        return {
            "rows": measured_document(step.look.rows),
            "limit": limit_document(self.contribution, step.limited_by),
            "sensitivity": plain(step.sensitivity(self.contribution)),
        } | self._look(step, step.look)

    @_document.register
    def _(self, step: BlockSample) -> dict[str, Any]:
        return {"step": "sample", "sensitivity": plain(Fraction(1, step.asked.blocks))}

    def _first_of(self, step: Measure) -> int:
        """Return the place of the step that was charged for all that is measured together."""
        return next(
            place
            for place, each in enumerate(self.plan.steps)
            if isinstance(each, Measure) and each.measurement == step.joint[0]
        )

    def _look(self, step: LookAtCells, look: Look) -> dict[str, Any]:
        match look:
            case Bins():
                noise = look.mechanism(step, self.contribution, self.groups)
                edges = [plain(each) for each in look.tally.edges]
                named = {"step": "count_bins", "of": document(look.tally.column.of)}
                return named | {"edges": edges, "noise": noise_document(noise)}
            case Ranks():
                return {"step": "choose_quantiles", "cells": _grid(look.tally)}
            case Extreme():
                return {"step": "choose_extreme", "cells": _grid(look.tally)}
            case Favourites():
                values = [written_value(each) for each in look.tally.values]
                return {"step": "choose_values", "of": document(look.tally.of), "values": values}
        raise InternalError(
            "E-CERTIFICATE-UNABLE",
            "a look that a certificate does not know was taken: {look}",
            look=look,
        )


def _grid(tally: GridTally) -> dict[str, Any]:
    """Return the points that values go to: whole multiples of a power of two."""
    column, grid = tally.column, tally.grid
    return {
        "of": document(column.of),
        "low": plain(column.low),
        "high": plain(column.high),
        "complete": column.complete,
        "whole": column.whole,
        "exponent": grid.exponent,
        "first": grid.low,
        "last": grid.high,
    }
