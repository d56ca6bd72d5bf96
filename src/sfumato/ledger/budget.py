"""Budgets: the guarantees that a book can keep, and what one after another adds up to."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.ledger.validate import MOST_DIGITS, is_of_sane_size
from sfumato.numeric import read_count
from sfumato.privacy import ApproxDP, GaussianDP, Guarantee, PureDP, RenyiDP, ZeroConcentratedDP
from sfumato.privacy.filters import root_above
from sfumato.privacy.guarantees import multiple
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.privacy import Epsilon
    from sfumato.refusal import Given

#: The kinds of guarantee that a filter keeps.
Budget = PureDP | ApproxDP | ZeroConcentratedDP | GaussianDP | RenyiDP

_SAY = "write PureDP(epsilon=1), say"
_BUDGET = mark("the budget")


def read_budget(given: Any, what: Given = _BUDGET) -> Budget:
    """Return a guarantee that a book can keep, and from which something can be spent.

    Parameters
    ----------
    given
        Pure, approximate, zero-concentrated or Gaussian privacy, or Rényi privacy at listed orders.
    what
        What it is for, at the head of a refusal.
    """
    if not isinstance(given, Guarantee):
        raise InputError(
            "E-BUDGET-FORM",
            "{what} must be a guarantee, not {kind}",
            _SAY,
            what=what,
            kind=type(given).__name__,
        )
    if not isinstance(given, Budget):
        raise InputError(
            "E-BUDGET-KIND",
            "{what} is a {kind}, which no privacy filter keeps",
            _SAY,
            what=what,
            kind=type(given).__name__,
        )
    if isinstance(given, ApproxDP) and given.exact_delta == 0:
        raise InputError(
            "E-BUDGET-FORM",
            "{what}, {given}, has a delta of 0",
            "write PureDP(epsilon=...) for it",
            what=what,
            given=given,
        )
    least = _least_amount(given)
    if least <= 0:
        raise InputError(
            "E-BUDGET-FORM",
            "{what}, {given}, would never allow an answer",
            "give a greater one",
            what=what,
            given=given,
        )
    if not is_of_sane_size(least if isinstance(least, Fraction) else least.argument):
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{what} must be between 1e-{most_digits} and 1e+{most_digits}",
            "give 1, say",
            what=what,
            most_digits=MOST_DIGITS,
        )
    return given


def repeated(budget: Budget, count: int) -> Budget | None:
    """Return what ``count`` budgets spent one after another guarantee; None where nothing is left.

    Each may be spent on questions that were chosen after seeing all answers before.  Every ε and
    δ adds up (:cite:p:`dwork2014`, basic composition), ρ and Rényi divergences do too
    :cite:p:`bun2016concentrated,mironov2017renyi`, and of μ the squares
    :cite:p:`dong2022gaussian`.  What cannot be written down exactly is rounded up.
    """
    times, relation = read_count(count), budget.relation
    match budget:
        case PureDP():
            return PureDP(epsilon=multiple(budget.exact_epsilon, times), relation=relation)
        case ApproxDP():
            return _approximate(budget, times)
        case ZeroConcentratedDP():
            return ZeroConcentratedDP(rho=budget.exact_rho * times, relation=relation)
        case GaussianDP():
            return GaussianDP(mu=_root_of_times(budget.exact_mu, times), relation=relation)
        case RenyiDP():
            grown = [(order, bound * times) for order, bound in _points(budget)]
            return RenyiDP(grown, relation=relation)


def _approximate(budget: ApproxDP, times: int) -> ApproxDP | None:
    delta = budget.exact_delta * times
    if delta >= 1:
        return None
    epsilon = multiple(budget.exact_epsilon, times)
    return ApproxDP(epsilon=epsilon, delta=delta, relation=budget.relation)


def _root_of_times(mu: Fraction, times: int) -> Fraction:
    """Return √times · μ, which is rational for a square only, and else rounded up."""
    root = math.isqrt(times)
    return mu * root if root**2 == times else root_above(mu**2 * times)


def _least_amount(budget: Budget) -> Epsilon:
    match budget:
        case PureDP() | ApproxDP():
            return budget.exact_epsilon
        case ZeroConcentratedDP():
            return budget.exact_rho
        case GaussianDP():
            return budget.exact_mu
        case RenyiDP():
            return min(bound for _, bound in _points(budget))


def _points(budget: RenyiDP) -> tuple[tuple[Fraction, Fraction], ...]:
    if callable(budget.curve):
        raise InputError(
            "E-BUDGET-FORM",
            "a budget of RenyiDP must list its orders, not be a function",
            "write RenyiDP({{8: 0.5}}), say",
        )
    return budget.curve
