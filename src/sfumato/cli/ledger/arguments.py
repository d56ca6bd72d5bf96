"""The options that the ledger's verbs share."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sfumato.cli.failures import explained
from sfumato.cli.surface import in_words_of_the_shell
from sfumato.errors import InputError
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "AnyBook",
    "Book",
    "Delta",
    "Place",
    "naming_the_option",
    "option",
    "terminal_width",
]

#: The size of a page where there is no terminal.
_PAGE = (120, 24)


def option(metavar: str, help: str) -> Any:  # noqa: A002, since it is what typer calls it
    """Return an option without a default; one that is given as nothing is refused."""
    return typer.Option(metavar=metavar, help=help, show_default=False, callback=_something)


def terminal_width() -> int:
    """Return how wide a line may be."""
    return shutil.get_terminal_size(_PAGE).columns


@contextmanager
def naming_the_option(ledger: str) -> Iterator[None]:
    """Say of a ledger that is not in the usual place how to name another, if none was named."""
    try:
        yield
    except InputError as error:
        if error.code == "E-LEDGER-MISSING":
            in_words_of_the_shell(error)
        if not ledger and error.code == "E-LEDGER-MISSING":
            error.refusal = error.refusal.adding(
                "if yours is elsewhere, write --ledger PLACE, such as --ledger ledger.db"
            )
        raise


def _something(context: typer.Context, parameter: typer.CallbackParam, value: Any) -> Any:
    """Refuse an option that is there but empty: most often a variable that was not set."""
    source = context.get_parameter_source(str(parameter.name))
    if source is not None and source.name == "COMMANDLINE" and not all(value or [""]):
        with explained():
            name = parameter.opts[0]
            raise InputError(
                "E-OPTION-VALUE",
                "{name} is empty",
                "write {name} {metavar}, or leave it out",
                name=Argument(name),
                metavar=parameter.metavar,
            )
    return value


Book = Annotated[str, typer.Argument(metavar="DATASET", help="The name of the dataset.")]
AnyBook = Annotated[
    str,
    typer.Argument(metavar="DATASET", help="One dataset; without it all.", show_default=False),
]
Place = Annotated[
    str,
    option(
        "PLACE",
        "A file, or postgresql://user@host/database. Without it the one that the variable "
        "SFUMATO_LEDGER names, or ledger.db in your own data folder.",
    ),
]
Delta = Annotated[str, option("NUMBER", "With --epsilon: the δ.")]
