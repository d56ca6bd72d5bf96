"""The first draft of a policy file, from the names and types of the columns alone."""

from __future__ import annotations

import os
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sfumato.data.csv_text import read_header
from sfumato.data.engines.postgres.session import is_address
from sfumato.data.files import check_readable, is_csv, quoted
from sfumato.data.names import check_names
from sfumato.data.opening import open_source
from sfumato.data.policy.toml_file import toml_key, toml_text
from sfumato.data.policy.unit import likely_person
from sfumato.data.policy.values import column_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


_TEMPLATE = """\
# What is known of the table without looking at its rows. Everything in this file is public.
# Fill in the blanks ("" says nothing), and take the # from a line to switch it on.

[table]
source = {source}
{table}\
{unit}
{hint}\
{relation}

[limits]                     # contribution limits; left out, they are chosen privately
# rows = 50                  # the most rows of a person
# groups = 5                 # the most groups of a person; needed for partition selection
# rows_per_group = 10

[budget]                     # the privacy budget of the table
{rho}\
{epsilon}
{delta}

[ledger]                     # the account of what was spent of it
{path}
{book}
# analyst = "ada"

# Of a column that is summed or averaged: bounds, to which values are clamped.
# Of a column that is grouped by: values, those that occur, or keys_from, a public file of them.
{columns}"""

#: What may be filled in: how it stands while it is blank, and what is said of it.
_ENTRIES = {
    "unit": ('unit = ""', '# the privacy unit: the ID column; or "row": one row a person'),
    "relation": (
        'relation = "add_remove"',
        '# neighbouring relation: add or remove one; or "substitute"',
    ),
    "epsilon": ('epsilon = ""', "# such as 3; or rho = 0.1 in its place"),
    "delta": ("# delta = 1e-6", ""),
    "path": ('# path = "ledger.db"', ""),
    "book": ("# book = {book}", ""),
}
#: Where what is said of an entry begins.
_COMMENT = 29

_BOUNDS = '# bounds = [0, 110]          # or "auto": found privately, for a share of ε'
_VALUES = '# values = ["F", "M"]        # or keys_from = "regions.csv"'
_LINES = {
    "integer": (_BOUNDS,),
    "number": (_BOUNDS,),
    "text": (_VALUES,),
    "boolean": ("# values = [false, true]",),
    "date": ("# bounds = [2020-01-01, 2025-12-31]",),
    "timestamp": ("# bounds = [2020-01-01 00:00:00, 2025-12-31 00:00:00]",),
    "other": ("# a type that cannot be asked about",),
}
_CELLS = 'type = ""                    # integer, number, text, boolean, date or timestamp'


def draft_policy(
    data: Any,
    *,
    folder: str | PathLike[str] | None = None,
    table: str | None = None,
    entries: Mapping[str, str] = MappingProxyType({}),
) -> str:
    r"""Return the text of a policy file to fill in; no row is looked at.

    Parameters
    ----------
    data
        A file's path, a pandas, polars or Arrow table, or the address of a database.
    folder
        Where the policy will lie, if it is not beside the file.
    table
        Which table of the database.
    entries
        What is filled in already, as TOML has it: unit, relation, epsilon, delta, rho, path, book.

    Examples
    --------
    >>> from sfumato.data.policy import draft_policy
    >>> text = draft_policy("examples/hospital-a.csv")
    >>> print(*text.splitlines()[3:6], sep="\n")
    [table]
    source = "hospital-a.csv"
    unit = ""                    # the privacy unit: the ID column; or "row": one row a person
    """
    is_path = isinstance(data, (str, PathLike)) and not is_address(data)
    path = Path(data) if is_path else None
    types = _types(data, path, table)
    return _TEMPLATE.format(
        source=toml_text(data if is_address(data) else _relative(path, folder)),
        table="" if table is None else f"table = {toml_text(table)}\n",
        rho=f"rho = {entries['rho']}\n" if "rho" in entries else "",
        hint="" if "unit" in entries else _hint(types),
        **_filled(entries, book=toml_text(_book(path, table))),
        columns="".join(_section(name, kind) for name, kind in types.items()),
    )


def _filled(entries: Mapping[str, str], **names: str) -> dict[str, str]:
    """Return the line of each entry, filled in or blank."""
    lines = {name: blank.format(**names) for name, (blank, _) in _ENTRIES.items()}
    lines |= {name: f"{name} = {entries[name]}" for name in lines if name in entries}
    return {
        name: (f"{line} ".ljust(_COMMENT) + _ENTRIES[name][1]).rstrip()
        for name, line in lines.items()
    }


def _book(path: Path | None, table: str | None) -> str:
    if table is not None:
        return table.rpartition(".")[2]
    return "patients" if path is None else path.name.partition(".")[0]


def _types(data: Any, path: Path | None, table: str | None) -> dict[str, str | None]:
    """Return the type of each column, or None where its cells are text that may mean anything."""
    if path is not None:
        check_readable(path)
    if path is None or not is_csv(path):
        schema = open_source(data, table=table).table.schema()
        return {name: column_type(each) for name, each in schema.items()}
    names = read_header(path).names
    check_names(names, quoted(path))
    return dict.fromkeys(name for name in names if name)


def _relative(path: Path | None, folder: str | PathLike[str] | None) -> str:
    if path is None:
        return ""
    return path.name if folder is None else Path(os.path.relpath(path, folder)).as_posix()


def _hint(names: Iterable[str]) -> str:
    """Return a line that offers the column whose name says most that it names a person."""
    found = likely_person(names)
    return "" if found is None else f"# perhaps {toml_text(found)}, by its name\n"


def _section(name: str, kind: str | None) -> str:
    lines = (_CELLS, _BOUNDS, _VALUES) if kind is None else _LINES[kind]
    head = f"[columns.{toml_key(name)}]" + ("" if kind is None else f"  # {kind}")
    return "\n".join(["", head, *lines, ""])
