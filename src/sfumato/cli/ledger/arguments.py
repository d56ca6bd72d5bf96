"""The options that the ledger's verbs share."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.arguments import option
from sfumato.cli.surface import in_words_of_the_shell
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator


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


Book = Annotated[str, typer.Argument(metavar="DATASET", help="The name of the dataset.")]
AnyBook = Annotated[
    str, typer.Argument(metavar="DATASET", help="One dataset; without it all.", show_default=False)
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
