"""What can be seen of an output: columns of its entries, its form, and its numbers together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox.entries import by_value, flat, numbered
from sfumato.audit.blackbox.outcomes import Field, OutputSample
from sfumato.audit.blackbox.values import ABSENT, described, key_of, opened
from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.translation import tr

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.audit.blackbox.regions import Region

#: The kinds of features; what looks at low bits, if only among other things, is of that kind.
VALUE, LOW_BITS, SCORE, JOINT, ADDED = "value", "low bits", "score", "joint", "added"

#: A function of one output, to a number or to something hashable.
Function = Callable[[Any], Any]
#: What a caller may add: such a function, several, or several by name.
Features = Function | Iterable[Function] | Mapping[str, Function]
_MOST_NAMED = 3
_PROJECTIONS = 6
_HUGE = 1e100
#: How many fields are mixed at once.
_AT_ONCE = 64


@dataclass(frozen=True, eq=False)
class Feature:
    """A column that is read off the outputs.

    Attributes
    ----------
    label
        What it is, in words.
    read
        From a sample to a column: numbers where ``ordered``, else keys.
    ordered
        Whether thresholds make sense.
    name
        The key of one draw of a sample in words, for a feature of keys.
    words
        An event of the feature in words, where the plain way does not read well.
    wide
        Whether it looks at several entries of an output at once.
    kind
        What it looks at: the value, its low bits, a fitted score, several features at once, or
        what the caller added.
    """

    label: str
    read: Callable[[OutputSample], NDArray[Any]]
    ordered: bool = True
    name: Callable[[OutputSample, int], str] | None = None
    words: Callable[[Region], str] | None = None
    wide: bool = False
    kind: str = VALUE

    def column(self, sample: OutputSample) -> NDArray[Any]:
        """Return the column, read but once off each sample."""
        return sample.column(self.read)

    def named(self, sample: OutputSample, draw: int) -> str:
        """Return the value of one draw in words."""
        return self.name(sample, draw) if self.name else str(self.column(sample)[draw])

    def said(self, region: Region) -> str:
        """Return the event that the feature lies in a region, in words."""
        return self.words(region) if self.words else region.said_of(self.label)


def read_features(features: Features | None) -> list[Feature]:
    """Return the features that a caller adds: functions of one output."""
    if features is None:
        return []
    named = features if isinstance(features, Mapping) else _named(features)
    for each in named.values():
        if not callable(each):
            _refuse(each)
    return [one for label, each in named.items() for one in _computed(str(label), each)]


def _named(features: Any) -> dict[str, Any]:
    if callable(features):
        features = [features]
    if not isinstance(features, Iterable) or isinstance(features, (str, bytes)):
        _refuse(features)
    return numbered((getattr(each, "__name__", "a feature"), each) for each in features)


def _refuse(given: Any) -> None:
    raise InputError(
        "E-ARGUMENT-TYPE",
        "features must be functions of one output, not {given}",
        "write features=[len], or {{'its length': len}}",
        given=shown(given),
    )


def _computed(label: str, function: Function) -> list[Feature]:
    """Return a caller's feature, both as numbers and as keys."""

    def field(sample: OutputSample) -> Field:
        return Field(label, [_applied(function, each) for each in sample.outputs])

    def name(sample: OutputSample, index: int) -> str:
        return described(_applied(function, sample.outputs[index]))

    return [
        Feature(label, lambda sample: field(sample).numbers, kind=ADDED),
        Feature(label, lambda sample: field(sample).keys, ordered=False, name=name, kind=ADDED),
    ]


def _applied(function: Function, output: Any) -> Any:
    try:
        found = function(by_value(output))
    except Exception as error:  # noqa: BLE001 - a feature that fails tells something too
        return f"failed with {type(error).__name__}"
    return found if isinstance(found, Hashable) else repr(found)


def form_features(sample: OutputSample) -> list[Feature]:
    """Return the form of outputs as a feature, where it is not always the same."""
    feature = Feature("the form of the output", _forms, ordered=False, name=_name)
    column = feature.column(sample)
    return [feature] if (column != column[0]).any() else []


def _forms(sample: OutputSample) -> NDArray[Any]:
    """Return a key for the form of each output; a single value has none."""
    if sample.orders is None:
        order = tuple(sample.fields)
        orders = [order] * (1 if isinstance(sample.outputs, np.ndarray) else sample.size)
    else:
        orders = sample.orders
    known: dict[tuple[str, tuple[str, ...]], int] = {}
    keys = []
    for output, order in zip(sample.outputs, orders, strict=False):
        form = (_container(output), order) if len(order) > 1 else ("", ())
        if form not in known:
            known[form] = key_of(repr(form))
        keys.append(known[form])
    return np.resize(np.array(keys, dtype=np.int64), sample.size)


def _container(output: Any) -> str:
    kind = type(output).__name__
    if isinstance(output, np.ndarray):
        return f"{kind} of {output.dtype}"
    name: Any = getattr(output, "name", None)
    index: Any = getattr(output, "index", None)
    counted = f" from {index.start}" if type(index).__name__ == "RangeIndex" else ""
    return f"{kind}{counted} named {shown(name)}" if isinstance(name, str) else kind + counted


def _name(sample: OutputSample, index: int) -> str:
    output = sample.outputs[index]
    entries = list(flat(output))
    if len(entries) < 2:
        return "a single value"
    more = len(entries) - _MOST_NAMED
    listed = ", ".join(entries[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    return f"{_container(output)}: {listed}"


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


def _summaries(rows: Callable[[OutputSample], NDArray[Any]]) -> list[Feature]:
    def feature(label: str, summary: Callable[[NDArray[Any]], NDArray[Any]]) -> Feature:
        return Feature(label, lambda sample: summary(sample.column(rows)), wide=True)

    return [
        feature(tr("the sum of the numbers"), lambda found: _known(found).sum(axis=1)),
        feature(tr("the norm of the numbers"), lambda found: np.linalg.norm(_known(found), axis=1)),
        feature(tr("the greatest number"), lambda found: np.fmax.reduce(found, axis=1)),
        feature(tr("the least number"), lambda found: np.fmin.reduce(found, axis=1)),
    ]


def _place(labels: list[str]) -> Feature:
    def places(sample: OutputSample) -> NDArray[Any]:
        found = _rows(labels, sample)
        return np.asarray(np.where(np.isnan(found), -np.inf, found).argmax(axis=1))

    def name(sample: OutputSample, index: int) -> str:
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


def _difference(left: str, right: str, sample: OutputSample) -> NDArray[Any]:
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


def _rows(labels: list[str], sample: OutputSample) -> NDArray[Any]:
    """Return the numbers of the outputs, a row each; NaN where a field is no number."""
    return np.column_stack([_clipped(sample.field(label).numbers) for label in labels])


def _clipped(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return numbers of a size that can be added and squared."""
    return np.asarray(np.clip(numbers, -_HUGE, _HUGE))


def _known(rows: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(np.nan_to_num(rows))


def whole_keys(sample: OutputSample) -> NDArray[Any]:
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


def _row_name(sample: OutputSample, index: int) -> str:
    output = by_value(opened(sample.outputs[index]))
    return described(output.tolist() if isinstance(output, np.ndarray) else output)
