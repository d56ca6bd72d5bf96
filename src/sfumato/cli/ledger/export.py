"""The verb ``ledger export``: every entry, for other programs."""

from __future__ import annotations

from typing import Annotated

import typer

from sfumato.cli.failures import delivered, explained
from sfumato.cli.ledger.arguments import (  # noqa: TC001, since the command line is read by it
    AnyBook,
    Place,
)
from sfumato.cli.output import check_page, written_to

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
    from sfumato.application.ledger.export import export_ledger, export_to_file

    if output:
        check_page(output)
        with written_to(output):
            export_to_file(output, dataset or None, place=ledger or None, form=form)
        return
    with delivered():
        for line in export_ledger(dataset or None, place=ledger or None, form=form):
            typer.echo(line, nl=False)
