"""What is public of the columns of a question, derived from what was declared and asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sfumato.audit.certificate.content import declared_value
from sfumato.audit.certificate.expressions import column_of, read_expression
from sfumato.audit.certificate.parts import refute

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.audit.certificate.parts import Part

__all__ = ["TYPES", "Known", "known_columns", "read_bounds"]

TYPES = ("integer", "number", "text", "boolean", "date", "timestamp")


@dataclass(frozen=True)
class Known:
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


def known_columns(query: Part, policy: Part) -> dict[str, Known]:
    """Return what is known of each column when rows are grouped and added up.

    A column that is computed anew is another column: what was declared of its name is forgotten,
    unless it was only renamed, or is declared for the derived column.
    """
    declared, derived = policy["columns"], policy.get("derived")
    found = {
        name: _as_declared(kind.text(*TYPES, "other"), declared.get(name))
        for name, kind in query["columns"].items()
    }
    for step in query["steps"].list():
        match step["step"].text():
            case "filter":
                read_expression(step.record("step", "condition")["condition"], found)
            case "derive":
                found |= _derived(step.record("step", "columns"), found, derived)
            case "declare":
                found |= _declared(step.record("step", "columns"), found)
            case other:
                refute(f"{step.name} is a step {other!r:.60}, which this program does not know")
    return found


def read_bounds(part: Part | None) -> tuple[Fraction, Fraction] | str | None:
    """Return two numbers in order, "auto", or None."""
    if part is None:
        return None
    if part.value == "auto":
        return "auto"
    ends = [each.fraction() for each in part.list()]
    if len(ends) != 2 or not ends[0] < ends[1]:
        refute(f"{part.name} is not two numbers, the lower one first")
    return ends[0], ends[1]


def _derived(step: Part, known: dict[str, Known], policy: Part | None) -> dict[str, Known]:
    found = {}
    for each in step["columns"].list():
        each.record("name", "value", "type")
        read_expression(each["value"], known)
        name, kind = each["name"].text(), each["type"].text(*TYPES, "other", "null")
        source = column_of(each["value"])
        column = Known(kind, declared=False) if source is None else known[source]
        if column.type != kind:
            refute(f"{each.name} is said to be of type {kind}, and what it renames is not")
        given = None if policy is None or kind not in TYPES else policy.get(name)
        found[name] = column if given is None else replace(_said(column, given), declared=True)
    return found


def _declared(step: Part, known: dict[str, Known]) -> dict[str, Known]:
    found = {}
    for each in step["columns"].list():
        name = each.record("name", "declared")["name"].text()
        if name not in known:
            refute(f"{each.name} declares a column that is not there")
        found[name] = replace(_said(known[name], each["declared"]), declared=True)
    return found


def _said(column: Known, part: Part | None) -> Known:
    """Return what is known of a column once something was declared of it."""
    if part is None:
        return column
    part.record(optional=("type", "bounds", "values", "complete"))
    kind, values = part.value.get("type"), part.get("values")
    bounds = None if kind in ("date", "timestamp") else read_bounds(part.get("bounds"))
    listed = None
    if values is not None:
        listed = tuple(declared_value(each.value, kind) for each in values.list())
    return replace(
        column,
        bounds=column.bounds if bounds is None else bounds,
        values=column.values if listed is None else listed,
    )


def _as_declared(kind: str, part: Part | None) -> Known:
    """Return what a policy says of a column of the table."""
    complete = part is not None and part.get("complete") is not None
    return replace(_said(Known(kind), part), complete=complete)
