"""The rows of a private table: what is done to them, step by step, and what is then known of them.

What is done is of each row, or of each person, by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from sfumato.data.policy import TYPES
from sfumato.errors import InputError, at
from sfumato.refusal import Argument, Declaration, Either, Part, text
from sfumato.tables.column import KnownColumn, check_ordered, known_of_person, types
from sfumato.tables.expressions import Column, type_of
from sfumato.tables.tree.aggregates import (
    check_aggregates,
)
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sfumato.data import Source
    from sfumato.data.policy import ColumnPolicy, Policy
    from sfumato.privacy import Relation
    from sfumato.refusal import Given
    from sfumato.tables.expressions import Expression
    from sfumato.tables.tree.aggregates import After, Aggregate
    from sfumato.tables.tree.public import PublicTable


class Steps(tuple["Step", ...]):
    """What is done to rows, in order, and what is known of their columns after it."""

    policy: Policy
    schema: Mapping[str, str]
    before: Steps | None = None

    @classmethod
    def none(cls, policy: Policy, schema: Mapping[str, str]) -> Steps:
        """Return no step, of rows as they are held: with columns of these types, under a policy."""
        steps = cls()
        steps.policy, steps.schema = policy, schema
        return steps

    def then(self, step: Step) -> Steps:
        """Return the steps with one more."""
        steps = Steps((*self, step))
        steps.policy, steps.schema, steps.before = self.policy, self.schema, self
        return steps

    @property
    def stages(self) -> tuple[Steps, ...]:
        """The steps so far: none, the first, the first two, and so on."""
        return (self,) if self.before is None else (*self.before.stages, self)

    @cached_property
    def known(self) -> dict[str, KnownColumn]:
        """What is known of each column."""
        if self.before is None:
            return {
                name: _column_as_held(self.policy, name, kind) for name, kind in self.schema.items()
            }
        return _after_step(self[-1], self.before.known, self.policy)

    @cached_property
    def types(self) -> dict[str, str]:
        """The type of each column."""
        return types(self.known)


@dataclass(frozen=True, eq=False, repr=False)
class Held:
    """Rows of a private table, as they are held or after some steps, and what is declared of them.

    Attributes
    ----------
    policy
        What is declared: the unit of privacy, bounds, public keys, limits, budget, ledger.
    source
        Where the rows are.
    schema
        The columns and their types, as the rows are held.
    frame
        The kind of frame in which answers are given by default.
    steps
        What is done to the rows that are held.
    """

    policy: Policy
    source: Source = field(repr=False)
    schema: Mapping[str, str] = field(repr=False)
    frame: str = "arrow"
    steps: Steps = field(default=Steps(), repr=False)

    def __post_init__(self) -> None:
        if not self.steps:
            object.__setattr__(self, "steps", Steps.none(self.policy, self.schema))

    @property
    def relation(self) -> Relation:
        """Which tables are neighbours."""
        return self.policy.relation

    def __deepcopy__(self, _memo: Any) -> Held:
        return self

    def __reduce__(self) -> NoReturn:
        raise InputError(
            "E-NOT-COPIED",
            "a private table is not pickled, nor what refers to it: it would take its rows along",
            "keep release.to_pandas() or release.content instead",
        )


HeldRows = TypeVar("HeldRows", bound=Held)


def with_step(table: HeldRows, step: Step, **changes: Any) -> HeldRows:
    """Return the rows after one more step, of which something else may be declared."""
    return replace(table, steps=table.steps.then(step), **changes)


@dataclass(frozen=True)
class Filter:
    """Keep the rows for which a condition is true."""

    condition: Expression

    def __str__(self) -> str:
        return f"where {self.condition}"


@dataclass(frozen=True)
class Derive:
    """Add columns computed from the others of the same row, or put them in their place."""

    columns: tuple[tuple[str, Expression], ...]

    def __iter__(self) -> Iterator[tuple[str, Expression]]:
        return iter(self.columns)

    def __str__(self) -> str:
        return "with " + ", ".join(f"{name} = {each}" for name, each in self.columns)


@dataclass(frozen=True)
class Declare:
    """Say what is public about columns, those that were derived included."""

    columns: tuple[tuple[str, ColumnPolicy], ...]

    def __str__(self) -> str:
        return "declaring " + ", ".join(_declared(name, each) for name, each in self.columns)


def _declared(name: str, column: ColumnPolicy) -> str:
    if column.values is not None:
        return f"{name} in {column.values}"
    if isinstance(column.bounds, tuple):
        return f"{name} from {column.bounds[0]} to {column.bounds[1]}"
    return name


@dataclass(frozen=True)
class JoinPublic:
    """Put the rows of a public table beside those that are alike in some columns.

    What becomes of a row depends on that row alone, and so does what becomes of a person's rows.

    Parameters
    ----------
    other
        The public table.
    on
        The columns that must be alike: the private table's, and the public one's.  The latter do
        not come along, the others of the public table do.
    how
        "inner", or "left" to keep rows that are like no public one, with nothing beside them.
    most
        Beside how many public rows a row can come at most.
    """

    other: PublicTable
    on: tuple[tuple[str, str], ...]
    how: str = "inner"
    most: int = 1

    @property
    def taken(self) -> tuple[str, ...]:
        """The columns of the public table that come along."""
        matched = {theirs for _, theirs in self.on}
        return tuple(each for each in self.other.columns if each not in matched)

    def __str__(self) -> str:
        on = " and ".join(_alike(ours, theirs) for ours, theirs in self.on)
        return f"{_joined(self.how)} the public rows of {self.other.name} on {on}"


@dataclass(frozen=True)
class JoinPeople:
    """Put the rows of another private table beside those of the same person.

    Both tables are about the same people: one of them comes or goes with their rows in both.

    Parameters
    ----------
    other
        The other table, after what is done to its rows.
    on
        The columns of the person's id, in this table and in the other.
    how
        "inner", or "left" to keep the rows of people who are not in the other table.
    """

    other: Held
    on: tuple[str, str]
    how: str = "inner"

    def __str__(self) -> str:
        done, name = "".join(f" {each}" for each in self.other.steps), self.other.source.name
        rows = f"({name}{done})" if done else name
        return f"{_joined(self.how)} the rows of the same person in {rows}"


@dataclass(frozen=True)
class PerPerson:
    """Make one row of all the rows of a person.

    Parameters
    ----------
    person
        The column of the person's id.
    columns
        What is computed of the rows of each person, by name.
    """

    person: str
    columns: tuple[tuple[str, Aggregate], ...]

    @classmethod
    def of(
        cls, relation: Relation, aggregates: Mapping[str, Any], unnamed: Sequence[Any]
    ) -> PerPerson:
        """Return the step that makes one row of each person's, or say what is wrong with it."""
        unit = getattr(relation.unit, "column", None)
        if unit is None:
            raise InputError(
                "E-UNIT-IS-ROW",
                "per_person makes one row of a person's rows, and the privacy unit is the row",
                "declare the column of the person's id, as in {unit}",
                unit=Argument("unit", "patient_id"),
            )
        check_aggregates(aggregates, "per_person", unnamed=unnamed)
        if unit in aggregates:
            raise InputError(
                "E-COLUMN-IS-UNIT",
                "the column {unit!r} is the privacy unit",
                "give the new column another name",
                unit=unit,
            )
        return cls(unit, tuple(aggregates.items()))

    def __str__(self) -> str:
        return "for each person " + ", ".join(f"{name} = {each}" for name, each in self.columns)


def most_rows(steps: Iterable[Step]) -> int | None:
    """Return how many rows a person has at most by what was done to them; None if any number."""
    most: int | None = None
    for step in steps:
        if isinstance(step, PerPerson):
            most = 1
        elif isinstance(step, JoinPublic):
            most = None if most is None else most * step.most
        elif isinstance(step, JoinPeople):
            beside = most_rows(step.other.steps)
            most = None if most is None or beside is None else most * beside
    return most


def expressions_of(step: Step) -> list[Expression]:
    """Return the expressions that a step computes."""
    match step:
        case Filter():
            return [step.condition]
        case Derive():
            return [each for _, each in step.columns]
        case PerPerson():
            return [each for _, asked in step.columns for each in asked.operands]
        case JoinPeople():
            return [each for before in step.other.steps for each in expressions_of(before)]
    return []


def _joined(how: str) -> str:
    return "joined with" if how == "inner" else f"{how} joined with"


def _alike(ours: str, theirs: str) -> str:
    return ours if ours == theirs else f"{ours} = {theirs}"


#: What is done to rows, or said of them.
Step = Filter | Derive | Declare | JoinPublic | JoinPeople | PerPerson


def _after_step(
    step: Step, found: dict[str, KnownColumn], policy: Policy
) -> dict[str, KnownColumn]:
    """Return what is known of each column after a step, from what was before.

    What was declared of a column is forgotten when the column is derived anew: the declaration
    was about other values.  What the policy declares of derived columns is about those.
    """
    match step:
        case Filter():
            _check_condition(step, types(found))
            check_ordered([step.condition], found)
            return found
        case Declare():
            return found | {name: _said(found[name], each) for name, each in step.columns}
        case JoinPublic():
            return _beside_public(step, found, policy)
        case JoinPeople():
            return found | _beside_people(step)
        case PerPerson():
            of_person = {name: known_of_person(name, each, found) for name, each in step.columns}
            check_ordered(expressions_of(step), found)
            return {step.person: found[step.person]} | _as_declared(policy, of_person)
        case Derive():
            known = types(found)
            derived = {name: _derived(each, found, known) for name, each in step}
            check_ordered(expressions_of(step), found)
            return found | _as_declared(policy, derived)


def _beside_people(step: JoinPeople) -> dict[str, KnownColumn]:
    """Return what is known of another private table; whoever is not in it has nothing there."""
    whole = step.how == "inner"
    return {
        name: replace(each, complete=each.complete and whole)
        for name, each in step.other.steps.known.items()
        if name != step.on[1]
    }


def _beside_public(
    step: JoinPublic, found: Mapping[str, KnownColumn], policy: Policy
) -> dict[str, KnownColumn]:
    """Return what is known beside a public table, all of whose values are public.

    So are those of the columns that are alike in both, unless rows without a match are kept.
    """
    alike = {
        ours: _fallen_back(found[ours], _public(step, theirs))
        for ours, theirs in step.on
        if step.how == "inner"
    }
    taken = {name: _public(step, name) for name in step.taken}
    return {**found, **alike, **_as_declared(policy, taken)}


def _public(step: JoinPublic, name: str) -> KnownColumn:
    """Return what is known of a column of a public table; it may be missing where none matched."""
    column = step.other.column(name)
    missing = step.how == "left" or column.has_missing
    is_key = name in (theirs for _, theirs in step.on)
    nothing = (None,) if missing and not is_key else ()
    values = None if column.values is None else (*column.values, *nothing)
    return KnownColumn(column.type, column.bounds, values, own_name=name, is_public=True)


def _fallen_back(known: KnownColumn, public: KnownColumn) -> KnownColumn:
    """Return what is declared of a column and, where nothing is, what is public of it."""
    return replace(
        known,
        bounds=public.bounds if known.bounds is None else known.bounds,
        values=public.values if known.values is None else known.values,
    )


def _as_declared(policy: Policy, columns: Mapping[str, KnownColumn]) -> dict[str, KnownColumn]:
    return {name: _as_policy_says(policy, name, each) for name, each in columns.items()}


def _said(known: KnownColumn, given: ColumnPolicy) -> KnownColumn:
    """Return what is known of a column once something was declared of it."""
    bounds = known.bounds if given.bounds is None else given.bounds
    values = known.values if given.values is None else given.values
    return replace(known, bounds=bounds, values=values, declared=True)


def _derived(
    expression: Expression, columns: Mapping[str, KnownColumn], known: Mapping[str, str]
) -> KnownColumn:
    """Return what is known of a derived column: all of another one that is only renamed."""
    kind = type_of(expression, known)
    if isinstance(expression, Column):
        return columns[expression.name]
    return KnownColumn(kind, declared=False)


def _as_policy_says(policy: Policy, name: str, known: KnownColumn) -> KnownColumn:
    given = policy.derived.get(name)
    if given is None or known.type not in TYPES:
        return known
    with at(tr("the derived column {name!r}", name=name)):
        return _said(known, replace(given, type=known.type))


def _column_as_held(policy: Policy, name: str, kind: str) -> KnownColumn:
    given = policy.columns.get(name)
    if given is None:
        return KnownColumn(kind, own_name=name)
    return KnownColumn(kind, given.bounds, given.values, given.complete, own_name=name)


def _check_condition(step: Filter, known: Mapping[str, str]) -> None:
    kind = type_of(step.condition, known)
    if kind not in {"boolean", "null"}:
        raise InputError(
            "E-CONDITION-TYPE",
            "{filter} takes a condition, and {condition} is of type {kind}",
            "{example}",
            filter=Either("filter", "WHERE"),
            condition=step.condition,
            kind=kind,
            example=_comparison(step.condition, kind),
        )


def _comparison(what: Expression, kind: str) -> Part:
    """Return what to write; what is text may be a condition that was not declared."""
    if kind != "text":
        value = "60" if kind in {"integer", "number"} else f"{kind.upper()} '…'"
        return _compared(Either("sf.col('age') > 60", f"{what} > {value}"))
    compared = _compared(Either("sf.col('age') > 60", f"{what} = 'yes'"))
    if not isinstance(what, Column):
        return compared
    declared = Declaration("types", what.name, "boolean")
    return text("declare {types}, or {compared}", types=declared, compared=compared)


def _compared(example: Given) -> Part:
    return text("compare it, as in {example}", example=example)


@dataclass(frozen=True, eq=False, repr=False)
class Question:
    """Aggregates of the rows of a private table, for each group.

    Attributes
    ----------
    table
        The private table, after what is done to its rows.
    aggregates
        What is asked of each group, by name.
    keys
        The columns that rows are grouped by.
    after
        What is done to the answer.
    """

    table: Held
    aggregates: tuple[tuple[str, Aggregate], ...]
    keys: tuple[str, ...] = ()
    after: tuple[After, ...] = ()

    @property
    def steps(self) -> Steps:
        """What is done to rows before."""
        return self.table.steps

    def __str__(self) -> str:
        asked = ", ".join(f"{name} = {each}" for name, each in self.aggregates)
        by = f" by {', '.join(self.keys)}" if self.keys else ""
        done = "".join(f" {each}" for each in self.steps)
        return f"{asked}{by}{done}" + "".join(f", {each}" for each in self.after)

    def __repr__(self) -> str:
        return f"<{self} of {self.table.source.name}>"


def check_aggregates_ordered(query: Question) -> None:
    """Refuse aggregates of what puts texts in order beside what looks like a number or a date."""
    check_ordered((of for _, each in query.aggregates for of in each.operands), query.steps.known)
