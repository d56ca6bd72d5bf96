"""What all steps of a question share: whose change is hidden, which groups, which limits."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import isqrt
from typing import TYPE_CHECKING, Any

from sfumato.audit.certificate.document import declared_value, refute

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.audit.certificate.columns import KnownColumn
    from sfumato.audit.certificate.document import DocumentPart, ReleasedContent


#: People over a limit count in part, in steps of 2^-16; a root is rounded up to steps of 2^-10.
_FINE, _ROOT = 2**16, 2**10
_POLICY = ("version", "relation", "limits", "columns", "keysets", "unit")
_MOST_GROUPS = 1_000_000
#: What the values of columns are in a group, beside a missing one; a date has the word for it.
_TYPED: dict[str, tuple[type, ...]] = {
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "text": (str,),
    "date": (tuple,),
    "timestamp": (tuple,),
}


@dataclass(frozen=True)
class DeclaredTable:
    """What a policy declares for a whole table.

    Parameters
    ----------
    person
        The column of the person's id; None where each row is protected by itself.
    relation
        "add_remove" or "substitute".
    rows, groups, rows_per_group
        How much of one person counts, where that is declared.
    """

    person: str | None
    relation: str
    rows: int | None
    groups: int | None
    rows_per_group: int | None


@dataclass(frozen=True)
class QuestionSetting:
    """What all steps share.

    Parameters
    ----------
    declared
        What is declared for the table.
    columns
        What is public of each column.
    groups
        How many groups are public; None where they were found privately.
    content
        What was released.
    """

    declared: DeclaredTable
    columns: dict[str, KnownColumn]
    groups: int | None
    content: ReleasedContent

    @property
    def changes(self) -> int:
        """How many units a change adds or takes: a substitution does both."""
        return 2 if self.declared.relation == "substitute" else 1

    @property
    def fine(self) -> int:
        """In how many steps one row can count."""
        return 1 if self.declared.person is None else _FINE

    def limit(self, name: str, weighing: str, norm: str) -> Fraction:
        """Return the most of one person: what is declared, else what was chosen privately."""
        known = self.declared_limit(weighing, norm)
        if known is not None:
            if name in self.content.limits:
                refute("a limit {name!r:.60} was chosen, and it is declared", name=name)
            return known
        if name not in self.content.limits:
            refute("the limit {name!r:.60} is neither declared nor chosen", name=name)
        return Fraction(self.content.limits[name])

    def declared_limit(self, weighing: str, norm: str) -> Fraction | None:
        """Return the most of one person that follows from what is declared, if anything does."""
        declared = self.declared
        groups = _least(declared.groups, self.groups)
        if weighing == "people":
            most = _least(groups, declared.rows)
            return None if most is None else _across(most, norm)
        in_groups = None
        if groups is not None and declared.rows_per_group is not None:
            in_groups = declared.rows_per_group * _across(groups, norm)
        known = [each for each in (declared.rows, in_groups) if each is not None]
        return Fraction(min(known)) if known else None


def read_declared(policy: DocumentPart) -> DeclaredTable:
    """Return what a policy declares for the whole table; fields that are not known are refused."""
    policy.record(*_POLICY, optional=("derived", "budget", "book"))
    if policy["version"].whole() != 1:
        refute("the policy is of another version than this program reads")
    unit, limits = policy["unit"], policy["limits"]
    limits.record(optional=("rows", "groups", "rows_per_group"))
    person = None if unit.value == "row" else unit.record("column")["column"].text()
    rows = None if limits.value.get("rows") == "auto" else _count(limits, "rows")
    return DeclaredTable(
        person,
        policy["relation"].text("add_remove", "substitute"),
        rows,
        _count(limits, "groups"),
        _count(limits, "rows_per_group"),
    )


def check_person(declared: DeclaredTable, columns: DocumentPart) -> None:
    """Check that the column of the person's id is there."""
    if declared.person is not None and declared.person not in columns.value:
        refute("the column of the person's id is not in {name}", name=columns.name)


def check_types(keys: list[str], columns: dict[str, KnownColumn], groups: Sequence[Any]) -> None:
    """Check that the values of groups are of the types of their columns: 0 is not false."""
    if any(len(group) != len(keys) for group in groups):
        refute("the groups of the content are not those of the keys")
    for place, name in enumerate(keys):
        found = {type(group[place]) for group in groups} - {type(None)}
        if not found <= set(_TYPED.get(columns[name].type, found)):
            refute("a group of {name!r:.60} is not of the type of its column", name=name)


def public_groups(
    keys: list[str], columns: dict[str, KnownColumn], keysets: DocumentPart
) -> list[tuple[Any, ...]] | None:
    """Return the groups that are public, in order; None where they have to be found."""
    for name in keys:
        if name not in columns:
            refute("rows are grouped by {name!r:.60}, which is not there", name=name)
    for each in keysets.list():
        each.record("columns", "types", "rows")
        named = [column.text() for column in each["columns"].list()]
        if keys and set(named) == set(keys) and all(columns[name].declared for name in keys):
            kinds = [kind.value for kind in each["types"].list()]
            rows = [
                [declared_value(*pair) for pair in zip(row.value, kinds, strict=True)]
                for row in each["rows"].list()
            ]
            return in_order([tuple(row[named.index(name)] for name in keys) for row in rows])
    values = [_values(columns[name]) for name in keys]
    sizes = [len(each) for each in values if each is not None]
    if len(sizes) < len(values):
        return None
    groups = 1
    for size in sizes:
        groups *= size
    if groups > _MOST_GROUPS:
        refute(
            "the query has {groups:,} groups, of which {most_groups:,} are allowed",
            groups=groups,
            most_groups=_MOST_GROUPS,
        )
    return in_order(list(product(*(each or () for each in values))))


def in_order(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return groups in order, a missing value last."""
    try:
        return sorted(
            rows, key=lambda row: [(each is None, 0 if each is None else each) for each in row]
        )
    except TypeError:
        refute("the groups are of several types")


def _values(column: KnownColumn) -> tuple[Any, ...] | None:
    """Return all that a column can be; what is true or false needs no declaration."""
    if column.values is None and column.type == "boolean":
        return (False, True)
    return column.values


def _count(limits: DocumentPart, name: str) -> int | None:
    found = limits.get(name)
    return None if found is None else found.whole(1)


def _least(*numbers: int | None) -> int | None:
    return min((each for each in numbers if each is not None), default=None)


def _across(groups: int, norm: str) -> Fraction:
    """Return the norm of one in each of some groups, a root rounded up."""
    if norm == "l1":
        return Fraction(groups)
    root = isqrt(groups * _ROOT**2)
    return Fraction(root if root * root == groups * _ROOT**2 else root + 1, _ROOT)
