"""The demonstrations, together."""

from __future__ import annotations

import typer

from sfumato.cli.demo.hospital import hospital
from sfumato.cli.demo.tour import tour
from sfumato.cli.examples import examples

demo = typer.Typer(
    name="demo",
    short_help="See it done, in three minutes.",
    epilog=examples("sfumato demo", "sfumato demo hospital"),
    invoke_without_command=True,
    rich_markup_mode=None,
)
demo.callback()(tour)
demo.command(
    short_help="The textbook's two hospitals, in a minute.",
    epilog=examples("sfumato demo hospital --folder hospital"),
)(hospital)
