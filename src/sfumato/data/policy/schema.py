"""A policy beside the columns that its table has."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.data.policy.columns import ColumnPolicy
from sfumato.data.policy.toml_file import toml_key
from sfumato.data.policy.values import TYPES, type_of_values
from sfumato.errors import InputError, UnknownNameError, at
from sfumato.privacy import Person
from sfumato.refusal import Given, Setting, text
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sfumato.data.policy.keysets import KeySet
    from sfumato.data.policy.policy import Policy


_TABLE = mark("the table")


def declared_types(policy: Policy, schema: Mapping[str, str], *, textual: bool) -> dict[str, str]:
    """Return the types of a table's columns, once the policy has had its say.

    Parameters
    ----------
    policy
        What is declared.
    schema
        The type of each column as the table has it, one of the six or "other".
    textual
        Whether all cells are text, as in a CSV file.  Such a column has the type that is declared;
        else that of its declared values; else numbers, dates or timestamps as its bounds are; else
        it is text.

    Examples
    --------
    >>> from sfumato.data.policy import Policy, declared_types
    >>> policy = Policy.inline(bounds={"age": (0, 110)}, keys={"ward": [1, 2]})
    >>> declared_types(policy, {"age": "text", "ward": "text", "sex": "text"}, textual=True)
    {'age': 'number', 'ward': 'integer', 'sex': 'text'}
    """
    if not textual:
        return dict(schema)
    in_keysets = dict(_types_in_keysets(policy))
    return {
        name: policy.column(name).implied_type or in_keysets.get(name, found)
        for name, found in schema.items()
    }


def check_against_schema(
    policy: Policy, schema: Mapping[str, str], *, where: Given = _TABLE
) -> Policy:
    """Return the policy with each declared column in the type of the table's own.

    Keys that were given as text are read as that type; what does not fit is refused.

    Parameters
    ----------
    policy
        What is declared.
    schema
        The type of each column, as ``declared_types`` returns them.
    where
        What errors call the table.

    Examples
    --------
    >>> from sfumato.data.policy import Policy, check_against_schema
    >>> policy = Policy.inline(unit="id", keys={"ward": ["1", "2"]})
    >>> check_against_schema(policy, {"id": "text", "ward": "integer"}).column("ward").values
    (1, 2)
    >>> check_against_schema(policy, {"id": "text", "wards": "integer"})
    Traceback (most recent call last):
        ...
    sfumato.errors.UnknownNameError: there is no column 'ward' in the table; did you mean \
'wards'? (known: 'id', 'wards')
    """
    for name in _names(policy):
        if name not in schema:
            raise _unknown(name, policy, schema, where)
    columns = {name: _fitted(policy, name, schema[name]) for name in policy.columns}
    keysets = tuple(_fitted_keys(each, schema) for each in policy.keysets)
    return replace(policy, columns=columns, keysets=keysets)


def _unknown(
    name: str, policy: Policy, schema: Mapping[str, str], where: Given
) -> UnknownNameError:
    """Return the error about a column that is not there; it may be one that queries derive."""
    error = UnknownNameError(kind="column", name=name, known=schema, where=where)
    if policy.column(name).values is not None and error.nearest is None:
        write: Given = f".with_columns({name}=…).declare(keys={{{name!r}: …}})"
        if policy.origin:
            write = text(
                "{table} in {origin}", table=f"[derived.{toml_key(name)}]", origin=policy.origin
            )
        error.refusal = error.refusal.adding("if queries derive it, write {write}", write=write)
    return error


def _names(policy: Policy) -> Iterator[str]:
    if isinstance(policy.unit, Person) and policy.unit.column is not None:
        yield policy.unit.column
    yield from policy.columns
    for keyset in policy.keysets:
        yield from keyset.columns


def _fitted(policy: Policy, name: str, found: str) -> ColumnPolicy:
    column = policy.columns[name]
    if column == ColumnPolicy():
        return column
    with at(text("the column {name!r}", name=name), column=name):
        _check_usable(found)
        if column.type not in (None, found):
            raise InputError(
                "E-COLUMN-TYPE",
                "it is declared to be of type {type}, and in the table it is of type {found}",
                "write {setting}, or leave it out",
                type=column.type,
                setting=Setting("type", f'"{found}"'),
                found=found,
            )
        return replace(column, type=found)


def _fitted_keys(keyset: KeySet, schema: Mapping[str, str]) -> KeySet:
    for name in keyset.columns:
        with at(text("the column {name!r}", name=name), column=name):
            _check_usable(schema[name])
    return keyset.typed(schema)


def _check_usable(found: str) -> None:
    if found not in TYPES:
        raise InputError(
            "E-COLUMN-TYPE",
            "sfumato has no use for its type",
            "declare only columns of type {types}",
            types=", ".join(TYPES),
        )


def _types_in_keysets(policy: Policy) -> Iterator[tuple[str, str]]:
    for keyset in policy.keysets:
        for name, side in zip(keyset.columns, zip(*keyset.rows, strict=True), strict=True):
            kind = type_of_values(side)
            if kind is not None:
                yield name, kind
