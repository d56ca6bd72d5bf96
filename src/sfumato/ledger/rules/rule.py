"""A rule of a book: a budget that every charge it covers has to fit, and what that guarantees."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.ledger.rules.amounts import amount
from sfumato.ledger.rules.budgets import Budget, read_budget, repeated
from sfumato.ledger.rules.periods import Period
from sfumato.ledger.rules.scopes import EVERYONE, Everyone, Scope
from sfumato.privacy import guarantee_from_document, guarantee_to_document
from sfumato.privacy.events.fields import rational_epsilon
from sfumato.privacy.events.wording import plain
from sfumato.privacy.filters.labels import read_reserve
from sfumato.refusal import text
from sfumato.translation import tr

if TYPE_CHECKING:
    from datetime import datetime

    from sfumato.privacy import PrivacyFilter

__all__ = ["SHARING", "Rule", "read_share"]

#: What the budget of an analyst does not bound.
SHARING = "if analysts share their answers, only the budget over everyone bounds what they learn"

_VERSION = 1
_FIELDS = {"version", "budget", "reserve", "scope", "period"}
_TOLD_WINDOWS = (2, 10)


@dataclass(frozen=True)
class Rule:
    """A budget, over whom it is, and how often it is given.

    Parameters
    ----------
    budget
        The guarantee to keep, of a kind that a filter keeps.
    scope
        Everyone together, each analyst, or one analyst.
    period
        After how long the budget is given anew; None for never.
    reserve
        The share of δ for events with a δ of their own; with ``ApproxDP`` only.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.ledger.rules.rule import Rule
    >>> print(Rule(sf.PureDP(epsilon=1)).sentence())
    everyone together: 1-DP (add or remove one row) for all answers ever given
    """

    budget: Budget
    scope: Scope = EVERYONE
    period: Period | None = None
    reserve: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        _check_parts(self.scope, self.period)
        read_budget(self.budget, text("the budget of {scope}", scope=self.scope))
        object.__setattr__(self, "reserve", read_share(self.reserve))
        self.filter()
        if self.period is not None:
            self.over(max(_TOLD_WINDOWS))

    @property
    def is_shared(self) -> bool:
        """Whether the budget is over everyone together.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.ledger.rules.rule import Rule
        >>> Rule(sf.PureDP(epsilon=1)).is_shared
        True
        """
        return isinstance(self.scope, Everyone)

    def covers(self, analyst: str) -> bool:
        """Tell whether what an analyst is told counts against the budget.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.ledger.rules.rule import Rule
        >>> from sfumato.ledger.rules.scopes import OneAnalyst
        >>> Rule(sf.PureDP(epsilon=1), OneAnalyst("Ada")).covers("Grace")
        False
        """
        return self.scope.covers(analyst)

    def filter(self) -> PrivacyFilter:
        """Return a filter that keeps the budget, with nothing spent.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.ledger.rules.rule import Rule
        >>> Rule(sf.PureDP(epsilon=1)).filter().remaining_count(sf.privacy.events.Laplace(scale=10))
        10
        """
        from sfumato.privacy import filter_for

        return filter_for(self.budget, reserve=self.reserve)

    def window(self, when: datetime) -> str:
        """Return the period that a moment lies in; empty for a budget that is given once.

        Examples
        --------
        >>> from datetime import UTC, datetime
        >>> import sfumato as sf
        >>> from sfumato.ledger.rules.periods import Period
        >>> from sfumato.ledger.rules.rule import Rule
        >>> moment = datetime(2026, 11, 15, tzinfo=UTC)
        >>> Rule(sf.PureDP(epsilon=1), period=Period("month")).window(moment)
        '2026-11'
        """
        return "" if self.period is None else self.period.window(when)

    def over(self, windows: int) -> Budget | None:
        """Return what is guaranteed over so many periods together; None where nothing is left.

        Parameters
        ----------
        windows
            How many periods; a rule without one has a single window, which never ends.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.ledger.rules.periods import Period
        >>> from sfumato.ledger.rules.rule import Rule
        >>> print(Rule(sf.privacy.GaussianDP(mu=0.5), period=Period("year")).over(9))
        1.5-GDP (add or remove one row)
        """
        return repeated(self.budget, windows) if self.period is not None else self.budget

    def sentence(self) -> str:
        """Return what is guaranteed, plainly.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.ledger.rules.periods import Period
        >>> from sfumato.ledger.rules.rule import Rule
        >>> Rule(sf.PureDP(epsilon=1), period=Period("year")).sentence()
        'everyone together: 1-DP (add or remove one row) per calendar year; the guarantee adds up \
over years: 2 years 2-DP, 10 years 10-DP'
        """
        return self.guarantee() if self.is_shared else f"{self.guarantee()}; {tr(SHARING)}"

    def guarantee(self) -> str:
        """Return what is guaranteed, without what holds for analysts who share their answers.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.ledger.rules.rule import Rule
        >>> from sfumato.ledger.rules.scopes import EachAnalyst
        >>> Rule(sf.PureDP(epsilon=1), EachAnalyst()).guarantee()
        "each analyst: 1-DP (add or remove one row) for all answers ever given, counting that \
analyst's answers alone"
        """
        alone = "" if self.is_shared else tr(", counting that analyst's answers alone")
        return f"{self}{alone}{self._sums()}"

    def document(self) -> dict[str, Any]:
        """Return the rule as plain values, exactly.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.ledger.rules.rule import Rule
        >>> document = Rule(sf.ApproxDP(epsilon=1, delta=1e-6), reserve=0.1).document()
        >>> document["scope"], document["reserve"], document["period"]
        ({'over': 'everyone'}, '0.1', None)
        """
        return {
            "version": _VERSION,
            "budget": guarantee_to_document(self.budget),
            "reserve": plain(self.reserve),
            "scope": self.scope.document(),
            "period": None if self.period is None else self.period.name,
        }

    @classmethod
    def from_document(cls, document: Any) -> Rule:
        """Return the rule that a document describes, exactly as it was written.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.ledger.rules.rule import Rule
        >>> rule = Rule(sf.PureDP(epsilon=sf.numeric.Ln(2)))
        >>> Rule.from_document(rule.document()) == rule
        True
        """
        _check_document(document)
        rule = cls(
            budget=read_budget(guarantee_from_document(document["budget"])),
            scope=Scope.from_document(document["scope"]),
            period=None if document["period"] is None else Period(document["period"]),
            reserve=document["reserve"],
        )
        if rule.document() != document:
            raise InputError(
                "E-LEDGER-DAMAGED", "the rule is not in the form in which sfumato writes it"
            )
        return rule

    def __str__(self) -> str:
        if self.period is None:
            return tr(
                "{scope}: {budget} for all answers ever given",
                scope=self.scope,
                budget=self.budget,
            )
        return tr(
            "{scope}: {budget} per {period}",
            scope=self.scope,
            budget=self.budget,
            period=self.period,
        )

    def _sums(self) -> str:
        if self.period is None:
            return ""
        unit = self.period.nouns
        told = ", ".join(f"{each} {unit} {_amount(self.over(each))}" for each in _TOLD_WINDOWS)
        return tr("; the guarantee adds up over {unit}: {told}", unit=unit, told=told)


def read_share(reserve: Any) -> Fraction:
    """Return a share of δ to reserve: below 1, and not too long to write down."""
    return rational_epsilon(read_reserve(reserve), "reserve")


def _check_parts(scope: Any, period: Any) -> None:
    if not isinstance(scope, Scope) or not isinstance(period, Period | None):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "a rule has a Scope and a Period",
            "write read_rules(budget, per='year'), say",
        )


def _amount(guarantee: Budget | None) -> str:
    return tr("no guarantee left") if guarantee is None else amount(guarantee)


def _check_document(document: Any) -> None:
    version = document.get("version") if isinstance(document, dict) else None
    if type(version) is int and version > _VERSION:
        raise InputError(
            "E-FORMAT-VERSION",
            "the rule is of a later version than this program reads",
            "install a newer sfumato",
        )
    if type(version) is not int or set(document) != _FIELDS:
        raise InputError("E-LEDGER-DAMAGED", "the rule has other fields than sfumato writes")
