"""Estimates as the cells of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.survey import MeanEstimate, ShareEstimates
from sfumato.survey.collector.saying import MOST_ROWS, interval_text, number_text, percent
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.survey import PairEstimates, Results
    from sfumato.survey.collector.estimates import Estimate

__all__ = ["cells"]


def cells(results: Results, name: str | tuple[str, str]) -> list[list[str]]:
    """Return the estimates of a question, or of a pair of them, as cells with the header first.

    Of more than 40 choices the most frequent ones are in it.
    """
    found = results[name]
    truth = results.truth.get(name) if isinstance(name, str) else None
    if isinstance(found, MeanEstimate):
        return _mean(found, truth)
    return _shares(found, truth or {})


def _mean(found: MeanEstimate, truth: float | None) -> list[list[str]]:
    known = [] if truth is None else [mark("truth")]
    value, _, interval = number_text(found).rstrip(")").partition(" (")
    head = [found.question, mark("mean"), mark("interval"), *known]
    return [head, ["", value, interval, *(f"{truth:.6g}" for _ in known)]]


def _shares(found: ShareEstimates | PairEstimates, truth: Mapping[str, float]) -> list[list[str]]:
    if isinstance(found, ShareEstimates):
        names = [found.question]
        rows = [([label], each) for label, each in found.largest(MOST_ROWS)]
    else:
        names = [*found.questions]
        rows = [([*pair], each) for pair, each in found.largest(MOST_ROWS)]
    widest = max(each.upper - each.lower for _, each in rows)
    head = [*names, mark("share"), mark("interval"), *([mark("truth")] if truth else [])]
    return [head, *(_share(labels, each, widest, truth) for labels, each in rows)]


def _share(
    labels: list[str], each: Estimate, widest: float, truth: Mapping[str, float]
) -> list[str]:
    return [
        *labels,
        f"{percent(each.value, widest)} %",
        f"{interval_text(each, widest)} %",
        *([f"{percent(truth[labels[0]], widest)} %"] if truth else []),
    ]
