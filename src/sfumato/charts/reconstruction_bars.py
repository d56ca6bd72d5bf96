"""How much of a column an attack finds again, from exact answers and from noisy ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from sfumato.charts.parts.style import (
    WIDTH,
    altair,
    axis_room,
    finished,
    in_percent,
    rows,
    told_apart,
)
from sfumato.printing import GREY, INK, MAIN, NOT_PRIVATE, counted, cut, setting, share
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.printing import Chart

    class _Trial(Protocol):
        """The attack at one ε, or on exact answers."""

        @property
        def epsilon(self) -> float | None: ...
        @property
        def right(self) -> int: ...
        @property
        def share_right(self) -> float: ...
        @property
        def allowed(self) -> float: ...

    class _ColumnAttack(Protocol):
        """What was found, and of how many."""

        @property
        def name(self) -> str: ...
        @property
        def rows(self) -> int: ...
        @property
        def people(self) -> int: ...
        @property
        def queries(self) -> int: ...
        @property
        def share_guessed(self) -> float: ...
        @property
        def exact(self) -> _Trial: ...
        @property
        def trials(self) -> Sequence[_Trial]: ...


_ROW, _MOST, _NAME = 30, 40, 60
_AXIS = mark("share of the values that is reconstructed")


def reconstruction(found: _ColumnAttack) -> Chart:
    """Draw how much of a column is reconstructed, beside what ε allows and what a guess finds.

    The figures are exact, and the picture says so.

    Parameters
    ----------
    found
        What ``sfumato attack reconstruct`` found.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.application.risk.reconstruction import attack_bits
    >>> chart = sf.charts.reconstruction(attack_bits([0, 1] * 50, epsilons=[]))
    >>> chart.to_dict()["title"]["text"]
    ['exact answers give away 100 of 100 values of the column']
    """
    tried = [found.exact, *sorted(found.trials, key=lambda each: -(each.epsilon or 0.0))]
    hidden = len(tried) - _MOST
    return finished(
        _bars(tried[:_MOST]) + _guess(found.share_guessed),
        _title(found, tried),
        tr(
            "{questions} about random halves of {people:,} of {rows}; ε is for all answers "
            "together",
            questions=counted(found.queries, "question"),
            people=found.people,
            rows=counted(found.rows, "row"),
        ),
        tr("bars: what this attack finds"),
        tr("ticks: what ε allows any attack on average, where values are independent"),
        *([tr("{others} not shown", others=counted(hidden, "other"))] if hidden > 0 else []),
        NOT_PRIVATE,
        height=_ROW * min(len(tried), _MOST),
    )


def _title(found: _ColumnAttack, tried: Sequence[_Trial]) -> str:
    name = cut(found.name, _NAME)
    if found.exact.share_right <= found.share_guessed:
        return tr("exact answers give away no more of {name} than a guess", name=name)
    title = tr(
        "exact answers give away {right:,} of {people:,} values of {name}",
        right=found.exact.right,
        people=found.people,
        name=name,
    )
    useless = _no_better_from(tried, found.share_guessed)
    if useless is None:
        return title
    return tr(
        "{title}; with {useless} this attack finds no more than a guess",
        title=title,
        useless=_guarantee(useless),
    )


def _no_better_from(tried: Sequence[_Trial], guessed: float) -> _Trial | None:
    """Return the largest ε from which on down the attack does no better than a guess."""
    found = None
    for each in reversed(tried):
        if each.share_right > guessed:
            break
        found = each
    return found


def _guarantee(trial: _Trial) -> str:
    return tr("exact") if trial.epsilon is None else f"ε = {setting(trial.epsilon)}"


def _bars(tried: Sequence[_Trial]) -> Any:
    alt = altair()
    labels = told_apart([_guarantee(each) for each in tried])
    drawn = [
        {
            "guarantee": label,
            "found": each.share_right,
            "allowed": each.allowed,
            "shown": tr(
                "{share_right} found, {allowed} allowed",
                share_right=share(each.share_right),
                allowed=share(each.allowed),
            ),
        }
        for label, each in zip(labels, tried, strict=True)
    ]
    axis = alt.Axis(labelLimit=axis_room(labels), ticks=False, domain=False)
    base = alt.Chart(rows(drawn)).encode(
        y=alt.Y("guarantee:N", sort=None, title=tr("answers"), axis=axis), tooltip=["shown:N"]
    )
    tick = base.mark_tick(color=INK, orient="vertical", thickness=3, size=20, opacity=1)
    said = base.mark_text(align="left", color=INK)
    return alt.layer(
        base.mark_bar(color=MAIN, height=16).encode(x=_share("found")),
        tick.encode(x=_share("allowed")),
        said.encode(x=alt.XValue(WIDTH + 10), text=alt.Text("shown:N")),
    )


def _guess(guessed: float) -> Any:
    """Return a line at what is right without any answer."""
    alt = altair()
    base = alt.Chart(
        rows(
            [
                {
                    "share": guessed,
                    "label": tr("a guess without any answer: {share}", share=share(guessed)),
                }
            ]
        )
    )
    line = base.mark_rule(color=GREY, strokeDash=[6, 3], strokeWidth=1.5)
    left = guessed > 1 / 2
    said = base.mark_text(color=INK, align="right" if left else "left", dx=-5 if left else 5, dy=-6)
    return line.encode(x=_share("share")) + said.encode(
        x=_share("share"), y=alt.YValue(0), text=alt.Text("label:N")
    )


def _share(field: str) -> Any:
    alt = altair()
    return alt.X(f"{field}:Q", title=tr(_AXIS), scale=alt.Scale(domain=[0, 1]), axis=in_percent())
