"""The verb ``ledger export``: every entry, for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.failures import delivered, explained
from sfumato.cli.ledger.arguments import (  # noqa: TC001, since the command line is read by it
    AnyBook,
    Place,
)
from sfumato.cli.output import check_page
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["export"]

Output = Annotated[
    str,
    typer.Option(metavar="FILE", help="Where to; without it standard output.", show_default=False),
]
Format = Annotated[
    str,
    typer.Option(
        "--format", metavar="NAME", help="json: one entry a line. csv: one charge a line."
    ),
]


@explained()
def export(
    dataset: AnyBook = "", *, output: Output = "", form: Format = "json", ledger: Place = ""
) -> None:
    """Write out every entry with its hash and signature, or a table of the charges."""
    from sfumato.application.ledger.export import export_ledger

    if output:
        check_page(output)
    lines = export_ledger(dataset or None, place=ledger or None, form=form)
    if output:
        _save(output, lines)
        return
    with delivered():
        for line in lines:
            typer.echo(line, nl=False)


def _save(path: str, lines: Iterator[str]) -> None:
    try:
        with Path(path).open("w", encoding="utf-8", newline="") as file:
            file.writelines(lines)
    except OSError as error:
        message = f"{path!r} cannot be written ({error.strerror}); name another file"
        raise InputError(message) from None
