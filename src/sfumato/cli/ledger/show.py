"""The verb ``ledger show``: what is left, and what was charged last."""

from __future__ import annotations

import shutil
from typing import Annotated

import typer

from sfumato.cli.arguments import Json, read_whole
from sfumato.cli.failures import explained
from sfumato.cli.ledger.arguments import (  # noqa: TC001, since the command line is read by it
    AnyBook,
    Place,
)
from sfumato.cli.output import write_json, write_lines
from sfumato.errors import InputError

__all__ = ["show"]

Analyst = Annotated[
    str,
    typer.Option(
        metavar="NAME", help="The budgets and charges of one analyst.", show_default=False
    ),
]
Last = Annotated[str, typer.Option(metavar="NUMBER", help="How many entries to show.")]

#: The width of a table where there is no terminal.
_PAGE = (120, 24)


@explained()
def show(
    dataset: AnyBook = "",
    *,
    analyst: Analyst = "",
    last: Last = "10",
    ledger: Place = "",
    json: Json = False,
) -> None:
    """Show all books, or one: its budgets, what is left of them, and its last entries."""
    if dataset:
        _show_one(dataset, analyst, last, ledger, json=json)
        return
    from sfumato.application.ledger.listing import list_books

    if analyst:
        message = "--analyst is shown for one dataset; write sfumato ledger show DATASET --analyst"
        raise InputError(message)
    report = list_books(ledger or None)
    if json:
        write_json(report.as_dict())
    else:
        write_lines(*report.lines())


def _show_one(dataset: str, analyst: str, last: str, ledger: str, *, json: bool) -> None:
    from sfumato.application.ledger.showing import show_book

    number = read_whole(last, "--last")
    if number < 1:
        message = f"--last takes a whole number of 1 or more; {last[:60]!r} is not"
        raise InputError(message)
    report = show_book(dataset, place=ledger or None, analyst=analyst or None, last=number)
    if json:
        write_json(report.as_dict())
    else:
        write_lines(*report.lines(width=shutil.get_terminal_size(_PAGE).columns))
