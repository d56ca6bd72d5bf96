"""Composed randomized response with several ε: exact, by meeting in the middle.

The outcomes of each half of the steps are enumerated and sorted by loss.  An outcome of the one
half then goes with all outcomes of the other above some loss, whose probabilities are summed
beforehand: 2^{n/2} sums in place of 2^n.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from flint import arb

from sfumato.errors import InputError
from sfumato.numeric import Enclosure, as_ball, float_above, working_precision
from sfumato.privacy.theorems.certified import crossing_above_zero, log_ratio
from sfumato.privacy.theorems.responses import RepeatedResponse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from flint import fmpq

    from sfumato.privacy.theorems.steps import StepGuarantees

__all__ = ["MixedResponses"]

_MOST_OUTCOMES = 1 << 15
#: Losses kept as floats are off by far less than this share of the greatest.
_DOUBT = 1e-9


@dataclass(frozen=True)
class MixedResponses:
    """Randomized response with several ε.

    Attributes
    ----------
    halves
        The steps in two halves with about as many outcomes.
    greatest
        What no loss exceeds.
    """

    halves: tuple[Sequence[RepeatedResponse], Sequence[RepeatedResponse]]
    greatest: float

    @classmethod
    def of(cls, steps: StepGuarantees) -> MixedResponses:
        """Divide the steps into two halves."""
        halves: tuple[list[RepeatedResponse], list[RepeatedResponse]] = [], []
        sizes = [1, 1]
        for each, times in sorted(steps.epsilons.items(), key=lambda item: -item[1]):
            side = sizes.index(min(sizes))
            halves[side].append(RepeatedResponse(each, times))
            sizes[side] *= times + 1
        if max(sizes) > _MOST_OUTCOMES:
            raise InputError(
                "E-TOO-LARGE",
                "so many different values of epsilon have too many outcomes to enumerate (2 "
                "× {most_outcomes:,} at most)",
                "write sf.compose(...)",
                most_outcomes=_MOST_OUTCOMES,
            )
        with working_precision(128):
            return cls(halves, float_above(as_ball(steps.epsilon_sum())))

    def delta(self, level: arb) -> arb:
        """Return δ at ε."""
        left, right = (Half.of(half) for half in self.halves)
        factor, near = level.exp(), float(level.mid())
        doubt = _DOUBT * (1 + near + left.outcomes[-1].loss + right.outcomes[-1].loss)
        total = arb(0)
        for own in left.outcomes:
            p, q = own.p, factor * own.q
            start = bisect_left(right.losses, near - own.loss - doubt)
            sure = bisect_right(right.losses, near - own.loss + doubt)
            total += p * right.p_from[sure] - q * right.q_from[sure]
            for other in right.outcomes[start:sure]:
                total += (p * other.p - q * other.q).max(arb(0))
        return total

    def least_epsilon(self, delta: fmpq) -> Enclosure:
        """Return the least ε at δ."""

        def excess(level: float) -> arb:
            return log_ratio(self.delta(as_ball(level)), arb(delta))

        return crossing_above_zero(excess, self.greatest)


class JointAnswers(NamedTuple):
    """The answers to some steps: their loss, nearly, and their probabilities under both tables."""

    loss: float
    p: arb
    q: arb


@dataclass(frozen=True)
class Half:
    """The outcomes of half of the steps in order of their loss, with sums from each to the last."""

    outcomes: Sequence[JointAnswers]
    losses: Sequence[float]
    p_from: Sequence[arb]
    q_from: Sequence[arb]

    @classmethod
    def of(cls, responses: Iterable[RepeatedResponse]) -> Half:
        """Enumerate the outcomes."""
        found = [JointAnswers(0.0, arb(1), arb(1))]
        for each in responses:
            found = [_both(own, other) for own in found for other in _outcomes(each)]
        found.sort(key=lambda outcome: outcome.loss)
        return cls(
            found,
            [each.loss for each in found],
            _sums_from([each.p for each in found]),
            _sums_from([each.q for each in found]),
        )


def _outcomes(response: RepeatedResponse) -> list[JointAnswers]:
    size = float(as_ball(response.epsilon))
    return [
        JointAnswers((response.count - 2 * against) * size, p, q)
        for against, (p, q) in enumerate(response.outcomes())
    ]


def _both(own: JointAnswers, other: JointAnswers) -> JointAnswers:
    return JointAnswers(own.loss + other.loss, own.p * other.p, own.q * other.q)


def _sums_from(values: list[arb]) -> list[arb]:
    """Return the sum from each place to the end, and a zero behind the last."""
    return list(accumulate(reversed(values), initial=arb(0)))[::-1]
