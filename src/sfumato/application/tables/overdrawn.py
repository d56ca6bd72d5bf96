"""An answer that does not fit what is left: what it asks for, what is left, and what is missing."""

from __future__ import annotations

from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import BudgetError, InputError
from sfumato.ledger import Ledger
from sfumato.ledger.rules.amounts import amount, at_most, left_in_words
from sfumato.privacy import ApproxDP, PureDP, ZeroConcentratedDP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.ledger import Standing
    from sfumato.privacy import Guarantee
    from sfumato.tables.plan.plan import Plan

__all__ = ["refused_by_amounts", "standing_for", "what_is_missing"]


@contextmanager
def refused_by_amounts(plan: Plan, analyst: str | None) -> Iterator[None]:
    """Say of a plan that the block finds too dear what it asks for, and what is left.

    Parameters
    ----------
    plan
        What the block charges for.
    analyst
        Who asks, if it is not the policy's own analyst.

    Examples
    --------
    >>> from sfumato.application.tables.asking import plan_question
    >>> from sfumato.application.tables.overdrawn import refused_by_amounts
    >>> sql = "SELECT COUNT(*) AS n FROM patients"
    >>> report = plan_question("examples/patients.csv", sql, {"unit": "row"}, epsilon="1")
    >>> with refused_by_amounts(report.plan, "ada"):
    ...     print("charged")
    charged
    """
    try:
        yield
    except BudgetError as error:
        said = (what_is_missing(plan.guarantee, each) for each in standing_for(plan, analyst))
        raise BudgetError(next(filter(None, said), str(error))) from None


def standing_for(plan: Plan, analyst: str | None) -> tuple[Standing, ...]:
    """Return where the budgets stand that a plan would be charged to; none if none is open yet.

    Parameters
    ----------
    plan, analyst
        As in ``refused_by_amounts``.

    Examples
    --------
    >>> from sfumato.application.tables.asking import plan_question
    >>> from sfumato.application.tables.overdrawn import standing_for
    >>> sql = "SELECT COUNT(*) AS n FROM patients"
    >>> report = plan_question("examples/patients.csv", sql, {"unit": "row"}, epsilon="1")
    >>> standing_for(report.plan, "ada")
    ()
    """
    place = plan.query.table.policy.ledger
    if place is None or place.book is None:
        return ()
    try:
        with Ledger.open(place.path) as ledger:
            return ledger.book(place.book).standing(analyst or place.analyst)
    except InputError:
        return ()


def what_is_missing(asked: Guarantee, standing: Standing) -> str:
    """Return a sentence about what is missing of a budget; nothing if the answer would fit.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.application.tables.overdrawn import what_is_missing
    >>> from sfumato.ledger import Rule
    >>> from sfumato.ledger.standing import Standing
    >>> rule = Rule(sf.PureDP(epsilon=1))
    >>> kept = rule.filter()
    >>> kept.admit(sf.events.Pure(epsilon=0.8))
    >>> what_is_missing(sf.PureDP(epsilon=0.5), Standing.of(rule, "", kept))
    'the answer asks for 0.5-DP, and of 1-DP (add or remove one row) of everyone together 0.2-DP \
is left: ε = 0.3 is missing, and nothing was spent'
    """
    sign, wanted = _number(asked)
    other, left = _number(standing.remaining)
    if sign != other or wanted <= left:
        return ""
    rule = standing.rule
    return (
        f"the answer asks for {amount(asked)}, and of {rule.budget} of {rule.scope} "
        f"{left_in_words(rule.budget, standing.remaining)}: {sign} = {at_most(wanted - left)} is "
        "missing, and nothing was spent"
    )


def _number(promise: Guarantee) -> tuple[str, Fraction]:
    """Return by which number promises of a kind are compared; a logarithm is rounded down."""
    match promise:
        case ZeroConcentratedDP():
            return "ρ", promise.exact_rho
        case PureDP() | ApproxDP():
            exact = promise.exact_epsilon
            if isinstance(exact, Fraction):
                return "ε", exact
            return "ε", Fraction(PureDP(epsilon=exact).bounds(delta=0).lower)
    return "", Fraction(0)
