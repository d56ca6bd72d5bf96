"""What is at stake in a limit: the noise that it calls for, and the rows that it leaves out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

from sfumato.tables.plan.contribution import Contribution

if TYPE_CHECKING:
    from sfumato.tables.plan.outline import Outline
    from sfumato.tables.plan.selecting.looks import LookAtCells
    from sfumato.tables.plan.steps import Measure

#: How much a row that is left out matters to a mean, relative to a count.
_RATIO = 0.02


@dataclass(frozen=True)
class Stake:
    """How a limit and what it leaves out enter into the expected error.

    Parameters
    ----------
    rate
        What a limit that is greater by one adds to the error of all groups together, in rows.
    missed
        How much a row that is left out adds to it.
    is_ratio
        Whether the error is relative to the rows that count, as that of a mean.
    """

    rate: float
    missed: float = 1.0
    is_ratio: bool = False


def stake_in(plan: Outline, name: str, cells: int) -> Stake:
    """Return what is at stake in one of a plan's limits, for so many groups."""
    one = {
        each: replace(limit, most=Fraction(1)) for each, limit in plan.contribution.limits.items()
    }
    contribution = Contribution(plan.contribution.relation, one)
    steps: tuple[Measure | LookAtCells, ...] = (*plan.measures, *plan.looks)
    noise: dict[Any, float] = {
        step.spent_on: step.typical_error(contribution, cells)
        for step in steps
        if step.limited_by == name
    }
    outputs = [each for each in plan.outputs if set(each.importance) & set(noise)]
    added = [
        sqrt(sum(noise.get(each, 0.0) ** 2 * share for each, share in output.importance.items()))
        for output in outputs
    ]
    misses = [1.0 if each.misses_rows else _RATIO for each in outputs]
    return Stake(
        rate=max(cells, 1) * sum(added) / len(added),
        missed=sum(misses) / len(misses),
        is_ratio=not any(each.misses_rows for each in outputs),
    )
