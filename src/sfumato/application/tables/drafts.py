"""The first draft of a policy file, with what a person said filled in."""

from __future__ import annotations

import os
import re
import shlex
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.application.ledger.receipts import check_spared
from sfumato.application.tables.policy_book import is_open, named_after, open_the_book
from sfumato.data import check_free, is_address, is_csv, put_in_place, quoted
from sfumato.data.policy import (
    Allowance,
    Policy,
    draft_policy,
    read_policy_file,
    toml_number,
    toml_text,
)
from sfumato.errors import InputError, UnknownNameError
from sfumato.printing import Printed
from sfumato.refusal import PYTHON, Argument, text
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.application.ledger.opening import OpeningReport
    from sfumato.refusal import Surface


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
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


@dataclass(frozen=True, kw_only=True)
class DraftReport(Printed):
    """A draft that was written.

    Attributes
    ----------
    path
        Where the draft is.
    table
        What SQL calls the table.
    blanks
        What is left to fill in, and why.
    typed
        Whether the columns have types of their own, as those of a CSV file have not.
    opened
        The book of the table, if it was opened.
    book
        The name of the book, if it was open before.
    surface
        How arguments are written.
    """

    path: str
    table: str
    blanks: tuple[str, ...]
    typed: bool = False
    opened: OpeningReport | None = None
    book: str = ""
    surface: Surface = PYTHON

    @property
    def first_query(self) -> str:
        """A command to begin with."""
        name = self.table if _NAME.fullmatch(self.table) else f'"{self.table}"'
        sql = f"SELECT COUNT(*) AS n FROM {name}"  # noqa: S608, since it is only shown
        return f"sfumato plan {shlex.quote(self.path)} {shlex.quote(sql)} --epsilon 0.1"

    def done(self) -> str:
        """Say that the draft is written, for where nothing else can be said."""
        also = tr(", and {done}", done=self.opened.done()) if self.opened else ""
        return tr("the draft is in {path}{also}", path=quoted(Path(self.path)), also=also)

    def lines(self, *, width: int = 120) -> list[str]:
        """Return what was written, what is left to fill in, and what to try first."""
        analyst = text(
            "analyst in [ledger]: who gets the answers; or say it by {analyst}",
            analyst=Argument("analyst"),
        ).written(self.surface, "")
        types = "" if self.typed else tr("type, ")
        columns = tr(
            "{types}bounds and values in [columns.…] of those that you ask about", types=types
        )
        read = tr("names and types") if self.typed else tr("names")
        path = shlex.quote(self.path)
        then = tr("then do  sfumato init {path}, which opens a book", path=path)
        goes_on = tr(
            "the book of {book} is there already, with this budget, and goes on", book=self.book
        )
        said = [goes_on] if self.book else []
        said += [] if self.opened is None else self.opened.lines(width=width)
        return [
            tr(
                "{path} is written, from the {read} of the columns alone: no row was read",
                path=self.path,
                read=read,
            ),
            *said,
            *(tr("fill in  {each}", each=each) for each in (*self.blanks, analyst, columns)),
            *([then] if self.blanks else []),
            tr(
                "look at  sfumato inspect {path}, for your eyes only: which cells fit that",
                path=path,
            ),
            tr("and try  {first_query}", first_query=self.first_query),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the report ready for JSON."""
        return {
            "policy": self.path,
            "blank": list(self.blanks),
            "book": None if self.opened is None else self.opened.as_dict(),
            "try": self.first_query,
        }


def draft_to_file(
    file: str, output: str, told: Told, *, overwrite: bool = False, notify: Callable[[str], None]
) -> DraftReport:
    """Write the draft of a policy into a file, and open its book if all it needs was said.

    Parameters
    ----------
    file
        The table; no row of it is read.
    output
        Where the draft goes: a name that ends in .toml.
    told
        What a person said.
    overwrite
        Whether an earlier policy may be there.
    notify
        Told of a signing key that was made where the book could not be opened.
    """
    _check_output(output, file, told, overwrite=overwrite)
    check_unit(file, told.unit, told.table)
    name = named_after(file, told.table)
    policy = told.policy()
    draft = _draft(file, Path(output).parent, told, name)
    with put_in_place(output) as whole:
        whole.write_text(draft, encoding="utf-8")
        can_open = None not in (policy.unit, policy.allowance, policy.ledger)
        book = (told.book or name) if can_open and is_open(policy, name) else ""
        is_new = can_open and not book
        opened = open_the_book(policy, name, notify=notify) if is_new else None
    typed = is_address(file) or not is_csv(Path(file))
    return DraftReport(
        path=output, table=name, blanks=_blanks(told), typed=typed, opened=opened, book=book
    )


def _draft(file: str, folder: Path, told: Told, name: str) -> str:
    """Return the draft; a ledger goes with a book."""
    known = replace(told, book=told.book or name) if told.ledger else told
    return draft_policy(
        file, folder=folder, table=told.table or None, entries=known.entries(folder)
    )


def _check_output(output: str, file: str, told: Told, *, overwrite: bool) -> None:
    if not output.lower().endswith(".toml"):
        raise InputError(
            "E-OUTPUT-NAME",
            "{path} is no name of a policy",
            "write one that ends in .toml",
            path=quoted(Path(output)),
        )
    check_free(output, replace=overwrite, spared=(file,))
    check_spared(output, told.ledger or None)
    if Path(output).exists():
        read_policy_file(output)


def _blanks(told: Told) -> tuple[str, ...]:
    left = {
        "unit in [table]: the privacy unit, the column of the person's id": told.unit,
        "epsilon in [budget]: the privacy budget of the table": told.epsilon or told.rho,
        "path in [ledger]: the account of what was spent of it": told.ledger,
    }
    return tuple(each for each, said in left.items() if not said)
