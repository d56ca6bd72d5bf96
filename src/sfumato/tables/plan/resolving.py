"""A plan once its bounds are known.

A plan with bounds to be found is made for values between -1 and 1, of which the sums are measured
about 0.  Every ε is as planned, whatever bounds are found; the noise is in proportion to them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sfumato.tables.plan.assembling import asked_bounds, outputs_for
from sfumato.tables.plan.automatic import bounded_columns
from sfumato.tables.plan.contribution import limits_are_chosen
from sfumato.tables.plan.outputs import Output
from sfumato.tables.plan.sampled import added_up
from sfumato.tables.plan.selecting.looks import LookAtCells
from sfumato.tables.plan.steps import Measure

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.tables.plan.automatic import FoundBounds
    from sfumato.tables.plan.outline import Outline
    from sfumato.tables.plan.selecting.looks import CellOutput
    from sfumato.tables.plan.steps import PrivateStep
    from sfumato.tables.tree.aggregates import Aggregate


def with_bounds(plan: Outline, found: Mapping[str, FoundBounds]) -> Outline:
    """Return a plan with the bounds that were found in the place of those to be found."""
    if not found:
        return plan
    asked = [(name, _given(each, plan, found)) for name, each in added_up(plan.query.aggregates)]
    outputs = outputs_for(
        asked, plan.columns, norm=plan.target.norm, apart=limits_are_chosen(plan.query)
    )
    known = {
        before: after
        for old, new in zip(plan.outputs, outputs, strict=True)
        for before, after in zip(_spent_on(old), _spent_on(new), strict=True)
    }
    steps = tuple(_measuring(each, known) for each in plan.steps)
    return replace(plan, outputs=outputs, steps=steps)


def _spent_on(output: Output | CellOutput) -> tuple[Any, ...]:
    """Return what an output is made of, in an order that does not depend on the bounds."""
    return output.measurements if isinstance(output, Output) else (output.look,)


def _measuring(step: PrivateStep, known: Mapping[Any, Any]) -> PrivateStep:
    if isinstance(step, Measure):
        joint = tuple(known[each] for each in step.joint)
        return replace(step, measurement=known[step.measurement], joint=joint)
    if isinstance(step, LookAtCells):
        return replace(step, look=known[step.look])
    return step


def _given(aggregate: Aggregate, plan: Outline, found: Mapping[str, FoundBounds]) -> Aggregate:
    """Return an aggregate with bounds that were found."""
    known = {
        name: (found[str(of)].low, found[str(of)].high)
        for name, of, given in bounded_columns(aggregate)
        if asked_bounds(of, given, plan.columns) == "auto"
    }
    return replace(aggregate, **known)
