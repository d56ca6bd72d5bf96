"""The verb ``attack reconstruct``: how much of a column many answers give away."""

from __future__ import annotations

from typing import Annotated

from sfumato import application
from sfumato.cli.arguments import File, Html, Json, Plot, read_names, read_whole, setting
from sfumato.cli.failures import explained
from sfumato.cli.output import check_files, progressing, write_fitted, write_page, write_picture
from sfumato.cli.surface import options_named

Column = Annotated[
    str, setting("NAME=VALUE", "The column, and the value that is looked for: smoker=yes")
]
Epsilon = Annotated[list[str], setting("NUMBERS", "The ε of all answers together, one or several.")]
Queries = Annotated[
    str,
    setting(
        "NUMBER", "How many random halves are counted; twice the people without it.", default=False
    ),
]
People = Annotated[str, setting("NUMBER", "Of a longer table so many people are taken.")]


@explained()
@options_named("epsilon", "queries", "people")
def reconstruct(
    file: File,
    *,
    column: Column,
    epsilon: Epsilon = ["1000,100,30,10,3,1"],  # noqa: B006
    queries: Queries = "",
    people: People = "200",
    html: Html = "",
    plot: Plot = "",
    json: Json = False,
) -> None:
    """Reconstruct a column from many counts about it, as anybody could who is given them.

    FILE has one row for each person. Random halves of the people are counted, exactly and with
    noise for which all answers together are ε-DP; the column is then reconstructed from the
    answers alone. The figures are exact, not private: they are for the data owner.
    """
    check_files(html=html, plot=plot, spared=[file])
    name, equals, value = column.rpartition("=")
    with progressing(file) as progress:
        report = application.attack_column(
            file,
            name if equals else value,
            value=value if equals else None,
            epsilons=read_names(epsilon),
            people=read_whole(people, "--people"),
            queries=read_whole(queries, "--queries") if queries else None,
            progress=progress,
        )
    write_fitted(report, json=json)
    write_page(html, report.to_html)
    write_picture(plot, report.plot)
