"""Two tables side by side: in how many rows they differ."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from sfumato.charts.parts.style import altair, finished, rows
from sfumato.errors import InputError
from sfumato.information import is_frame
from sfumato.printing import FAINT, INK, MAIN, counted, cut
from sfumato.refusal import Argument
from sfumato.translation import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.printing import Chart

    Pair = tuple[str | None, str | None]


#: How many rows are drawn, how long one may be, and how high it is.
_MOST, _LONGEST, _HIGH = 20, 34, 22


def neighbours(first: Any, second: Any) -> Chart:
    """Draw two example tables side by side, with the rows in which they differ.

    Tables of one length are k-neighbours when k of their rows differ (a person is substituted);
    of others the rows are counted that one has and the other has not.

    Parameters
    ----------
    first, second
        The tables: lists of rows, or data frames.

    Examples
    --------
    >>> import sfumato as sf
    >>> chart = sf.charts.neighbours(["yes", "no", "no"], ["yes", "yes", "no"])
    >>> chart.to_dict()["title"]["text"]
    ['1 of 3 rows is another: the tables are 1-neighbours by substitution']
    """
    alt = altair()
    left, right = _rows(first, "first"), _rows(second, "second")
    if not left and not right:
        raise InputError("E-ARGUMENT-EMPTY", "both tables are empty", "give one a row")
    pairs = [*_pairs(left, right)]
    apart = sum(one != other for one, other in pairs)
    kept = sorted(range(len(pairs)), key=lambda place: pairs[place][0] == pairs[place][1])[:_MOST]
    names, kinds = ("x", "x′"), (tr("differs"), tr("in both"))
    cells = [
        {
            "table": name,
            "row": place + 1,
            "text": cut(cell, _LONGEST),
            "kind": kinds[pairs[place][0] == pairs[place][1]],
        }
        for place in sorted(kept)
        for name, cell in zip(names, pairs[place], strict=True)
        if cell is not None
    ]
    base = alt.Chart(rows(cells)).encode(
        x=alt.X(
            "table:N",
            sort=[*names],
            title=None,
            axis=alt.Axis(orient="top", labelAngle=0, domain=False, ticks=False),
        ),
        y=alt.Y("row:O", title=tr("row"), axis=alt.Axis(domain=False, ticks=False)),
    )
    colour = alt.Color(
        "kind:N",
        scale=alt.Scale(domain=[*kinds], range=[MAIN, FAINT]),
        legend=alt.Legend(title=None, orient="bottom"),
    )
    written = alt.Color(
        "kind:N", scale=alt.Scale(domain=[*kinds], range=["#ffffff", INK]), legend=None
    )
    drawn = alt.layer(
        base.mark_rect(stroke="white", strokeWidth=2).encode(color=colour),
        base.mark_text().encode(text=alt.Text("text:N"), color=written),
    ).resolve_scale(color="independent")
    hidden = len(pairs) - len(kept)
    others = [tr("{others} not shown", others=counted(hidden, "other"))] if hidden else []
    same = len(left) == len(right)
    return finished(
        drawn,
        _message(apart, len(pairs), same=same),
        tr("an example, not a release"),
        *others,
        height=_HIGH * len(kept),
    )


def _message(apart: int, count: int, *, same: bool) -> str:
    rows = counted(count, "row")
    if not same:
        return tr_n(
            "{apart} row is in one table and not in the other: neighbours by adding or removing",
            "{apart} rows are in one table and not in the other: a group of {apart}, added or "
            "removed",
            apart,
            apart=apart,
        )
    return tr_n(
        "{apart} of {rows} is another: the tables are {apart}-neighbours by substitution",
        "{apart} of {rows} are others: the tables are {apart}-neighbours by substitution",
        apart,
        apart=apart,
        rows=rows,
    )


def _pairs(left: list[str], right: list[str]) -> Iterator[Pair]:
    """Yield rows beside each other: by their places in tables of one length, else by what fits."""
    if len(left) == len(right):
        yield from zip(left, right, strict=True)
        return
    for kind, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from zip(left[a:b], right[c:d], strict=True)
        else:
            yield from ((each, None) for each in left[a:b])
            yield from ((None, each) for each in right[c:d])


def _rows(table: Any, name: str) -> list[str]:
    if is_frame(table):
        columns = getattr(table, "column_names", None) or list(table.columns)
        held = zip(*(list(table[each]) for each in columns), strict=True)
        return [", ".join(map(str, row)) for row in held]
    if isinstance(table, (str, bytes, dict)) or not hasattr(table, "__iter__"):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{name} must be a table: a list of rows, or a data frame",
            name=Argument(name),
        )
    return [
        ", ".join(map(str, row)) if isinstance(row, (list, tuple)) else str(row) for row in table
    ]
