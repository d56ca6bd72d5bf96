"""Filters for zero-concentrated privacy."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.privacy.filters.additive import AdditiveFilter
from sfumato.privacy.filters.amounts import Amount
from sfumato.privacy.filters.budgets import check_budget
from sfumato.privacy.filters.costs import concentrated_rho
from sfumato.privacy.guarantees import ZeroConcentratedDP
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.privacy.events import Event
    from sfumato.privacy.filters.costs import Cost

__all__ = ["ConcentratedFilter"]


class ConcentratedFilter(AdditiveFilter):
    """Admits events as long as the sum of their ρ is within that of the budget, exactly.

    With L the loss so far, exp((α - 1)(L - α Σ ρ)) is a supermartingale for every order α, even if
    each ρ depends on earlier results, so at any stopping time the divergence of order α is at most
    αρ: nothing is lost against events fixed in advance
    :cite:p:`feldman2021individual,lecuyer2021practical,whitehouse2023fully`.

    Gaussian noise, continuous or discrete, costs Δ²/(2σ²), the exponential mechanism ε²/8, and what
    is pure ε²/2.

    Parameters
    ----------
    budget
        The guarantee to keep.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.privacy.filters import ConcentratedFilter
    >>> budget = ConcentratedFilter(sf.ZeroConcentratedDP(rho=0.5))
    >>> budget.remaining_count(sf.privacy.events.Gaussian(sigma=10))
    100
    """

    currency = mark("ρ of zero-concentrated privacy")
    instead = mark("use filter_for(ApproxDP(epsilon=1, delta=1e-6)), say")

    def __init__(self, budget: ZeroConcentratedDP) -> None:
        check_budget(budget, "ConcentratedFilter", ZeroConcentratedDP)
        super().__init__(budget, limits=(Amount(budget.exact_rho),))

    def spent(self) -> ZeroConcentratedDP:
        """Return the sum of the ρ.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.privacy.filters import ConcentratedFilter
        >>> budget = ConcentratedFilter(sf.ZeroConcentratedDP(rho=0.5))
        >>> budget.admit(sf.privacy.events.Exponential(epsilon=1))
        >>> print(budget.spent())
        0.125-zCDP (add or remove one row)
        """
        return ZeroConcentratedDP(rho=Fraction(self._spent[0].rational), relation=self.relation)

    def remaining(self) -> ZeroConcentratedDP:
        """Return the ρ that is left, exactly.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.privacy.filters import ConcentratedFilter
        >>> budget = ConcentratedFilter(sf.ZeroConcentratedDP(rho=0.5))
        >>> budget.admit(sf.privacy.events.Exponential(epsilon=1))
        >>> print(budget.remaining())
        0.375-zCDP (add or remove one row)
        """
        return ZeroConcentratedDP(rho=self._left()[0], relation=self.relation)

    def _measured(self) -> str:
        return "ρ of zero-concentrated privacy"

    def _step_cost(self, step: Event) -> Cost:
        return (self._known(concentrated_rho(step), step),)
