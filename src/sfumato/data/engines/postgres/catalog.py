"""What a table of a server is: its columns, and each as a value that all engines agree on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.data.engines.functions import call
from sfumato.data.engines.postgres.casts import as_bytes, from_bytes
from sfumato.data.names import check_names
from sfumato.errors import InputError
from sfumato.refusal import Argument, Given, text

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from sfumato.data.engines.postgres.session import PostgresSession


_FIND = """
SELECT c.oid::bigint, n.nspname::text
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relname = %s AND n.nspname = ANY(%s) AND c.relkind = ANY('{r,v,m,f,p}')
  AND has_schema_privilege(n.oid, 'USAGE')
ORDER BY array_position(%s, n.nspname::text) LIMIT 1
"""
# The last column tells whether texts have the database's own collation, by which equal texts have
# equal bytes.  Others could differ in that, and two of them in one comparison are an error.
_COLUMNS = """
WITH RECURSIVE named AS (
  SELECT a.attnum, a.attname::text AS name, a.atttypid AS type, a.attcollation AS collation,
    a.atttypmod AS modifier
  FROM pg_attribute AS a WHERE a.attrelid = %s AND a.attnum > 0 AND NOT a.attisdropped
    AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')
), based AS (
  SELECT * FROM named
  UNION ALL
  SELECT b.attnum, b.name, t.typbasetype, b.collation, t.typtypmod
  FROM based AS b JOIN pg_type AS t ON t.oid = b.type WHERE t.typtype = 'd'
)
SELECT b.name, CASE WHEN t.typtype = 'e' THEN 'enum' ELSE t.typname::text END,
  coalesce(c.collprovider = 'd', true), b.modifier
FROM based AS b JOIN pg_type AS t ON t.oid = b.type
LEFT JOIN pg_collation AS c ON c.oid = b.collation
WHERE t.typtype <> 'd' ORDER BY b.attnum
"""
#: A number of so many digits is neither too great nor too small for a double.
_MOST_DIGITS = 300
_ENCODING = "SELECT current_setting('server_encoding')"

#: The types of columns that can be used, as Ibis calls them.
NATIVE_TYPES = {
    "int2": "int16",
    "int4": "int32",
    "int8": "int64",
    "float4": "float32",
    "float8": "float64",
    "numeric": "decimal",
    "bool": "boolean",
    "text": "string",
    "varchar": "string",
    "bpchar": "string",
    "citext": "string",
    "name": "string",
    "enum": "string",
    "uuid": "uuid",
    "date": "date",
    "timestamp": "timestamp",
    "timestamptz": "timestamp('UTC')",
}
#: Texts that the server compares otherwise than by their characters.
_OTHERWISE_COMPARED = ("bpchar", "citext", "name", "enum")


@dataclass(frozen=True)
class TableName:
    """The name of a table, with its schema where that is given."""

    name: str
    schema: str | None = None

    def __str__(self) -> str:
        return self.name if self.schema is None else f"{self.schema}.{self.name}"


def read_table_name(text: Any) -> TableName:
    """Return the name of a table: ``visits`` or ``clinic.visits``, in the letters of the server."""
    parts = text.split(".") if isinstance(text, str) and text.isprintable() else []
    if len(parts) not in {1, 2} or not all(parts):
        raise InputError(
            "E-TABLE-NAME",
            'the name of a table must be like "visits" or "clinic.visits"',
            "write {table}",
            table=Argument("table", "…"),
        )
    return TableName(parts[-1], parts[0] if parts[1:] else None)


def described(session: PostgresSession, table: TableName, shown: str) -> ir.Table:
    """Return a table of a server as Ibis knows it, with what the user may read; no row is read."""
    import ibis

    schemas = session.schemas() if table.schema is None else [table.schema]
    complaint = text("the columns of {shown} cannot be read", shown=shown)
    with session.reading():
        _check_encoding(session, complaint)
        found = session.run(_FIND, complaint, (table.name, schemas, schemas))
        if not found:
            raise InputError(
                "E-TABLE-MISSING",
                "there is no table {table!r} in {address} that the user may see",
                "check the spelling, with the schema as in {example}",
                table=str(table),
                address=session.address,
                example=Argument("table", "clinic.visits"),
            )
        oid, schema = found[0]
        columns = session.run(_COLUMNS, complaint, (oid,))
    if not columns:
        raise InputError(
            "E-TABLE-FORBIDDEN",
            "the user may not read {shown}",
            "have its owner GRANT SELECT on it",
            shown=shown,
        )
    check_names([name for name, *_ in columns], shown)
    types = {name: _type(kind, modifier) for name, kind, _, modifier in columns}
    held = ibis.table(types, name=table.name, database=schema)
    plain = {name: _plain(held[name], kind, same) for name, kind, same, _ in columns}
    return held.select(**plain)


def _type(kind: str, modifier: int) -> Any:
    """Return the type of a column; of few enough digits that each is some double, or of any."""
    import ibis.expr.datatypes as dt

    digits, places = ((modifier - 4) >> 16) & 0xFFFF, (modifier - 4) & 0x7FF
    if kind == "numeric" and modifier >= 4 and 0 < places <= digits <= _MOST_DIGITS:
        return dt.Decimal(digits, places)
    return NATIVE_TYPES.get(kind, dt.unknown)


def _check_encoding(session: PostgresSession, complaint: Given) -> None:
    ((encoding,),) = session.run(_ENCODING, complaint)
    if encoding != "UTF8":
        raise InputError(
            "E-ENGINE-SETTING",
            "the database {address} keeps texts as {encoding}, in which they have other "
            "bytes and another order than elsewhere",
            "use a database in UTF8",
            address=session.address,
            encoding=encoding,
        )


def _plain(column: ir.Column, kind: str, is_plain: bool) -> ir.Value:  # noqa: FBT001
    """Return a column as a value that is compared by its bytes, and a moment as it is in UTC."""
    import ibis.expr.operations as ops

    if kind == "timestamptz":
        return call("timezone", "timestamp", "UTC", column)
    if not column.type().is_string():
        return column
    if not is_plain:
        return from_bytes(as_bytes(column))
    if kind in _OTHERWISE_COMPARED:
        return ops.Cast(column, column.type()).to_expr()
    return column
