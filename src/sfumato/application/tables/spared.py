"""Files that an answer is made from or charged to, over which none of its files is written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.application.ledger.spared import check_spared
from sfumato.data.files import quoted
from sfumato.data.policy.reading import read_ledger
from sfumato.data.policy.toml_file import read_policy_file
from sfumato.data.writing import is_same_file
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sfumato.data.policy.toml_file import PolicyFile


def check_spares(
    written: Iterable[str],
    file: str,
    declared: Mapping[str, Any],
    beside: Mapping[str, str] | None = None,
) -> None:
    """Refuse files to write that lead to what an answer is made from or charged to.

    Parameters
    ----------
    written
        Where something would be written; nothing where it is empty.
    file, declared, beside
        What is asked, as in ``answer_question``: tables, policies and all that they name, public
        tables and keys, the ledger and its signing key are spared.
    """
    paths = [each for each in written if each]
    if not paths:
        return
    files = [file, *(beside or {}).values()]
    policies = [read_policy_file(each) for each in files if each.lower().endswith(".toml")]
    read = [*files, *_named(policies, declared)]
    for path in paths:
        if any(is_same_file(path, each) for each in read):
            raise InputError(
                "E-OUTPUT-IS-INPUT",
                "{path} is what would be read",
                "name another file to write",
                path=quoted(Path(path)),
            )
        for place in _ledgers(policies, declared):
            check_spared(path, place)


def _named(policies: Sequence[PolicyFile], declared: Mapping[str, Any]) -> Iterator[str | Path]:
    """Yield the tables of policies, and public tables and keys."""
    for each in policies:
        yield from each.files()
    yield from declared.get("public", {}).values()
    yield from (each for each in declared.get("keys", {}).values() if isinstance(each, str))


def _ledgers(policies: Sequence[PolicyFile], declared: Mapping[str, Any]) -> Iterator[str | None]:
    """Yield the ledgers that may be charged, None for the default."""
    yield declared.get("ledger", {}).get("path")
    for each in policies:
        place = read_ledger(each)
        yield None if place is None else place.path
