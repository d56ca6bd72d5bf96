"""A finite distribution: probabilities of outcomes, exact where they were given exactly."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from sfumato.errors import InputError
from sfumato.information.validate import (
    Floats,
    Integers,
    checked_floats,
    checked_integers,
    divided,
    flat_array,
    split_labels,
)
from sfumato.numeric import shown
from sfumato.printing import drawn
from sfumato.refusal import Argument, Given

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.printing import Chart


class HasDistribution(Protocol):
    """What carries a distribution: a Joint, the result of `maximum_entropy`."""

    @property
    def distribution(self) -> Any:
        """The distribution."""


#: Anything a finite distribution can be made of: an array or column of probabilities (floats,
#: Fractions, Decimals) or of counts (integers), a mapping from outcomes to these, a Distribution.
DistributionLike = Iterable[Any] | Mapping[Any, Any] | HasDistribution


class Distribution:
    """Outcomes and their probabilities.

    Floats, Fractions and Decimals are probabilities and must sum to one; integers are
    counts and are divided by their sum.  Fractions, Decimals and counts stay exact.

    Parameters
    ----------
    values
        An array, list or column, or a mapping from outcomes to numbers.
    name
        What to call it in an error.
    copy
        Whether to keep a copy of an array, so that later changes to it do no harm.

    Examples
    --------
    >>> from sfumato.information import Distribution
    >>> survey = Distribution({"yes": 3, "no": 1})
    >>> survey["yes"], survey.is_exact
    (Fraction(3, 4), True)
    >>> Distribution([0.5, 0.25, 0.25]).probabilities
    array([0.5 , 0.25, 0.25])
    """

    __slots__ = ("_floats", "_labels", "_numerators", "_total")

    _floats: Floats | None
    _labels: tuple[Hashable, ...] | None
    _numerators: Integers | None
    _total: int

    def __init__(self, values: DistributionLike, *, name: Given = "p", copy: bool = True) -> None:
        labels, column = split_labels(_mapped(values), name)
        array = flat_array(column, name)
        if labels is not None and array.size != len(labels):
            raise InputError(
                "E-LENGTHS-DIFFER",
                "{name} has {count} outcomes and {size} numbers",
                "give one each",
                name=Argument(name),
                count=len(labels),
                size=array.size,
            )
        array = array.copy() if copy else array.view()
        array.flags.writeable = False
        self._labels = labels
        self._floats, self._numerators, self._total = None, None, 1
        if array.dtype.kind == "f":
            self._floats = checked_floats(array, name)
        else:
            self._numerators, self._total = checked_integers(array, name)

    @property
    def probabilities(self) -> Floats:
        """The probabilities as floats, in the order of the labels.

        Examples
        --------
        >>> from sfumato.information import Distribution
        >>> Distribution([1, 3]).probabilities
        array([0.25, 0.75])
        """
        if self._floats is None:
            self._floats = divided(self._numerators, self._total)
            self._floats.flags.writeable = False
        return self._floats

    @property
    def fractions(self) -> list[Fraction]:
        """The probabilities as Fractions that sum to one exactly.

        Floats are taken as the rationals they store and divided by their exact sum.

        Examples
        --------
        >>> from sfumato.information import Distribution
        >>> Distribution([1, 2]).fractions
        [Fraction(1, 3), Fraction(2, 3)]
        """
        if self._numerators is not None:
            numerators, total = self.integers
            return [Fraction(each, total) for each in numerators]
        stored = [Fraction(each) for each in self.probabilities.tolist()]
        whole = sum(stored, Fraction(0))
        return [each / whole for each in stored]

    @property
    def integers(self) -> tuple[list[int], int]:
        """The probabilities as integers over one denominator, which is their sum.

        Examples
        --------
        >>> from sfumato.information import Distribution
        >>> Distribution([0.25, 0.75]).integers
        ([1, 3], 4)
        """
        if self._numerators is None:
            fractions = self.fractions
            total = math.lcm(*(each.denominator for each in fractions))
            return [each.numerator * (total // each.denominator) for each in fractions], total
        if isinstance(self._numerators, list):
            return list(self._numerators), self._total
        numerators: list[int] = self._numerators.tolist()
        return numerators, self._total

    @property
    def underflows(self) -> bool:
        """Whether a positive probability is too small for a float.

        Examples
        --------
        >>> from fractions import Fraction
        >>> from sfumato.information import Distribution
        >>> tiny = Fraction(1, 10**400)
        >>> Distribution([tiny, 1 - tiny]).underflows
        True
        """
        if not isinstance(self._numerators, list):
            return False
        pairs = zip(self._numerators, self.probabilities.tolist(), strict=True)
        return any(exactly > 0 and not nearly for exactly, nearly in pairs)

    @property
    def log_probabilities(self) -> Floats:
        """The natural logarithms of the probabilities, also of those too small for a float.

        Examples
        --------
        >>> from fractions import Fraction
        >>> from sfumato.information import Distribution
        >>> tiny = Fraction(1, 10**400)
        >>> Distribution([tiny, 1 - tiny]).log_probabilities.round(3)
        array([-921.034,    0.   ])
        """
        numerators, total = self.integers
        whole = math.log(total)
        return np.array([math.log(each) - whole if each else -math.inf for each in numerators])

    @property
    def is_exact(self) -> bool:
        """Whether the probabilities are held as rationals.

        Examples
        --------
        >>> from sfumato.information import Distribution
        >>> Distribution([0.5, 0.5]).is_exact
        False
        """
        return self._numerators is not None

    @property
    def labels(self) -> Sequence[Hashable]:
        """The outcomes; positions from 0 where none were given.

        Examples
        --------
        >>> from sfumato.information import Distribution
        >>> Distribution({"a": 1, "b": 1}).labels
        ('a', 'b')
        """
        return range(len(self)) if self._labels is None else self._labels

    @property
    def is_labelled(self) -> bool:
        """Whether outcomes were named.

        Examples
        --------
        >>> from sfumato.information import Distribution
        >>> Distribution([1, 1]).is_labelled
        False
        """
        return self._labels is not None

    def items(self) -> Iterator[tuple[Hashable, Fraction | float]]:
        """Iterate over (outcome, probability), exact where held exactly.

        Examples
        --------
        >>> from sfumato.information import Distribution
        >>> dict(Distribution({"a": 0.25, "b": 0.75}).items())
        {'a': 0.25, 'b': 0.75}
        """
        values = self.fractions if self.is_exact else self.probabilities.tolist()
        return zip(self.labels, values, strict=True)

    def over(self, labels: tuple[Hashable, ...]) -> Distribution:
        """Return the same distribution over other labels, in their order; a new one gets 0.

        Examples
        --------
        >>> from sfumato.information import Distribution
        >>> Distribution({"a": 1, "b": 3}).over(("b", "c", "a"))
        Distribution({'b': 3/4, 'c': 0, 'a': 1/4})
        """
        if self._labels == labels:
            return self
        known = dict(self.items())
        return Distribution({each: known.get(each, 0) for each in labels})

    def plot(self, *, to: str | Path | None = None) -> Chart:
        """Draw the probabilities as bars; needs ``sfumato[plots]``.

        Parameters
        ----------
        to
            Also write it into a file ending in ``.html``, ``.png`` or ``.svg``.

        Examples
        --------
        >>> from sfumato.information import Distribution
        >>> Distribution({"a": 3, "b": 1}).plot().to_dict()["title"]["text"]
        ['an entropy of 0.8113 bits, of at most 1 bit']
        """
        return drawn("distributions", {"": self}, to=to)

    def __getitem__(self, label: Hashable) -> Fraction | float:
        for each, value in self.items():
            if each == label:
                return value
        raise InputError(
            "E-OUTCOME-UNKNOWN", "there is no such outcome", "the labels attribute lists them all"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        held = list(self)
        return Distribution, (dict(zip(self.labels, held, strict=True)) if self._labels else held,)

    def __len__(self) -> int:
        held = self._floats if self._numerators is None else self._numerators
        return 0 if held is None else len(held)

    def __iter__(self) -> Iterator[Fraction | float]:
        return (value for _, value in self.items())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        return self.is_exact == other.is_exact and list(self.items()) == list(other.items())

    def __hash__(self) -> int:
        return hash(tuple(self.items()))

    def __repr__(self) -> str:
        first = [f"{label!r}: {shown(value)}" for label, value in islice(self.items(), 6)]
        more = f", … {len(self) - 6} more" if len(self) > 6 else ""
        return f"Distribution({{{', '.join(first)}{more}}})"


def as_distribution(values: DistributionLike, name: Given) -> Distribution:
    """Return ``values`` as a Distribution for one calculation: nothing is copied."""
    if isinstance(values, Distribution):
        return values
    return Distribution(values, name=name, copy=False)


def _mapped(values: DistributionLike) -> DistributionLike:
    """Return a Distribution, or what has one such as a Joint, so that its labels are kept."""
    held = values if isinstance(values, Distribution) else getattr(values, "distribution", None)
    if not isinstance(held, Distribution):
        return values
    return dict(held.items()) if held.is_labelled else list(held)
