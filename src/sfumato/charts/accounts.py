"""Pictures of what was spent."""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import TYPE_CHECKING, Any

from sfumato.charts.parts.lines import told_apart
from sfumato.charts.parts.spending import Line, Point, lines_of, measure_of, spent_of
from sfumato.charts.parts.style import PALETTE, altair, axis_room, finished, numbered, rows, words
from sfumato.ledger import budgeted, leaves_a_step, left, left_in_words, read_name
from sfumato.printing import FAINT, MAIN, OTHER, counted, cut
from sfumato.privacy import PureDP, ZeroConcentratedDP
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from sfumato.ledger import Book, Ledger, Rule, Standing
    from sfumato.printing import Chart


#: How many lines and bars are drawn, how high a bar is, and how long a label may be.
_MOST_LINES, _MOST_BARS, _ROW, _LABEL = len(PALETTE), 60, 26, 40
#: Charges that are closer together are told apart by their numbers.
_LEAST_TIME = timedelta(minutes=10)
#: A longer line is drawn without dots on its steps.
_MOST_DOTS = 60


def budget(book: Book, *, analyst: str | None = None) -> Chart:
    """Draw what was spent of a book's budget by each charge, and the budget itself.

    Everyone together is drawn first; where several analysts got answers, so is what each
    spends alone.  The axis is time, or the number of the charge where all of them lie within ten
    minutes.  A budget that is given anew each period begins at 0 again.

    Parameters
    ----------
    book
        A book of a ledger.
    analyst
        Draw this analyst beside everyone together, under their own budget if they have one.

    Examples
    --------
    >>> import tempfile
    >>> import sfumato as sf
    >>> from sfumato.privacy import events
    >>> with tempfile.TemporaryDirectory() as folder, sf.Ledger.create(
    ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
    ... ) as ledger:
    ...     book = ledger.add_book("patients", sf.PureDP(epsilon=3))
    ...     receipt = book.spend(events.Laplace(scale=4), analyst="ada", purpose="by sex")
    ...     chart = sf.charts.budget(book)
    >>> chart.to_dict()["title"]["text"][0]
    'ε = 0.25 of 3 is spent; 2.75 is left'
    """
    who = None if analyst is None else read_name(analyst, "analyst")
    lines = lines_of(book, who, _MOST_LINES)
    letter, amounts = measure_of([line.rule for line in lines])
    points = [list(line.points()) for line in lines]
    standing = _standing(book, who)
    return finished(
        _limits(lines, amounts) + _steps(lines, points, amounts, letter),
        _message(standing, who),
        *_beneath(book, lines, standing),
    )


def budgets(ledger: Ledger) -> Chart:
    """Draw how much is spent of every budget over everyone in a ledger.

    Examples
    --------
    >>> import tempfile
    >>> import sfumato as sf
    >>> with tempfile.TemporaryDirectory() as folder, sf.Ledger.create(
    ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
    ... ) as ledger:
    ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
    ...     book = ledger.add_book("visits", sf.PureDP(epsilon=2))
    ...     chart = sf.charts.budgets(ledger)
    >>> chart.to_dict()["title"]["text"][0]
    'what is spent of 2 budgets'
    """
    found = [(name, each) for name in ledger.books() for each in ledger.book(name).standing()]
    shown = sorted(found, key=lambda pair: pair[1].used, reverse=True)[:_MOST_BARS]
    labels = numbered([_label(name, standing) for name, standing in shown])
    bars = [_bar(label, pair[1]) for label, pair in zip(labels, shown, strict=True)]
    others = counted(len(found) - len(shown), "other budget")
    less = [tr("{budgets}, less spent, not shown", budgets=others)] if found[len(shown) :] else []
    return finished(
        _bars(bars),
        tr("what is spent of {budgets}", budgets=counted(len(found), "budget"))
        if found
        else tr("there is no budget yet"),
        tr("each over everyone together, now; what is pale is left"),
        *less,
        height=_ROW * max(1, len(bars)),
    )


def _standing(book: Book, analyst: str | None) -> Standing:
    """Return where the foremost budget stands: an analyst's own, or everyone's."""
    found = book.standing(analyst)
    return next((each for each in found if not each.rule.is_shared), found[0])


def _message(standing: Standing, analyst: str | None) -> str:
    """Return how much of a budget is spent now, and what is left where it simply adds up."""
    whose = "" if analyst is None or standing.rule.is_shared else f"{cut(analyst, _LABEL)}: "
    message = tr(
        "{whose}{standing} is spent{period}",
        whose=whose,
        standing=spent_of(standing),
        period=_period(standing),
    )
    if not standing.used or not isinstance(standing.remaining, type(standing.spent)):
        return message
    if isinstance(standing.remaining, (PureDP, ZeroConcentratedDP)):
        rest = left(standing.rule.budget, standing.remaining).rpartition("-")[0]
        return tr("{message}; {rest} is left", message=message, rest=rest)
    return message


def _beneath(book: Book, lines: Sequence[Line], standing: Standing) -> Iterator[str]:
    yield f"{book.name}; {standing.rule}"
    amounts = standing.rule.budget, standing.remaining
    if leaves_a_step(*amounts):
        rest = left_in_words(*amounts)
        yield tr("{rest}; steps together cost less than their sum", rest=rest)
    together = sum(rule.is_shared for rule in book.rules)
    others = len(book.analysts()) + together - len(lines)
    if len(lines) == _MOST_LINES and others > 0:
        yield tr(
            "{analysts}, charged less often, not drawn", analysts=counted(others, "other analyst")
        )
    charged = max(len(line.charges) for line in lines)
    if any(line.rule.is_shared and len(line.charges) < charged for line in lines):
        yield tr("a line of one analyst is what the book would stand at had nobody else asked")


def _takes_time(points: Sequence[Sequence[Point]]) -> bool:
    """Tell whether the charges lie far enough apart to be told apart by their moments."""
    moments = [each.when for line in points for each in line if each.number]
    return bool(moments) and max(moments) - min(moments) >= _LEAST_TIME


def _steps(
    lines: Sequence[Line],
    points: Sequence[Sequence[Point]],
    amounts: Sequence[float],
    letter: str,
) -> Any:
    alt = altair()
    labels = numbered([cut(line.label, _LABEL) for line in lines])
    found = [
        {
            "who": label,
            "place": place,
            "charge": point.number,
            "when": _written(point.when),
            "spent": point.share * whole,
        }
        for label, line, whole in zip(labels, points, amounts, strict=True)
        for place, point in enumerate(line)
    ]
    return (
        alt.Chart(rows(found))
        .mark_line(interpolate="step-after", point=_dots(found), strokeWidth=2)
        .encode(
            x=_time_axis() if _takes_time(points) else _number_axis(found),
            y=alt.Y(
                "spent:Q",
                title=tr(
                    "spent, in {letter}", letter=tr("% of the budget") if letter == "%" else letter
                ),
            ),
            **told_apart(labels, field="who"),
            order="place:Q",
            tooltip=[
                alt.Tooltip("who:N", title=tr("of")),
                alt.Tooltip("charge:Q", title=tr("charge")),
                alt.Tooltip("when:N", title=tr("when (UTC)")),
                alt.Tooltip("spent:Q", title=tr("spent, {letter}", letter=letter), format=".4~g"),
            ],
        )
    )


def _limits(lines: Sequence[Line], amounts: Sequence[float]) -> Any:
    """Return the budgets as lines across the picture, each with its name on it."""
    alt = altair()
    named = dict(zip(map(_limit_name, (line.rule for line in lines)), amounts, strict=True))
    top = 1.12 * max(named.values())
    base = alt.Chart(
        rows({"name": name, "limit": value} for name, value in _together(named).items())
    ).encode(y=alt.Y("limit:Q", scale=alt.Scale(domain=[0, top], nice=False)))
    left = base.encode(x=alt.XValue(0))
    return base.mark_rule(color=OTHER, strokeDash=[8, 4], strokeWidth=1.5) + words(
        left, "name", align="left", baseline="bottom", dx=4, dy=-3, color=OTHER
    )


def _together(named: dict[str, float]) -> dict[str, float]:
    """Return the names of equal budgets in one, since they would lie on each other."""
    by_amount: dict[float, list[str]] = {}
    for name, value in named.items():
        by_amount.setdefault(value, []).append(name)
    return {"; ".join(names): value for value, names in by_amount.items()}


def _limit_name(rule: Rule) -> str:
    return tr(
        "budget of {scope}: {budget}{often}",
        scope=cut(str(rule.scope), _LABEL),
        budget=budgeted(rule.budget),
        often=_often(rule),
    )


def _often(rule: Rule) -> str:
    return tr(" per {name}", name=rule.period.noun) if rule.period else ""


def _time_axis() -> Any:
    alt = altair()
    return alt.X("when:T", title=tr("time (UTC)"), scale=alt.Scale(type="utc"))


def _number_axis(found: Sequence[dict[str, Any]]) -> Any:
    alt = altair()
    last = max(1, *(each["charge"] for each in found))
    axis = alt.Axis(format="d", tickCount=min(last, 10))
    return alt.X("charge:Q", title=tr("charge"), axis=axis, scale=alt.Scale(domain=[0, last]))


def _dots(found: Sequence[object]) -> Any:
    """Return dots on the steps of a short line."""
    return altair().OverlayMarkDef(size=22, filled=True) if len(found) <= _MOST_DOTS else False


def _written(when: datetime) -> str:
    return when.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _label(name: str, standing: Standing) -> str:
    return f"{cut(name, _LABEL)}: {budgeted(standing.rule.budget)}{_often(standing.rule)}"


def _period(standing: Standing) -> str:
    return tr(" in {window}", window=standing.window) if standing.window else ""


def _bar(label: str, standing: Standing) -> dict[str, Any]:
    return {
        "budget": label,
        "used": 100 * float(standing.used),
        "whole": 100,
        "note": f"{spent_of(standing)}{_period(standing)}",
    }


def _bars(bars: Sequence[dict[str, Any]]) -> Any:
    alt = altair()
    labels = [str(each["budget"]) for each in bars]
    axis = alt.Axis(title=None, labelLimit=axis_room(labels))
    base = alt.Chart(rows(bars)).encode(y=alt.Y("budget:N", sort=labels, axis=axis))
    whole = base.mark_bar(color=FAINT, height=16).encode(
        x=alt.X("whole:Q", title=tr("spent, in % of the budget"), scale=alt.Scale(domain=[0, 100]))
    )
    used = base.mark_bar(color=MAIN, height=16).encode(
        x=alt.X("used:Q"), tooltip=["budget:N", "note:N"]
    )
    return whole + used + words(base.encode(x=alt.datum(100)), "note", align="left", dx=6)
