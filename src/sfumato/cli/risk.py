"""The verb ``risk``: how exposed the people of a table are already."""

from __future__ import annotations

from typing import Annotated

import typer

from sfumato.cli.arguments import (
    File,
    Html,
    Json,
    Ordered,
    Quasi,
    Sensitive,
    read_names,
    read_whole,
)
from sfumato.cli.failures import explained
from sfumato.cli.option_names import options_named
from sfumato.cli.output import check_page, working, write_json, write_lines, write_page

__all__ = ["risk"]

Population = Annotated[
    str,
    typer.Option(
        metavar="NUMBER",
        help="How many people there are that the table is a sample of.",
        show_default=False,
    ),
]
Public = Annotated[
    str,
    typer.Option(
        metavar="FILE", help="A table of those people, with the same columns.", show_default=False
    ),
]
AtLeast = Annotated[
    str,
    typer.Option(
        metavar="NUMBER",
        help="Rows with fewer alike are at risk.  [default: 5]",
        show_default=False,
    ),
]
Combinations = Annotated[
    str, typer.Option(metavar="NUMBER", help="Search combinations of so many columns at most.")
]
Rows = Annotated[
    str, typer.Option(metavar="NUMBER", help="How many of the smallest classes to list.")
]


@explained()
def risk(
    file: File,
    *,
    quasi: Quasi,
    sensitive: Sensitive = [],  # noqa: B006
    ordered: Ordered = [],  # noqa: B006
    population: Population = "",
    public: Public = "",
    at_least: AtLeast = "",
    combinations: Combinations = "3",
    rows: Rows = "10",
    html: Html = "",
    json: Json = False,
) -> None:
    """Measure how exposed people are: who is unique, who is found, what is learned.

    Rows that look alike on --quasi are a class: k is the size of the smallest, l how many values
    of a --sensitive column each has at least, t how far its values are from everybody's. The
    figures are exact, not private: they are for the data owner.
    """
    from sfumato.application.risk.assessing import assess_file

    if html:
        check_page(html, spared=[file, public])
    with working(file), options_named(*_NAMES):
        report = assess_file(
            file,
            quasi=read_names(quasi),
            sensitive=read_names(sensitive),
            ordered=read_names(ordered),
            population=read_whole(population, "--population") if population else None,
            public=public or None,
            at_least=read_whole(at_least, "--at-least") if at_least else None,
            combinations=read_whole(combinations, "--combinations"),
            rows=read_whole(rows, "--rows"),
        )
    if html:
        write_page(html, report.to_html())
    if json:
        write_json(report.as_dict())
    else:
        write_lines(*report.lines())


_NAMES = ("quasi", "sensitive", "ordered", "population", "at_least", "combinations", "rows")
