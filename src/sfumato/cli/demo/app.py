"""The demonstrations, together."""

from __future__ import annotations

import typer

from sfumato.cli.demo.hospital import hospital

__all__ = ["demo"]

demo = typer.Typer(
    name="demo",
    short_help="See it done, in a minute.",
    help="See what sfumato does, on tables that come with it. Nothing of yours is read.",
    epilog="Example: sfumato demo hospital",
    no_args_is_help=True,
    rich_markup_mode=None,
)
# With a single verb Typer would make the group that verb itself.
demo.callback()(lambda: None)
demo.command(
    short_help="Unique, made coarser, broken, and answered instead.",
    epilog="Example: sfumato demo hospital --tables .",
)(hospital)
