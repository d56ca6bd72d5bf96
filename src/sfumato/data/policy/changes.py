"""What Python arguments and flags declare, put over what a policy says already."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from sfumato.data.names import asked_names
from sfumato.data.policy.budget import Allowance, LedgerPlace
from sfumato.data.policy.columns import ColumnPolicy
from sfumato.data.policy.keysets import KeySet, PublicSource, is_table, public_keys, single_keys
from sfumato.data.policy.render import refusal
from sfumato.data.policy.unit import Limits
from sfumato.documents import check_known
from sfumato.errors import InputError, at
from sfumato.privacy import Guarantee
from sfumato.refusal import Argument, text
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.privacy import Relation
    from sfumato.refusal import Given


Made = TypeVar("Made", Limits, LedgerPlace, Allowance, PublicSource)

_PUBLIC = "public={'regions': 'regions.csv'}"


def from_fields(kind: type[Made], given: Any, what: Given, example: str) -> Made:
    """Return a value made from its fields by name; one that is made already is returned."""
    if isinstance(given, kind):
        return given
    if not isinstance(given, Mapping):
        raise refusal(given, what=what, allowed=mark("names with values"), write=example)
    known = [each.name for each in fields(kind)]
    check_known(given, known, mark("entry"), what)
    return kind(**given)


def changed_limits(limits: Limits, given: Any) -> Limits:
    """Return the limits with those that are given in their place."""
    if given is None:
        return limits
    return limits.with_changes(from_fields(Limits, given, "limits", "{'rows': 50}"))


def changed_ledger(ledger: LedgerPlace | None, given: Any) -> LedgerPlace | None:
    """Return the ledger that is given, or else the one there is."""
    form = "{'path': 'ledger.db', 'book': 'patients'}"
    return ledger if given is None else from_fields(LedgerPlace, given, "ledger", form)


def changed_allowance(allowance: Allowance | None, given: Any) -> Allowance | None:
    """Return the budget that is given, or else the one there is."""
    if given is None:
        return allowance
    if isinstance(given, Guarantee):
        return Allowance.of(given)
    return from_fields(Allowance, given, "budget", "{'epsilon': 3, 'delta': 1e-6}")


def changed_public(public: Mapping[str, PublicSource], given: Any) -> dict[str, PublicSource]:
    """Return public tables, with those that are given in their place."""
    if given is None:
        return dict(public)
    if not isinstance(given, Mapping):
        raise refusal(given, what="public", allowed=mark("given by name"), write=_PUBLIC)
    return {**public, **{name: _public(name, each) for name, each in given.items()}}


def _public(name: Any, given: Any) -> PublicSource:
    if not isinstance(name, str) or not name.strip():
        raise refusal(name, what=mark("a name in public"), allowed=mark("text"), write=_PUBLIC)
    if not isinstance(given, PublicSource | Mapping):
        return PublicSource(given)
    return from_fields(PublicSource, given, text("public table {name!r}", name=name[:60]), _PUBLIC)


def check_same_relation(relation: Relation, *given: Any) -> None:
    """Refuse a relation, or a guarantee with one, that is not the table's."""
    for each in given:
        other = each.relation if isinstance(each, Guarantee) else each
        if other != relation:
            raise InputError(
                "E-RELATION-OTHER",
                "the neighbouring relation of the table is “{relation}”, and “{other}” is given",
                'write {unit}, {example} and budget={{"epsilon": 1}}, say, which follow each other',
                relation=relation,
                other=other,
                unit=Argument("unit", "id"),
                example=Argument("relation", "add_remove"),
            )


def changed_columns(
    columns: Mapping[str, ColumnPolicy], bounds: Any, keys: Any, types: Any, complete: Any
) -> dict[str, ColumnPolicy]:
    """Return what is declared about columns, with what is given in place of what is there."""
    changes: dict[str, dict[str, Any]] = {}
    for name, field, value in _declarations(bounds, keys, types, complete):
        changes.setdefault(name, {})[field] = value
    changed = dict(columns)
    for name, declared in changes.items():
        with at(text("the column {name!r}", name=name), column=name):
            changed[name] = replace(changed.get(name, ColumnPolicy()), **declared)
    return changed


def changed_keysets(keysets: Sequence[KeySet], keys: Any) -> tuple[KeySet, ...]:
    """Return public combinations of columns, with those that are given in their place."""
    given = [
        KeySet(columns, public_keys(rows, columns) if is_table(rows) else rows)
        for columns, rows in _by_column(keys, "keys", "{'sex': ['F', 'M']}")
        if not isinstance(columns, str)
    ]
    named = {frozenset(each.columns): each for each in given}
    if len(named) < len(given):
        return tuple(given)  # which no policy takes
    kept = [named.pop(frozenset(each.columns), each) for each in keysets]
    return (*kept, *named.values())


def _declarations(
    bounds: Any, keys: Any, types: Any, complete: Any
) -> Iterator[tuple[str, str, Any]]:
    for name, given in _by_column(bounds, "bounds", "{'age': (0, 110)}"):
        yield name, "bounds", given
    for name, given in _by_column(keys, "keys", "{'sex': ['F', 'M']}"):
        if isinstance(name, str):
            yield name, "values", single_keys(given, name)
    for name, given in _by_column(types, "types", "{'age': 'integer'}"):
        yield name, "type", given
    for name in asked_names(() if complete is None else complete, "complete"):
        yield name, "complete", True


def _by_column(given: Any, what: str, example: str) -> Iterator[tuple[Any, Any]]:
    if given is not None and not isinstance(given, Mapping):
        raise refusal(given, what=what, allowed=mark("given by column"), write=f"{what}={example}")
    for name, value in ({} if given is None else given).items():
        several = what == "keys" and isinstance(name, tuple)
        if not all(isinstance(each, str) for each in (name if several else [name])):
            raise refusal(
                name,
                what=text("a column of {what}", what=what),
                allowed=mark("a name"),
                write=f"{what}={example}",
            )
        yield name, value
