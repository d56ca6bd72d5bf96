"""How exposed a table is: equivalence classes, identifying columns, bits that are given away."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any, Literal

from sfumato.charts.parts.bars import LABEL, MOST, Bar, bars, down, exact_figures
from sfumato.charts.parts.style import altair, numbered, rows, words
from sfumato.errors import UnknownNameError
from sfumato.printing import FAINT, MAIN, counted, cut, listed, named, share
from sfumato.translation import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.printing import Chart
    from sfumato.risk import Classes, Combination, Exposure


_IDENTITY = "identity"
_SINGLE = (1, 2, 3, 4)
_STEPS = (1, 2, 5)


def exposure(
    report: Exposure, *, of: Literal["classes", "columns", "information"] = "classes"
) -> Chart:
    """Draw how exposed a table is.  The figures are exact, and the picture says so.

    Parameters
    ----------
    report
        What ``sf.risk`` found.
    of
        ``"classes"``: rows by the size of their equivalence class, those at risk dark;
        ``"columns"``: the mean re-identification risk, for who knows these columns;
        ``"information"``: how many bits the quasi-identifiers give away, of the identity and of
        each sensitive column.

    Examples
    --------
    >>> import sfumato as sf
    >>> found = sf.risk("examples/hospital-a.csv", quasi=["age", "sex"], sensitive="diagnosis")
    >>> sf.charts.exposure(found, of="columns").to_dict()["title"]["text"]
    ['age alone makes 9 of 9 rows unique']
    """
    if of not in _DRAWINGS:
        raise UnknownNameError(kind="drawing", name=str(of)[:60], known=_DRAWINGS)
    return _DRAWINGS[of](report)


def _classes(report: Exposure) -> Chart:
    enough, classes = report.at_least, report.classes
    found = [
        _bar(classes, low, high, marked=low < enough)
        for low, high in itertools.pairwise(_edges(classes.sizes[-1], enough))
    ]
    kinds = (tr("at risk: equivalence classes below {enough:,}", enough=enough), tr("not at risk"))
    return exact_figures(
        bars(found, tr("rows"), kinds),
        tr("{small} on {columns}", small=_small(report), columns=named(classes.columns)),
        tr("rows by the size of their equivalence class"),
        count=len(found),
        most=len(found),
    )


def _small(report: Exposure) -> str:
    """Say how many rows are in equivalence classes that are too small."""
    enough = max(report.at_least, 2)
    few = report.classes.rows_below(enough)
    if not few:
        return tr("every equivalence class has {enough:,} rows or more", enough=enough)
    return tr_n(
        "{few:,} of {rows} is in equivalence classes below {enough:,}",
        "{few:,} of {rows} are in equivalence classes below {enough:,}",
        few,
        few=few,
        rows=counted(report.rows, "row"),
        enough=enough,
    )


def _columns(report: Exposure) -> Chart:
    found = [_risk(each, report.rows) for each in report.sets]
    worst = max(report.sets, key=lambda each: (each.uniques, -len(each.columns)))
    title = (
        tr_n(
            "{columns} alone makes {uniques:,} of {rows} unique",
            "{columns} together make {uniques:,} of {rows} unique",
            len(worst.columns),
            columns=named(worst.columns),
            uniques=worst.uniques,
            rows=counted(report.rows, "row"),
        )
        if worst.uniques
        else tr(
            "no row is unique on any of these columns, of {rows}", rows=counted(report.rows, "row")
        )
    )
    return exact_figures(
        bars(found[:MOST], tr("mean re-identification risk, for who knows these columns")),
        title,
        tr("each quasi-identifier, and the most identifying combination of each size"),
        count=len(found),
    )


def _information(report: Exposure) -> Chart:
    told = [(tr(_IDENTITY), report.classes.entropy, math.log2(report.rows))]
    told += [(each.sensitive, each.learned, each.before) for each in report.information]
    what, learned, whole = told[1] if told[1:] else told[0]
    return exact_figures(
        _split(told[:MOST]),
        tr_n(
            "{columns} tells {learned:.2f} of the {whole:.2f} bits of {what}",
            "{columns} tell {learned:.2f} of the {whole:.2f} bits of {what}",
            len(report.classes.columns),
            columns=named(report.classes.columns),
            learned=learned,
            whole=whole,
            what=cut(what, LABEL),
        ),
        tr("entropy in bits: what is learned by knowing these columns, and what is left"),
        count=min(len(told), MOST),
    )


def _split(told: Sequence[tuple[str, float, float]]) -> Any:
    """Return a bar for each column: what is learned of it, then what is left."""
    alt = altair()
    known, unknown = parts = tr("learned"), tr("left")
    labels = numbered([cut(label, LABEL) for label, _, _ in told])
    found = [
        {"label": label, "part": part, "low": low, "high": high, "note": f"{high - low:.2f} {part}"}
        for label, (_, learned, whole) in zip(labels, told, strict=True)
        for part, low, high in ((known, 0.0, learned), (unknown, learned, max(learned, whole)))
    ]
    base = alt.Chart(rows(found)).encode(y=down(labels))
    drawn = base.mark_bar(height=16).encode(
        x=alt.X("low:Q", title=tr("bits"), axis=alt.Axis(tickCount=6)),
        x2=alt.X2("high:Q"),
        color=alt.Color(
            "part:N",
            sort=parts,
            scale=alt.Scale(domain=parts, range=[MAIN, FAINT]),
            legend=alt.Legend(title=None, orient="bottom"),
        ),
        tooltip=["label:N", "part:N", "note:N"],
    )
    ends = [
        {
            "label": label,
            "high": max(learned, whole),
            "note": tr("{learned:.2f} of {whole:.2f} bits learned", learned=learned, whole=whole),
        }
        for label, (_, learned, whole) in zip(labels, told, strict=True)
    ]
    notes = alt.Chart(rows(ends)).encode(y=down(labels), x=alt.X("high:Q"))
    return drawn + words(notes, "note", align="left", dx=5)


def _edges(greatest: int, at_least: int) -> list[int]:
    """Return where bars begin: 1 to 4, then 5, 10, 20, 50, ..., and at what is safe enough."""
    round_numbers = [step * 10**power for power in range(19) for step in _STEPS]
    starts = sorted({*_SINGLE, *(each for each in round_numbers if each > 4), at_least})
    return [each for each in starts if each <= greatest] + [greatest + 1]


def _bar(classes: Classes, low: int, high: int, *, marked: bool) -> Bar:
    rows = classes.rows_below(high) - classes.rows_below(low)
    sizes = (
        tr("classes of {low:,}", low=low)
        if high == low + 1
        else tr("classes of {low:,} to {high:,}", low=low, high=high - 1)
    )
    return Bar(sizes, rows, f"{counted(rows, 'row')} ({share(rows / classes.rows)})", marked)


def _risk(each: Combination, rows: int) -> Bar:
    risk = each.classes / rows
    return Bar(
        listed(each.columns),
        risk,
        tr("{risk:.4f}, {uniques:,} unique", risk=risk, uniques=each.uniques),
    )


_DRAWINGS: dict[str, Callable[[Exposure], Chart]] = {
    "classes": _classes,
    "columns": _columns,
    "information": _information,
}
