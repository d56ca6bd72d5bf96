"""The verb ``init``: the first draft of a policy, from the schema of a table alone."""

from __future__ import annotations

import shlex
from dataclasses import replace as with_changes
from typing import Annotated

import typer

from sfumato import application
from sfumato.cli.arguments import Json, flag, option
from sfumato.cli.declarations import Change, Delta, LedgerBook, NameInDatabase, Unit  # noqa: TC001, since the command line is read by it
from sfumato.cli.failures import explained
from sfumato.cli.output import say_aside, write_report
from sfumato.cli.prompts import ask_about, can_ask
from sfumato.cli.surface import SHELL, in_shell_words
from sfumato.errors import InputError

Table = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A CSV or Parquet file, or postgresql://host/database; or a policy (.toml) that is "
        "filled in, to open its book.",
    ),
]
Output = Annotated[str, option("FILE", "Where to, if not named as the table: patients.toml")]
Replace = Annotated[bool, flag("--replace", "Write over an earlier policy.")]
Epsilon = Annotated[str, option("NUMBER", "The privacy budget of the table, as ε: 3.")]
Rho = Annotated[str, option("NUMBER", "The privacy budget of the table, as ρ of zCDP.")]
Ledger = Annotated[
    str, option("PLACE", "Its ledger: a file, made if new, or postgresql://user@host/database.")
]
NoInput = Annotated[bool, flag("--no-input", "Ask nothing; leave blanks.")]


@explained()
def init(
    file: Table,
    *,
    table: NameInDatabase = "",
    output: Output = "",
    unit: Unit = "",
    relation: Change = "",
    epsilon: Epsilon = "",
    delta: Delta = "",
    rho: Rho = "",
    ledger: Ledger = "",
    book: LedgerBook = "",
    replace: Replace = False,
    no_input: NoInput = False,
    json: Json = False,
) -> None:
    """Draft the policy of a table from its schema alone: no row is read.

    On a terminal it asks for the privacy unit, the privacy budget and the ledger; Enter leaves a
    blank. Given all three it opens the book of the table in the ledger. Given a policy that you
    have filled in since, it opens the book of that.
    """
    place = {"ledger": ledger, "book": book}
    told = application.Told(
        table=table, unit=unit, relation=relation, epsilon=epsilon, delta=delta, rho=rho, **place
    )
    if file.lower().endswith(".toml"):
        _open(file, alone=told == application.Told() and not output, json=json)
        return
    asked = told if no_input or not can_ask() else ask_about(file, told)
    path = output or f"{application.named_after(file, table)}.toml"
    with in_shell_words():
        report = application.draft_to_file(file, path, asked, overwrite=replace, notify=say_aside)
    _say(with_changes(report, surface=SHELL), json=json)


def _open(policy: str, *, alone: bool, json: bool) -> None:
    """Open the book of a policy that is filled in."""
    if not alone:
        command = shlex.join(["sfumato", "init", policy])
        raise InputError(
            "E-OPTION-CONFLICT",
            "a policy says all that itself",
            "write {command} and nothing else",
            command=command,
        )
    _say(application.open_policy_book(policy, notify=say_aside), json=json)


def _say(report: application.OpeningReport | application.DraftReport, *, json: bool) -> None:
    write_report(report, json=json, done=report.done())
