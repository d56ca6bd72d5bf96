"""What all charts share: colours that are told apart in grey and by everybody, titles, sizes."""

from __future__ import annotations

import math
import re
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from sfumato.errors import MissingExtraError
from sfumato.numeric import any_float
from sfumato.printing import FONT, INK, places, printable
from sfumato.printing import wrapped as wrapped_in_places
from sfumato.translation import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sfumato.printing import Chart


#: A sign that is not seen, and after which the one before it means nothing more than itself.
_JOINER = "\u2060"
#: What ends a script in a page or begins a comment in it, and what titles are pasted with into
#: expressions: a backslash there would change, or take away, what follows it.
_MEANS_MORE = re.compile(rf"(<(?=/script|!--)|\\)(?!{_JOINER})", re.IGNORECASE)
#: What every object of JavaScript has; one that is looked up as a label is found where there is
#: none.
_PROPERTIES = frozenset(
    {
        "__defineGetter__",
        "__defineSetter__",
        "__lookupGetter__",
        "__lookupSetter__",
        "__proto__",
        "constructor",
        "hasOwnProperty",
        "isPrototypeOf",
        "propertyIsEnumerable",
        "toLocaleString",
        "toString",
        "valueOf",
    }
)


def inert(part: Any) -> Any:
    """Return a chart, or a part of one, whose texts are only texts wherever they are put.

    Altair writes a chart into a script as it is, in notebooks and in pages of its own, where a
    label such as ``</script>`` would end it.  Vega-Lite pastes titles into expressions, where a
    backslash would mean something, and looks labels up among what every object has.  All texts are
    changed alike, so that labels still meet their colours.
    """
    if isinstance(part, str):
        return _inert_text(part)
    if isinstance(part, dict):
        return {inert(name): inert(value) for name, value in part.items()}
    if isinstance(part, (list, tuple)):
        return type(part)(inert(each) for each in part)
    held = getattr(part, "_kwds", None)
    if isinstance(held, dict):
        held.update(inert(held))
    return part


def _inert_text(text: str) -> str:
    shown = text if text.isprintable() else "".join(map(_shown, text))
    broken = _MEANS_MORE.sub(rf"\1{_JOINER}", shown)
    return f"{broken}{_JOINER}" if broken in _PROPERTIES else broken


def _shown(sign: str) -> str:
    return sign if sign.isprintable() or sign == _JOINER else repr(sign)[1:-1]


#: Colours after Okabe and Ito for several lines or kinds: neighbours differ in grey as well, and to
#: the colour-blind; hence the order, and the violet in place of a yellow.
PALETTE = ["#0072b2", "#e69f00", "#000000", "#d55e00", "#56b4e9", "#009e73", "#5e3c99", "#cc79a7"]
#: Beside each colour, so that nothing hangs on colour alone.
DASHES = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [12, 4], [4, 1], [1, 3], [10, 2, 2, 2, 2, 2]]
SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "stroke", "arrow"]
#: How wide a chart is between its axes, and the size of one whose axes are both shares.
WIDTH, SQUARE = 480, {"width": 360, "height": 360}
#: The name of an upright axis above its labels, where it may be longer than the axis.
ABOVE: dict[str, Any] = {
    "titleAngle": 0,
    "titleAlign": "left",
    "titleBaseline": "bottom",
    "titleX": 0,
    "titleY": -5,
}
#: The colour of what is said in smaller letters.
SMALL = "#444444"

_TITLE_LENGTH, _SUBTITLE_LENGTH, _LABEL_LENGTH = 68, 88, 180
_NOTHING = 1e-12
#: How high a line of small print is, and how many characters it holds.
_LINE, _LENGTH = 14, 100
#: Spaces that hold "ε = 1" and "50 %" together.
_UNBROKEN = re.compile(r" (?=[=≤≥%])|(?<=[=≤≥]) ")


def altair() -> Any:
    """Return the library that draws, or refuse with the name of the part that has it.

    Fields and values are given to it as what they are, such as ``Text("n:N")`` or ``XValue(0)``: it
    takes milliseconds to find that out for itself, each time.
    """
    try:
        import altair as alt
    except ImportError as error:
        purpose = tr("drawing a chart")
        raise MissingExtraError(purpose, extra="plots") from error
    return alt


def rows(values: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return rows for a chart; texts in them are shown as they are printed."""
    # Altair copies lists again and again, and checks its own kind of data row by row.
    return {"values": tuple(_plain(each) for each in values)}


def finished(chart: Any, title: str, *beneath: str, width: int = WIDTH, height: int = 280) -> Chart:
    """Return a chart with its message above it, in the house's style.

    Parameters
    ----------
    chart
        What is drawn: one view, or layers of it.
    title
        The message, as one sentence.
    beneath
        Smaller lines below it: the unit, the relation, what the bars cover.
    width, height
        The size between the axes.
    """
    return headed(chart, title, *beneath, width=width, height=height)


def headed(chart: Any, title: str, *beneath: str, **size: int) -> Chart:
    """Return a chart that has its sizes, such as several panels, with its message above it."""
    styled: Chart = inert(
        chart.properties(title=_title(title, beneath), config=altair().Config(**_CONFIG), **size)
    )
    return styled


def axis_room(labels: Sequence[str]) -> int:
    """Return how many pixels of labels an axis shows before it cuts them."""
    return min(_LABEL_LENGTH, 20 + 7 * max(map(len, labels), default=0))


def of_shares(channel: Any, field: str, title: str) -> Any:
    """Return a channel, such as ``X``, of shares from 0 to 1 that are written in per cent."""
    alt = altair()
    axis = alt.Axis(tickCount=5, labelExpr="round(100 * datum.value) + ' %'")
    return channel(f"{field}:Q", title=title, scale=alt.Scale(domain=[0, 1]), axis=axis)


def words(base: Any, field: str = "label", *, color: str = INK, **look: Any) -> Any:
    """Return the texts of a field where the points of a chart are."""
    return base.mark_text(color=color, **look).encode(text=altair().Text(f"{field}:N"))


def wrapped(text: str, length: int = _SUBTITLE_LENGTH) -> list[str]:
    """Return lines, about equally long, none of which ends inside of "ε = 1" or "50 %".

    The length is in letters; a Chinese character takes the place of two.
    """
    joined = _UNBROKEN.sub("\0", printable(text))
    lines = _broken(joined, length)
    least = -(-places(joined) // max(len(lines), 1))
    evenly = (_broken(joined, each) for each in range(max(least, 1), length))
    kept = next((each for each in evenly if len(each) == len(lines)), lines)
    return [line.replace("\0", " ") for line in kept]


def _broken(text: str, length: int) -> list[str]:
    """Return lines; a text with Chinese in it may be broken between its characters."""
    if places(text) == len(text):
        return wrap(text, length)
    return wrapped_in_places(text, length, later="")


def _title(title: str, beneath: Sequence[str]) -> Any:
    lines = wrapped(title, _TITLE_LENGTH)
    smaller = [line for each in beneath for line in wrapped(each)]
    return altair().TitleParams(lines, subtitle=smaller)


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: printable(value) if isinstance(value, str) else value for key, value in row.items()
    }


_SMALL_TEXT = {"labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": "normal"}
_CONFIG: dict[str, Any] = {
    "font": FONT,
    "background": "white",
    "padding": 12,
    "title": {
        "anchor": "start",
        "frame": "group",
        "fontSize": 14,
        "subtitleFontSize": 11,
        "subtitleColor": SMALL,
        "offset": 12,
    },
    "axis": {
        **_SMALL_TEXT,
        "titleLimit": WIDTH,
        "gridColor": "#eeeeee",
        "domainColor": "#888888",
        "tickColor": "#888888",
    },
    "legend": {
        **_SMALL_TEXT,
        "labelLimit": _LABEL_LENGTH,
        "symbolStrokeWidth": 2,
        "symbolSize": 90,
    },
    "view": {"stroke": None},
    "range": {"category": PALETTE},
}


def small_print(sentences: Sequence[str]) -> Any:
    """Return a panel of sentences, each on lines of its own."""
    alt = altair()
    lines = [line for each in sentences for line in wrapped(each, _LENGTH)]
    points = [{"line": place, "note": line} for place, line in enumerate(lines)]
    base = alt.Chart(rows(points)).encode(x=alt.XValue(0), y=alt.Y("line:O", axis=None))
    drawn = words(base, "note", align="left", color=SMALL, fontSize=11)
    return drawn.properties(width=WIDTH, height=_LINE * len(lines))


def in_figures(value: float) -> str:
    """Return an amount of information in a few digits; what rounding left of nothing is 0."""
    return f"{value:.4g}" if value > _NOTHING else "0"


def in_bits(value: float) -> str:
    """Return an amount of information in bits."""
    said = in_figures(value)
    return tr_n("{bits} bit", "{bits} bits", 1 if said == "1" else 2, bits=said)


def finite(value: Any) -> float | None:
    """Return a number that has a place on an axis, and None for all else."""
    is_number = isinstance(value, (int, float)) and math.isfinite(any_float(value))
    return value if is_number else None


def numbered(labels: Sequence[str]) -> list[str]:
    """Return labels by which things are told apart; equal ones get their number."""
    return [
        f"{label} ({labels[:place].count(label) + 1})" if labels.count(label) > 1 else label
        for place, label in enumerate(labels)
    ]
