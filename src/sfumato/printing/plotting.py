"""How a result asks for its picture: the room that draws is above it, and is hung in from the top.

Imports go down the stairs only, and pictures are drawn at the top of the house, where every result
is known.  So a result names the drawing it wants, and the house says which room has it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from sfumato.errors import MissingExtraError
from sfumato.printing.page import as_text, image
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from altair.typing import ChartType

    #: What a picture is: an Altair chart, to look at, to save and to build on.
    Chart: TypeAlias = ChartType

__all__ = ["as_svg", "draw_in", "drawn", "pictured"]

_ROOM: list[str] = []


def draw_in(module: str) -> None:
    """Say which module draws; it is loaded when the first picture is asked for."""
    _ROOM[:] = [module]


def drawn(drawing: str, thing: object, *, to: str | Path | None, **options: Any) -> Chart:
    """Return a picture of a thing, and write it into a file where one is named.

    Parameters
    ----------
    drawing
        The function of the room that draws it.
    thing
        What is drawn.
    to
        A file ending in ``.html``, ``.png`` or ``.svg``.
    options
        What else the drawing takes.
    """
    room = import_module(_ROOM[0])
    if to is not None:
        room.check_picture(to)
    chart: Chart = getattr(room, drawing)(thing, **options)
    if to is not None:
        room.save(chart, to)
    return chart


def as_svg(chart: Chart) -> str:
    """Return a picture as a drawing to put into a page."""
    drawing: str = import_module(_ROOM[0]).to_svg(chart)
    return drawing


def pictured(plot: Callable[[], Chart]) -> str:
    """Return a picture for a page, or how to get it where nothing that draws is installed.

    Parameters
    ----------
    plot
        Returns the picture.
    """
    try:
        chart = plot()
        said = " ".join([*chart.title.text, *chart.title.subtitle])
        return f"<p>{image(as_svg(chart), said)}</p>"
    except MissingExtraError as error:
        return f"<p><em>{as_text(tr('The report lacks pictures: {error}', error=error))}</em></p>"
