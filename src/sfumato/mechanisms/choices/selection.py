"""What the mechanisms that choose one of several candidates have in common."""

from __future__ import annotations

import math
import sys
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb

from sfumato.errors import InputError
from sfumato.mechanisms.base import ONE_ROW, PureMechanism, read_monotone
from sfumato.mechanisms.distributions.output import FiniteDistribution
from sfumato.mechanisms.sensitivity.declared import positive_sensitivity
from sfumato.mechanisms.values import exactly, is_number, is_placeholder, refuse_masked
from sfumato.numeric import (
    Exponentials,
    as_ball,
    bracket_threshold,
    float_above,
    fraction_below,
    read_count,
    working_precision,
)
from sfumato.privacy import Epsilon, Relation, read_confidence, read_relation, usable_epsilon
from sfumato.refusal import Argument
from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.sampling import BitSource


_GREATEST = Fraction(sys.float_info.max)
_BITS = 128
#: The worse of two candidates is chosen with odds of e to minus this, or less.
_FAR_APART = 400


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


@dataclass(frozen=True, init=False, repr=False)
class Selection(PureMechanism[Any, Any]):
    """A choice of one candidate that is likely to be among the best.

    Parameters
    ----------
    epsilon
        What one release costs; above 0.
    sensitivity
        Δ, the most by which one change of the table moves any one utility; above 0.  Of a
        ``Sensitivity`` the length in L2 is taken, which no single utility exceeds.
    monotone
        Whether one change of the table never raises one utility and lowers another: counts,
        when a row is added or removed.  Then half the noise is enough.
    relation
        What one change is.

    Attributes
    ----------
    rate
        What a difference of one in utility comes to as an exponent: ε/(2Δ), or ε/Δ for monotone
        utilities; rounded down where ε is a logarithm.
    """

    epsilon: Epsilon
    sensitivity: Fraction
    monotone: bool
    relation: Relation

    def __init__(
        self,
        *,
        epsilon: Any,
        sensitivity: Any,
        monotone: bool = False,
        relation: Relation = ONE_ROW,
    ) -> None:
        neighbours = read_relation(relation)
        self._keep(
            epsilon=usable_epsilon(epsilon),
            sensitivity=positive_sensitivity(sensitivity, norm="l2", relation=neighbours),
            monotone=read_monotone(monotone),
            relation=neighbours,
        )

    @property
    def rate(self) -> Fraction:
        """What a difference of one in utility comes to as an exponent."""
        return rational_below(self.epsilon) / (self.sensitivity * (1 if self.monotone else 2))

    def neighbours(self) -> list[tuple[list[Fraction], list[Fraction]]]:
        """Return utilities of two candidates, of which the worse catches up by all it may."""
        far, moved = _FAR_APART / self.rate, self.sensitivity
        return [([Fraction(0), far], [moved, far if self.monotone else far - moved])]

    def distribution(self, value: Any) -> FiniteDistribution[Any]:
        """Return the exact distribution of the candidate that is chosen."""
        utilities = read_utilities(value)
        levels = utilities.levels(self.rate)
        chances = [partial(self._probability, levels, index) for index in range(len(levels))]
        return FiniteDistribution(utilities.candidates, chances, partial(self._odds, levels))

    def error(self, *, confidence: Any = 0.95, candidates: Any = None) -> float:
        """Return by how much the chosen utility falls short of the best, with a confidence.

        For any utilities the shortfall exceeds it with probability at most 1 - confidence.

        Parameters
        ----------
        confidence
            Above 0 and below 1.
        candidates
            How many there are.
        """
        if candidates is None:
            raise InputError(
                "E-ARGUMENT-MISSING",
                "the error depends on how many candidates there are",
                "write {candidates}, say",
                candidates=Argument("candidates", 10),
            )
        count, sure = read_count(candidates, "candidates"), read_confidence(confidence)
        precision = _BITS + 2 * (count.bit_length() + sure.denominator.bit_length())

        def rare(shortfall: float) -> bool:
            with working_precision(precision):
                return bool(self._miss(arb(shortfall), count) <= as_ball(1 - sure))

        return float_above(Fraction(_least(rare)) / self.rate) + 0.0

    def _draw(self, value: Any, source: BitSource) -> Any:
        utilities = read_utilities(value)
        return utilities.candidates[self._chosen(utilities.levels(self.rate), source)]

    @abstractmethod
    def _chosen(self, levels: Sequence[Fraction], source: BitSource) -> int:
        """Return the index of the candidate that is drawn; the best has level 0."""

    @abstractmethod
    def _probability(self, levels: Sequence[Fraction], index: int) -> arb:
        """Return the probability that ``_chosen`` returns an index."""

    def _odds(self, levels: Sequence[Fraction]) -> Sequence[Exponentials] | None:  # noqa: ARG002
        """Return exact odds of all indices, None where they are not told."""
        return None

    @abstractmethod
    def _miss(self, shortfall: arb, candidates: int) -> arb:
        """Bound the probability that the chosen level lies below minus the shortfall."""


def rational_below(epsilon: Epsilon) -> Fraction:
    """Return an ε that is rational: itself, or a little less than a logarithm."""
    if isinstance(epsilon, Fraction):
        return epsilon
    with working_precision(_BITS):
        return fraction_below(as_ball(epsilon))


def _least(holds: Callable[[float], bool]) -> float:
    """Return a number at which a condition holds that begins to hold nowhere much before it."""
    if holds(0.0):
        return 0.0
    high = 1.0
    while not holds(high):
        high *= 2
    return bracket_threshold(holds, 0.0, high).high
