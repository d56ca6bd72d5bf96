"""The optimal composition theorem: exactly what k private answers cost at worst.

Among all sequences of ε-differentially private mechanisms, adaptive ones included, the worst is
k-fold randomized response :cite:p:`kairouz2015composition`; with different ε the worst is
randomized response with each of them :cite:p:`murtagh2018complexity`.  A step with a δ is one that
fails openly with probability δ, and else keeps its ε, so

    1 - δ_g = Π(1 - δ_i) · (1 - Σ max(0, p - e^{ε_g} q))

over all outcomes, with p and q their probabilities for two neighbouring tables.  ``epsilon`` is
one number, repeated ``count`` times, or a list of different ones.

A step with guarantee ε answers truly with odds e^ε.  Of two neighbouring tables, one makes the true
answer 'yes' everywhere and the other 'no', so an outcome with loss l has a probability p under the
first and p e^{-l} under the second, and

    δ(ε) = Σ max(0, p - e^ε q) = max over sets of outcomes of P(set) - e^ε Q(set).

The outcomes of each half of the steps are enumerated and sorted by loss.  An outcome of the one
half then goes with all outcomes of the other above some loss, whose probabilities are summed
beforehand: 2^{n/2} sums in place of 2^n.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from flint import arb

from sfumato.errors import InputError
from sfumato.numeric import Enclosure, as_ball, as_fmpq, float_above, working_precision
from sfumato.privacy.parameters import read_delta, read_epsilon
from sfumato.privacy.theorems.certified import crossing_above_zero, enclosed, log_ratio
from sfumato.privacy.theorems.composition import EpsilonsLike, NumbersLike, StepGuarantees

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from flint import fmpq

    from sfumato.privacy.parameters import Epsilon
    from sfumato.privacy.theorems.certified import EpsilonLike, NumberLike


@dataclass(frozen=True)
class RepeatedResponse:
    """Randomized response with one ε, ``count`` times."""

    epsilon: Epsilon
    count: int

    def outcomes(self) -> Iterator[tuple[arb, arb]]:
        """Yield both probabilities of 0, 1, 2, … answers that speak against the first table."""
        odds = as_ball(self.epsilon).exp()
        p, q = (1 / (1 + 1 / odds)) ** self.count, (1 / (1 + odds)) ** self.count
        for against in range(self.count + 1):
            yield p, q
            ways = self.count - against
            p, q = p * ways / ((against + 1) * odds), q * ways * odds / (against + 1)

    def delta(self, level: arb) -> arb:
        """Return δ at ε; only the outcomes with a greater loss are visited."""
        total, factor = arb(0), level.exp()
        for p, q in self.outcomes():
            excess = p - factor * q
            if excess < 0:
                break
            total += excess.max(arb(0))
        return total

    def least_epsilon(self, delta: fmpq) -> Enclosure:
        """Return the least ε at δ: the greatest ln((P - δ)/Q) over the sets of greatest loss."""
        return enclosed(lambda: self._greatest_factor(arb(delta)).log())

    def _greatest_factor(self, delta: arb) -> arb:
        greatest, first, second = arb(1), arb(0), arb(0)
        for against, (p, q) in enumerate(self.outcomes()):
            if 2 * against > self.count:
                break
            first, second = first + p, second + q
            greatest = greatest.max((first - delta) / second)
        return greatest


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


_MOST_STEPS = 1_000_000


def optimal_delta(
    *,
    epsilon: EpsilonsLike,
    count: int = 1,
    total_epsilon: EpsilonLike,
    delta: NumbersLike = 0,
) -> Enclosure:
    """Return the least δ that holds at ε for every composition of the given guarantees.

    Proof: :doc:`/proofs/optimal-composition`.

    Parameters
    ----------
    epsilon
        The guarantee of each step, or a list of guarantees.
    count
        How often it, or the whole list, is repeated.
    total_epsilon
        ε of the whole, 0 or more.
    delta
        The δ of every step, or a list as long as that of ε.

    Examples
    --------
    >>> from sfumato.numeric import Ln
    >>> from sfumato.privacy.theorems import optimal_delta
    >>> round(optimal_delta(epsilon=Ln(2), count=100, total_epsilon=20).upper, 12)
    0.632390695387
    """
    steps, level = _read_steps(epsilon, delta, count), read_epsilon(total_epsilon, "total_epsilon")
    success = steps.success()
    if steps.sum_is_within(level):
        return enclosed(lambda: arb(1 - success), most=1.0)
    responses = _responses(steps)
    return enclosed(lambda: arb(1 - success) + success * responses.delta(as_ball(level)), most=1.0)


def optimal_epsilon(
    *,
    epsilon: EpsilonsLike,
    count: int = 1,
    total_delta: NumberLike,
    delta: NumbersLike = 0,
) -> Enclosure:
    """Return the least ε that holds at δ for every composition of the given guarantees.

    Infinite where δ is less than the steps' own δ come to, 1 - Π(1 - δ_i).
    Proof: :doc:`/proofs/optimal-composition`.

    Parameters
    ----------
    epsilon
        The guarantee of each step, or a list of guarantees.
    count
        How often it, or the whole list, is repeated.
    total_delta
        δ of the whole, from 0 up to, and without, 1.
    delta
        The δ of every step, or a list as long as that of ε.

    Examples
    --------
    >>> from sfumato.privacy.theorems import optimal_epsilon
    >>> round(optimal_epsilon(epsilon=0.1, count=1000, total_delta=1e-6).upper, 12)
    19.344671447993
    """
    steps, allowed = _read_steps(epsilon, delta, count), read_delta(total_delta, "total_delta")
    left = 1 - as_fmpq(1 - allowed) / steps.success()
    if left < 0:
        return Enclosure(math.inf, math.inf)
    if left == 0:
        return enclosed(lambda: as_ball(steps.epsilon_sum()))
    return _responses(steps).least_epsilon(left)


def _read_steps(epsilon: EpsilonsLike, delta: NumbersLike, count: int) -> StepGuarantees:
    steps = StepGuarantees.read(epsilon, delta=delta, count=count)
    if sum(steps.deltas.values()) > _MOST_STEPS:
        raise InputError(
            "E-TOO-LARGE",
            "the optimal composition is computed for at most {most_steps:,} steps",
            "for more, write sf.compose(...)",
            most_steps=_MOST_STEPS,
        )
    return steps


def _responses(steps: StepGuarantees) -> RepeatedResponse | MixedResponses:
    """Return the randomized responses that are the worst case of the steps."""
    if len(steps.epsilons) != 1:
        return MixedResponses.of(steps)
    ((level, times),) = steps.epsilons.items()
    return RepeatedResponse(level, times)
