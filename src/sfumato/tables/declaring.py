"""Declarations about columns after the table was opened: those that were derived."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sfumato.data.policy import ColumnPolicy
from sfumato.data.policy.keysets import single_keys
from sfumato.errors import InputError, UnknownNameError, at
from sfumato.tables.narrow import check_held
from sfumato.tables.tree.steps import Declare
from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.tables.tree.steps import Held


def declaration(
    table: Held, bounds: Mapping[str, Any] | None, keys: Mapping[str, Any] | None
) -> Declare:
    """Return what is declared of the columns of a table, checked against their types."""
    given = {"bounds": _read(bounds, "bounds"), "values": _read(keys, "keys")}
    names = dict.fromkeys(name for each in given.values() for name in each)
    return Declare(tuple((name, _column(name, given, table)) for name in names))


def _column(name: Any, given: Mapping[str, Mapping[str, Any]], table: Held) -> ColumnPolicy:
    columns = table.known
    if name not in columns:
        where = table.source.name
        raise UnknownNameError(kind="column", name=name, known=columns, where=where)
    declared = {kind: each[name] for kind, each in given.items() if name in each}
    with at(tr("the column {name!r}", name=name), column=name):
        if "values" in declared:
            declared["values"] = single_keys(declared["values"], name)
        said = ColumnPolicy(type=columns[name].type, **declared)
    if columns[name].declared:
        check_held(table.source, name, said.values or ())
    return said


def _read(given: Any, word: str) -> Mapping[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{word} must be a mapping from columns",
            "write {word}={{'band': …}}",
            word=word,
        )
    return given
