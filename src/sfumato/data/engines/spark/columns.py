"""The columns of a Spark data frame: which types they have, and which cannot be used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.data.names import check_names
from sfumato.errors import InputError

if TYPE_CHECKING:
    import ibis.expr.datatypes as dt

__all__ = ["column_types"]

#: What Ibis calls a type; a moment is its date and time in UTC, where our session is.
_TYPES = {
    "boolean": "boolean",
    "tinyint": "int8",
    "smallint": "int16",
    "int": "int32",
    "bigint": "int64",
    "float": "float32",
    "double": "float64",
    "string": "string",
    "binary": "binary",
    "date": "date",
    "timestamp": "timestamp",
    "timestamp_ntz": "timestamp",
}


def column_types(frame: Any, shown: str) -> dict[str, dt.DataType]:
    """Return the type of each column of a data frame as Ibis knows it; no row is read."""
    check_names(frame.columns, shown)
    return {each.name: _type(each.name, each.dataType, shown) for each in frame.schema.fields}


def _type(name: str, kind: Any, shown: str) -> dt.DataType:
    import ibis.expr.datatypes as dt

    text = str(kind.simpleString())
    if text.startswith("string collate"):
        raise InputError(
            "E-COLUMN-TYPE",
            "the column {name!r} of {shown} has a collation of its own, by which other texts "
            "are equal than elsewhere",
            "cast it to a plain string",
            name=name,
            shown=shown,
        )
    known = text if text.startswith("decimal") else _TYPES.get(text)
    return dt.unknown if known is None else dt.dtype(known)
