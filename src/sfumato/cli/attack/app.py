"""The attacks, together."""

from __future__ import annotations

import typer

__all__ = ["attack"]

attack = typer.Typer(
    name="attack",
    short_help="What could others find in what is published?",
    help="""Attack what is published, as anybody could, and see what it gives away.

    What comes out is exact, not private: it is for the owner of the data.""",
    epilog="Example: sfumato attack intersect a.csv b.csv --on age,sex,zip --sensitive diagnosis",
    no_args_is_help=True,
    rich_markup_mode=None,
)
