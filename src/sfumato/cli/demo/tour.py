"""The verb ``demo`` by itself: a tour of three minutes, stop by stop."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer  # noqa: TC002, since the command line is read by it

from sfumato import application
from sfumato.cli.arguments import Json, setting
from sfumato.cli.demo.stage import (
    NoPause,
    can_pause,
    goes_on,
    page_width,
    telling_of_its_end,
    write_headline,
    write_scene,
)
from sfumato.cli.failures import explained
from sfumato.cli.output import working, write_json, write_lines, write_page
from sfumato.cli.surface import options_named
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.application.demo.tour import Visited


Report = Annotated[str, setting("FILE", "Where the report goes: a page, .html", "--html")]
Folder = Annotated[
    str,
    setting(
        "FOLDER",
        "Also copy the files into a folder, new or not, to try the commands on.",
        default=False,
    ),
]


@explained()
@options_named("html")
def tour(
    context: typer.Context,
    *,
    html: Report = "sfumato-demo.html",
    folder: Folder = "",
    no_pause: NoPause = False,
    json: Json = False,
) -> None:
    """See what sfumato does, in three minutes, on a table of people who do not exist.

    How exposed they are; an attack that works; private answers beside the truth; a budget that
    runs out; a certificate that is checked, and a forged one that is not believed; a function that
    is caught lying. Every figure is computed as you read, by the commands that are shown, and a
    report with pictures is left. Nothing of yours is read.
    """
    if context.invoked_subcommand is not None:
        return
    with telling_of_its_end():
        visited, page = _walked(html, folder, json=json, pauses=can_pause() and not no_pause)
    write_page(html, lambda: page, told=True)
    if json:
        walk = application.demo.tour.walk_of(visited)
        write_json({**walk.as_dict(), "report": html})
    else:
        write_headline([])
        write_lines(*_end(len(visited), html, folder))


def _walked(html: str, folder: str, *, json: bool, pauses: bool) -> tuple[list[Visited], str]:
    """Check what can be known beforehand, visit the stops, and return them with their page."""
    with working(tr("the tour"), mark("preparing")):
        tour = application.demo.tour
    tour.check_engine()
    tour.check_report(html)
    if folder:
        tour.copy_files(folder)
    with tour.prepared() as place:
        visited = _compute(place) if json else _show(place, pauses=pauses)
        with working(html, mark("drawing the report")):
            return visited, tour.tour_page(visited)


def _compute(place: Path) -> list[Visited]:
    visited = []
    for stop in application.demo.tour.STOPS:
        with working("", stop.doing):
            visited.append(stop.visit(place))
    return visited


def _show(place: Path, *, pauses: bool) -> list[Visited]:
    """Show each stop as soon as it is computed, and wait for a reader who wants it."""
    stops, width = application.demo.tour.STOPS, page_width()
    write_lines(tr(application.demo.tour.TITLE))
    visited: list[Visited] = []
    for number, stop in enumerate(stops, start=1):
        if pauses and number > 1 and not goes_on(number, len(stops)):
            break
        write_headline(stop.headline(number, width))
        with working("", stop.doing):
            visited.append(stop.visit(place))
        write_scene(visited[-1].step.body(width))
    return visited


def _end(visited: int, html: str, folder: str) -> list[str]:
    """Return where everything is, and what to do next."""
    stops = len(application.demo.tour.STOPS)
    repeat = f"cd {quote(folder)}" if folder else "sfumato demo --folder tour"
    ended = tr("Ended after {visited} of {stops} stops.", visited=visited, stops=stops)
    return [
        *([ended] if visited < stops else []),
        tr("The report, with pictures: {html}", html=html),
        tr("The files, to repeat the commands on: {repeat}", repeat=repeat),
        tr("How exposed your own table is: sfumato risk YOURS.csv --quasi age,sex,zip"),
        tr("To ask it: sfumato init YOURS.csv --unit ID --epsilon 1 --ledger ledger.db"),
        *application.without_pictures(),
    ]
