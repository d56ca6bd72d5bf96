"""Whose presence is protected, and against which change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sfumato.data.policy.wording import refusal
from sfumato.errors import InputError, UnknownNameError
from sfumato.privacy import AddRemove, Person, Relation, Row, Substitute
from sfumato.refusal import Argument, any_of, text
from sfumato.translation import mark

__all__ = ["CHANGES", "no_unit", "read_change", "read_unit"]

#: The neighbouring relations by the names that a policy gives them.
CHANGES: dict[str, type[Relation]] = {"add_remove": AddRemove, "substitute": Substitute}

_ALLOWED = mark('the column of the person\'s id, or "row"')


def read_unit(given: Any) -> Row | Person | None:
    """Return the privacy unit, or None where it is left blank.

    Parameters
    ----------
    given
        The name of a column; "row"; or ``{column = "row"}`` for a column of that name.
    """
    if given is None or isinstance(given, Row):
        return given
    if isinstance(given, str):
        return None if given == "" else Row() if given == "row" else Person(given)
    column = given.get("column") if isinstance(given, Mapping) else getattr(given, "column", None)
    if not isinstance(column, str) or not column:
        raise refusal(given, what="unit", allowed=_ALLOWED, write='"patient_id"')
    return Person(column)


def no_unit(origin: str = "", column: str = "patient_id", known: str = "") -> InputError:
    """Return the error about a privacy unit that is not declared.

    Parameters
    ----------
    origin
        What errors call the policy file, if there is one.
    column
        A column to write, as an example.
    known
        The columns that there are, where the example is none of them.
    """
    return InputError(
        "E-UNIT-MISSING",
        "the privacy unit is not declared",
        "write {one}{where}, the column of the person's id, or {other} where each row is another "
        "person's{known}",
        one=Argument("unit", column),
        where=text(" in [table] of {origin}", origin=origin) if origin else "",
        other=Argument("unit", "row"),
        known=text(" (known: {names})", names=known) if known else "",
    )


def read_change(given: Any) -> str:
    """Return the name of the change that neighbours differ by."""
    for name, kind in CHANGES.items():
        if type(given) is kind:
            return name
    if not isinstance(given, str):
        raise refusal(given, what="relation", allowed=any_of(CHANGES), write='"add_remove"')
    name = given.replace("-", "_")
    if name not in CHANGES:
        raise UnknownNameError(kind="relation", name=given[:60], known=CHANGES)
    return name
