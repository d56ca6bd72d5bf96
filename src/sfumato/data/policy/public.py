"""Public tables that questions may join, as a policy names them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from sfumato.data.policy.wording import refusal
from sfumato.errors import InputError, UnknownNameError
from sfumato.translation import mark, tr

__all__ = ["PublicSource", "changed_public"]

_FORM = "{'regions': 'regions.csv'}"


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


def changed_public(public: Mapping[str, PublicSource], given: Any) -> dict[str, PublicSource]:
    """Return public tables, with those that are given in their place."""
    if given is None:
        return dict(public)
    if not isinstance(given, Mapping):
        raise refusal(given, what="public", allowed=mark("given by name"), write=f"public={_FORM}")
    return {**public, **{name: _read(name, each) for name, each in given.items()}}


def _read(name: Any, given: Any) -> PublicSource:
    if not isinstance(name, str) or not name.strip():
        raise refusal(
            name, what=mark("a name in public"), allowed=mark("text"), write=f"public={_FORM}"
        )
    if isinstance(given, PublicSource):
        return given
    if not isinstance(given, Mapping):
        return PublicSource(given)
    known = [each.name for each in fields(PublicSource)]
    for each in given:
        if each not in known:
            where = tr("public table {name!r}", name=name[:60])
            raise UnknownNameError(kind="entry", name=str(each)[:60], known=known, where=where)
    return PublicSource(**given)
