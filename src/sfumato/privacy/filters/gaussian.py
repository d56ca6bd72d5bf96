"""Filters for Gaussian privacy."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.privacy.filters.additive import AdditiveFilter
from sfumato.privacy.filters.amounts import Amount
from sfumato.privacy.filters.budgets import check_budget
from sfumato.privacy.filters.costs import gaussian_square
from sfumato.privacy.filters.decimals import root_above, root_below
from sfumato.privacy.guarantees import ApproxDP, GaussianDP
from sfumato.privacy.parameters import written
from sfumato.privacy.theorems.gaussian import analytic_sigma
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.privacy.events import Event
    from sfumato.privacy.filters.costs import Cost

__all__ = ["GaussianFilter"]


class GaussianFilter(AdditiveFilter):
    """Admits events as long as the sum of their μ² is within that of the budget.

    A step of μ-Gaussian privacy can be computed from the growth of a Brownian motion, with a drift
    or without one, over a time of μ².  So all that is admitted can be computed from the motion
    up to the time μ² of the budget, which is one Gaussian mechanism; that the steps are chosen on
    the way changes nothing :cite:p:`smith2022fully,koskela2023individual`.  The exact curve of
    Gaussian noise holds, with no loss against noise fixed in advance.

    Gaussian noise costs (Δ/σ)², exactly; what is pure costs the square of 2Φ⁻¹(e^ε/(1 + e^ε)).

    Parameters
    ----------
    budget
        The guarantee to keep; for (ε, δ), the greatest μ whose exact curve keeps it.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.privacy.filters import GaussianFilter
    >>> budget = GaussianFilter(sf.ApproxDP(epsilon=1, delta=1e-6))
    >>> budget.remaining_count(sf.privacy.events.Gaussian(sigma=40))
    89
    """

    currency = mark("μ of Gaussian privacy")
    instead = mark(
        "use ConcentratedFilter(ZeroConcentratedDP(rho=0.1)) or "
        "MixtureFilter(ApproxDP(epsilon=1, delta=1e-6)), say"
    )

    def __init__(self, budget: GaussianDP | ApproxDP) -> None:
        check_budget(budget, "GaussianFilter", GaussianDP, ApproxDP)
        super().__init__(budget, limits=(Amount(_greatest_square(budget)),))

    def spent(self) -> GaussianDP:
        """Return the μ of all that was admitted together, rounded up.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.privacy.filters import GaussianFilter
        >>> budget = GaussianFilter(sf.privacy.GaussianDP(mu=1))
        >>> budget.admit(sf.privacy.events.Repeated(sf.privacy.events.Gaussian(sigma=10), count=25))
        >>> print(budget.spent())
        0.5-GDP (add or remove one row)
        """
        mu = root_above(Fraction(self._spent[0].rational))
        return GaussianDP(mu=mu, relation=self.relation)

    def remaining(self) -> GaussianDP:
        """Return the μ that one more step may have, rounded down.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.privacy.filters import GaussianFilter
        >>> budget = GaussianFilter(sf.privacy.GaussianDP(mu=1))
        >>> budget.admit(sf.privacy.events.Gaussian(sigma=1.25))
        >>> print(budget.remaining())
        0.6-GDP (add or remove one row)
        """
        return GaussianDP(mu=root_below(self._left()[0]), relation=self.relation)

    def _measured(self) -> str:
        return "squares of μ of Gaussian privacy"

    def _step_cost(self, step: Event) -> Cost:
        return (self._known(gaussian_square(step), step),)


def _greatest_square(budget: GaussianDP | ApproxDP) -> Fraction:
    if isinstance(budget, GaussianDP):
        return budget.exact_mu**2
    sigma = analytic_sigma(epsilon=budget.exact_epsilon, delta=budget.exact_delta)
    return 1 / written(sigma) ** 2
