"""How a table becomes a private one: by its policy."""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, Any

from sfumato.data import check_texts, open_source, without_fallible, without_objects
from sfumato.data.policy import Policy, check_against_schema, declared_types, read_policy
from sfumato.errors import InputError, UnknownNameError, at
from sfumato.tables.column import check_all_held
from sfumato.tables.expressions import column_types
from sfumato.tables.private_table import PrivateTable
from sfumato.tables.tree.public import PublicTable, public
from sfumato.translation import mark, tr

if TYPE_CHECKING:
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
