"""A score fitted to the draws: how much likelier an output is on one dataset than on the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox.features import LOW_BITS, SCORE, Feature
from sfumato.translation import tr

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.audit.blackbox.outcomes import Sample
    from sfumato.audit.blackbox.pool import Pool

__all__ = ["fit_score"]

_BINS = 20
_MOST_KEYS = 64
_MOST_ROWS = 10_000
_MOST_PARTS, _MOST_WIDE = 40, 10
_MOST_NAMED = 3
_STEPS = 6
_RIDGE = 1.0


@dataclass(frozen=True, eq=False)
class _Binned:
    """A feature cut into bins, with the logarithm of a likelihood ratio for each bin."""

    feature: Feature
    cuts: NDArray[Any]
    ratios: NDArray[Any]
    strength: float

    def column(self, sample: Sample) -> NDArray[Any]:
        codes = _codes(self.feature, self.feature.column(sample), self.cuts)
        return np.asarray(self.ratios[codes])


@dataclass(frozen=True, eq=False)
class _Score:
    """A weighted sum of the log-likelihood ratios of several features, the strongest first."""

    parts: list[_Binned]
    weights: NDArray[Any]

    def column(self, sample: Sample) -> NDArray[Any]:
        total = np.full(sample.size, float(self.weights[-1]))
        for part, weight in zip(self.parts, self.weights[:-1], strict=True):
            total += weight * part.column(sample)
        return total

    @property
    def label(self) -> str:
        names = list(dict.fromkeys(each.feature.label for each in self.parts))
        return tr(
            "a score fitted to the draws (mostly to {names})", names=", ".join(names[:_MOST_NAMED])
        )

    @property
    def kind(self) -> str:
        uses_bits = any(each.feature.kind == LOW_BITS for each in self.parts)
        return LOW_BITS if uses_bits else SCORE


def fit_score(features: list[Feature], pool: Pool) -> Feature | None:
    """Return a score of several features as a feature, or None where there are not several.

    Each feature is cut into bins with a likelihood ratio each; a logistic regression weighs their
    logarithms, so that features that say the same are not counted twice.
    """
    labels = _labels(pool)
    parts = [each for each in (_binned(one, pool, labels) for one in features) if each is not None]
    if len(parts) < 2:
        return None
    strongest = _strongest(parts)
    rows = _kept_rows(labels)
    columns = [each.column(pool.sample)[rows] for each in strongest]
    weights = _logistic(np.column_stack([*columns, np.ones(len(rows))]), labels[rows])
    score = _Score(strongest, weights)
    return Feature(score.label, score.column, wide=True, kind=score.kind)


def _strongest(parts: list[_Binned]) -> list[_Binned]:
    """Return the parts that tell most: one of each label, and few that look at many entries."""
    ranked = sorted(parts, key=lambda each: each.strength)
    ranked = list({each.feature.label: each for each in ranked}.values())[::-1]
    single = [each for each in ranked if not each.feature.wide][:_MOST_PARTS]
    return [*single, *[each for each in ranked if each.feature.wide][:_MOST_WIDE]]


def _labels(pool: Pool) -> NDArray[Any]:
    """Return 1 for the draws on the first dataset and 0 for those on the second."""
    return np.asarray(np.arange(pool.sample.size) < pool.first, dtype=np.float64)


def _kept_rows(labels: NDArray[Any]) -> NDArray[Any]:
    ones, zeros = np.flatnonzero(labels == 1), np.flatnonzero(labels == 0)
    return np.concatenate([ones[:_MOST_ROWS], zeros[:_MOST_ROWS]])


def _binned(feature: Feature, pool: Pool, labels: NDArray[Any]) -> _Binned | None:
    """Return a feature in bins, or None where it has but one value."""
    column = feature.column(pool.sample)
    cuts = _cuts(feature, column)
    codes = _codes(feature, column, cuts)
    ones = np.bincount(codes, labels, minlength=len(cuts) + 2) + 1
    others = np.bincount(codes, 1 - labels, minlength=len(cuts) + 2) + 1
    ones, others = ones / ones.sum(), others / others.sum()
    ratios = np.log(ones / others)
    strength = float(np.sum((ones - others) * ratios))
    return _Binned(feature, cuts, ratios, strength) if len(np.unique(codes)) > 1 else None


def _cuts(feature: Feature, column: NDArray[Any]) -> NDArray[Any]:
    if not feature.ordered:
        keys, counts = np.unique(column, return_counts=True)
        return np.sort(keys[np.argsort(-counts, kind="stable")[:_MOST_KEYS]])
    finite = column[np.isfinite(column)]
    if not len(finite):
        return np.array([])
    return np.unique(np.quantile(finite, np.linspace(0, 1, _BINS + 1)[1:-1]))


def _codes(feature: Feature, column: NDArray[Any], cuts: NDArray[Any]) -> NDArray[Any]:
    """Return the bin of each value; the last is that of NaN, or of a key that is not known."""
    place = np.searchsorted(cuts, column)
    if feature.ordered:
        return np.where(np.isnan(column), len(cuts) + 1, place)
    known = cuts[np.minimum(place, len(cuts) - 1)] == column
    return np.where(known, place, len(cuts) + 1)


def _logistic(columns: NDArray[Any], labels: NDArray[Any]) -> NDArray[Any]:
    """Return the weights of a logistic regression with a little ridge, by Newton's steps.

    The sums are small: threads would cost more than they bring.
    """
    weights = np.zeros(columns.shape[1])
    ridge = _RIDGE * np.eye(columns.shape[1])
    for _ in range(_STEPS):
        sums = np.einsum("ij,j->i", columns, weights)
        chance = 1 / (1 + np.exp(-np.clip(sums, -30, 30)))
        slope = np.einsum("ij,i->j", columns, labels - chance) - _RIDGE * weights
        bend = np.einsum("ij,ik->jk", columns, columns * (chance * (1 - chance))[:, None]) + ridge
        weights = weights + np.linalg.solve(bend, slope)
    return weights
