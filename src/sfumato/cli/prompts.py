"""Questions to a person at a terminal."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from sfumato import application
from sfumato.cli.output import say_aside
from sfumato.cli.surface import in_words_of_the_shell
from sfumato.errors import InputError
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable


def can_ask() -> bool:
    """Tell whether somebody can be asked; questions go to stderr, so stdout may be a pipe."""
    return all(each is not None and each.isatty() for each in (sys.stdin, sys.stderr))


def ask_about(file: str, told: application.Told) -> application.Told:
    """Return what was said about a table, with what a person answers to the rest."""

    def check(unit: str) -> None:
        application.check_unit(file, unit, told.table)

    say_aside(
        tr(
            "the columns are {file}; Enter leaves a blank",
            file=", ".join(application.columns_of(file, told.table)),
        )
    )
    unit = told.unit or _answer(tr("the privacy unit: the ID column, or row"), check)
    known = told.epsilon or told.rho
    epsilon = (
        told.epsilon
        if known
        else _answer(tr("the privacy budget, as ε, such as 3"), application.check_amount)
    )
    ledger = told.ledger or _answer(tr("the ledger of the budget, such as ledger.db"))
    return replace(told, unit=unit, epsilon=epsilon, ledger=ledger)


def _answer(question: str, check: Callable[[str], None] = lambda _: None) -> str:
    """Ask until the answer passes a check, or is empty."""

    def checked(text: str) -> str:
        try:
            check(text.strip())
        except InputError as error:
            in_words_of_the_shell(error)
            raise typer.BadParameter(str(error)) from None
        return text.strip()

    return str(typer.prompt(question, default="", show_default=False, err=True, value_proc=checked))
