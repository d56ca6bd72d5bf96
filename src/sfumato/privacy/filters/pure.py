"""Filters for pure privacy: basic composition is a filter as it stands."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.numeric import Ln, working_precision
from sfumato.privacy.filters.additive import AdditiveFilter
from sfumato.privacy.filters.amounts import Amount
from sfumato.privacy.filters.budgets import check_budget
from sfumato.privacy.filters.costs import pure_epsilon
from sfumato.privacy.filters.decimals import decimal_below, short_below
from sfumato.privacy.guarantees import PureDP
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.privacy.events import Event
    from sfumato.privacy.filters.costs import Cost
    from sfumato.privacy.parameters import Epsilon

__all__ = ["PureFilter"]

_BITS = 128


class PureFilter(AdditiveFilter):
    """Admits events as long as the sum of their ε is within that of the budget, exactly.

    The privacy loss never exceeds the sum of the ε, whichever events were chosen, so the sum may be
    stopped at any time :cite:p:`rogers2016odometers`.  Rationals and logarithms are added and
    compared exactly; the ε of a pure step on a sample, ln(1 + q (e^ε - 1)), is rounded up to a
    multiple of 10^-18 first.

    Parameters
    ----------
    budget
        The guarantee to keep.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.privacy.filters import PureFilter
    >>> budget = PureFilter(sf.PureDP(epsilon=1))
    >>> for _ in range(10):
    ...     budget.admit(sf.privacy.events.Laplace(scale=10))
    >>> budget.would_admit(sf.privacy.events.Laplace(scale=10))
    False
    """

    currency = mark("pure ε")
    instead = mark("use filter_for(ApproxDP(epsilon=1, delta=1e-6)), say")

    def __init__(self, budget: PureDP) -> None:
        check_budget(budget, "PureFilter", PureDP)
        super().__init__(budget, limits=(Amount.of(budget.exact_epsilon),))

    def spent(self) -> PureDP:
        """Return the sum of the ε.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.privacy.filters import PureFilter
        >>> budget = PureFilter(sf.PureDP(epsilon=1))
        >>> budget.admit(sf.privacy.events.Laplace(scale=10))
        >>> print(budget.spent())
        0.1-DP (add or remove one row)
        """
        return PureDP(epsilon=self._spent[0].epsilon(), relation=self.relation)

    def remaining(self) -> PureDP:
        """Return the ε that is left: exact, or rounded down where it is no single number.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.privacy.filters import PureFilter
        >>> budget = PureFilter(sf.PureDP(epsilon=sf.numeric.Ln(6)))
        >>> budget.admit(sf.privacy.events.RandomizedResponse(epsilon=sf.numeric.Ln(2)))
        >>> print(budget.remaining())
        ln(3)-DP (add or remove one row)
        """
        return PureDP(epsilon=_difference(self._limits[0], self._spent[0]), relation=self.relation)

    def _measured(self) -> str:
        return "pure ε"

    def _step_cost(self, step: Event) -> Cost:
        return (self._known(pure_epsilon(step), step),)


def _difference(limit: Amount, spent: Amount) -> Epsilon:
    rational = Fraction(limit.rational) - Fraction(spent.rational)
    argument = limit.argument / spent.argument
    if argument == 1:
        return short_below(rational)
    if rational == 0:
        return Ln(argument)
    with working_precision(_BITS):
        return max(Fraction(0), decimal_below(Amount(rational, argument).ball()))
