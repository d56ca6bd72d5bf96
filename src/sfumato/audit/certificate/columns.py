"""What is public of the columns of a question, derived from what was declared and asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sfumato.audit.certificate.content import declared_value
from sfumato.audit.certificate.parts import refute

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.audit.certificate.parts import Part

__all__ = ["DATES", "TYPES", "Known", "as_declared", "declared_columns", "read_bounds", "said"]

TYPES = ("integer", "number", "text", "boolean", "date", "timestamp")
DATES = ("date", "timestamp")


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


def declared_columns(types: Part, policy: Part) -> dict[str, Known]:
    """Return what a policy says of the columns of a table."""
    found: dict[str, Known] = {}
    for name in policy["columns"].value:
        if name not in types.value:
            refute(
                "{name} declares the column {column!r:.60}, which is not there",
                name=policy.name,
                column=name,
            )
    for name, kind in types.items():
        part = policy["columns"].get(name)
        complete = part is not None and part.get("complete") is not None
        found[name] = replace(said(Known(kind.text(*TYPES, "other")), part), complete=complete)
    return found


def as_declared(name: str, column: Known, policy: Part) -> Known:
    """Return a column that was derived, with what is declared of it by that name."""
    derived = policy.get("derived")
    given = None if derived is None or column.type not in TYPES else derived.get(name)
    return column if given is None else replace(said(column, given), declared=True)


def said(column: Known, part: Part | None) -> Known:
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


def read_bounds(part: Part | None) -> tuple[Fraction, Fraction] | str | None:
    """Return two numbers in order, "auto", or None."""
    if part is None:
        return None
    if part.value == "auto":
        return "auto"
    ends = [each.fraction() for each in part.list()]
    if len(ends) != 2 or not ends[0] < ends[1]:
        refute("{name} is not two numbers, the lower one first", name=part.name)
    return ends[0], ends[1]
