"""Which features fit the outputs at hand: of each entry, of their shape, and of all together."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox import lowbits
from sfumato.audit.blackbox.features import LOW_BITS, Feature
from sfumato.audit.blackbox.fields import Field
from sfumato.audit.blackbox.flatten import LENGTH, ROWS
from sfumato.audit.blackbox.forms import form_features
from sfumato.audit.blackbox.values import described, key_of
from sfumato.audit.blackbox.vectors import vector_features
from sfumato.translation import tr

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.audit.blackbox.outcomes import Sample
    from sfumato.audit.blackbox.pool import Pool

__all__ = ["features_of"]

_MOST_FIELDS = 40
_MOST_NAMED = 3
_FEW_VALUES = 32


def features_of(pool: Pool, *, seed: int = 0) -> list[Feature]:
    """Return the features that fit the outputs of a pool."""
    sample, fields = pool.sample, _prominent(pool)
    found = [_shape_feature()] if len(set(sample.shapes)) > 1 else []
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
    label = field.label
    found = []
    if field.kinds.vary:
        kinds = partial(_kinds, label)
        found.append(Feature(label, kinds, ordered=False, name=partial(_kind_name, label)))
    keys = partial(_keys, label)
    found.append(Feature(label, keys, ordered=False, name=partial(_value_name, label)))
    if _has_texts(field) and not _has_few_values(field):
        found += _text_features(label)
    if not bool(np.isnan(field.numbers).all()):
        found.append(Feature(label, partial(_numbers, label)))
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
        def field(sample: Sample) -> Field:
            return Field(words, [_cut(each, place) for each in sample.field(label).values])

        def name(sample: Sample, index: int) -> str:
            return described(_cut(sample.field(label).values[index], place))

        return Feature(words, lambda sample: field(sample).keys, ordered=False, name=name)

    return [
        Feature(tr("the length of {label}", label=label), partial(_lengths, label)),
        part(tr("the beginning of {label}", label=label), slice(0, 1)),
        part(tr("the end of {label}", label=label), slice(-1, None)),
    ]


def _cut(value: Any, place: slice) -> Any:
    return value[place] if isinstance(value, (str, bytes)) else None


def _lengths(label: str, sample: Sample) -> NDArray[Any]:
    values = sample.field(label).values
    texts = [len(each) if isinstance(each, (str, bytes)) else np.nan for each in values]
    return np.array(texts, dtype=np.float64)


def _is_whole(field: Field) -> bool:
    finite = field.numbers[np.isfinite(field.numbers)]
    return bool(np.all(finite == np.round(finite)))


def _whole_features(label: str) -> list[Feature]:
    """Return the remainders of whole numbers."""

    def feature(modulus: int) -> Feature:
        def read(sample: Sample) -> NDArray[Any]:
            return lowbits.remainder(_numbers(label, sample), modulus)

        def name(sample: Sample, index: int) -> str:
            return lowbits.remainder_words(int(read(sample)[index]))

        return Feature(
            tr("{label} modulo {modulus}", label=label, modulus=modulus),
            read,
            ordered=False,
            name=name,
        )

    return [feature(modulus) for modulus in lowbits.MODULI]


def _bit_features(label: str) -> list[Feature]:
    """Return the last bits of floats."""
    return [
        Feature(
            tr("the last bit of {label}", label=label),
            lambda sample: lowbits.finest_bit(_numbers(label, sample)),
            words=partial(lowbits.finest_words, label),
            kind=LOW_BITS,
        ),
        Feature(
            tr("the size and last bits of {label}", label=label),
            lambda sample: lowbits.size_and_bits(_numbers(label, sample)),
            ordered=False,
            name=lambda sample, index: lowbits.size_words(_numbers(label, sample)[index]),
            kind=LOW_BITS,
        ),
    ]


def _shape_feature() -> Feature:
    return Feature(tr("the set of entries"), _shapes, ordered=False, name=_shape_name)


def _numbers(label: str, sample: Sample) -> NDArray[Any]:
    return sample.field(label).numbers


def _keys(label: str, sample: Sample) -> NDArray[Any]:
    return sample.field(label).keys


def _value_name(label: str, sample: Sample, index: int) -> str:
    return described(sample.field(label).values[index])


def _kinds(label: str, sample: Sample) -> NDArray[Any]:
    return sample.field(label).kinds.keys


def _kind_name(label: str, sample: Sample, index: int) -> str:
    return sample.field(label).kinds.name(index)


def _shapes(sample: Sample) -> NDArray[Any]:
    return _keys_of_texts(sample.shapes)


def _shape_name(sample: Sample, index: int) -> str:
    entries = sample.shapes[index].split("\n")
    more = len(entries) - _MOST_NAMED
    return ", ".join(entries[:_MOST_NAMED]) + (
        tr(" and {more} more", more=more) if more > 0 else ""
    )


def _keys_of_texts(texts: list[str]) -> NDArray[Any]:
    known = {text: key_of(text) for text in set(texts)}
    return np.array([known[each] for each in texts], dtype=np.int64)
