"""The options that the ledger's verbs share."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["AnyBook", "Book", "Delta", "Place"]

Book = Annotated[str, typer.Argument(metavar="DATASET", help="The name of the dataset.")]
AnyBook = Annotated[
    str,
    typer.Argument(metavar="DATASET", help="One dataset; without it all.", show_default=False),
]
Place = Annotated[
    str,
    typer.Option(
        metavar="PLACE",
        help="A file, or postgresql://user@host/database. Without it the one that the variable "
        "SFUMATO_LEDGER names, or ledger.db in your own data folder.",
        show_default=False,
    ),
]
Delta = Annotated[
    str, typer.Option(metavar="NUMBER", help="With --epsilon: the δ.", show_default=False)
]
