"""What a person says about a table when its policy is drafted."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path

from sfumato.data.files import quoted
from sfumato.data.policy import Allowance, Policy, draft_policy
from sfumato.data.policy.toml import toml_number, toml_text
from sfumato.errors import UnknownNameError

_TEXTS = ("unit", "relation", "book")
_NUMBERS = ("epsilon", "delta", "rho")


@dataclass(frozen=True, kw_only=True)
class Told:
    """What a person said about a table; empty where nothing was said.

    Attributes
    ----------
    table
        Which table of a database is meant.
    unit, relation
        Whose presence is protected, and against which change.
    epsilon, delta, rho
        What may be spent on the table in all.
    ledger, book
        Where it is kept what was spent.
    """

    table: str = ""
    unit: str = ""
    relation: str = ""
    epsilon: str = ""
    delta: str = ""
    rho: str = ""
    ledger: str = ""
    book: str = ""

    def policy(self) -> Policy:
        """Return a policy that declares no more than was said."""
        amounts = {name: getattr(self, name) for name in _NUMBERS}
        place = {"path": self.ledger, "book": self.book}
        return Policy.inline(
            unit=self.unit or None,
            relation=self.relation or None,
            budget={name: each for name, each in amounts.items() if each} or None,
            ledger={name: each for name, each in place.items() if each} or None,
        )

    def entries(self, folder: Path) -> dict[str, str]:
        """Return the same as entries of a policy file that will lie in a folder."""
        texts = {name: getattr(self, name) for name in _TEXTS}
        amounts = {name: getattr(self, name) for name in _NUMBERS}
        place = {"path": _from(folder, self.ledger)}
        return {
            **{name: toml_number(each) for name, each in amounts.items() if each},
            **{name: toml_text(each) for name, each in (place | texts).items() if each},
        }


def columns_of(file: str, table: str = "") -> tuple[str, ...]:
    """Return the names of a table's columns; no row is read."""
    return tuple(tomllib.loads(draft_policy(file, table=table or None)).get("columns", ()))


def check_unit(file: str, unit: str, table: str = "") -> None:
    """Refuse a unit of privacy that is no column of the table, nor a row."""
    columns = columns_of(file, table)
    if unit not in {"", "row", *columns}:
        raise UnknownNameError(
            kind="column",
            name=unit[:60],
            known=columns,
            where=repr(table) if table else quoted(Path(file)),
        )


def check_amount(epsilon: str) -> None:
    """Refuse a budget that is no number above 0."""
    if epsilon:
        Allowance(epsilon=epsilon)  # type: ignore[arg-type]


def _from(folder: Path, place: str) -> str:
    """Return a place as a policy in a folder names it; an address is the same everywhere."""
    alone = not place or "://" in place or place.startswith("~") or Path(place).is_absolute()
    return place if alone else os.path.relpath(place, folder).replace(os.sep, "/")
