"""Types of the columns of public tables, as options name them: ``wings.beds``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sfumato.data.policy.public import changed_public

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sfumato.data.policy import PublicSource


def with_public_types(
    declared: Mapping[str, Any], known: Mapping[str, PublicSource]
) -> dict[str, Any]:
    """Return what is declared of a table, with types of public columns said of their tables.

    Parameters
    ----------
    declared
        What options declare, as in ``sf.table``.
    known
        The public tables that a policy names.
    """
    public = changed_public(known, declared.get("public"))
    own: dict[str, str] = {}
    for name, kind in (declared.get("types") or {}).items():
        table = _table_of(name, public)
        if table is None:
            own[name] = kind
        else:
            types = {**(public[table].types or {}), name.removeprefix(f"{table}."): kind}
            public[table] = replace(public[table], types=types)
    return {**declared, "types": own, "public": public}


def _table_of(name: str, public: Iterable[str]) -> str | None:
    return next((each for each in public if name.startswith(f"{each}.")), None)
