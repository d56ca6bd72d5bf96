"""How far one change of the table can move each part of a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.mechanisms import DiscreteGaussian
from sfumato.privacy import Person, Substitute
from sfumato.tables.plan.automatic import FindBounds
from sfumato.tables.plan.sampled import Sample
from sfumato.tables.plan.selecting.looks import LookAtCells
from sfumato.tables.plan.shares import written_above
from sfumato.tables.plan.steps import ChooseLimit, FindKeys, Measure, histogram_sensitivity
from sfumato.tables.tree.steps import Declare, JoinPeople, JoinPublic, PerPerson

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from sfumato.tables.plan.contribution import Limit
    from sfumato.tables.plan.measurements import Measurement
    from sfumato.tables.plan.outline import Outline
    from sfumato.tables.plan.steps import PrivateStep
    from sfumato.tables.tree.steps import Step

__all__ = ["Node", "nodes_of"]


@dataclass(frozen=True)
class Node:
    """A part of a question, and how far one change of the table moves it.

    Parameters
    ----------
    part
        What is done.
    moves
        By how much what it gives can change.
    cost
        What is spent on it, if anything.
    """

    part: str
    moves: str
    cost: str = ""


def nodes_of(plan: Outline) -> tuple[Node, ...]:
    """Return the parts of a question from the rows to the noise."""
    return (*_row_nodes(plan), *_limit_nodes(plan), *_step_nodes(plan))


def _row_nodes(plan: Outline) -> Iterator[Node]:
    unit = plan.query.table.relation.unit
    is_person = isinstance(unit, Person)
    own = f"any number of rows, all of {unit.counted(1)}" if is_person else "one row"
    yield Node(f"the rows of {plan.query.table.source.name}", own)
    for step in plan.query.steps:
        if not isinstance(step, Declare):
            yield Node(str(step), _moved(step))
    if plan.keys.names:
        count = plan.keys.count
        groups = "groups yet to be found" if count is None else f"{count:,} declared groups"
        yield Node(f"by {', '.join(plan.keys.names)}", f"the same rows, over {groups}")


def _moved(step: Step) -> str:
    match step:
        case JoinPublic(most=1):
            return "the same rows, each beside one public row or none"
        case JoinPublic():
            return f"the same rows, each beside up to {step.most:,} public rows"
        case JoinPeople():
            return "the rows of the same unit, of both tables"
        case PerPerson():
            return "one row of that unit"
    return "the same rows, each judged by itself"


def _done(step: Step) -> str:
    """Return what becomes of the rows of one unit by a step."""
    match step:
        case PerPerson():
            return "one row, that of the one unit"
        case JoinPeople():
            return "the rows of the one unit in both tables, each beside each"
        case JoinPublic():
            most = "one public row" if step.most == 1 else f"{step.most:,} public rows"
            return f"the same rows, each beside at most {most}"
    return "the same rows, each judged by itself"


def _limit_nodes(plan: Outline) -> Iterator[Node]:
    for name, limit in plan.contribution.limits.items():
        kind = {"people": "groups", "ratio": "rows in means", "choice": "rows in choices"}
        what = f"contribution limit on {kind.get(limit.weighing, name)}"
        norm = "in all" if limit.norm == "l1" else "in the Euclidean norm over groups"
        chosen = "; L is chosen privately" if limit.most is None else ""
        one = plan.contribution.relation.unit.counted(1)
        yield Node(what, f"{one} contributes at most {_weight(limit)} {norm}{chosen}")


def _weight(limit: Limit) -> str:
    most = "L" if limit.most is None else written_above(limit.most)
    if limit.weighing == "value":
        return f"{most} times what a row adds at most,"
    unit = "group" if limit.weighing == "people" else "row"
    return f"{most} {unit}" if limit.most == 1 else f"{most} {unit}s"


def _step_nodes(plan: Outline) -> Iterator[Node]:
    for step in plan.steps:
        moves = _moves(step, plan)
        cost = "shared: a row adds no more to both" if step.is_paid else str(step.share)
        what = str(step).removesuffix(f": {step.share}")
        yield Node(
            f"measure {step.measurement}" if isinstance(step, Measure) else what, moves, cost
        )


def _moves(step: PrivateStep, plan: Outline) -> str:
    relation = plan.contribution.relation
    if isinstance(step, Measure):
        return _measured(step, plan)
    if isinstance(step, LookAtCells):
        rows = step.sensitivity(plan.contribution) / plan.contribution.fine
        return f"the counts of all cells together by at most {_times(rows, _limit(step, plan))}"
    if isinstance(step, FindKeys):
        return f"the number of units in at most {step.groups * _changes(plan)} groups by 1 each"
    if isinstance(step, (ChooseLimit, FindBounds)):
        most = histogram_sensitivity(relation)
        return f"each unit adds 1 in all to the histogram, so by at most {most}"
    if isinstance(step, Sample):
        return f"the answers of {_changes(plan)} of {step.asked.blocks:,} blocks"
    return ""


def _measured(step: Measure, plan: Outline) -> str:
    of, contribution = step.measurement, plan.contribution
    unit = of.step / contribution.fine
    limit = _limit(step, plan)
    most = _times(contribution.sensitivity(of) * unit, limit)
    noise = step.mechanism(contribution, step.cells or 1)
    spread = noise.sigma if isinstance(noise, DiscreteGaussian) else noise.scale
    word = "σ" if isinstance(noise, DiscreteGaussian) else "scale"
    return f"{_added(of)}, so by at most {most}; noise of {word} {_times(spread * unit, limit)}"


def _added(of: Measurement) -> str:
    if of.weighing == "people":
        return "a unit adds 1 to a group"
    return f"a row adds at most {written_above(of.size)}"


def _limit(step: Measure | LookAtCells, plan: Outline) -> Limit | None:
    return plan.contribution.limits.get(step.limited_by)


def _times(amount: Fraction, limit: Limit | None) -> str:
    if limit is None or limit.most is not None:
        return written_above(amount)
    return "L" if amount == 1 else f"{written_above(amount)} × L"


def _changes(plan: Outline) -> int:
    return 2 if isinstance(plan.contribution.relation, Substitute) else 1
