"""The policy that a file declares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.data.engines.postgres.session import is_address, read_address
from sfumato.data.names import asked_names
from sfumato.data.policy.budget import Allowance, LedgerPlace
from sfumato.data.policy.columns import ColumnPolicy
from sfumato.data.policy.keysets import KeySet, PublicSource, public_keys, single_keys
from sfumato.data.policy.policy import Policy
from sfumato.data.policy.render import refusal
from sfumato.data.policy.toml_file import PolicyFile, read_policy_file
from sfumato.data.policy.unit import Limits
from sfumato.errors import InputError
from sfumato.translation import mark

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path


def read_policy(path: str | PathLike[str]) -> Policy:
    r"""Return the policy that a file declares; what is left blank (``""``) is not declared.

    Parameters
    ----------
    path
        A TOML file, such as ``draft_policy`` drafts.  Files that it names are looked for from
        where it lies; of public keys, the rows are read at once.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sfumato.data.policy import read_policy
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "patients.toml"
    ...     _ = file.write_text('[table]\nunit = "patient_id"\n[columns.age]\nbounds = [0, 110]')
    ...     policy = read_policy(file)
    >>> print(policy.relation)
    add or remove one patient_id
    >>> policy.bounds_of("age")
    (Fraction(0, 1), Fraction(110, 1))
    """
    file = read_policy_file(path)
    parts: dict[str, Any] = {
        "limits": _limits(file),
        **{
            table: {name: _column(file, table, name) for name in file.names(table)}
            for table in ("columns", "derived")
        },
        "keysets": tuple(_keyset(file, name) for name in file.names("keysets")),
        "allowance": _allowance(file),
        "ledger": read_ledger(file),
        "public": {name: _public(file, name) for name in file.names("public")},
    }
    with file.opened("table") as entries:
        if "relation" in entries:
            entries["change"] = entries.pop("relation")
        return Policy(**_placed(entries, file.folder), **parts, origin=file.name)


def _placed(entries: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return entries in which the path of a file no longer depends on where the policy lies."""
    if is_address(entries.get("source")):
        read_address(entries["source"])
    elif "source" in entries:
        entries["source"] = _path(entries["source"], "source", folder)
    return entries


def _public(file: PolicyFile, name: str) -> PublicSource:
    with file.opened("public", name) as entries:
        if "columns" in entries:
            entries["columns"] = asked_names(entries["columns"])
        return PublicSource(**_placed(entries, file.folder))


def _limits(file: PolicyFile) -> Limits:
    with file.opened("limits") as entries:
        return Limits(**entries)


def _allowance(file: PolicyFile) -> Allowance | None:
    with file.opened("budget") as entries:
        return Allowance(**entries) if entries else None


def read_ledger(file: PolicyFile) -> LedgerPlace | None:
    """Return where a policy keeps what was spent; None where it does not say."""
    with file.opened("ledger") as entries:
        return LedgerPlace(**entries).inside(file.folder) if entries else None


def _column(file: PolicyFile, table: str, name: str) -> ColumnPolicy:
    with file.opened(table, name) as entries:
        if "keys_from" in entries:
            entries["values"] = _values_from(entries, name, file.folder)
        return ColumnPolicy(**entries)


def _values_from(entries: dict[str, Any], name: str, folder: Path) -> Any:
    given = entries.pop("keys_from")
    if "values" in entries:
        raise InputError(
            "E-POLICY-CONFLICT",
            "values and keys_from both say which values there are",
            "write one of them",
        )
    if not isinstance(given, str):
        raise refusal(
            given,
            what="keys_from",
            allowed=mark("the path of a public table"),
            write='"regions.csv"',
        )
    return single_keys(given, name, folder)


def _keyset(file: PolicyFile, name: str) -> KeySet:
    with file.opened("keysets", name) as entries:
        columns = asked_names(entries.get("columns"))
        if ("rows" in entries) == ("source" in entries):
            raise InputError(
                "E-POLICY-CONFLICT",
                'write either rows = [["F", "30-39"]] or source = "keys.csv", one of them',
            )
        if "rows" in entries:
            return KeySet(columns, entries["rows"])
        table = _path(entries["source"], "source", file.folder)
        return KeySet(columns, public_keys(table, columns))


def _path(given: Any, what: str, folder: Path) -> Path:
    if not isinstance(given, str):
        raise refusal(given, what=what, allowed=mark("the path of a file"), write='"patients.csv"')
    return folder / given
