"""Filters by Rényi divergences of orders that are fixed in advance."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.numeric import any_float, as_ball, shown, working_precision
from sfumato.privacy.events.base import plain
from sfumato.privacy.filters.additive import AdditiveFilter
from sfumato.privacy.filters.amounts import UNBOUNDED, Amount, decimal_below
from sfumato.privacy.filters.base import check_budget
from sfumato.privacy.filters.costs import renyi_divergences
from sfumato.privacy.guarantees import ApproxDP, RenyiDP
from sfumato.privacy.theorems.certified import read_order
from sfumato.translation import mark

if TYPE_CHECKING:
    from flint import arb

    from sfumato.privacy.events import Event
    from sfumato.privacy.filters.costs import Cost
    from sfumato.privacy.parameters import Epsilon
    from sfumato.privacy.theorems.certified import NumberLike

    Table = tuple[tuple[Fraction, Fraction], ...]


_BITS = 256
_STEPS = 100
_DIGEST = 16
#: The logarithms of the least and the greatest distance of an order from 1.
_LEAST, _GREATEST = -14.0, 600.0


def best_order(epsilon: Epsilon, delta: Fraction) -> Fraction:
    """Return the order, to three digits, at which (ε, δ) leaves most room for Gaussian noise.

    With ρ the noise that fits, the best order α has ρ (α - 1)² + ln α = ln(1/δ) and
    ε = (2α - 1) ρ + ln(1 - 1/α); together, an equation in α whose left side falls.
    """
    target, log_inverse = any_float(epsilon), log_of_inverse(delta)

    def implied(above: float) -> float:
        rho = (log_inverse - math.log1p(above)) / above**2
        return (2 * above + 1) * rho - math.log1p(1 / above)

    low, high = _LEAST, min(max(log_inverse, 1.0), _GREATEST)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if implied(math.exp(middle)) > target else (low, middle)
    return 1 + Fraction(f"{math.exp(low):.3g}")


def greatest_divergence(order: Fraction, epsilon: Epsilon, delta: Fraction) -> Fraction:
    """Return the greatest divergence of an order that implies (ε, δ), rounded down to a decimal.

    The inverse of the best conversion known for one order :cite:p:`canonne2020discrete`:
    r = ε - ln(1 - 1/α) + (ln δ + ln α)/(α - 1).  Negative where nothing fits.
    """
    with working_precision(_BITS):
        return decimal_below(divergence_ball(order, as_ball(epsilon), as_ball(delta)))


def divergence_ball(order: Fraction, epsilon: arb, delta: arb) -> arb:
    """Return a ball around the greatest divergence of an order that implies (ε, δ)."""
    a = as_ball(order)
    return epsilon - (-1 / a).log1p() + (delta.log() + a.log()) / (a - 1)


def named_orders(orders: tuple[Fraction, ...], weights: tuple[Fraction, ...] = ()) -> str:
    """Return words for orders and weights that are others for any other orders or weights."""
    exactly = ",".join(map(str, orders)) + ";" + ",".join(map(str, weights))
    digest = sha256(exactly.encode()).hexdigest()[:_DIGEST]
    first, last = plain(orders[0]), plain(orders[-1])
    if len(orders) == 1:
        return f"order {first} ({digest})"
    return f"orders {first} to {last}, {len(orders):,} in all ({digest})"


@lru_cache(maxsize=64)
def log_of_inverse(delta: Fraction) -> float:
    """Return about ln(1/δ), for a δ that may be below all floats."""
    with working_precision(_BITS):
        return float(-as_ball(delta).log())


class RenyiFilter(AdditiveFilter):
    """Admits events as long as the sum of their Rényi divergences is within the budget.

    The order α is fixed in advance.  With L the loss so far and R the sum of the divergences,
    exp((α - 1)(L - R)) is a supermartingale even if each divergence depends on earlier results, so
    at any stopping time the divergence is at most the budget's: nothing is lost against events
    fixed in advance :cite:p:`feldman2021individual`.  A budget of several orders is kept at each
    of them.  Proof: :doc:`/proofs/additive-filters`.

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
