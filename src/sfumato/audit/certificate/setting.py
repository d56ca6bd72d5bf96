"""What all steps share: the public columns, whose change is hidden, which groups and limits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import isqrt
from typing import TYPE_CHECKING, Any

from sfumato.audit.certificate.document import (
    DocumentPart,
    StatedContent,
    declared_value,
    refute,
)

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence


#: The functions that are true or false of a row.
_BOOLEANS = frozenset(
    (
        *("equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "between"),
        *("is_in", "and", "or", "not", "is_null", "is_not_null"),
        *("starts_with", "ends_with", "contains", "like"),
    )
)
#: The functions whose value on a row depends on that row alone, on which every sensitivity rests.
FUNCTIONS = _BOOLEANS.union(
    ("add", "subtract", "multiply", "divide", "floor_divide", "modulo", "power", "negative"),
    ("abs", "sign", "clip", "round", "floor", "ceil", "sqrt", "ln", "log10", "exp"),
    ("coalesce", "least", "greatest"),
    ("lower", "upper", "strip", "length", "substring", "left", "right", "replace"),
    ("year", "quarter", "month", "day", "weekday", "day_of_year", "hour", "minute", "second"),
    ("date_trunc", "days_until", "add_days"),
)
#: What a value can be cast to.
CASTS = ("boolean", "date", "integer", "number", "text", "timestamp")
TYPES = ("integer", "number", "text", "boolean", "date", "timestamp")
DATES = ("date", "timestamp")
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


def read_expression(part: DocumentPart, columns: Container[str]) -> str:
    """Return an expression as the one text of it; one of other columns is refused."""
    waiting = [part]
    while waiting:
        waiting += _inside(waiting.pop(), columns)
    return part.expression()


def column_of(part: DocumentPart) -> str | None:
    """Return the column that an expression is, if it is nothing but one."""
    return part["column"].text() if "column" in part.value else None


def is_boolean(part: DocumentPart, columns: Mapping[str, CertifiedColumn]) -> bool:
    """Tell whether an expression is true or false, or missing, whatever the row is."""
    results = [each for each in _results(part) if each.value != {"value": None}]
    return bool(results) and all(_is_boolean(each, columns) for each in results)


def _results(part: DocumentPart) -> list[DocumentPart]:
    """Return what an expression may have the value of: one of several, or itself."""
    found, waiting = [], [part]
    while waiting:
        each = waiting.pop()
        if "case" in each.value:
            waiting += [each["otherwise"], *(pair.list()[1] for pair in each["case"].list())]
        elif each.value.get("call") == "coalesce":
            waiting += each["arguments"].list()
        else:
            found.append(each)
    return found


def _is_boolean(part: DocumentPart, columns: Mapping[str, CertifiedColumn]) -> bool:
    given = part.value
    if "column" in given:
        return columns[given["column"]].type == "boolean"
    if "call" in given:
        return given["call"] in _BOOLEANS
    return given.get("type") == "boolean" or isinstance(given.get("value"), bool)


def _inside(part: DocumentPart, columns: Container[str]) -> list[DocumentPart]:
    fields = set(part.value) if isinstance(part.value, dict) else set()
    if fields == {"column"}:
        if part["column"].text() not in columns:
            refute("{name} is of a column that is not there", part)
        return []
    if fields == {"call", "arguments"}:
        if part["call"].text() not in FUNCTIONS:
            refute(
                "{name} calls {call!r:.60}, which is no function of one row",
                part,
                call=part.value["call"],
            )
        return part["arguments"].list()
    if fields == {"case", "otherwise"}:
        pairs = [each.list() for each in part["case"].list()]
        return [inner for pair in pairs for inner in pair] + [part["otherwise"]]
    if fields == {"cast", "type"}:
        part["type"].text(*CASTS)
        return [part["cast"]]
    return _constant(part, fields)


def _constant(part: DocumentPart, fields: set[str]) -> list[DocumentPart]:
    if fields in ({"date"}, {"timestamp"}):
        (name,) = fields
        part[name].text()
    elif fields != {"value"} or isinstance(part.value["value"], (dict, list)):
        refute("{name} is no expression", part)
    return []


@dataclass(frozen=True)
class CertifiedColumn:
    """What is public of a column.

    Parameters
    ----------
    type
        Its type, as it is stated.
    bounds
        Two numbers, "auto" where they are found privately, or None.
    values
        All that it can be, or None.
    complete
        Whether a missing value counts as the middle.
    declared
        Whether what was declared is about it, and not about a column of its name before.
    """

    type: str
    bounds: tuple[Fraction, Fraction] | str | None = None
    values: tuple[Any, ...] | None = None
    complete: bool = False
    declared: bool = True


def declared_columns(types: DocumentPart, policy: DocumentPart) -> dict[str, CertifiedColumn]:
    """Return what a policy says of the columns of a table."""
    found: dict[str, CertifiedColumn] = {}
    for name in policy["columns"].value:
        if name not in types.value:
            refute(
                "{name} declares the column {column!r:.60}, which is not there", policy, column=name
            )
    for name, kind in types.items():
        part = policy["columns"].get(name)
        complete = part is not None and part.get("complete") is not None
        found[name] = replace(
            said(CertifiedColumn(kind.text(*TYPES, "other")), part), complete=complete
        )
    return found


def as_declared(name: str, column: CertifiedColumn, policy: DocumentPart) -> CertifiedColumn:
    """Return a column that was derived, with what is declared of it by that name."""
    derived = policy.get("derived")
    given = None if derived is None or column.type not in TYPES else derived.get(name)
    return column if given is None else replace(said(column, given), declared=True)


def said(column: CertifiedColumn, part: DocumentPart | None) -> CertifiedColumn:
    """Return what is known of a column once something was declared of it."""
    if part is None:
        return column
    part.record(optional=("type", "bounds", "values", "complete"))
    kind, values = part.value.get("type"), part.get("values")
    bounds = None if kind in DATES else read_bounds(part.get("bounds"))
    listed = None
    if values is not None:
        listed = tuple(declared_value(each.value, kind) for each in values.list())
    return replace(
        column,
        bounds=column.bounds if bounds is None else bounds,
        values=column.values if listed is None else listed,
    )


def read_bounds(part: DocumentPart | None) -> tuple[Fraction, Fraction] | str | None:
    """Return two numbers in order, "auto", or None."""
    if part is None:
        return None
    if part.value == "auto":
        return "auto"
    ends = [each.fraction() for each in part.list()]
    if len(ends) != 2 or not ends[0] < ends[1]:
        refute("{name} is not two numbers, the lower one first", part)
    return ends[0], ends[1]


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
    columns: dict[str, CertifiedColumn]
    groups: int | None
    content: StatedContent

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
        refute("the column of the person's id is not in {name}", columns)


def check_types(
    keys: list[str], columns: dict[str, CertifiedColumn], groups: Sequence[Any]
) -> None:
    """Check that the values of groups are of the types of their columns: 0 is not false."""
    if any(len(group) != len(keys) for group in groups):
        refute("the groups of the content are not those of the keys")
    for place, name in enumerate(keys):
        found = {type(group[place]) for group in groups} - {type(None)}
        if not found <= set(_TYPED.get(columns[name].type, found)):
            refute("a group of {name!r:.60} is not of the type of its column", name=name)


def public_groups(
    keys: list[str], columns: dict[str, CertifiedColumn], keysets: DocumentPart
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


def _values(column: CertifiedColumn) -> tuple[Any, ...] | None:
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
