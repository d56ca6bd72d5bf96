"""The options that the attacks share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.fitting import write_fitted
from sfumato.cli.output import write_json

if TYPE_CHECKING:
    from typing import Any, Protocol

    class _Report(Protocol):
        def lines(self) -> list[str]: ...

        def as_dict(self) -> dict[str, Any]: ...


__all__ = ["On", "Sensitive", "write_report"]

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


def write_report(report: _Report, *, json: bool) -> None:
    """Write a report for a person or for a program."""
    if json:
        write_json(report.as_dict())
    else:
        write_fitted(*report.lines())
