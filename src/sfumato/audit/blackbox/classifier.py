"""Which features fit the outputs at hand, and a score that is fitted to them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox import regions
from sfumato.audit.blackbox.entries import LENGTH, ROWS
from sfumato.audit.blackbox.features import LOW_BITS, SCORE, Feature, form_features, vector_features
from sfumato.audit.blackbox.outcomes import Field, OutputSample, Pool
from sfumato.audit.blackbox.values import described, key_of
from sfumato.translation import tr

if TYPE_CHECKING:
    from numpy.typing import NDArray


_MOST_FIELDS = 40
_MOST_NAMED = 3
_FEW_VALUES = 32
_BINS = 20
_MOST_KEYS = 64
_MOST_ROWS = 10_000
_MOST_PARTS, _MOST_WIDE = 40, 10
_STEPS = 6
_RIDGE = 1.0


def features_of(pool: Pool, *, seed: int = 0) -> list[Feature]:
    """Return the features that fit the outputs of a pool."""
    sample, fields = pool.sample, _prominent(pool)
    shapes = Feature(tr("the set of entries"), _shapes, ordered=False, name=_shape_name)
    found = [shapes] if len(set(sample.shapes)) > 1 else []
    found += form_features(sample)
    for field in fields:
        found += _field_features(field)
    if len(fields) > 1:
        every = [label for label in sample.fields if label not in (LENGTH, ROWS)]
        found += vector_features([each.label for each in fields], every, seed)
    return found


def _prominent(pool: Pool) -> list[Field]:
    """Return the fields to look at one by one: where there are many, those that differ most."""
    fields = [each for each in pool.sample.fields.values() if each.varies]
    if len(fields) <= _MOST_FIELDS:
        return fields
    gaps = [_gap(*pool.sides(np.nan_to_num(each.numbers))) for each in fields]
    return [fields[i] for i in sorted(np.argsort(gaps, kind="stable")[-_MOST_FIELDS:])]


def _gap(first: NDArray[Any], second: NDArray[Any]) -> float:
    """Return how far apart two means are, in units of the spread."""
    spread = float(np.std(first) + np.std(second))
    return abs(float(first.mean() - second.mean())) / (spread + 1e-300)


def _field_features(field: Field) -> list[Feature]:
    label, found = field.label, []

    def of(sample: OutputSample) -> Field:
        return sample.field(label)

    def kind(sample: OutputSample, draw: int) -> str:
        return of(sample).kinds.name(draw)

    def value(sample: OutputSample, draw: int) -> str:
        return described(of(sample).values[draw])

    if field.kinds.vary:
        kinds = Feature(label, lambda sample: of(sample).kinds.keys, ordered=False, name=kind)
        found.append(kinds)
    found.append(Feature(label, lambda sample: of(sample).keys, ordered=False, name=value))
    if _has_texts(field) and not _has_few_values(field):
        found += _text_features(label)
    if not bool(np.isnan(field.numbers).all()):
        found.append(Feature(label, lambda sample: of(sample).numbers))
        found += _digit_features(field)
    return found


def _digit_features(field: Field) -> list[Feature]:
    """Return features of the last digits of numbers; none where the values are few."""
    if _has_few_values(field):
        return []
    if _is_whole(field):
        return _whole_features(field.label)
    return _bit_features(field.label) if field.has_floats else []


def _has_few_values(field: Field) -> bool:
    return len(np.unique(field.keys)) <= _FEW_VALUES


def _has_texts(field: Field) -> bool:
    return not field.plain and any(isinstance(each, (str, bytes)) for each in field.values)


def _text_features(label: str) -> list[Feature]:
    """Return how long texts are, and how they begin and end."""

    def part(words: str, place: slice) -> Feature:
        def field(sample: OutputSample) -> Field:
            return Field(words, [_cut(each, place) for each in sample.field(label).values])

        def name(sample: OutputSample, index: int) -> str:
            return described(_cut(sample.field(label).values[index], place))

        return Feature(words, lambda sample: field(sample).keys, ordered=False, name=name)

    return [
        Feature(tr("the length of {label}", label=label), partial(_lengths, label)),
        part(tr("the beginning of {label}", label=label), slice(0, 1)),
        part(tr("the end of {label}", label=label), slice(-1, None)),
    ]


def _cut(value: Any, place: slice) -> Any:
    return value[place] if isinstance(value, (str, bytes)) else None


def _lengths(label: str, sample: OutputSample) -> NDArray[Any]:
    values = sample.field(label).values
    texts = [len(each) if isinstance(each, (str, bytes)) else np.nan for each in values]
    return np.array(texts, dtype=np.float64)


def _is_whole(field: Field) -> bool:
    finite = field.numbers[np.isfinite(field.numbers)]
    return bool(np.all(finite == np.round(finite)))


def _whole_features(label: str) -> list[Feature]:
    """Return the remainders of whole numbers."""

    def feature(modulus: int) -> Feature:
        def read(sample: OutputSample) -> NDArray[Any]:
            return regions.remainder(sample.field(label).numbers, modulus)

        def name(sample: OutputSample, index: int) -> str:
            return regions.remainder_words(int(read(sample)[index]))

        return Feature(
            tr("{label} modulo {modulus}", label=label, modulus=modulus),
            read,
            ordered=False,
            name=name,
        )

    return [feature(modulus) for modulus in regions.MODULI]


def _bit_features(label: str) -> list[Feature]:
    """Return the last bits of floats."""
    return [
        Feature(
            tr("the last bit of {label}", label=label),
            lambda sample: regions.finest_bit(sample.field(label).numbers),
            words=partial(regions.finest_words, label),
            kind=LOW_BITS,
        ),
        Feature(
            tr("the size and last bits of {label}", label=label),
            lambda sample: regions.size_and_bits(sample.field(label).numbers),
            ordered=False,
            name=lambda sample, index: regions.size_words(sample.field(label).numbers[index]),
            kind=LOW_BITS,
        ),
    ]


def _shapes(sample: OutputSample) -> NDArray[Any]:
    known = {text: key_of(text) for text in set(sample.shapes)}
    return np.array([known[each] for each in sample.shapes], dtype=np.int64)


def _shape_name(sample: OutputSample, index: int) -> str:
    entries = sample.shapes[index].split("\n")
    more = len(entries) - _MOST_NAMED
    return ", ".join(entries[:_MOST_NAMED]) + (
        tr(" and {more} more", more=more) if more > 0 else ""
    )


@dataclass(frozen=True, eq=False)
class _Binned:
    """A feature cut into bins, with the logarithm of a likelihood ratio for each bin."""

    feature: Feature
    cuts: NDArray[Any]
    ratios: NDArray[Any]
    strength: float

    def column(self, sample: OutputSample) -> NDArray[Any]:
        codes = _codes(self.feature, self.feature.column(sample), self.cuts)
        return np.asarray(self.ratios[codes])


@dataclass(frozen=True, eq=False)
class _Score:
    """A weighted sum of the log-likelihood ratios of several features, the strongest first."""

    parts: list[_Binned]
    weights: NDArray[Any]

    def column(self, sample: OutputSample) -> NDArray[Any]:
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
    rows = np.concatenate([np.flatnonzero(labels == side)[:_MOST_ROWS] for side in (1, 0)])
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
