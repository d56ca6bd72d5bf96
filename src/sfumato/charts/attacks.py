"""Pictures of attacks: how much of a column is found again, and whom some facts fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from sfumato.charts.parts.bars import MOST, Bar, bars, exact_figures
from sfumato.charts.parts.style import WIDTH, altair, axis_room, numbered, of_shares, rows, words
from sfumato.printing import GREY, INK, MAIN, counted, cut, figure, setting, share
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.printing import Chart
    from sfumato.risk import ScoreboardReport

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


_ROW, _NAME = 30, 60
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
    return exact_figures(
        _bars(tried[:MOST]) + _guess(found.share_guessed),
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
        count=len(tried),
        row=_ROW,
    )


def scoreboard(report: ScoreboardReport) -> Chart:
    """Draw the best matches; of several people, by how much each stands out.

    The figures are exact, and the picture says so.

    Parameters
    ----------
    report
        What ``sfumato attack scoreboard`` found.

    Examples
    --------
    >>> import sfumato as sf
    >>> report = sf.risk.scoreboard("examples/ratings.csv", "examples/known-ratings.csv",
    ...                             person="user", item="film")
    >>> sf.charts.scoreboard(report).to_dict()["title"]["text"]
    ['found: user u37']
    """
    found = _person_bars(report) if report.several else _candidate_bars(report)
    axis = tr("stands out") if report.several else tr("score")
    answer, *rest = report.findings()
    return exact_figures(
        bars(found[:MOST], axis, (tr("declared"), tr("not declared"))),
        answer,
        *rest[: 1 if report.several else 2],
        tr("{people:,} people", people=report.people),
        count=len(found),
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
    labels = numbered([_guarantee(each) for each in tried])
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
    return alt.layer(
        base.mark_bar(color=MAIN, height=16).encode(x=_share("found")),
        tick.encode(x=_share("allowed")),
        words(base.encode(x=alt.XValue(WIDTH + 10)), "shown", align="left"),
    )


def _guess(guessed: float) -> Any:
    """Return a line at what is right without any answer."""
    alt = altair()
    label = tr("a guess without any answer: {share}", share=share(guessed))
    base = alt.Chart(rows([{"share": guessed, "label": label}])).encode(x=_share("share"))
    line = base.mark_rule(color=GREY, strokeDash=[6, 3], strokeWidth=1.5)
    align, dx = ("right", -5) if guessed > 1 / 2 else ("left", 5)
    return line + words(base.encode(y=alt.YValue(0)), align=align, dx=dx, dy=-6)


def _share(field: str) -> Any:
    return of_shares(altair().X, field, tr(_AXIS))


def _person_bars(report: ScoreboardReport) -> Sequence[Bar]:
    return [
        Bar(f"{each.who}", each.eccentricity, f"{each.eccentricity:.4g}", each.declared)
        for each in report.matches
    ]


def _candidate_bars(report: ScoreboardReport) -> Sequence[Bar]:
    match = report.match
    return [
        Bar(
            f"{report.columns[0]} {each.person}",
            each.score,
            figure(each.score),
            match.declared and each == match.candidates[0],
        )
        for each in match.candidates
    ]
