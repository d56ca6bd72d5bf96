"""Which hierarchy each column gets: one that was given, one in a file, or one that is made."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import InputError, UnknownNameError
from sfumato.risk.generalising.automatic import suited_hierarchy
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
        message = (
            "hierarchies takes one for each column, as {'age': bands(10)}; "
            f"{hierarchies!r:.60} is not so"
        )
        raise InputError(message)
    for name in hierarchies:
        if name in exposed.quasi:
            continue
        if name in exposed.source.table.columns:
            message = f"quasi lacks {name!r}, which is given a hierarchy; name it there too"
            raise InputError(message)
        raise UnknownNameError(kind="quasi-identifier", name=name, known=exposed.quasi)


def choose_ladders(cells: Cells, hierarchies: Hierarchies) -> list[Ladder]:
    """Return the levels of each quasi-identifier."""
    return [_ladder(each, cells, hierarchies.get(each.name)) for each in cells.columns]


def _ladder(
    column: Column, cells: Cells, given: Hierarchy | str | os.PathLike[str] | None
) -> Ladder:
    if given is None:
        return _made(column, cells)
    if not isinstance(given, (Hierarchy, str, os.PathLike)):
        message = (
            f"the column {column.name!r} takes a hierarchy, as bands(10), or a file with one; "
            f"{given!r:.60} is none"
        )
        raise InputError(message)
    hierarchy = given if isinstance(given, Hierarchy) else read_hierarchy(given)
    return build_ladder(column.name, column.values.to_pylist(), hierarchy)


def _made(column: Column, cells: Cells) -> Ladder:
    """Return levels that suit the values, and how many cells they were not made for."""
    values = column.values.to_pylist()
    counts = np.bincount(column.codes, cells.counts, len(values)).astype(np.int64).tolist()
    hierarchy = suited_hierarchy(values, counts)
    ladder = build_ladder(column.name, values, hierarchy, made=True)
    if not isinstance(hierarchy, Mostly):
        return ladder
    odd = [count for value, count in zip(values, counts, strict=True) if hierarchy.is_odd(value)]
    return replace(ladder, odd=Odd(column.name, hierarchy.kind, sum(odd)))
