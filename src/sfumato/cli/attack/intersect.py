"""The verb ``attack intersect``: what several releases give away together."""

from __future__ import annotations

from typing import Annotated

import typer

from sfumato import application
from sfumato.cli.arguments import Json, On, SensitiveColumn, read_names
from sfumato.cli.failures import explained
from sfumato.cli.output import working, write_fitted
from sfumato.cli.surface import options_named
from sfumato.translation import mark

Releases = Annotated[
    list[str], typer.Argument(metavar="RELEASES", help="Two or more CSV or Parquet files.")
]


@explained()
def intersect(
    releases: Releases, *, on: On, sensitive: SensitiveColumn, json: Json = False
) -> None:
    """Intersect releases about the same people, and see whose value is pinned.

    Each release may be safe by itself. Cells may be generalised differently in each: 56 fits
    50-60, 190146 fits 1901**, and anything fits a star or an empty cell. The figures are exact,
    not private.
    """
    with working(" ".join(releases), mark("intersecting")), options_named("on", "sensitive"):
        report = application.risk.intersect(*releases, on=read_names(on), sensitive=sensitive)
    write_fitted(report, json=json)
