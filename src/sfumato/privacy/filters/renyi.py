"""Filters by Rényi divergences of orders that are fixed in advance."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy.events.wording import plain
from sfumato.privacy.filters.additive import AdditiveFilter
from sfumato.privacy.filters.amounts import UNBOUNDED, Amount
from sfumato.privacy.filters.budgets import check_budget
from sfumato.privacy.filters.costs import renyi_divergences
from sfumato.privacy.filters.orders import best_order, greatest_divergence, named_orders
from sfumato.privacy.guarantees import ApproxDP, RenyiDP
from sfumato.privacy.theorems.reading import read_order
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.privacy.events import Event
    from sfumato.privacy.filters.costs import Cost
    from sfumato.privacy.theorems.reading import NumberLike

    Table = tuple[tuple[Fraction, Fraction], ...]

__all__ = ["RenyiFilter"]


class RenyiFilter(AdditiveFilter):
    """Admits events as long as the sum of their Rényi divergences is within the budget.

    The order α is fixed in advance.  With L the loss so far and R the sum of the divergences,
    exp((α - 1)(L - R)) is a supermartingale even if each divergence depends on earlier results, so
    at any stopping time the divergence is at most the budget's: nothing is lost against events
    fixed in advance :cite:p:`feldman2021individual`.  A budget of several orders is kept at each
    of them.

    Parameters
    ----------
    budget
        The guarantee to keep: Rényi divergences at some orders, or (ε, δ).
    order
        For (ε, δ) only: the order, above 1; the best one for Gaussian noise if none is given.

    Attributes
    ----------
    limits
        The orders, and the divergence that each allows.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.privacy.filters import RenyiFilter
    >>> budget = RenyiFilter(sf.privacy.RenyiDP({8: 0.4}))
    >>> budget.remaining_count(sf.privacy.events.Gaussian(sigma=10))
    10
    >>> budget = RenyiFilter(sf.ApproxDP(epsilon=1, delta=1e-6))
    >>> budget.remaining_count(sf.privacy.events.Gaussian(sigma=40))
    77
    """

    currency = mark("Rényi bound at the orders of the budget")
    instead = mark("use MixtureFilter(ApproxDP(epsilon=1, delta=1e-6), reserve=0.1), say")

    def __init__(self, budget: RenyiDP | ApproxDP, *, order: NumberLike | None = None) -> None:
        check_budget(budget, "RenyiFilter", RenyiDP, ApproxDP)
        self.limits = _limits(budget, order)
        self._orders = tuple(order for order, _ in self.limits)
        super().__init__(budget, limits=tuple(Amount(bound) for _, bound in self.limits))

    def spent(self) -> RenyiDP:
        """Return the sums of the divergences.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.privacy.filters import RenyiFilter
        >>> budget = RenyiFilter(sf.privacy.RenyiDP({8: 0.4}))
        >>> budget.admit(sf.privacy.events.Gaussian(sigma=10))
        >>> print(budget.spent())
        (8, 0.04)-RDP (add or remove one row)
        """
        return self._at_orders([Fraction(amount.rational) for amount in self._spent])

    def remaining(self) -> RenyiDP:
        """Return the divergences that are left.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.privacy.filters import RenyiFilter
        >>> budget = RenyiFilter(sf.privacy.RenyiDP({8: 0.4}))
        >>> budget.admit(sf.privacy.events.Gaussian(sigma=10))
        >>> print(budget.remaining())
        (8, 0.36)-RDP (add or remove one row)
        """
        return self._at_orders(self._left())

    def _at_orders(self, bounds: list[Fraction]) -> RenyiDP:
        return RenyiDP(zip(self._orders, bounds, strict=True), relation=self.relation)

    def _measured(self) -> str:
        return f"Rényi divergences at {named_orders(self._orders)}"

    def _step_cost(self, step: Event) -> Cost:
        cost = renyi_divergences(step, self._orders, self.relation)
        self._known(None if UNBOUNDED in cost else cost[0], step)
        return cost


def _limits(budget: RenyiDP | ApproxDP, order: NumberLike | None) -> Table:
    if isinstance(budget, ApproxDP):
        return (_single(budget, order),)
    if order is not None:
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "a budget of RenyiDP names its own orders, so order={order} has no place",
            "write RenyiFilter(budget)",
            order=shown(order),
        )
    if callable(budget.curve):
        raise InputError(
            "E-BUDGET-FORM",
            "RenyiFilter keeps a budget at orders that are listed, not along a function",
            "write RenyiDP({{8: 0.5}}), say",
        )
    return budget.curve


def _single(budget: ApproxDP, order: NumberLike | None) -> tuple[Fraction, Fraction]:
    point = budget.exact_epsilon, budget.exact_delta
    chosen = best_order(*point) if order is None else read_order(order)
    limit = greatest_divergence(chosen, *point)
    if limit < 0:
        raise InputError(
            "E-BUDGET-FORM",
            "at order {chosen} nothing fits {budget}",
            "write order={best_order}, say",
            chosen=plain(chosen),
            budget=budget,
            best_order=plain(best_order(*point)),
        )
    return chosen, limit
