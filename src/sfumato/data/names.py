"""Names of columns: those a table has, and those that were asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["asked_names", "check_names"]

# The engine tells names apart by any letter but the case of these.
_LOWERED = str.maketrans(ascii_uppercase, ascii_lowercase)


def asked_names(columns: Any, argument: str = "columns") -> tuple[str, ...]:
    """Return the names in ``columns``, which may be a single one."""
    listed = (columns,) if isinstance(columns, str) else columns
    names = tuple(listed) if isinstance(listed, Iterable) else (listed,)
    for name in names:
        if not isinstance(name, str):
            raise InputError(
                "E-COLUMN-NAME",
                "{argument} takes the name of a column, or several, such as 'age' or ['age', "
                "'sex']",
                "{kind} is not the type of a name",
                argument=argument,
                kind=type(name).__name__,
            )
    return names


def check_names(names: Sequence[str], where: str) -> None:
    """Refuse a table in which a name cannot be told from another, or none has a name."""
    named = [name for name in names if name]
    fault = _repeated(named) or _alike(named) or ("" if named else mark("no column with a name"))
    if fault:
        raise InputError(
            "E-COLUMN-NAME",
            "{where} has {fault}",
            "give each column a name of its own",
            where=where,
            fault=fault,
        )


def _repeated(names: Sequence[str]) -> str:
    name, times = max(Counter(names).items(), key=lambda item: item[1], default=("", 0))
    return tr("{times} columns with the name {name!r}", times=times, name=name) if times > 1 else ""


def _alike(names: Sequence[str]) -> str:
    first: dict[str, str] = {}
    for name in names:
        other = first.setdefault(name.translate(_LOWERED), name)
        if other != name:
            return tr(
                "columns whose names differ only in case ({other!r}, {name!r})",
                other=other,
                name=name,
            )
    return ""
