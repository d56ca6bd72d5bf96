"""Pictures of what models remember: exposures of canaries, and texts that come back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.audit import ExposureReport, ExtractionReport, allowed_rank_share
from sfumato.charts.parts.bars import down, exact_figures
from sfumato.charts.parts.lines import lines, named_lines, told_apart
from sfumato.charts.parts.style import altair, finished, numbered, of_shares, rows, words
from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.printing import FAINT, INK, MAIN, NOT_PRIVATE, all_of_these
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.audit import Claim, ExtractedShare
    from sfumato.printing import Chart
    from sfumato.privacy import Relation


#: Curves of more canaries are drawn without a dot on each.
_MOST_DOTS = 100
#: In how many steps what is allowed is drawn.
_STEPS = 80
_ROW = 30
_BLIND = mark("a model that does not know them")
_TEXTS, _CONTROLS = mark("training texts"), mark("controls, which the model never saw")


def canaries(reports: ExposureReport | Mapping[str, ExposureReport]) -> Chart:
    """Draw how many canaries have at least which exposure, and what is allowed on average.

    Parameters
    ----------
    reports
        What ``sf.audit.exposure`` returned; or several by the names of their models.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.audit import exposure
    >>> report = exposure(len, ["a code: 1"], space="a code: #")
    >>> sf.charts.canaries({"this": report, "that": report}).to_dict()["title"]["text"]
    ['mean exposure: 0 bits of this and 0 bits of that']
    """
    named = _read(reports, ExposureReport)
    most = max(math.log2(each.size) for each in named.values())
    observed = {name: _at_least(each, most) for name, each in named.items()}
    curves = {**observed, **_allowed(named.values(), most)}
    points = [
        {"name": name, "place": place, "bits": bits, "share": share}
        for name, curve in curves.items()
        for place, (bits, share) in enumerate(curve)
    ]
    dots = [
        {"name": name, "bits": bits, "share": share}
        for name, each in named.items()
        if len(each.canaries) <= _MOST_DOTS
        for bits, share in observed[name][1:-1]
    ]
    axes, names = _axes(most), list(curves)
    steps, smooth = (
        [each for each in points if (each["name"] in observed) == stepped]
        for stepped in (True, False)
    )
    drawn = altair().layer(
        lines(smooth, names, order="place:Q", **axes),
        lines(steps, names, interpolate="step-before", order="place:Q", **axes),
        altair()
        .Chart(rows(dots))
        .mark_point(filled=True, size=30, opacity=1)
        .encode(**axes, color=told_apart(names)["color"]),
    )
    return finished(drawn, _title(named), *_beneath(named), tr(NOT_PRIVATE))


def extraction(reports: ExtractionReport | Mapping[str, ExtractionReport]) -> Chart:
    """Draw which share of the texts comes back, beside that of controls, with intervals.

    Parameters
    ----------
    reports
        What ``sf.audit.extraction`` returned; or several by the names of their models.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.audit import extraction
    >>> report = extraction(lambda prefix, length: "a" * length, ["a" * 100])
    >>> sf.charts.extraction({"this": report, "that": report}).to_dict()["title"]["text"]
    ['texts returned word for word: 1 of 1 by this and 1 of 1 by that']
    """
    named = _read(reports, ExtractionReport)
    found = [bar for name, each in named.items() for bar in _bars(name, each)]
    labels = numbered([label for label, _, _ in found])
    drawn = [
        {
            "label": label,
            "share": share.share,
            "low": share.lower,
            "high": share.upper,
            "note": f"{share.count:,} / {share.of:,}",
            "kind": tr(kind),
        }
        for label, (_, share, kind) in zip(labels, found, strict=True)
    ]
    first = next(iter(named.values()))
    return exact_figures(
        _shares(drawn, labels),
        _returned(named),
        tr(
            "{prefix:,} characters were given, and the next {suffix:,} compared",
            prefix=first.prefix,
            suffix=first.suffix,
        ),
        tr("lines: {confidence:g} % intervals", confidence=100 * first.confidence),
        count=len(found),
        row=_ROW,
    )


def _read(reports: Any, kind: type) -> dict[str, Any]:
    """Return reports by the names of their models; one alone has none."""
    if isinstance(reports, kind):
        return {"": reports}
    given = reports if isinstance(reports, Mapping) else {}
    if not given or not all(isinstance(each, kind) for each in given.values()):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "give one report, or reports by the names of their models, such as "
            "{{'plain': report}}, not {reports}",
            reports=shown(reports),
        )
    return dict(zip(named_lines(list(given)), given.values(), strict=True))


def _at_least(report: ExposureReport, most: float) -> list[tuple[float, float]]:
    """Return for each exposure that occurs the share of canaries that have it, or a greater one."""
    bits = sorted(each.exposure for each in report.canaries)
    found = [(each, 1 - place / len(bits)) for place, each in enumerate(bits)]
    return [(0.0, 1.0), *found, (most, 0.0)]


def _allowed(
    reports: Sequence[ExposureReport], most: float
) -> dict[str, list[tuple[float, float]]]:
    """Return what each claim allows on average, and what a model that knows nothing shows."""
    grid = [most * step / _STEPS for step in range(_STEPS + 1)]
    claims = {(each.claim, each.relation) for each in reports if each.claim is not None}
    curves = {
        tr("allowed on average by {claim}", claim=claim): [
            (bits, _share_allowed(claim, relation, bits)) for bits in grid
        ]
        for claim, relation in sorted(claims, key=str)
    }
    return {**curves, tr(_BLIND): [(bits, 2.0**-bits) for bits in grid]}


def _share_allowed(claim: Claim, relation: Relation, bits: float) -> float:
    return allowed_rank_share(claim, relation, Fraction(2.0**-bits))


def _axes(most: float) -> dict[str, Any]:
    alt = altair()
    return {
        "x": alt.X(
            "bits:Q", title=tr("exposure in bits"), scale=alt.Scale(domain=[0, most], nice=False)
        ),
        "y": of_shares(alt.Y, "share", tr("share of the canaries with at least this exposure")),
    }


def _title(named: Mapping[str, ExposureReport]) -> str:
    if len(named) == 1:
        return next(iter(named.values())).findings()[0]
    found = [
        tr("{mean:.3g} bits of {name}", mean=each.mean, name=name) for name, each in named.items()
    ]
    return tr("mean exposure: {found}", found=all_of_these(found))


def _beneath(named: Mapping[str, ExposureReport]) -> list[str]:
    return [each.findings()[1] for each in named.values()] if len(named) == 1 else []


def _returned(named: Mapping[str, ExtractionReport]) -> str:
    if len(named) == 1:
        return next(iter(named.values())).findings()[0]
    found = [
        tr("{count:,} of {of:,} by {name}", count=share.count, of=share.of, name=name)
        for name, share in ((name, each.verbatim) for name, each in named.items())
    ]
    return tr("texts returned word for word: {found}", found=all_of_these(found))


def _bars(name: str, report: ExtractionReport) -> Iterator[tuple[str, ExtractedShare, str]]:
    """Yield the bars of a report: the label, the share, and of which kind of texts it is."""
    exact, nearly = tr("word for word"), tr("nearly so")
    every = [(exact, report.verbatim, _TEXTS), (exact, report.verbatim_controls, _CONTROLS)]
    if report.near:
        every += [(nearly, report.near_verbatim, _TEXTS), (nearly, report.near_controls, _CONTROLS)]
    for said, share, kind in every:
        if share is not None:
            yield f"{name}: {said}" if name else said, share, kind


def _shares(drawn: Sequence[Mapping[str, Any]], labels: list[str]) -> Any:
    alt = altair()
    kinds = [tr(each) for each in (_TEXTS, _CONTROLS)]
    base = alt.Chart(rows(drawn)).encode(y=down(labels))
    colour = alt.Color(
        "kind:N",
        scale=alt.Scale(domain=kinds, range=[MAIN, FAINT]),
        legend=alt.Legend(title=None, orient="bottom"),
    )
    share = of_shares(alt.X, "share", tr("share that comes back"))
    return alt.layer(
        base.mark_bar(height=16).encode(x=share, color=colour),
        base.mark_rule(color=INK, strokeWidth=1.5).encode(x=alt.X("low:Q"), x2=alt.X2("high:Q")),
        words(base.encode(x=alt.X("high:Q")), "note", align="left", dx=6),
    )
