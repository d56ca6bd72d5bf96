"""A chart as a file: a page that needs no network, or a picture made without a browser."""

from __future__ import annotations

import json
import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data import check_folder, check_reachable, put_in_place
from sfumato.errors import InputError, MissingExtraError
from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.printing import Chart


class _InScript(json.JSONEncoder):
    """Write what means something to a page, such as the end of a script, as its number."""

    def encode(self, o: Any) -> str:
        return super().encode(o).translate(_NUMBERED)


_NUMBERED = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&"}
#: What each ending takes to be written.
_KINDS: dict[str, dict[str, Any]] = {
    ".html": {
        "format": "html",
        "inline": True,
        "json_kwds": {"cls": _InScript},
        "embed_options": {"actions": {"export": True, "source": False, "editor": False}},
    },
    ".png": {"format": "png", "scale_factor": 2},
    ".svg": {"format": "svg"},
}
_PARTS = ("altair", "vl_convert")


def is_picture(path: str | Path) -> bool:
    """Tell whether a name is one of a file that a chart is written into."""
    return Path(path).suffix.lower() in _KINDS


def check_picture(path: str | Path) -> None:
    """Refuse a file that a chart cannot be written into, before any work is done for it.

    Examples
    --------
    >>> from sfumato.charts import check_picture
    >>> check_picture("budget.pdf")
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: 'budget.pdf' is not the name of a picture; let it end in .html, \
.png or .svg
    """
    file = Path(path)
    if not is_picture(file):
        raise InputError(
            "E-OUTPUT-NAME",
            "{path!r} is not the name of a picture",
            "let it end in .html, .png or .svg",
            path=str(path),
        )
    check_reachable(file)
    if file.exists() and not file.is_file():
        raise InputError(
            "E-OUTPUT-UNWRITABLE",
            "{path!r} cannot be written",
            "name a file in a folder that exists",
            path=str(path),
        )
    if not is_picture(os.path.realpath(file)):
        raise InputError(
            "E-OUTPUT-NAME",
            "{path!r} is a link to what is not a picture",
            "name another file",
            path=str(path),
        )
    check_folder(file)
    check_parts()


def check_parts() -> None:
    """Refuse to draw where what draws is not installed."""
    if any(find_spec(part) is None for part in _PARTS):
        purpose = tr("drawing a chart")
        raise MissingExtraError(purpose, extra="plots")


def save(chart: Chart, path: str | Path) -> None:
    """Write a chart into a file, whole or not at all.

    A page holds all that it shows, and asks nothing of any network; pictures are made without a
    browser.  Where the path is a link to a picture, the file that it leads to is written.

    Parameters
    ----------
    chart
        What ``plot()`` returned.
    path
        A file ending in ``.html``, ``.png`` or ``.svg``.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import sfumato as sf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sf.charts.save(sf.PureDP(epsilon=1).plot(), f"{folder}/profile.png")
    ...     Path(f"{folder}/profile.png").read_bytes()[1:4]
    b'PNG'
    """
    check_picture(path)
    with put_in_place(os.path.realpath(path)) as draft:
        chart.save(str(draft), **_KINDS[Path(path).suffix.lower()])


def to_svg(chart: Chart) -> str:
    """Return a chart as a drawing to put into a page.

    Examples
    --------
    >>> import sfumato as sf
    >>> sf.charts.to_svg(sf.PureDP(epsilon=1).plot())[:4]
    '<svg'
    """
    check_parts()
    import vl_convert

    drawing: str = vl_convert.vegalite_to_svg(chart.to_dict())
    return drawing
