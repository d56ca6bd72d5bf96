"""Filters that add up amounts: of pure, zero-concentrated and Gaussian privacy."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.numeric import Ln, working_precision
from sfumato.privacy.filters.amounts import (
    Amount,
    decimal_below,
    root_above,
    root_below,
    share_above,
    short_below,
)
from sfumato.privacy.filters.base import PrivacyFilter, check_budget
from sfumato.privacy.filters.costs import concentrated_rho, gaussian_square, pure_epsilon
from sfumato.privacy.guarantees import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from sfumato.privacy.parameters import written
from sfumato.privacy.theorems.gaussian import analytic_sigma
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.privacy.events import Event
    from sfumato.privacy.filters.costs import Cost
    from sfumato.privacy.guarantees import Guarantee
    from sfumato.privacy.parameters import Epsilon


class AdditiveFilter(PrivacyFilter):
    """A filter that adds up amounts, each of which has a limit."""

    def __init__(self, budget: Guarantee, *, limits: Cost) -> None:
        super().__init__(budget, amounts=len(limits))
        self._limits = limits

    def used(self) -> Fraction:
        """Return the greatest share that an amount has of its limit, rounded up."""
        return max(map(share_above, self._spent, self._limits))

    def _fits(self, spent: Cost) -> bool:
        return all(amount <= limit for amount, limit in zip(spent, self._limits, strict=True))

    def _left(self) -> list[Fraction]:
        """Return what is left of each limit, where no amount has a logarithm in it."""
        pairs = zip(self._limits, self._spent, strict=True)
        return [
            short_below(Fraction(limit.rational) - Fraction(amount.rational))
            for limit, amount in pairs
        ]


_BITS = 128


class PureFilter(AdditiveFilter):
    """Admits events as long as the sum of their ε is within that of the budget, exactly.

    The privacy loss never exceeds the sum of the ε, whichever events were chosen, so the sum may be
    stopped at any time :cite:p:`rogers2016odometers`.  Rationals and logarithms are added and
    compared exactly; the ε of a pure step on a sample, ln(1 + q (e^ε - 1)), is rounded up to a
    multiple of 10^-18 first.  Proof: :doc:`/proofs/additive-filters`.

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


class ConcentratedFilter(AdditiveFilter):
    """Admits events as long as the sum of their ρ is within that of the budget, exactly.

    With L the loss so far, exp((α - 1)(L - α Σ ρ)) is a supermartingale for every order α, even if
    each ρ depends on earlier results, so at any stopping time the divergence of order α is at most
    αρ: nothing is lost against events fixed in advance
    :cite:p:`feldman2021individual,lecuyer2021practical,whitehouse2023fully`.
    Proof: :doc:`/proofs/additive-filters`.

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


class GaussianFilter(AdditiveFilter):
    """Admits events as long as the sum of their μ² is within that of the budget.

    A step of μ-Gaussian privacy can be computed from the growth of a Brownian motion, with a drift
    or without one, over a time of μ².  So all that is admitted can be computed from the motion
    up to the time μ² of the budget, which is one Gaussian mechanism; that the steps are chosen on
    the way changes nothing :cite:p:`smith2022fully,koskela2023individual`.  The exact curve of
    Gaussian noise holds, with no loss against noise fixed in advance.
    Proof: :doc:`/proofs/gaussian-filter`.

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
