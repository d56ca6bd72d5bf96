"""Pictures of what models remember: exposures of canaries, and texts that come back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.audit import ExposureReport, ExtractionReport, allowed_rank_share
from sfumato.charts.parts.bars import down, exact_figures
from sfumato.charts.parts.lines import lines, named_lines
from sfumato.charts.parts.style import altair, finished, numbered, of_shares, rows, words
from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.printing import FAINT, INK, MAIN, NOT_PRIVATE, all_of_these
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sfumato.audit import Claim, ExtractedShare
    from sfumato.printing import Chart
    from sfumato.privacy import Relation

    Curve = list[tuple[float, float]]


#: Curves of more canaries are drawn without a dot on each.
_MOST_DOTS = 40
#: In how many steps what is allowed is drawn.
_STEPS = 80
_ROW = 30
_CANARIES, _BLIND = mark("the canaries"), mark("a model that does not know them")
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
    observed = [(name or tr(_CANARIES), _at_least(each, most)) for name, each in named.items()]
    allowed = _allowed(named.values(), most)
    names = named_lines([name for name, _ in (*observed, *allowed)])
    curves = dict(zip(names, [curve for _, curve in (*observed, *allowed)], strict=True))
    steps, smooth = names[: len(observed)], names[len(observed) :]
    dotted = [
        name
        for name, each in zip(steps, named.values(), strict=True)
        if len(each.canaries) <= _MOST_DOTS
    ]
    axes = _axes(most)
    dots = rows(row for name in dotted for row in _points(name, curves[name][1:-1]))
    drawn = altair().layer(
        lines([row for name in smooth for row in _points(name, curves[name])], names, **axes),
        lines(
            [row for name in steps for row in _points(name, curves[name])],
            names,
            interpolate="step-before",
            **axes,
        ),
        altair().Chart(dots).mark_point(filled=True, size=12, opacity=1, color=INK).encode(**axes),
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


def _at_least(report: ExposureReport, most: float) -> Curve:
    """Return for each exposure that occurs the share of canaries that have it, or a greater one."""
    bits = sorted(each.exposure for each in report.canaries)
    found = [(each, 1 - place / len(bits)) for place, each in enumerate(bits)]
    return [(0.0, 1.0), *found, (most, 0.0)]


def _allowed(reports: Iterable[ExposureReport], most: float) -> list[tuple[str, Curve]]:
    """Return what each claim allows on average, and what a model shows that knows nothing."""
    grid = [most * step / _STEPS for step in range(_STEPS + 1)]
    claims = {(each.claim, each.relation) for each in reports if each.claim is not None}
    return [
        *(
            (
                tr("allowed on average by {claim}", claim=claim),
                [(bits, _share_allowed(claim, relation, bits)) for bits in grid],
            )
            for claim, relation in sorted(claims, key=str)
        ),
        (tr(_BLIND), [(bits, 2.0**-bits) for bits in grid]),
    ]


def _points(name: str, curve: Curve) -> list[dict[str, Any]]:
    return [
        {"name": name, "place": place, "bits": bits, "share": share}
        for place, (bits, share) in enumerate(curve)
    ]


def _share_allowed(claim: Claim, relation: Relation, bits: float) -> float:
    return allowed_rank_share(claim, relation, Fraction(2.0**-bits))


def _axes(most: float) -> dict[str, Any]:
    alt = altair()
    return {
        "order": alt.Order("place:Q"),
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
    for said, share in report.shares():
        label = tr("{name}: {found}", name=name, found=said) if name else said
        yield label, share, _CONTROLS if share.unseen else _TEXTS


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
