"""Which hierarchy each column gets: one that was given, one in a file, or one that is made."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.errors import InputError, UnknownNameError
from sfumato.refusal import Argument
from sfumato.risk.generalising.automatic import spared_odd, suited_hierarchy
from sfumato.risk.generalising.hierarchy import Hierarchy
from sfumato.risk.generalising.ladder import Ladder, build_ladder
from sfumato.risk.generalising.listed import read_hierarchy
from sfumato.risk.generalising.odd import Mostly, Odd

if TYPE_CHECKING:
    from sfumato.risk.exposed import Exposed
    from sfumato.risk.generalising.cells import Cells, Column

__all__ = ["Hierarchies", "check_hierarchies", "choose_ladders"]

#: The hierarchy of each column, or the file that it is in.
Hierarchies = Mapping[str, Hierarchy | str | os.PathLike[str]]


def check_hierarchies(exposed: Exposed, hierarchies: Hierarchies) -> None:
    """Refuse hierarchies of columns that are no quasi-identifiers, before a row is read."""
    if not isinstance(hierarchies, Mapping):
        raise InputError(
            "E-HIERARCHY-FORM",
            "{argument} takes one for each column, as {{'age': bands(10)}}",
            "{hierarchies!r:.60} is not of this form",
            hierarchies=hierarchies,
            argument=Argument("hierarchies"),
        )
    for name in hierarchies:
        if name in exposed.quasi:
            continue
        if name in exposed.source.table.columns:
            raise InputError(
                "E-QUASI-MISSING",
                "{quasi} lacks {name!r}, which is given a hierarchy",
                "name it there too",
                name=name,
                quasi=Argument("quasi"),
            )
        raise UnknownNameError(kind="quasi-identifier", name=name, known=exposed.quasi)


def choose_ladders(cells: Cells, hierarchies: Hierarchies) -> list[Ladder]:
    """Return the levels of each quasi-identifier."""
    return [_ladder(each, cells, hierarchies.get(each.name)) for each in cells.columns]


def _ladder(
    column: Column, cells: Cells, given: Hierarchy | str | os.PathLike[str] | None
) -> Ladder:
    """Return the levels of a column, and how many cells they are not for."""
    known = column.counted(cells.counts)
    values, counts = [value for value, _ in known], [count for _, count in known]
    hierarchy = (
        suited_hierarchy(values, counts)
        if given is None
        else spared_odd(_hierarchy(column.name, given), values, counts)
    )
    ladder = build_ladder(column.name, values, hierarchy, made=given is None)
    if not isinstance(hierarchy, Mostly):
        return ladder
    odd = sum(count for value, count in known if hierarchy.is_odd(value))
    return replace(ladder, odd=Odd(column.name, hierarchy.kind, odd, hierarchy.one))


def _hierarchy(column: str, given: Hierarchy | str | os.PathLike[str]) -> Hierarchy:
    if isinstance(given, Hierarchy):
        return given
    if isinstance(given, (str, os.PathLike)):
        return read_hierarchy(given)
    raise InputError(
        "E-HIERARCHY-FORM",
        "the column {column!r} takes a hierarchy, as bands(10), or a file with one",
        "{given!r:.60} is none",
        column=column,
        given=given,
    )
