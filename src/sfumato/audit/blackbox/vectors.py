"""Features of all the numbers of an output together."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox.batches import by_value
from sfumato.audit.blackbox.features import Feature
from sfumato.audit.blackbox.opening import opened
from sfumato.audit.blackbox.values import ABSENT, described, key_of
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sfumato.audit.blackbox.outcomes import Sample

__all__ = ["vector_features", "whole_keys"]

_PROJECTIONS = 6
_HUGE = 1e100
#: How many fields are mixed at once.
_AT_ONCE = 64


def vector_features(near: list[str], every: list[str], seed: int) -> list[Feature]:
    """Return features of several fields at once.

    Parameters
    ----------
    near
        The fields whose neighbours are compared.
    every
        All the fields.
    seed
        Of the directions to project on.
    """
    rows = partial(_rows, every)
    return [*_summaries(rows), _place(every), _whole(), *_steps(near), *_projections(every, seed)]


def _summaries(rows: Callable[[Sample], NDArray[Any]]) -> list[Feature]:
    def feature(label: str, summary: Callable[[NDArray[Any]], NDArray[Any]]) -> Feature:
        return Feature(label, lambda sample: summary(sample.column(rows)), wide=True)

    return [
        feature(tr("the sum of the numbers"), lambda found: _known(found).sum(axis=1)),
        feature(tr("the norm of the numbers"), lambda found: np.linalg.norm(_known(found), axis=1)),
        feature(tr("the greatest number"), lambda found: np.fmax.reduce(found, axis=1)),
        feature(tr("the least number"), lambda found: np.fmin.reduce(found, axis=1)),
    ]


def _place(labels: list[str]) -> Feature:
    def places(sample: Sample) -> NDArray[Any]:
        found = _rows(labels, sample)
        return np.asarray(np.where(np.isnan(found), -np.inf, found).argmax(axis=1))

    def name(sample: Sample, index: int) -> str:
        return labels[int(places(sample)[index])]

    return Feature(
        tr("the place of the greatest number"), places, ordered=False, name=name, wide=True
    )


def _whole() -> Feature:
    return Feature(tr("the whole output"), whole_keys, ordered=False, name=_row_name, wide=True)


def _steps(labels: list[str]) -> list[Feature]:
    """Return the differences of neighbouring fields."""

    def feature(left: str, right: str) -> Feature:
        return Feature(
            tr("{right} minus {left}", right=right, left=left),
            partial(_difference, left, right),
            wide=True,
        )

    return [feature(left, right) for left, right in pairwise(labels)]


def _difference(left: str, right: str, sample: Sample) -> NDArray[Any]:
    gap: NDArray[Any] = _clipped(sample.field(right).numbers)
    return np.asarray(gap - _clipped(sample.field(left).numbers))


def _projections(labels: list[str], seed: int) -> list[Feature]:
    weights = np.random.default_rng(seed).normal(size=(_PROJECTIONS, len(labels)))

    def feature(number: int) -> Feature:
        return Feature(
            tr("a random projection (number {number})", number=number + 1),
            lambda sample: np.einsum("ij,j->i", _known(_rows(labels, sample)), weights[number]),
            wide=True,
        )

    return [feature(number) for number in range(_PROJECTIONS)]


def _rows(labels: list[str], sample: Sample) -> NDArray[Any]:
    """Return the numbers of the outputs, a row each; NaN where a field is no number."""
    return np.column_stack([_clipped(sample.field(label).numbers) for label in labels])


def _clipped(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return numbers of a size that can be added and squared."""
    return np.asarray(np.clip(numbers, -_HUGE, _HUGE))


def _known(rows: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(np.nan_to_num(rows))


def whole_keys(sample: Sample) -> NDArray[Any]:
    """Return a key for each whole output: the keys of its fields, mixed."""
    mixed, absent = np.zeros(sample.size, dtype=np.uint64), key_of(ABSENT)
    labels = list(sample.fields)
    for start in range(0, len(labels), _AT_ONCE):
        some = labels[start : start + _AT_ONCE]
        salts = np.array([key_of(label) for label in some], dtype=np.int64)[:, None]
        keys = np.stack([sample.fields[label].keys for label in some])
        parts = _scrambled((keys ^ salts).view(np.uint64))
        mixed += np.where(keys == absent, np.uint64(0), parts).sum(axis=0, dtype=np.uint64)
    return mixed.view(np.int64)


def _scrambled(keys: NDArray[Any]) -> NDArray[Any]:
    """Return keys with every bit spread over all of them (the finaliser of SplitMix64)."""
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    found: NDArray[Any] = keys ^ (keys >> np.uint64(31))
    return found


def _row_name(sample: Sample, index: int) -> str:
    output = by_value(opened(sample.outputs[index]))
    return described(output.tolist() if isinstance(output, np.ndarray) else output)
