"""The filter for (ε, δ) that takes every kind of event: many Rényi orders at once."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.numeric import bracket_threshold
from sfumato.privacy import events as ev
from sfumato.privacy.events.wording import plain
from sfumato.privacy.filters.amounts import UNBOUNDED, Amount, share_above
from sfumato.privacy.filters.base import PrivacyFilter
from sfumato.privacy.filters.budgets import check_budget
from sfumato.privacy.filters.decimals import decimal_above, decimal_below, short_below
from sfumato.privacy.filters.labels import guaranteed_epsilon, own_delta, read_reserve
from sfumato.privacy.filters.martingale import MartingaleMixture
from sfumato.privacy.filters.orders import best_order, named_orders
from sfumato.privacy.guarantees import ApproxDP, PureDP
from sfumato.privacy.parameters import above
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.privacy.events import Event
    from sfumato.privacy.filters.costs import Cost
    from sfumato.privacy.parameters import Epsilon
    from sfumato.privacy.theorems.reading import NumberLike

__all__ = ["MixtureFilter"]

_OCTAVES = 2
_TOLERANCE = 1e-9
#: Far more than floats are off by.
_MARGIN = 1 + 2.0**-30


class MixtureFilter(PrivacyFilter):
    """Admits every kind of event that has Rényi bounds, with no order to choose.

    With L the loss so far and R_j the sum of the divergences of order α_j, the mixture
    M = Σ w_j exp((α_j - 1)(L - R_j)) is a supermartingale from 1 for any weights that sum to 1 and
    any choice of events along the way, so E[M] ≤ 1 when it stops.  An event is admitted if
    afterwards (1 - e^(ε - x))₊ ≤ δ M(x) for every value x of the loss; then the mean of the left
    side, which is the least δ at ε, is at most δ.  It is admitted, too, if the ε of all steps add
    up to ε or less, for then the left side is 0.  The proof in full is in the documentation.

    The orders lie around the one that suits the budget best, and the weights fall off from there;
    both depend on the budget alone.

    Parameters
    ----------
    budget
        The guarantee to keep, with a δ above 0.
    reserve
        The share of δ that is kept for events with a δ of their own, from 0 up to, and without, 1.

    Attributes
    ----------
    mixture
        The orders and their weights.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.privacy.filters import MixtureFilter
    >>> budget = MixtureFilter(sf.ApproxDP(epsilon=1, delta=1e-6))
    >>> sampled = sf.privacy.events.Subsampled(sf.privacy.events.Gaussian(sigma=4), rate=0.01)
    >>> budget.admit(sf.privacy.events.Repeated(sampled, count=1000))
    >>> budget.remaining_count(sf.privacy.events.Laplace(scale=100))
    410
    """

    currency = mark("Rényi bound")
    instead = mark("write Approximate(epsilon=1, delta=1e-9) for what it guarantees, say")

    def __init__(self, budget: ApproxDP, *, reserve: NumberLike = 0) -> None:
        check_budget(budget, "MixtureFilter", ApproxDP)
        self._epsilon = budget.exact_epsilon
        self._limit = Amount.of(self._epsilon)
        self._share = read_reserve(reserve)
        self._reserved = self._share * budget.exact_delta
        self._allowed = Amount(self._reserved)
        self._slack = budget.exact_delta - self._reserved
        self.mixture = MartingaleMixture.around(
            best_order(self._epsilon, self._slack), octaves=_OCTAVES
        )
        self._enough = self.mixture.enough_alone(epsilon=self._epsilon, delta=self._slack)
        super().__init__(budget, amounts=2 + len(self.mixture.orders))

    def used(self) -> Fraction:
        """Return the least ε that would have been enough as a share of ε, rounded up.

        The least ε is that of the mixture, or the sum of the pure ε if that is less; the share is
        that of the reserve if it is greater.  A reading, in floats, where ``spent`` is proved.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.privacy.filters import MixtureFilter
        >>> budget = MixtureFilter(sf.ApproxDP(epsilon=1, delta=1e-6))
        >>> budget.admit(sf.privacy.events.Laplace(scale=10))
        >>> budget.used()
        Fraction(1, 10)
        """
        pure, deltas, *divergences = self._spent
        least = self.mixture.least_epsilon(tuple(divergences), delta=self._slack)
        spent = min(pure, Amount(least * _MARGIN), self._limit)
        return max(share_above(spent, self._limit), share_above(deltas, self._allowed))

    def spent(self) -> ApproxDP:
        """Return the least ε that what was admitted would have fitted, with the δ, rounded up.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.privacy.filters import MixtureFilter
        >>> budget = MixtureFilter(sf.ApproxDP(epsilon=1, delta=1e-6))
        >>> budget.admit(sf.privacy.events.Laplace(scale=10))
        >>> print(budget.spent())
        (0.1, 1e-06)-DP (add or remove one row)
        """
        pure, deltas, *divergences = self._spent

        def keeps(epsilon: float) -> bool:
            return self.mixture.keeps(
                tuple(divergences), epsilon=Fraction(epsilon), delta=self._slack
            )

        known = [self._epsilon] if pure == UNBOUNDED else [self._epsilon, pure.epsilon()]
        if keeps(high := above(self._epsilon)):
            known.append(decimal_above(Fraction(_least(keeps, high))))
        return ApproxDP(
            epsilon=min(known),
            delta=self._slack + Fraction(deltas.rational),
            relation=self.relation,
        )

    def remaining(self) -> PureDP | ApproxDP:
        """Return the ε of one more step that would be admitted, rounded down.

        It may have a δ of its own, as much as is left of the reserve.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.privacy.filters import MixtureFilter
        >>> budget = MixtureFilter(sf.ApproxDP(epsilon=1, delta=1e-6))
        >>> budget.admit(sf.privacy.events.Gaussian(sigma=10))
        >>> round(budget.remaining().epsilon(delta=0), 6)
        0.522939
        """

        def is_refused(epsilon: float) -> bool:
            return not self.would_admit(ev.Pure(epsilon=Fraction(epsilon)))

        if self.would_admit(ev.Pure(epsilon=self._epsilon)):
            return self._with_the_reserve(self._epsilon)
        high = above(self._epsilon)
        found = bracket_threshold(is_refused, 0.0, high, tolerance=high * _TOLERANCE).low
        return self._with_the_reserve(max(decimal_below(Fraction(found)), self._left_of_the_sum()))

    def _with_the_reserve(self, epsilon: Epsilon) -> PureDP | ApproxDP:
        delta = short_below(self._reserved - Fraction(self._spent[1].rational))
        if delta == 0:
            return PureDP(epsilon=epsilon, relation=self.relation)
        return ApproxDP(epsilon=epsilon, delta=delta, relation=self.relation)

    def _left_of_the_sum(self) -> Fraction:
        """Return how much the sum of the pure ε may still grow, if that is a rational above 0."""
        pure = self._spent[0]
        if pure == UNBOUNDED or not pure.argument == self._limit.argument == 1:
            return Fraction(0)
        left = Fraction(self._limit.rational) - Fraction(pure.rational)
        return max(Fraction(0), short_below(left))

    def _step_cost(self, step: Event) -> Cost:
        epsilon = guaranteed_epsilon(step)
        delta = own_delta(step, self._reserved, "MixtureFilter")
        known = ev.Pure(epsilon=step.epsilon) if isinstance(step, ev.Approximate) else step
        divergences = self.mixture.divergences(known, self.relation)
        if epsilon is None and set(divergences) == {UNBOUNDED}:
            self._known(None, step)
        return UNBOUNDED if epsilon is None else epsilon, delta, *divergences

    def _measured(self) -> str:
        orders = named_orders(self.mixture.orders, self.mixture.weights)
        return (
            f"pure ε, δ with a reserve of {plain(self._share)}, and Rényi divergences at {orders}"
        )

    def _fits(self, spent: Cost) -> bool:
        pure, deltas, *divergences = spent
        if deltas > self._allowed:
            return False
        if pure <= self._limit:
            return True
        return any(divergences[j] <= bound for j, bound in self._enough) or self.mixture.keeps(
            tuple(divergences), epsilon=self._epsilon, delta=self._slack
        )


def _least(holds: Callable[[float], bool], high: float) -> float:
    """Return about the least point, up to one where a condition holds, at which it does."""
    if holds(0.0):
        return 0.0
    return bracket_threshold(holds, 0.0, high, tolerance=high * _TOLERANCE).high
