"""What error bars do not hold, and what was taken for what: sentences beside an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.tables.plan.letters import said_of_letters
from sfumato.tables.plan.limited import said_of_limits
from sfumato.tables.plan.readings import said_of_readings
from sfumato.tables.plan.selecting.tallies import GridTally

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sfumato.tables.plan.contribution import ChosenLimit
    from sfumato.tables.plan.factors import Factor
    from sfumato.tables.plan.outline import Outline

__all__ = ["caveats_of"]


def caveats_of(plan: Outline, chosen: Mapping[str, ChosenLimit]) -> list[str]:
    """Return what must be said beside the error bars, in sentences."""
    about = [said for each in plan.outputs for said in each.caveats]
    samples = [each.said for each in plan.samples]
    limits = dict.fromkeys(said_of_limits(plan, chosen))
    return [*limits, *_nobodys(plan), *_listed(plan), *_taken(plan), *about, *samples]


def _nobodys(plan: Outline) -> Iterator[str]:
    """Return whose the rows are of which it is not said."""
    if plan.contribution.column is not None:
        yield f"rows in which {plan.contribution.column} is missing count as one person's"


def _listed(plan: Outline) -> Iterator[str]:
    """Return that groups which are not listed have no row in the answer."""
    if plan.keys.names and plan.keys.are_known:
        yield "rows of other groups than those listed are left out"


def _taken(plan: Outline) -> Iterator[str]:
    """Return what values were taken for: those beyond their bounds, and those that are none."""
    added = [each for step in plan.measures for each in step.measurement.factors]
    ranked = [
        step.look.tally.column for step in plan.looks if isinstance(step.look.tally, GridTally)
    ]
    factors = [*added, *ranked]
    known = {each.text: each for each in factors if not each.is_open}
    if known:
        said = ", ".join(map(_between, known.values()))
        yield f"values beyond their bounds count as the bound: {said}"
    yield from said_of_readings(plan)
    yield from said_of_letters(plan.query)
    for each in {each.text: each for each in factors if each.complete}.values():
        middle = f"{float(each.middle):g}"
        yield f"{each.text} is declared complete: where it is missing after all, it is {middle}"


def _between(factor: Factor) -> str:
    return f"{factor.text} from {float(factor.low):g} to {float(factor.high):g}"
