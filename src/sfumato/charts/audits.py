"""Pictures of what an audit or an attack found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from sfumato.audit import allowed_edge
from sfumato.charts.parts.lines import told_apart
from sfumato.charts.parts.style import altair, finished, in_percent, rows
from sfumato.errors import InputError
from sfumato.numeric import digits_above, digits_below, shown
from sfumato.printing import FAINT, INK, MAIN, OTHER, setting
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.audit import AuditReport, Claim, MembershipReport
    from sfumato.printing import Chart

    Curve = Sequence[tuple[float, float]]


_MOST_DOTS = 40
_BLIND = ((0.0, 0.0), (1.0, 1.0))


def rates(observed: Curve, claim: Claim, name: str) -> Any:
    """Return a curve of (false, true positive rate) over the region that a claim allows.

    Parameters
    ----------
    observed
        The curve, by rising false positive rate.
    claim
        What was claimed.
    name
        What the curve is, for the legend.
    """
    allowed = allowed_edge(claim)
    edge, blind = tr("allowed by {claim}", claim=claim), tr("random guessing")
    lines = {name: observed, edge: allowed, blind: _BLIND}
    return altair().layer(_area(allowed), _lines(lines), *_dots(observed))


def _axes() -> dict[str, Any]:
    alt, scale, axis = altair(), altair().Scale(domain=[0, 1]), in_percent()
    return {
        "x": alt.X("wrong:Q", title=tr("false positive rate"), scale=scale, axis=axis),
        "y": alt.Y("right:Q", title=tr("true positive rate"), scale=scale, axis=axis),
    }


def _lines(lines: Mapping[str, Curve]) -> Any:
    points = [
        {"name": name, "place": place, "wrong": wrong, "right": right}
        for name, curve in lines.items()
        for place, (wrong, right) in enumerate(curve)
    ]
    drawn = altair().Chart(rows(points)).mark_line(strokeWidth=2)
    return drawn.encode(**_axes(), order="place:Q", **told_apart(list(lines)))


def _area(points: Curve) -> Any:
    return _points(points).mark_area(color=FAINT, opacity=0.5)


def _dots(points: Curve) -> list[Any]:
    """Mark the points of a curve that has few."""
    few = len(points) <= _MOST_DOTS
    return [_points(points).mark_point(color=MAIN, filled=True, opacity=1)] if few else []


def _points(points: Curve) -> Any:
    kept = [{"wrong": wrong, "right": right} for wrong, right in points]
    return altair().Chart(rows(kept)).encode(**_axes())


_SQUARE = {"width": 360, "height": 360}
_OWNER = mark("not private: exact figures, for the data owner")


def audit(report: AuditReport, *, of: Literal["epsilon", "rates"] = "epsilon") -> Chart:
    """Draw what an audit proved.

    Parameters
    ----------
    report
        What ``sf.audit`` returned.
    of
        ``"epsilon"``: the lower bound on ε at several δ, against the claim.  ``"rates"``: how well
        the two datasets were told apart, against what the claim allows.

    Examples
    --------
    >>> import sfumato as sf
    >>> report = sf.audit(lambda x: x, "a", "b", epsilon=1, samples=1000)
    >>> sf.charts.audit(report).to_dict()["title"]["text"]
    ['violated: 1-DP does not hold; ε is at least 3.432']
    """
    if of not in ("epsilon", "rates"):
        raise InputError(
            "E-ARGUMENT-CHOICE", "of must be 'epsilon' or 'rates', not {of}", of=shown(of)
        )
    doubt = tr("a bound is wrong with probability at most {alpha}", alpha=_at_most(report.alpha))
    beneath = [
        *([tr("audited: {release}", release=report.release)] if _is_named(report.release) else []),
        tr("{samples:,} draws on each dataset; {doubt}", samples=report.samples, doubt=doubt),
    ]
    title = report.lines()[0]
    if of == "rates":
        return finished(
            rates(report.region, report.claim, tr("proved by the draws")),
            title,
            *beneath,
            **_SQUARE,
        )
    return finished(_bounds(report), title, *beneath, tr("a low bound proves no privacy"))


def membership(report: MembershipReport) -> Chart:
    """Draw how well an attack finds members, against what the claim allows.

    Parameters
    ----------
    report
        What ``sf.audit.membership`` returned.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.audit import membership
    >>> chart = sf.charts.membership(membership([1] * 200, [0] * 200, epsilon=1))
    >>> chart.to_dict()["title"]["text"]
    ['violated: the attack proves ε ≥ 1.8067, and 1-DP was claimed']
    """
    tested = tr(
        "{tested}; the bound is wrong with probability at most {alpha}, the curve is as observed",
        tested=report.tested,
        alpha=_at_most(report.alpha),
    )
    drawn = rates(report.curve.points(), report.claim, tr("the attack"))
    return finished(drawn, report.lines()[0], tested, tr(_OWNER), **_SQUARE)


def _at_most(chance: float) -> str:
    return digits_above(chance, 4)


def _is_named(release: str) -> bool:
    return bool(release) and "<" not in release


def _bounds(report: AuditReport) -> Any:
    """Draw the bound at each δ as a dot, and the claim as a diamond."""
    alt, claim = altair(), report.claim
    order = [setting(delta) for delta, _ in report.curve]
    found = [
        {"delta": setting(delta), "epsilon": low, "label": digits_below(low, 3)}
        for delta, low in report.curve
    ]
    fields = {
        "x": alt.X("delta:N", title="δ", sort=order, axis=alt.Axis(labelAngle=0)),
        "y": alt.Y("epsilon:Q", title=tr("ε is at least")),
    }
    base = alt.Chart(rows(found)).encode(**fields)
    line = base.mark_line(color=MAIN, point={"color": MAIN, "size": 50, "filled": True})
    said = base.mark_text(color=INK, dy=-10, fontSize=10).encode(text=alt.Text("label:N"))
    claimed = {"delta": setting(float(claim.delta)), "epsilon": float(claim.epsilon)}
    mark = alt.Chart(rows([{**claimed, "label": tr("claimed: {claim}", claim=claim)}])).encode(
        **fields
    )
    dot = mark.mark_point(shape="diamond", color=OTHER, size=110, filled=True, opacity=1)
    text = mark.mark_text(align="left", dx=10, dy=14, color=OTHER).encode(text=alt.Text("label:N"))
    return alt.layer(line, said, dot, text)
