"""A table about people, and which of its columns others may know or must not learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.data.names import asked_names
from sfumato.errors import InputError
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.data import Source

__all__ = ["Exposed", "one_name", "read_exposed"]


@dataclass(frozen=True)
class Exposed:
    """A table in its engine, its quasi-identifiers and its sensitive columns.

    Attributes
    ----------
    source
        The table.
    quasi
        What somebody may know of a person from elsewhere: age, sex, zip code.
    sensitive
        What nobody should learn of a person; there may be none.
    """

    source: Source
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...] = ()


def read_exposed(
    source: Source, *, quasi: str | Iterable[str], sensitive: str | Iterable[str] | None = None
) -> Exposed:
    """Return a table with its columns told apart; refuse those that are not there, or are both."""
    known = asked_names(quasi, "quasi")
    secret = () if sensitive is None else asked_names(sensitive, "sensitive")
    if not known:
        raise InputError(
            "E-QUASI-MISSING",
            "no quasi-identifier is named",
            "name at least one column that others may know",
        )
    source.check_columns(known)
    source.check_columns(secret)
    for name in known:
        if name in secret:
            raise InputError(
                "E-COLUMN-TWICE",
                "the column {name!r} is named both as a quasi-identifier and as sensitive",
                "name it as one of the two",
                name=name,
            )
    return Exposed(source, known, secret)


def one_name(sensitive: Any) -> str:
    """Return the name of the sensitive column, or refuse what is no single name."""
    if not isinstance(sensitive, str):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{sensitive} takes the name of one column, such as 'diagnosis'",
            sensitive=Argument("sensitive"),
        )
    return sensitive
