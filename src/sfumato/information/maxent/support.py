"""The outcomes on which a distribution of greatest entropy is sought."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError, UnknownNameError
from sfumato.numeric.cached import cached_property
from sfumato.refusal import Argument, text
from sfumato.translation import mark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.refusal import Given

__all__ = ["Support", "as_support"]

_MOST_OUTCOMES = 10_000_000
#: Stands for every NaN, though none is equal to another.
_NAN = object()


@dataclass(frozen=True)
class Support:
    """A plain list of outcomes, or every combination of the values of several variables."""

    values: tuple[tuple[Hashable, ...], ...]
    variables: tuple[Hashable, ...] | None

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values each variable takes."""
        return tuple(len(each) for each in self.values)

    @property
    def size(self) -> int:
        """The number of outcomes."""
        return math.prod(self.shape)

    @cached_property
    def labels(self) -> tuple[Hashable, ...]:
        """The outcomes; tuples of values on a table."""
        return self.values[0] if self.variables is None else tuple(product(*self.values))

    def arguments(self) -> Iterable[Any]:
        """Return what a function of the outcome is called with."""
        if self.variables is None:
            return self.labels
        names = self.variables
        return (dict(zip(names, each, strict=True)) for each in product(*self.values))

    def axes(self, variables: tuple[Hashable, ...]) -> list[int]:
        """Return the positions of variables."""
        known = self.variables
        if known is None:
            raise InputError(
                "E-ARGUMENT-TYPE",
                "a marginal needs a table of variables",
                "give the support as a mapping from each variable to its values",
            )
        for each in variables:
            if each not in known:
                raise UnknownNameError(kind="variable", name=each, known=known)
        return [known.index(each) for each in variables]

    def codes(self, axes: list[int]) -> NDArray[np.int64]:
        """Return, for every outcome, the position of its values on ``axes`` in their own table."""
        places = np.unravel_index(np.arange(self.size), self.shape)
        kept = [places[axis] for axis in axes]
        flat: NDArray[np.int64] = np.ravel_multi_index(kept, [self.shape[axis] for axis in axes])
        return flat


def as_support(given: Iterable[Hashable] | Mapping[Hashable, Iterable[Hashable]]) -> Support:
    """Return the outcomes, checked: at least one, each once."""
    if isinstance(given, Mapping):
        values = tuple(
            _listed(each, text("the variable {key!r}", key=key)) for key, each in given.items()
        )
        support = Support(values, tuple(given))
    else:
        support = Support((_listed(given, mark("the support")),), None)
    if not support.values:
        raise InputError(
            "E-ARGUMENT-EMPTY", "the support has no variables", "give at least one, with its values"
        )
    if support.size > _MOST_OUTCOMES:
        raise InputError(
            "E-TOO-LARGE",
            "the support has {size} outcomes",
            "the most is {most_outcomes}",
            size=support.size,
            most_outcomes=_MOST_OUTCOMES,
        )
    return support


def _listed(values: Iterable[Hashable], name: Given) -> tuple[Hashable, ...]:
    try:
        listed = tuple(values)
        distinct = len({_NAN if _is_nan(each) else each for each in listed})
    except TypeError:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{name} must be a list of outcomes that can be dictionary keys",
            name=Argument(name),
        ) from None
    if distinct < max(len(listed), 1):
        raise InputError(
            "E-OUTCOMES-ALIKE",
            "{name} is empty or repeats an outcome",
            "list each outcome once",
            name=Argument(name),
        )
    return listed


def _is_nan(value: Hashable) -> bool:
    return isinstance(value, Real) and value != value
