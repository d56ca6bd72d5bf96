"""What is done to rows before they are added up: of each row, or of each person, by itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sfumato.data import Source
    from sfumato.data.policy import ColumnPolicy, Policy
    from sfumato.tables.expressions import Expression
    from sfumato.tables.tree.aggregates import Aggregate
    from sfumato.tables.tree.public import PublicTable

__all__ = [
    "Declare",
    "Derive",
    "Filter",
    "JoinPeople",
    "JoinPublic",
    "PerPerson",
    "Step",
    "expressions_of",
    "most_rows",
]


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
    policy, source, schema, steps
        The other table: what is declared of it, where it is, its columns, and what is done to
        its rows before.
    on
        The columns of the person's id, in this table and in the other.
    how
        "inner", or "left" to keep the rows of people who are not in the other table.
    """

    policy: Policy = field(hash=False)
    source: Source = field(compare=False, repr=False)
    schema: Mapping[str, str] = field(hash=False)
    steps: tuple[Step, ...]
    on: tuple[str, str]
    how: str = "inner"

    def __str__(self) -> str:
        done = "".join(f" {each}" for each in self.steps)
        rows = f"({self.source.name}{done})" if done else self.source.name
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
            beside = most_rows(step.steps)
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
            return [each for before in step.steps for each in expressions_of(before)]
    return []


def _joined(how: str) -> str:
    return "joined with" if how == "inner" else f"{how} joined with"


def _alike(ours: str, theirs: str) -> str:
    return ours if ours == theirs else f"{ours} = {theirs}"


#: What is done to rows, or said of them.
Step = Filter | Derive | Declare | JoinPublic | JoinPeople | PerPerson
