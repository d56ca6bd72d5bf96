"""How far one change of the table can move each part of a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.mechanisms import DiscreteGaussian
from sfumato.privacy import AddRemove, Person, Substitute
from sfumato.tables.notes import written_above
from sfumato.tables.plan.bounds import FindBounds
from sfumato.tables.plan.cells import LookAtCells
from sfumato.tables.plan.measurements import histogram_sensitivity
from sfumato.tables.plan.render import letters_of, with_letters
from sfumato.tables.plan.steps import ChooseLimit, FindKeys, Measure
from sfumato.tables.run.execution import queries_of
from sfumato.tables.sample_aggregation import BlockSample
from sfumato.tables.tree.rows import Declare, JoinPeople, JoinPublic, PerPerson
from sfumato.translation import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from sfumato.tables.plan.measurements import ContributionLimit, Measurement
    from sfumato.tables.plan.outline import Outline
    from sfumato.tables.plan.steps import PrivateStep
    from sfumato.tables.tree.rows import Step
    from sfumato.translation import Sentences


@dataclass(frozen=True)
class ExplainedPart:
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


def _row_nodes(plan: Outline) -> Iterator[ExplainedPart]:
    unit = plan.query.table.relation.unit
    is_person = isinstance(unit, Person)
    own = (
        tr("any number of rows, all of {unit}", unit=unit.counted(1))
        if is_person
        else tr("one row")
    )
    yield ExplainedPart(tr("the rows of {name}", name=plan.query.table.source.name), own)
    for step in plan.query.steps:
        if not isinstance(step, Declare):
            yield ExplainedPart(str(step), _moved(step))
    if plan.keys.names:
        count = plan.keys.count
        groups = (
            tr("groups yet to be found")
            if count is None
            else tr("{count:,} declared groups", count=count)
        )
        yield ExplainedPart(
            tr("by {names}", names=", ".join(plan.keys.names)),
            tr("the same rows, over {groups}", groups=groups),
        )


def _moved(step: Step) -> str:
    match step:
        case JoinPublic(most=1):
            return tr("the same rows, each beside one public row or none")
        case JoinPublic():
            return tr("the same rows, each beside up to {most:,} public rows", most=step.most)
        case JoinPeople():
            return tr("the rows of the same unit, of both tables")
        case PerPerson():
            return tr("one row of that unit")
    return tr("the same rows, each judged by itself")


def _limit_nodes(plan: Outline) -> Iterator[ExplainedPart]:
    for name, limit in plan.contribution.limits.items():
        kind = {"people": "groups", "ratio": tr("rows in means"), "choice": tr("rows in choices")}
        what = tr("contribution limit on {weighing}", weighing=kind.get(limit.weighing, name))
        norm = tr("in all") if limit.norm == "l1" else tr("in the Euclidean norm over groups")
        chosen = tr("; L is chosen privately") if limit.most is None else ""
        one = plan.contribution.relation.unit.counted(1)
        yield ExplainedPart(
            what,
            tr(
                "{one} contributes at most {limit} {norm}{chosen}",
                one=one,
                limit=_weight(limit),
                norm=norm,
                chosen=chosen,
            ),
        )


def _weight(limit: ContributionLimit) -> str:
    most = "L" if limit.most is None else written_above(limit.most)
    if limit.weighing == "value":
        return tr("{most} times what a row adds at most,", most=most)
    number = 1 if limit.most == 1 else 2
    if limit.weighing == "people":
        return tr_n("{most} group", "{most} groups", number, most=most)
    return tr_n("{most} row", "{most} rows", number, most=most)


def _step_nodes(plan: Outline) -> Iterator[ExplainedPart]:
    for step in plan.steps:
        moves = _moves(step, plan)
        cost = tr("shared: a row adds no more to both") if step.is_paid else str(step.share)
        what = str(step).removesuffix(str(step.share)).rstrip(":： ")
        yield ExplainedPart(
            tr("measure {measurement}", measurement=step.measurement)
            if isinstance(step, Measure)
            else what,
            moves,
            cost,
        )


def _moves(step: PrivateStep, plan: Outline) -> str:
    if isinstance(step, Measure):
        return _measured(step, plan)
    changes = histogram_sensitivity(plan.contribution.relation)
    if isinstance(step, LookAtCells):
        rows = step.sensitivity(plan.contribution) / plan.contribution.fine
        return tr(
            "the counts of all cells together by at most {rows}",
            rows=_times(rows, _limit(step, plan)),
        )
    if isinstance(step, FindKeys):
        return tr(
            "the number of units in at most {groups} groups by 1 each",
            groups=step.groups * changes,
        )
    if isinstance(step, (ChooseLimit, FindBounds)):
        return tr("each unit adds 1 in all to the histogram, so by at most {most}", most=changes)
    if isinstance(step, BlockSample):
        return tr(
            "the answers of {plan} of {blocks:,} blocks",
            plan=changes,
            blocks=step.asked.blocks,
        )
    return ""


def _measured(step: Measure, plan: Outline) -> str:
    of, contribution = step.measurement, plan.contribution
    unit = of.step / contribution.fine
    limit = _limit(step, plan)
    most = _times(contribution.sensitivity(of) * unit, limit)
    noise = step.mechanism(contribution, step.cells or 1)
    spread = noise.sigma if isinstance(noise, DiscreteGaussian) else noise.scale
    word = "σ" if isinstance(noise, DiscreteGaussian) else tr("scale")
    return tr(
        "{of}, so by at most {most}; noise of {word} {spread}",
        of=_added(of),
        most=most,
        word=word,
        spread=_times(spread * unit, limit),
    )


def _added(of: Measurement) -> str:
    if of.weighing == "people":
        return tr("a unit adds 1 to a group")
    return tr("a row adds at most {size}", size=written_above(of.size))


def _limit(step: Measure | LookAtCells, plan: Outline) -> ContributionLimit | None:
    return plan.contribution.limits.get(step.limited_by)


def _times(amount: Fraction, limit: ContributionLimit | None) -> str:
    if limit is None or limit.most is not None:
        return written_above(amount)
    return "L" if amount == 1 else f"{written_above(amount)} × L"


@dataclass(frozen=True)
class EngineStatement:
    """One statement, and what it is for."""

    purpose: str
    sql: str

    def __str__(self) -> str:
        return f"-- {self.purpose}\n{self.sql};"


_CHANGES: Sentences = {
    AddRemove: "one {noun} is added or removed",
    Substitute: "one {noun} is replaced by another",
}


@dataclass(frozen=True, eq=False, repr=False)
class PlanExplanation:
    """What a plan does to rows; no row was read for it.

    Attributes
    ----------
    plan
        The plan.
    """

    plan: Outline

    @property
    def nodes(self) -> tuple[ExplainedPart, ...]:
        """The parts of the question, and how far one change of the table moves each."""
        return (*_row_nodes(self.plan), *_limit_nodes(self.plan), *_step_nodes(self.plan))

    @property
    def statements(self) -> tuple[EngineStatement, ...]:
        """What the engine would be told, in order."""
        sql = self.plan.query.table.source.engine.sql
        return tuple(
            EngineStatement(purpose, sql(query)) for purpose, query in queries_of(self.plan)
        )

    @property
    def sql(self) -> str:
        """The statements as one text, each after a comment that says what it is for."""
        return "\n\n".join([*self._placeholders(), *map(str, self.statements)])

    def lines(self) -> list[str]:
        """Return the parts one below the other."""
        rows = self.rows
        width = max(len(part) for part, _ in rows)
        return [self.headline, *(f"{part:<{width}}  {said}" for part, said in rows)]

    @property
    def headline(self) -> str:
        """What the parts are moved by."""
        return tr(
            "if {change}, this is how far each part moves (its sensitivity)", change=self._change()
        )

    @property
    def rows(self) -> list[tuple[str, str]]:
        """Each part, and how far it moves; a long expression has a letter."""
        letters = letters_of(self.plan)
        parts = [(with_letters(each.part, letters), each) for each in self.nodes]
        return [
            *((letter, expression) for expression, letter in letters.items()),
            *((part, f"{of.moves} ({of.cost})" if of.cost else of.moves) for part, of in parts),
        ]

    def _placeholders(self) -> list[str]:
        """Say what stands in statements for what is found on the way, if anything is."""
        stand = {
            tr("every group for those that are found"): self.plan.search,
            tr("bounds of 0 and 1 for those that are found"): self.plan.findings,
            tr("a limit of 1 for the one that is chosen"): self.plan.choices,
        }
        said = ", ".join(words for words, is_so in stand.items() if is_so)
        return [tr("-- nothing was run, so here stand {said}", said=said)] if said else []

    def _change(self) -> str:
        relation = self.plan.contribution.relation
        return tr(_CHANGES[type(relation)], noun=relation.unit.noun)

    def __str__(self) -> str:
        return "\n".join(self.lines())
