"""Filters for (ε, δ) by the sum of the squares of ε: advanced composition with free choice."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.numeric import as_ball, fraction_below, working_precision
from sfumato.privacy.events.base import plain
from sfumato.privacy.filters.additive import AdditiveFilter
from sfumato.privacy.filters.amounts import Amount, decimal_above, root_below
from sfumato.privacy.filters.base import check_budget
from sfumato.privacy.filters.costs import guaranteed_epsilon, own_delta, read_reserve, squared
from sfumato.privacy.guarantees import ApproxDP, PureDP
from sfumato.translation import mark

if TYPE_CHECKING:
    from flint import arb

    from sfumato.privacy.events import Event
    from sfumato.privacy.filters.costs import Cost
    from sfumato.privacy.parameters import Epsilon
    from sfumato.privacy.theorems.certified import NumberLike


_BITS = 256


class AdvancedFilter(AdditiveFilter):
    """Admits events as long as √(2 ln(1/δ') Σ ε²) + Σ ε²/2 is at most ε, and Σ δ at most δ''.

    Here δ' + δ'' = δ.  This is the filter of :cite:p:`whitehouse2023fully`, with the constants of
    advanced composition although every ε and δ may depend on earlier results.  Σ ε² is exact, and
    compared with the greatest number that keeps the inequality, rounded down.
    Proof: :doc:`/proofs/additive-filters`.

    Parameters
    ----------
    budget
        The guarantee to keep, with a δ above 0.
    reserve
        The share of δ that is kept for events with a δ of their own, from 0 up to, and without, 1.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.privacy.filters import AdvancedFilter
    >>> budget = AdvancedFilter(sf.ApproxDP(epsilon=21.6225813628, delta=1e-6))
    >>> budget.remaining_count(sf.privacy.events.Pure(epsilon=0.1))
    1000
    """

    currency = mark("ε of its own")
    instead = mark("use filter_for(ApproxDP(epsilon=1, delta=1e-6)), say")

    def __init__(self, budget: ApproxDP, *, reserve: NumberLike = 0) -> None:
        check_budget(budget, "AdvancedFilter", ApproxDP)
        self._share = read_reserve(reserve)
        self._reserved = self._share * budget.exact_delta
        self._slack = budget.exact_delta - self._reserved
        limit = _greatest_sum(budget.exact_epsilon, self._slack)
        super().__init__(budget, limits=(Amount(limit), Amount(self._reserved)))

    def spent(self) -> ApproxDP:
        """Return the ε and δ of what was admitted, rounded up; δ' is spent from the start.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.privacy.filters import AdvancedFilter
        >>> budget = AdvancedFilter(sf.ApproxDP(epsilon=10, delta=1e-6))
        >>> budget.admit(sf.privacy.events.Repeated(sf.privacy.events.Pure(epsilon=0.1), count=100))
        >>> print(budget.spent())
        (5.75652176976, 1e-06)-DP (add or remove one row)
        """
        squares, deltas = (Fraction(amount.rational) for amount in self._spent)
        with working_precision(_BITS):
            total = as_ball(squares)
            epsilon = decimal_above((2 * _log_inverse(self._slack) * total).sqrt() + total / 2)
        return ApproxDP(epsilon=epsilon, delta=self._slack + deltas, relation=self.relation)

    def remaining(self) -> PureDP:
        """Return the ε of one more pure step that would be admitted, rounded down.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.privacy.filters import AdvancedFilter
        >>> print(AdvancedFilter(sf.ApproxDP(epsilon=1, delta=1e-6)).remaining())
        0.186916584438-DP (add or remove one row)
        """
        return PureDP(epsilon=root_below(self._left()[0]), relation=self.relation)

    def _measured(self) -> str:
        return f"squares of ε, and δ with a reserve of {plain(self._share)}"

    def _step_cost(self, step: Event) -> Cost:
        epsilon = self._known(guaranteed_epsilon(step), step)
        return squared(epsilon), own_delta(step, self._reserved, "AdvancedFilter")


def _log_inverse(delta: Fraction) -> arb:
    return -as_ball(delta).log()


def _greatest_sum(epsilon: Epsilon, slack: Fraction) -> Fraction:
    """Return the greatest S with √(2 ln(1/δ') S) + S/2 ≤ ε, rounded down."""
    with working_precision(_BITS):
        start = 2 * _log_inverse(slack)
        root = 2 * as_ball(epsilon) / ((start + 2 * as_ball(epsilon)).sqrt() + start.sqrt())
        return max(Fraction(0), fraction_below(root**2))
