"""The options that the attacks share."""

from __future__ import annotations

from typing import Annotated

import typer

On = Annotated[
    list[str],
    typer.Option(
        metavar="NAMES",
        help="Quasi-identifiers: what others may know, separated by commas: age,sex",
        show_default=False,
    ),
]
Sensitive = Annotated[
    str,
    typer.Option(
        metavar="NAME", help="The sensitive attribute: a column that nobody should learn."
    ),
]
