"""Composition of mechanisms of bounded range, such as the exponential mechanism.

A mechanism is of ε-bounded range if its privacy losses, for any two neighbouring tables, lie in an
interval of length ε: [t - ε, t] for some t from 0 to ε :cite:p:`dong2020optimal`.  That is more
than ε-differential privacy asks.  The exponential mechanism with weights exp(ε u/(2Δu)) has it.

.. warning::
   The optimal composition here is **non-adaptive**: it holds only for mechanisms that are all fixed
   in advance.  Where a query is chosen after seeing an answer, use :func:`bounded_range_zcdp`, or
   :func:`optimal_epsilon`, which hold adaptively.

The worst mechanism with losses t and t - ε takes t with probability p = (e^ε - e^t)/(e^ε - 1)
under the one table and q = p e^{-t} under the other.  Of k losses at most l are the lesser with
probabilities P_l(t) and Q_l(t), and δ(ε_g) is the greatest P_l(t) - e^{ε_g} Q_l(t) over l and t.
In t it rises up to t_l = (ε_g + (l+1)ε)/(k+1), and falls beyond.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import arb

from sfumato.errors import InputError
from sfumato.numeric import Enclosure, as_ball, float_above, read_count, shown, working_precision
from sfumato.privacy.parameters import read_delta, read_epsilon
from sfumato.privacy.theorems.certified import (
    crossing_above_zero,
    enclosed,
    least_float,
    log_ratio,
)
from sfumato.privacy.theorems.composition import StepGuarantees

if TYPE_CHECKING:
    from sfumato.privacy.parameters import Epsilon
    from sfumato.privacy.theorems.certified import EpsilonLike, NumberLike


_MOST_STEPS = 1000


def bounded_range_delta(
    *, epsilon: EpsilonLike, count: int, total_epsilon: EpsilonLike
) -> Enclosure:
    """Return the least δ at ε for any ``count`` mechanisms of bounded range fixed in advance.

    **Non-adaptive composition only**: it does not hold where a query is chosen after seeing an
    answer.  Exact, by :cite:p:`dong2020optimal`.  Proof: :doc:`/proofs/bounded-range`.

    Parameters
    ----------
    epsilon
        The length of the range of losses of each mechanism.
    count
        k, how many mechanisms there are, at most 1000.
    total_epsilon
        ε of the whole, 0 or more.

    Examples
    --------
    >>> from sfumato.privacy.theorems import bounded_range_delta
    >>> round(bounded_range_delta(epsilon=0.1, count=10, total_epsilon=0.5).upper, 12)
    3.9978134e-05
    """
    steps = _read_steps(epsilon, count)
    limit = read_epsilon(total_epsilon, "total_epsilon")
    if steps.sum_is_within(limit):
        return Enclosure(0.0, 0.0)
    worst = _Worst.of(steps)
    return enclosed(lambda: worst.delta(as_ball(limit)), most=1.0)


def bounded_range_epsilon(
    *, epsilon: EpsilonLike, count: int, total_delta: NumberLike
) -> Enclosure:
    """Return the least ε at δ for any ``count`` mechanisms of bounded range fixed in advance.

    **Non-adaptive composition only**: it does not hold where a query is chosen after seeing an
    answer.  The inverse of :func:`bounded_range_delta`.  Proof: :doc:`/proofs/bounded-range`.

    Parameters
    ----------
    epsilon
        The length of the range of losses of each mechanism.
    count
        k, how many mechanisms there are, at most 1000.
    total_delta
        δ of the whole, from 0 up to, and without, 1.

    Examples
    --------
    >>> from sfumato.privacy.theorems import bounded_range_epsilon
    >>> round(bounded_range_epsilon(epsilon=0.1, count=10, total_delta=1e-6).upper, 12)
    0.628636838773
    """
    steps, allowed = _read_steps(epsilon, count), read_delta(total_delta, "total_delta")
    if allowed == 0 or not steps.epsilons:
        return enclosed(lambda: as_ball(steps.epsilon_sum()))
    worst = _Worst.of(steps)

    def excess(limit: float) -> arb:
        return log_ratio(worst.delta(as_ball(limit)), as_ball(allowed))

    def rough(limit: float) -> arb:
        return log_ratio(worst.likely_delta(as_ball(limit)), as_ball(allowed))

    with working_precision(128):
        greatest = float_above(as_ball(steps.epsilon_sum()))
    return crossing_above_zero(excess, greatest, rough=rough)


def bounded_range_zcdp(*, epsilon: EpsilonLike) -> float:
    """Return the ρ of zero-concentrated privacy that ε-bounded range implies: ε²/8, rounded up.

    A quarter of what ε-differential privacy implies; it adds up under adaptive composition
    :cite:p:`cesar2021bounding`.  Proof: :doc:`/proofs/zero-concentrated-privacy`.

    Examples
    --------
    >>> from sfumato.privacy.theorems import bounded_range_zcdp
    >>> bounded_range_zcdp(epsilon=1)
    0.125
    """
    level = read_epsilon(epsilon)
    return least_float(lambda: as_ball(level) * as_ball(level) / 8)


def _read_steps(epsilon: EpsilonLike, count: int) -> StepGuarantees:
    if read_count(count) > _MOST_STEPS:
        raise InputError(
            "E-TOO-LARGE",
            "bounded-range composition is computed for at most {most_steps:,} mechanisms, "
            "not {count}",
            "write bounded_range_zcdp(...) for each and add them up",
            most_steps=_MOST_STEPS,
            count=shown(count),
        )
    return StepGuarantees.read(read_epsilon(epsilon), delta=0, count=count)


@dataclass(frozen=True)
class _Worst:
    """The worst mechanisms of a bounded range, ``count`` times the same."""

    epsilon: Epsilon
    count: int

    @classmethod
    def of(cls, steps: StepGuarantees) -> _Worst:
        ((level, times),) = steps.epsilons.items()
        return cls(level, times)

    def delta(self, limit: arb) -> arb:
        """Return δ: the greatest of all peaks."""
        greatest = arb(0)
        for lesser in range(self.count):
            greatest = greatest.max(self._peak(lesser, limit))
        return greatest

    def likely_delta(self, limit: arb) -> arb:
        """Return δ if the peaks rise up to one of them, and fall from there on."""

        def falls(lesser: int) -> int:
            return int(self._peak(lesser + 1, limit) <= self._peak(lesser, limit))

        return self._peak(bisect_left(range(self.count - 1), 1, key=falls), limit)

    def _peak(self, lesser: int, limit: arb) -> arb:
        """Return the greatest P - e^ε Q over t, with at most so many lesser losses."""
        level = as_ball(self.epsilon)
        top = (limit + (lesser + 1) * level) / (self.count + 1)
        if top >= level:
            return arb(0)
        p = (top - level).expm1() / (-level).expm1()
        if not top < level:
            return arb(0).union(self.count * p)
        q = p * (-top).exp()
        return self._at_most(lesser, p) - limit.exp() * self._at_most(lesser, q)

    def _at_most(self, lesser: int, p: arb) -> arb:
        """Return the probability that at most so many losses are the lesser one."""
        odds, term, total = (1 - p) / p, p**self.count, arb(0)
        for done in range(lesser + 1):
            total += term
            term = term * (self.count - done) * odds / (done + 1)
        return total
