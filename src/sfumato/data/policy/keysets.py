"""Public keys, the combinations that an answer has a row for, and public tables to join."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data.names import asked_names
from sfumato.data.opening import open_source
from sfumato.data.policy.render import refusal, shown
from sfumato.data.policy.values import Value, typed_values
from sfumato.errors import InputError
from sfumato.refusal import text
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class KeySet:
    """The combinations of several columns that are public keys.

    Parameters
    ----------
    columns
        The names of the columns.
    rows
        The combinations: one value of each column, in the order of ``columns``.

    Examples
    --------
    >>> from sfumato.data.policy import KeySet
    >>> KeySet(("sex", "band"), [("F", "30-39"), ("M", "40-49")]).rows
    (('F', '30-39'), ('M', '40-49'))
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]

    def __post_init__(self) -> None:
        columns = asked_names(self.columns)
        if len(columns) < 2 or len(set(columns)) < len(columns):
            raise refusal(
                list(columns),
                what="columns",
                allowed=mark("two or more names, each once"),
                write='["sex", "band"]',
            )
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "rows", _combinations(self.rows, columns, {}))

    def typed(self, types: Mapping[str, str]) -> KeySet:
        """Return the same combinations with text read as the types of the columns.

        Examples
        --------
        >>> from sfumato.data.policy import KeySet
        >>> keys = KeySet(("sex", "ward"), [("F", "1"), ("M", "2")])
        >>> keys.typed({"sex": "text", "ward": "integer"}).rows
        (('F', 1), ('M', 2))
        """
        return KeySet(self.columns, _combinations(self.rows, self.columns, types))


def is_table(given: Any) -> bool:
    """Tell whether keys are given as a table: a file's path, or a frame."""
    is_frame = any(hasattr(type(given), each) for each in ("columns", "column_names"))
    return is_frame or isinstance(given, (str, PathLike))


def public_keys(table: Any, columns: Sequence[str]) -> tuple[tuple[Any, ...], ...]:
    """Return the distinct combinations of some columns of a public table, as it has them."""
    source = open_source(table)
    source.check_columns(columns)
    found = source.fetch(source.table.select(list(columns)))
    rows = tuple(dict.fromkeys(zip(*(found[each].to_pylist() for each in columns), strict=True)))
    if not rows:
        raise InputError(
            "E-KEYS-EMPTY",
            "{source} has no rows, so no keys",
            "give a table with one row a key",
            source=source.name,
        )
    if any(value is None for row in rows for value in row):
        raise InputError(
            "E-KEYS-FORM",
            "{source} has a missing value among its keys",
            "leave that row out",
            source=source.name,
        )
    return rows


def single_keys(given: Any, column: str, folder: Path = Path()) -> Any:
    """Return the keys of one column, from a table where one is named."""
    if not is_table(given):
        return given
    if not isinstance(given, str):
        return tuple(value for (value,) in public_keys(given, [column]))
    file, name = _file_and_column(given, column)
    _check_is_file(folder / file, given)
    return tuple(value for (value,) in public_keys(folder / file, [name]))


def _check_is_file(file: Path, given: str) -> None:
    """Refuse what looks like one key, and not like the path of a table."""
    if not file.suffix and not os.path.exists(file):  # noqa: PTH110 - a name too long is no file
        several = [each.strip() for each in given.split(",")]
        listed = str(shown(several))
        raise refusal(
            given,
            what="keys",
            allowed=mark("a list, or the path of a public table"),
            write=listed if len(several) > 1 else text("{list} for one key", list=listed),
        )


def _file_and_column(text: str, column: str) -> tuple[str, str]:
    """Return the parts of ``regions.csv:code``; the letter of a drive is part of the file."""
    file, _, name = text.rpartition(":")
    named = len(file) > 1 and name and not set(name) & set("/\\")
    return (file, name) if named else (text, column)


def _combinations(
    given: Any, columns: Sequence[str], types: Mapping[str, str]
) -> tuple[tuple[Value, ...], ...]:
    listed = [_combination(each, columns) for each in _listed(given)]
    sides = zip(columns, zip(*listed, strict=True), strict=True)
    typed = [
        typed_values(side, types.get(name), text("the keys of {name!r}", name=name))
        for name, side in sides
    ]
    rows = tuple(zip(*typed, strict=True))
    if len(set(rows)) < len(rows):
        raise InputError("E-KEYS-FORM", "the keys name a combination twice", "write each once")
    return rows


def _listed(given: Any) -> list[Any]:
    rows = [] if isinstance(given, (str, Mapping)) or not isinstance(given, Iterable) else [*given]
    if not rows:
        raise refusal(
            given,
            what="rows",
            allowed=mark("a list of combinations"),
            write='[["F", "30-39"], ["M", "40-49"]]',
        )
    return rows


def _combination(row: Any, columns: Sequence[str]) -> tuple[Any, ...]:
    if not isinstance(row, (list, tuple)) or len(row) != len(columns):
        raise InputError(
            "E-KEYS-FORM",
            "a combination of the keys is not one value of each of {columns}",
            'write [["F", "30-39"], ["M", "40-49"]], say',
            columns=", ".join(columns),
        )
    return tuple(row)


@dataclass(frozen=True)
class PublicSource:
    """Where a public table is, and what of it is taken.

    Parameters
    ----------
    source
        A file's path, a frame, a table of Ibis, or the address of a database.
    table
        Which table of the database; None where the source is the table.
    columns
        The columns to take; None for all.
    types
        The types of columns, by name; for CSV files, whose cells are text otherwise.

    Examples
    --------
    >>> from sfumato.data.policy import PublicSource
    >>> PublicSource("regions.csv", types={"beds": "integer"}).columns is None
    True
    """

    source: Any = None
    table: str | None = None
    columns: tuple[str, ...] | None = None
    types: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        if self.source is None:
            raise InputError(
                "E-POLICY-WITHOUT-TABLE",
                "a public table has no source",
                'write source = "regions.csv"',
            )
