"""How a table becomes a private one: by its policy."""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, Any

from sfumato.data import asked_names, check_texts, open_source, without_fallible, without_objects
from sfumato.data.policy import Policy, check_against_schema, declared_types, read_policy
from sfumato.errors import InputError, UnknownNameError, at
from sfumato.tables.column import check_all_held
from sfumato.tables.expressions import col, column_types, compile_expression
from sfumato.tables.private_table import PrivateTable
from sfumato.tables.tree.public import PublicTable
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pyarrow as pa

    from sfumato.data import Source
    from sfumato.data.policy import PublicSource


def table(data: Any, **declared: Any) -> PrivateTable:
    """Return a private table: a file, a frame or a table of a database, and what is declared.

    Parameters
    ----------
    data
        The path of a CSV or Parquet file; a pandas, polars or Arrow table; a table of Ibis; or
        the address of a PostgreSQL database, as in
        ``sf.table("postgresql://host/database", table="visits", unit="patient_id")``.
    declared
        ``unit``, the privacy unit: the ID column, or "row"; ``bounds``, ``keys``,
        ``limits`` and whatever else a policy declares: see ``Policy.inline``.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> visits = pd.DataFrame({"patient_id": [7, 7, 8], "age": [61, 61, 35]})
    >>> sf.table(visits, unit="patient_id", bounds={"age": (0, 110)})
    <the table, private: add or remove one patient_id>
    """
    _check_words(declared)
    return under(Policy.inline(source=data, **declared))


def open(path: Any, **changes: Any) -> PrivateTable:  # noqa: A001
    r"""Return the private table that a policy file declares.

    Parameters
    ----------
    path
        The path of the policy, such as ``patients.toml``.
    changes
        What to declare otherwise than the file does, as in ``table``.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import sfumato as sf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = Path(folder, "visits.csv").write_text("patient_id,age\n7,61\n")
    ...     policy = Path(folder, "visits.toml")
    ...     text = '[table]\nsource = "visits.csv"\nunit = "patient_id"\n'
    ...     written = policy.write_text(text)
    ...     print(sf.open(policy, bounds={"age": (0, 110)}).relation)
    add or remove one patient_id
    """
    _check_words(changes)
    policy = read_policy(path)
    if policy.source is None and "source" not in changes:
        raise InputError(
            "E-POLICY-WITHOUT-TABLE",
            "{origin} does not say where the table is",
            'write source = "patients.csv"',
            origin=policy.origin,
        )
    return under(policy.with_changes(**changes) if changes else policy)


def _check_words(declared: dict[str, Any]) -> None:
    """Refuse a word that declares nothing, and offer the nearest that does."""
    known = [each for each in signature(Policy.with_changes).parameters if each != "self"]
    for name in declared:
        if name not in known:
            raise UnknownNameError(kind="argument", name=name, known=known)


def under(policy: Policy, source: Source | None = None) -> PrivateTable:
    """Return the private table of a policy.

    Parameters
    ----------
    policy
        What is declared, with the table that it is about.
    source
        Where its rows are, where they were opened already.
    """
    source = opened(policy) if source is None else source
    found = column_types(source.table.schema())
    schema = declared_types(policy, found, textual=source.is_text)
    fitted = check_against_schema(policy, schema, where=source.name)
    check_all_held(source, fitted)
    _check_ids(source, fitted)
    tables = {name: _public(name, each) for name, each in policy.public.items()}
    return PrivateTable(fitted, source, schema, _kind(policy.source), tables=tables)


def opened(policy: Policy) -> Source:
    """Return where the rows of a policy's table are."""
    given = without_objects(policy.source, mark("the table"))
    return without_fallible(open_source(given, table=policy.table))


def _public(name: str, given: PublicSource) -> PublicTable:

    with at(tr("the public table {name!r}", name=name)):
        return public(given.source, table=given.table, columns=given.columns, types=given.types)


def _check_ids(source: Source, policy: Policy) -> None:
    """Refuse ids that an engine may round: two people who became one could hide each other."""
    name: str | None = getattr(policy.unit, "column", None)
    if name is None:
        return
    kind = source.table.schema()[name]
    if kind.is_string():
        check_texts(source, name)
    if _is_exact(kind) and name not in source.fallible:
        return
    raise InputError(
        "E-UNIT-TYPE",
        "the column {name!r} is of a type in which ids could be rounded to one another",
        "take a column of text, whole numbers or dates as the unit, or write the ids as text",
        name=name,
    )


def _is_exact(kind: Any) -> bool:
    exact = kind.is_string(), kind.is_numeric(), kind.is_boolean(), kind.is_date()
    return any(exact) or kind.is_binary() or kind.is_uuid() or kind.is_null()


def _kind(data: Any) -> str:
    """Return the kind of frame in which answers are given by default."""
    module = type(data).__module__.split(".")[0]
    return module if module in {"pandas", "polars"} else "arrow"


_MOST_ROWS = 10_000_000


def public(
    data: Any,
    *,
    table: str | None = None,
    columns: str | Iterable[str] | None = None,
    types: Mapping[str, str] | None = None,
) -> PublicTable:
    """Return a public table: rows that anybody may see, to be joined to those of a private one.

    The rows are read at once.  Nothing in them is protected, whoever they are about.

    Parameters
    ----------
    data
        The path of a CSV or Parquet file; a pandas, polars or Arrow table; a table of Ibis; or
        the address of a database.
    table
        Which table of the database.
    columns
        The columns to take; left out, all whose type can be used in a question.  The others are
        named where the table is printed.
    types
        The type of a column, as in ``{"beds": "integer"}``.  The cells of a CSV file are text
        where nothing else is said.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> sf.public(pd.DataFrame({"zip": ["1010", "8010"], "region": ["Vienna", "Styria"]}))
    <the table, public: zip, region; 2 rows>
    """
    source = open_source(data, table=table)
    schema = _schema(source, types)
    chosen = _chosen(source, schema, columns)
    held = {name: schema[name] for name in chosen}
    if not held:
        raise InputError(
            "E-COLUMN-TYPE",
            "no column of {source} has a type that a query can use",
            "take a table with numbers, texts, booleans, dates or timestamps",
            source=source.name,
        )
    values = {name: compile_expression(col(name), source.table, held) for name in chosen}
    rows = source.fetch(source.table.select(**values).limit(_MOST_ROWS + 1))
    if rows.num_rows > _MOST_ROWS:
        raise InputError(
            "E-TOO-LARGE",
            "{source} has more than {most_rows:,} rows, which are too many for a public table",
            "take the rows that a join needs",
            source=source.name,
            most_rows=_MOST_ROWS,
        )
    left_out = tuple(name for name in schema if columns is None and name not in held)
    return PublicTable(source.name, held, _unsigned(rows), left_out, source.path)


def _schema(source: Source, types: Mapping[str, str] | None) -> dict[str, str]:
    policy = Policy.inline(types=types)
    found = column_types(source.table.schema())
    schema = declared_types(policy, found, textual=source.is_text)
    check_against_schema(policy, schema, where=source.name)
    return schema


def _chosen(
    source: Source, schema: Mapping[str, str], columns: str | Iterable[str] | None
) -> tuple[str, ...]:
    if columns is None:
        return tuple(name for name, kind in schema.items() if kind != "other")
    names = asked_names(columns)
    source.check_columns(names)
    return names


def _unsigned(rows: pa.Table) -> pa.Table:
    """Return rows without a zero that has a sign, which is alike to the other and another text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for place, column in enumerate(rows.schema):
        if pa.types.is_floating(column.type):
            rows = rows.set_column(place, column.name, pc.add(rows.column(place), 0.0))
    return rows
