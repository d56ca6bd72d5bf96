"""Rules of a book: the budgets that every charge has to fit."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.ledger.names import read_name
from sfumato.ledger.rules.periods import Period
from sfumato.ledger.rules.rule import Rule, read_share
from sfumato.ledger.rules.scopes import EVERYONE, EachAnalyst, OneAnalyst, Scope
from sfumato.privacy import ApproxDP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.privacy import Guarantee
    from sfumato.privacy.events.fields import Number

    Given = tuple[Any, Scope, Period | None]

__all__ = ["Rule", "read_rules"]


def read_rules(
    budget: Guarantee,
    *,
    reserve: Number = 0,
    per: str | Period | None = None,
    total: Guarantee | None = None,
    each_analyst: Guarantee | None = None,
    analysts: Mapping[str, Guarantee] | None = None,
) -> tuple[Rule, ...]:
    """Return the rules of a book, those over everyone together first.

    Parameters
    ----------
    budget
        The guarantee over everyone together.
    reserve
        The share of δ for events with a δ of their own, in every budget of ``ApproxDP``.
    per
        "year", "quarter", "month", "week" or "day", if the budgets are given anew each time.
    total
        Beside budgets per period, the guarantee over everyone and all periods together.
    each_analyst
        The guarantee about what any one analyst is told.
    analysts
        The same for some analysts by name, in place of ``each_analyst``.
    """
    period = None if per is None else Period.read(per)
    if total is not None and period is None:
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "total is for a budget that is given per period",
            "name one, such as 'year'",
        )
    named = _read_analysts(analysts)
    given: list[Given] = [(budget, EVERYONE, period)]
    if total is not None:
        given.append((total, EVERYONE, None))
    if each_analyst is not None:
        given.append((each_analyst, EachAnalyst(tuple(named)), period))
    given += [(each, OneAnalyst(name), period) for name, each in named.items()]
    rules = _with_reserve(given, read_share(reserve))
    _check_relations(rules)
    _check_none_is_idle(rules)
    return rules


def _read_analysts(given: Any) -> dict[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "analysts must map names to budgets, not be {kind}",
            "write {{'Ada': PureDP(epsilon=1)}}, say",
            kind=type(given).__name__,
        )
    named = {read_name(name, "analyst"): each for name, each in given.items()}
    if len(named) < len(given):
        raise InputError(
            "E-ARGUMENT-TWICE",
            "two names of analysts are the same but for how Unicode writes them",
            "keep one",
        )
    return named


def _with_reserve(given: Sequence[Given], share: Fraction) -> tuple[Rule, ...]:
    """Return rules, with a share of δ reserved in each that has a δ."""
    if share > 0 and not any(isinstance(budget, ApproxDP) for budget, _, _ in given):
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "reserve is a share of delta, which none of the budgets has",
            "leave it at 0",
        )
    return tuple(
        Rule(budget, scope, period, share if isinstance(budget, ApproxDP) else Fraction(0))
        for budget, scope, period in given
    )


def _check_relations(rules: Sequence[Rule]) -> None:
    for rule in rules:
        if rule.budget.relation != rules[0].budget.relation:
            raise InputError(
                "E-RELATION-OTHER",
                "“{rule}” and “{rules}” are for different neighbouring relations",
                "give all budgets of a book the same relation",
                rule=rule,
                rules=rules[0],
            )


def _check_none_is_idle(rules: Sequence[Rule]) -> None:
    """Refuse a budget that cannot be spent before a wider one is: it must be a mistake."""
    shared = [rule for rule in rules if rule.is_shared]
    for rule, wider in product(rules, shared):
        comparable = wider.period in (None, rule.period) and type(wider.budget) is type(rule.budget)
        if comparable and wider.budget < rule.budget:
            raise InputError(
                "E-BUDGET-UNREACHABLE",
                "“{rule}” could never be spent, because of “{wider}”",
                "give a smaller budget, or none",
                rule=rule,
                wider=wider,
            )
