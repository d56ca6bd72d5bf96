"""The verb ``risk``: the re-identification risk of a table as it is."""

from __future__ import annotations

from typing import Annotated

from sfumato import application
from sfumato.cli.arguments import (
    File,
    Html,
    Json,
    Ordered,
    Plot,
    Quasi,
    Sensitive,
    read_names,
    read_whole,
    setting,
)
from sfumato.cli.failures import explained
from sfumato.cli.output import check_files, working, write_page, write_picture, write_report
from sfumato.cli.surface import options_named

Population = Annotated[
    str,
    setting("NUMBER", "The size of the population that the table is a sample of.", default=False),
]
Public = Annotated[
    str, setting("FILE", "A table of that population, with the same columns.", default=False)
]
AtLeast = Annotated[
    str,
    setting(
        "NUMBER", "Rows in smaller equivalence classes are at risk.  [default: 5]", default=False
    ),
]
Combinations = Annotated[str, setting("NUMBER", "Search combinations of so many columns at most.")]
Rows = Annotated[str, setting("NUMBER", "How many of the smallest equivalence classes to list.")]
Of = Annotated[
    str, setting("NAME", "What --plot draws: classes, columns or information (in bits).")
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
    plot: Plot = "",
    of: Of = "classes",
    json: Json = False,
) -> None:
    """Measure re-identification risk: who is unique, who is re-identified, what is learned.

    Rows that are alike on --quasi are an equivalence class: k is the size of the smallest, l how
    many values of a --sensitive column each has at least, t how far its values are from
    everybody's. The figures are exact, not private: they are for the data owner.
    """
    check_files(html=html, plot=plot, spared=[file, public])
    drawing = application.risk.read_drawing(of)
    with working(file), options_named(*_NAMES):
        report = application.risk.risk(
            file,
            quasi=read_names(quasi),
            sensitive=read_names(sensitive),
            ordered=read_names(ordered) or None,
            population=read_whole(population, "--population") if population else None,
            public=public or None,
            at_least=read_whole(at_least, "--at-least") if at_least else None,
            combinations=read_whole(combinations, "--combinations"),
            rows=read_whole(rows, "--rows"),
        )
    write_report(report, json=json)
    write_page(html, report.to_html)
    write_picture(plot, lambda: report.plot(drawing))


_NAMES = ("quasi", "sensitive", "ordered", "population", "at_least", "combinations", "rows")
