"""What events cost in the currencies that filters add up, always rounded up."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.numeric import shown, working_precision
from sfumato.privacy import events as ev
from sfumato.privacy.accounting.pure import (
    exact_epsilon,
    pure_total,
    squares_in_rho,
    stated_rho,
)
from sfumato.privacy.events.pair import without_known_pairs
from sfumato.privacy.filters.amounts import UNBOUNDED, Amount, on_grid
from sfumato.privacy.guarantees.pointwise import randomized_response_renyi
from sfumato.privacy.parameters import written
from sfumato.privacy.theorems.conversion import pure_to_gaussian

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.privacy.events import Event
    from sfumato.privacy.relation import Relation


#: Several amounts that are added up side by side.
Cost = tuple[Amount, ...]

_BITS = 128


def total_cost(event: Event, step_cost: Callable[[Event], Cost]) -> Cost:
    """Return the sum over the steps of an event, with the greatest over disjoint groups."""
    steps: Counter[Event] = Counter()
    for step, count in without_known_pairs(event).parts():
        steps[step] += count
    costs = (scaled(_single(step, step_cost), count) for step, count in steps.items())
    return reduce(added, costs)


def _single(step: Event, step_cost: Callable[[Event], Cost]) -> Cost:
    """Return the cost of a step: a unit is in one group only, and pays for that one."""
    if not isinstance(step, ev.Parallel):
        return step_cost(step)
    groups = (total_cost(group, step_cost) for group in step.events)
    return reduce(lambda one, other: tuple(map(max, one, other)), groups)


def added(one: Cost, other: Cost) -> Cost:
    """Return two costs together."""
    return tuple(first + second for first, second in zip(one, other, strict=True))


def scaled(cost: Cost, times: int) -> Cost:
    """Return a cost so many times over."""
    return cost if times == 1 else tuple(amount * times for amount in cost)


def pure_epsilon(step: Event) -> Amount | None:
    """Return the ε of a step that is pure: exact, or on a fixed grid where it is amplified."""
    exact = exact_epsilon(step)
    if exact is not None:
        return Amount.of(exact)
    if isinstance(step, ev.SparseVector):
        return Amount.of(step.threshold_epsilon) + Amount.of(step.answers_epsilon)
    bounds = pure_total({step: 1})
    return None if bounds is None else _rounded(bounds.upper)


def squared(amount: Amount, *, over: int = 1) -> Amount:
    """Return the square of an amount over a number: exact for rationals, else rounded up."""
    if amount.argument == 1:
        return Amount(amount.rational**2 / over)
    with working_precision(_BITS):
        return Amount(on_grid(amount.ball() ** 2 / over))


def concentrated_rho(step: Event) -> Amount | None:
    """Return a ρ of zero-concentrated privacy that a step has, or None."""
    if (stated := stated_rho(step)) is not None:
        return Amount(stated)
    epsilon = pure_epsilon(step)
    return None if epsilon is None else squared(epsilon, over=squares_in_rho(step))


def gaussian_square(step: Event) -> Amount | None:
    """Return the square of a μ of Gaussian privacy that a step has, or None.

    Exact for Gaussian noise; what is pure follows from a Gaussian by rounding its output.
    """
    if isinstance(step, ev.Gaussian):
        return Amount((step.sensitivity / step.sigma) ** 2)
    epsilon = pure_epsilon(step)
    if epsilon is None or epsilon == UNBOUNDED:
        return epsilon
    return squared(_rounded(pure_to_gaussian(epsilon=epsilon.epsilon())))


@lru_cache(maxsize=4096)
def renyi_divergences(step: Event, orders: tuple[Fraction, ...], relation: Relation) -> Cost:
    """Return bounds on the Rényi divergences of a step, exact where there is a formula."""
    if isinstance(step, ev.Pure):
        return tuple(_rounded(randomized_response_renyi(step.epsilon, each)) for each in orders)
    rho = concentrated_rho(step)
    by_rho = (UNBOUNDED if rho is None else Amount(rho.rational * order) for order in orders)
    if isinstance(step, (ev.Gaussian, ev.DiscreteGaussian, ev.ZeroConcentrated)):
        return tuple(by_rho)
    return tuple(map(min, by_rho, _computed_divergences(step, orders, relation)))


def _computed_divergences(
    step: Event, orders: tuple[Fraction, ...], relation: Relation
) -> Iterator[Amount]:
    """Yield what the accountant says; a bound that overflows is no bound."""
    import numpy as np

    from sfumato.privacy.accounting import compose

    known = dict(step.curve) if isinstance(step, ev.Renyi) else {}
    guarantee = compose(step, relation=relation)
    with np.errstate(all="ignore"):
        for order in orders:
            yield Amount(known[order]) if order in known else _rounded(guarantee.renyi(order))


def _rounded(bound: float) -> Amount:
    return Amount(on_grid(Fraction(bound))) if math.isfinite(bound) else UNBOUNDED


def guaranteed_epsilon(step: Event) -> Amount | None:
    """Return the ε that a step guarantees, at δ = 0 or at its own δ."""
    return Amount.of(step.epsilon) if isinstance(step, ev.Approximate) else pure_epsilon(step)


def own_delta(step: Event, reserved: Fraction, owner: str) -> Amount:
    """Return the δ of a step; where nothing is reserved for it, refuse the step."""
    if not isinstance(step, ev.Approximate) or step.delta == 0:
        return Amount()
    if reserved == 0:
        raise InputError(
            "E-BUDGET-KIND",
            "{step} has a delta of its own, for which the budget reserves nothing",
            "write {owner}(budget, reserve=0.1), say",
            step=step,
            owner=owner,
        )
    return Amount(step.delta)


def read_reserve(reserve: Any) -> Fraction:
    """Return a share from 0 up to, and without, 1."""
    share = written(reserve, "reserve")
    if not 0 <= share < 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "reserve must be 0 or more and below 1, not {reserve}",
            "it is the share of delta for events with a delta of their own",
            reserve=shown(reserve),
        )
    return share
