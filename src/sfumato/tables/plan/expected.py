"""How far off each answer is expected to be, before a row is read."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.tables.plan.contribution import Contribution
from sfumato.tables.plan.noisy import NoisySums, SumNoise
from sfumato.tables.plan.outputs import CountOutput, PublicMeanOutput, SumOfPartsOutput, SumOutput
from sfumato.tables.plan.selecting.looks import CellOutput
from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.tables.plan.measurements import Measurement
    from sfumato.tables.plan.outline import Outline
    from sfumato.tables.plan.outputs import Output
    from sfumato.tables.plan.selecting.looks import LookAtCells

#: The sizes of groups for which the error of a ratio is told.
_SIZES = (100, 1_000, 10_000)
_CONFIDENCE = Fraction(19, 20)


def expected_errors(plan: Outline) -> dict[str, str]:
    """Return the expected error of each answer in words."""
    steps = {step.look: step for step in plan.looks}
    said = {
        output.name: _said_of_cells(plan, output, steps[output.look])
        if isinstance(output, CellOutput)
        else _said(plan, output)
        for output in plan.outputs
    }
    return said | {each.name: each.expected for each in plan.samples}


def expected_error(
    plan: Outline, output: Output, *, size: int = 1000, confidence: Fraction = _CONFIDENCE
) -> float:
    """Return the half width of an interval in a group of some size, at a confidence.

    Limits that are chosen privately are taken as 1; the error grows in proportion to them.
    """
    sums = {each: np.array([value]) for each, value in _typical(output, size).items()}
    contribution = _with_one(plan.contribution)
    noises = {
        step.measurement: SumNoise(
            step.mechanism(contribution, plan.keys.count or 1),
            float(step.measurement.step) / contribution.fine,
        )
        for step in plan.measures
        if step.measurement in sums
    }
    found = output.bars(NoisySums(sums, noises, {}), confidence)
    return float((found.high - found.low)[0] / 2)


def _typical(output: Output, size: int) -> dict[Measurement, float]:
    """Return sums of a group in which no value is missing, and each is the same.

    It lies three eighths of the way down from the upper bound to the lower one.
    """
    shares = {True: 3 / 8, False: 5 / 8}
    return {
        each: 0.0 if each.absent else _share(each, shares) * size * float(each.size)
        for each in output.measurements
    }


def _share(measurement: Measurement, shares: dict[bool, float]) -> float:
    """Return which share of the most each row adds."""
    if not measurement.factors:
        return 1.0
    return shares[measurement.turned] if measurement.together else 0.25


def _with_one(contribution: Contribution) -> Contribution:
    limits = {
        name: replace(each, most=each.most or Fraction(1))
        for name, each in contribution.limits.items()
    }
    return Contribution(contribution.relation, limits)


def _said_of_cells(plan: Outline, output: CellOutput, step: LookAtCells) -> str:
    times = tr(" times the contribution limit, which is chosen privately") if step.is_open else ""
    return output.expected(step, _with_one(plan.contribution)) + times


def _said(plan: Outline, output: Output) -> str:
    chosen = [
        plan.contribution.limits[each.limited_by].is_chosen
        for each in output.measurements
        if plan.contribution.limits
    ]
    times = tr(" times the contribution limit, which is chosen privately") if any(chosen) else ""
    if any(each.is_open for each in output.measurements):
        times += tr(", if the bounds found privately are [-1, 1]; it grows in proportion to them")
    if isinstance(output, PublicMeanOutput):
        return f"± {expected_error(plan, output, size=output.rows):.4g}{times}"
    if isinstance(output, (CountOutput, SumOutput, SumOfPartsOutput)):
        return f"± {expected_error(plan, output):.4g}{times}"
    sizes = ", ".join(
        tr(
            "± {plan:.3g} for {size:,} rows",
            plan=expected_error(plan, output, size=size),
            size=size,
        )
        for size in _SIZES
    )
    return f"{sizes}{times}"
