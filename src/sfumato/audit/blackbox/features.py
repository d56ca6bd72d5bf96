"""What can be seen of an output: columns of numbers, or of keys that tell values apart."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.audit.blackbox.batches import by_value, numbered
from sfumato.audit.blackbox.fields import Field
from sfumato.audit.blackbox.values import described
from sfumato.errors import InputError
from sfumato.numeric import shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.audit.blackbox.outcomes import Sample
    from sfumato.audit.blackbox.regions import Region

__all__ = [
    "ADDED",
    "JOINT",
    "LOW_BITS",
    "SCORE",
    "VALUE",
    "Feature",
    "Features",
    "read_features",
]

#: The kinds of features; what looks at low bits, if only among other things, is of that kind.
VALUE, LOW_BITS, SCORE, JOINT, ADDED = "value", "low bits", "score", "joint", "added"

#: A function of one output, to a number or to something hashable.
Function = Callable[[Any], Any]
#: What a caller may add: such a function, several, or several by name.
Features = Function | Iterable[Function] | Mapping[str, Function]


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
    read: Callable[[Sample], NDArray[Any]]
    ordered: bool = True
    name: Callable[[Sample, int], str] | None = None
    words: Callable[[Region], str] | None = None
    wide: bool = False
    kind: str = VALUE

    def column(self, sample: Sample) -> NDArray[Any]:
        """Return the column, read but once off each sample."""
        return sample.column(self.read)

    def named(self, sample: Sample, draw: int) -> str:
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

    def field(sample: Sample) -> Field:
        return Field(label, [_applied(function, each) for each in sample.outputs])

    def name(sample: Sample, index: int) -> str:
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
