"""The verb ``attack scoreboard``: whom a few facts fit in a sparse table."""

from __future__ import annotations

from typing import Annotated

from sfumato import application
from sfumato.cli.arguments import File, Html, Json, read_number, read_whole, setting
from sfumato.cli.failures import explained
from sfumato.cli.output import check_page, working, write_fitted, write_page
from sfumato.cli.surface import options_named
from sfumato.translation import mark

Known = Annotated[str, setting("FILE", "The known facts: a file with the same columns.")]
Person = Annotated[str, setting("NAME", "The column that says whose record it is.")]
Item = Annotated[str, setting("NAME", "The column that says about what it is.")]
Rating = Annotated[str, setting("NAME", "The column of ratings.", default=False)]
Day = Annotated[
    str, setting("NAME", "The column of days: YYYY-MM-DD, or numbers of days.", default=False)
]
Who = Annotated[
    str,
    setting("NAME", "A column of the known facts that tells several people apart.", default=False),
]
RatingScale = Annotated[str, setting("NUMBER", "The difference of ratings that is still alike.")]
DayScale = Annotated[str, setting("NUMBER", "The difference of days that is still alike.")]
Threshold = Annotated[str, setting("NUMBER", "How far the best must stand out to be declared.")]
Agreement = Annotated[str, setting("NUMBER", "How well it must fit the facts, from 0 to 1.")]
Candidates = Annotated[str, setting("NUMBER", "How many of the best matches to list.")]


@explained()
@options_named("rating_scale", "day_scale", "threshold", "agreement", "candidates", "who")
def scoreboard(
    file: File,
    *,
    known: Known,
    person: Person,
    item: Item,
    rating: Rating = "",
    day: Day = "",
    who: Who = "",
    rating_scale: RatingScale = "1.5",
    day_scale: DayScale = "30",
    threshold: Threshold = "1.5",
    agreement: Agreement = "0.5",
    candidates: Candidates = "5",
    html: Html = "",
    json: Json = False,
) -> None:
    """Find whose records in a sparse table a few facts fit, some of which may be wrong.

    FILE has one row for each item that a person rated, bought or visited. The person whom the known
    facts fit best is declared if they fit well and stand out from everybody else; otherwise nobody
    is. The figures are exact, not private: they are for the data owner.
    """
    check_page(html, spared=[file, known])
    with working(file, mark("comparing")):
        report = application.risk.scoreboard(
            file,
            known,
            person=person,
            item=item,
            rating=rating or None,
            day=day or None,
            who=who or None,
            rating_scale=read_number(rating_scale, "--rating-scale", mark("a number above 0"), {}),
            day_scale=read_number(day_scale, "--day-scale", mark("a number above 0"), {}),
            threshold=read_number(threshold, "--threshold", mark("a number of 0 or more"), {}),
            agreement=read_number(agreement, "--agreement", mark("a number from 0 to 1"), {}),
            candidates=read_whole(candidates, "--candidates"),
        )
    write_fitted(report, json=json)
    write_page(html, report.to_html)
