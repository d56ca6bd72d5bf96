"""A picture of the best private channel, beside the geometric mechanism."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.charts.parts.style import altair, headed, rows
from sfumato.numeric import shown
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from sfumato.information import Channel, PrivateChannel
    from sfumato.printing import Chart


_SIDE, _MOST_LABELS = 250, 40
_BEST, _GEOMETRIC = mark("the best channel"), mark("the geometric mechanism")


def channel(found: PrivateChannel) -> Chart:
    """Draw how likely each output is for each input, beside the geometric mechanism if there is.

    Parameters
    ----------
    found
        What ``sf.information.private_channel`` returned.

    Examples
    --------
    >>> import sfumato as sf
    >>> found = sf.information.private_channel(range(5), epsilon=1)
    >>> sf.charts.channel(found).to_dict()["title"]["text"]
    ['least expected loss: 0.583506']
    """
    beside = found.geometric
    shown_here = {tr(_BEST): found.channel}
    if beside is not None:
        shown_here[tr(_GEOMETRIC)] = beside
    alt = altair()
    most = max(float(each.matrix.max()) for each in shown_here.values())
    panels = [_panel(name, each, most) for name, each in shown_here.items()]
    drawn = alt.hconcat(*panels, spacing=24)
    title, *beneath = found.lines()
    return headed(drawn, title, *beneath)


def _panel(name: str, drawn: Channel, most: float) -> Any:
    alt = altair()
    inputs, outputs = ([_label(each) for each in axis] for axis in (drawn.inputs, drawn.outputs))
    points = [
        {"input": x, "output": y, "probability": chance}
        for x, row in zip(inputs, drawn.matrix.tolist(), strict=True)
        for y, chance in zip(outputs, row, strict=True)
    ]
    scale = alt.Scale(scheme="blues", domain=[0, most])
    axis = {"ticks": False, "domain": False, "labelLimit": 120, "labelOverlap": True}
    base = alt.Chart(rows(points), title=alt.TitleParams(name, fontSize=12))
    return (
        base.mark_rect()
        .encode(
            x=alt.X("output:N", sort=None, title=tr("output"), axis=alt.Axis(**axis, labelAngle=0)),
            y=alt.Y("input:N", sort=None, title=tr("input"), axis=alt.Axis(**axis)),
            color=alt.Color("probability:Q", title=tr("probability"), scale=scale),
            tooltip=["input:N", "output:N", alt.Tooltip("probability:Q", format=".4g")],
        )
        .properties(width=_SIDE, height=_SIDE)
    )


def _label(value: Any) -> str:
    text = value if isinstance(value, str) else shown(value)
    return text[:_MOST_LABELS]
