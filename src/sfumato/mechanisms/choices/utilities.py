"""Reading private utilities: one exact number for each public candidate, whatever was given."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.mechanisms.values.kinds import exactly, is_number, refuse_masked
from sfumato.mechanisms.values.missing import is_placeholder
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Utilities", "read_utilities"]

_GREATEST = Fraction(sys.float_info.max)


@dataclass(frozen=True)
class Utilities:
    """How good each candidate is, exactly.

    Parameters
    ----------
    candidates
        Their public names, in order: the keys of a mapping, or the indices of a sequence.
    scores
        The private utility of each.
    """

    candidates: Sequence[Any]
    scores: Sequence[Fraction]

    def levels(self, rate: Fraction) -> list[Fraction]:
        """Return by how much each candidate falls short of the best, times a rate: at most 0."""
        best = max(self.scores)
        return [rate * (score - best) for score in self.scores]


def read_utilities(value: Any) -> Utilities:
    """Return utilities exactly; what is no finite number counts as one.

    NaN and what is missing count as 0, ±infinity as the greatest float of that sign.
    Only the type and the shape decide whether an error is raised, and no message shows a number.

    Parameters
    ----------
    value
        A sequence or an array of one dimension, whose candidates are 0, 1, ...; or a mapping
        from candidates to utilities, or a pandas Series, whose index holds the candidates.
    """
    if isinstance(value, Mapping):
        return Utilities(tuple(value), _scores(value.values()))
    if hasattr(value, "index") and hasattr(value, "items"):  # a pandas Series
        return Utilities(tuple(value.index), _scores(value.tolist()))
    scores = _scores(_listed(value))
    return Utilities(range(len(scores)), scores)


def _listed(value: Any) -> Iterable[Any]:
    refuse_masked(value)
    if isinstance(value, (list, tuple, range)):
        return value
    if hasattr(value, "__array__") and (array := np.asarray(value)).ndim == 1:
        return array
    raise InputError(
        "E-ARGUMENT-TYPE",
        "utilities must be a list or an array of one dimension, or map candidates to "
        "numbers, not {kind}",
        "write [3, 1.5] or {{'red': 3, 'blue': 1.5}}",
        kind=_kind(value),
    )


def _kind(value: Any) -> str:
    shape = getattr(value, "shape", ())
    return (
        tr("an array of shape {shape}", shape=shape)
        if shape
        else tr("a value of type {name}", name=type(value).__name__)
    )


def _scores(values: Iterable[Any]) -> tuple[Fraction, ...]:
    scores = tuple(_score(each) for each in values)
    if not scores:
        raise InputError(
            "E-ARGUMENT-EMPTY",
            "utilities must have at least one candidate",
            "give one number for each",
        )
    return scores


def _score(value: Any) -> Fraction:
    if is_placeholder(value):
        return Fraction(0)
    if not is_number(value):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "a utility must be an integer, a float or a Fraction, not of type {kind}",
            "write 3 or 1.5, say",
            kind=type(value).__name__,
        )
    number = exactly(value)
    if isinstance(number, Fraction):
        return number
    return Fraction(0) if math.isnan(number) else _GREATEST if number > 0 else -_GREATEST
