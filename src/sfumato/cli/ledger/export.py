"""The verb ``ledger export``: every entry, for other programs."""

from __future__ import annotations

from typing import Annotated

import typer

from sfumato import application
from sfumato.cli.arguments import flag, option, setting
from sfumato.cli.failures import delivered, explained
from sfumato.cli.ledger.arguments import AnyBook, Place  # noqa: TC001
from sfumato.cli.output import check_place, say_written, written_to
from sfumato.cli.surface import options_named
from sfumato.errors import InputError

Output = Annotated[str, option("FILE", "Where to; without it, or with -, standard output.")]
Replace = Annotated[bool, flag("--replace", "With --output: write over an earlier export.")]
Format = Annotated[
    str, setting("NAME", "json: one entry a line. csv: one charge a line.", "--format")
]


@explained()
@options_named("replace")
def export(
    dataset: AnyBook = "",
    *,
    output: Output = "",
    replace: Replace = False,
    form: Format = "json",
    ledger: Place = "",
) -> None:
    """Write out every entry with its hash and signature, or a table of the charges."""
    file = "" if output == "-" else output
    if replace and not file:
        raise InputError(
            "E-OPTION-CONFLICT", "--replace goes with --output", "name the earlier export"
        )
    if file:
        check_place(file)
        with written_to(file):
            application.export_to_file(
                file, dataset or None, place=ledger or None, form=form, replace=replace
            )
        say_written(file)
        return
    with delivered():
        for line in application.export_ledger(dataset or None, place=ledger or None, form=form):
            typer.echo(line, nl=False)
