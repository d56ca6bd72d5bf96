"""Pictures of what an audit or an attack found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from sfumato.audit import allowed_edge
from sfumato.charts.parts.lines import lines
from sfumato.charts.parts.style import SQUARE, altair, finished, of_shares, rows, words
from sfumato.errors import InputError
from sfumato.numeric import digits_above, digits_below, shown
from sfumato.printing import FAINT, MAIN, NOT_PRIVATE, OTHER, setting
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.audit import AuditReport, Claim, MembershipReport
    from sfumato.printing import Chart

    Curve = Sequence[tuple[float, float]]


#: A curve of more points is drawn without dots on them.
_MOST_DOTS = 40
_BLIND = ((0.0, 0.0), (1.0, 1.0))


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
    alpha = digits_above(report.alpha, 4)
    doubt = tr("a bound is wrong with probability at most {alpha}", alpha=alpha)
    is_named = report.release and "<" not in report.release
    beneath = [
        *([tr("audited: {release}", release=report.release)] if is_named else []),
        tr("{samples:,} draws on each dataset; {doubt}", samples=report.samples, doubt=doubt),
    ]
    title = report.lines()[0]
    if of == "rates":
        return finished(
            _rates(report.region, report.claim, tr("proved by the draws")),
            title,
            *beneath,
            **SQUARE,
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
        alpha=digits_above(report.alpha, 4),
    )
    drawn = _rates(report.curve.points(), report.claim, tr("the attack"))
    return finished(drawn, report.lines()[0], tested, tr(NOT_PRIVATE), **SQUARE)


def _rates(observed: Curve, claim: Claim, name: str) -> Any:
    """Return a curve of (false, true positive rate) over the region that a claim allows."""
    edge, blind = tr("allowed by {claim}", claim=claim), tr("random guessing")
    allowed = allowed_edge(claim)
    curves = {name: observed, edge: allowed, blind: _BLIND}
    points = [
        {"name": name, "place": place, "wrong": wrong, "right": right}
        for name, curve in curves.items()
        for place, (wrong, right) in enumerate(curve)
    ]
    few = len(observed) <= _MOST_DOTS
    dots = [_points(observed).mark_point(color=MAIN, filled=True, opacity=1)] if few else []
    return altair().layer(
        _points(allowed).mark_area(color=FAINT, opacity=0.5),
        lines(points, list(curves), order="place:Q", **_axes()),
        *dots,
    )


def _points(curve: Curve) -> Any:
    kept = [{"wrong": wrong, "right": right} for wrong, right in curve]
    return altair().Chart(rows(kept)).encode(**_axes())


def _axes() -> dict[str, Any]:
    alt = altair()
    return {
        "x": of_shares(alt.X, "wrong", tr("false positive rate")),
        "y": of_shares(alt.Y, "right", tr("true positive rate")),
    }


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
    claimed = {
        "delta": setting(float(claim.delta)),
        "epsilon": float(claim.epsilon),
        "label": tr("claimed: {claim}", claim=claim),
    }
    proved, mark = (alt.Chart(rows(each)).encode(**fields) for each in (found, [claimed]))
    return alt.layer(
        proved.mark_line(color=MAIN, point={"color": MAIN, "size": 50, "filled": True}),
        words(proved, dy=-10, fontSize=10),
        mark.mark_point(shape="diamond", color=OTHER, size=110, filled=True, opacity=1),
        words(mark, align="left", dx=10, dy=14, color=OTHER),
    )
