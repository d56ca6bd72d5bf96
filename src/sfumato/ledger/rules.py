"""Rules of a book: budgets that every charge has to fit, over whom each is, and how often given."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.errors import InputError
from sfumato.ledger.budget import Budget, read_budget, repeated
from sfumato.ledger.period import Period
from sfumato.ledger.render import amount
from sfumato.ledger.validate import read_name
from sfumato.privacy import ApproxDP, guarantee_from_document, guarantee_to_document
from sfumato.privacy.events import plain, rational_epsilon
from sfumato.privacy.filters import read_reserve
from sfumato.refusal import text
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sfumato.ledger.entry import Entry
    from sfumato.privacy import Guarantee, PrivacyFilter
    from sfumato.privacy.events import Number

#: What the budget of an analyst does not bound.
SHARING = "if analysts share their answers, only the budget over everyone bounds what they learn"

_VERSION = 1
_FIELDS = {"version", "budget", "reserve", "scope", "period"}
_TOLD_WINDOWS = (2, 10)


class Scope(ABC):
    """Whose answers a budget counts, and whether it counts them together."""

    name: ClassVar[str]

    @abstractmethod
    def covers(self, analyst: str) -> bool:
        """Tell whether what an analyst is told counts."""

    def document(self) -> dict[str, Any]:
        """Return the scope as plain values."""
        return {"over": self.name}

    @staticmethod
    def from_document(document: Any) -> Scope:
        """Return the scope that a document describes."""
        match document:
            case {"over": Everyone.name}:
                return Everyone()
            case {"over": EachAnalyst.name, "except": list(excepted)}:
                return EachAnalyst(tuple(excepted))
            case {"over": OneAnalyst.name, "analyst": analyst}:
                return OneAnalyst(analyst)
        raise InputError(
            "E-LEDGER-DAMAGED",
            "the rule does not say over whom it is",
            "it was not written by sfumato",
        )


@dataclass(frozen=True)
class Everyone(Scope):
    """All analysts together: all their answers together are within the budget."""

    name = "everyone"

    def covers(self, analyst: str) -> bool:  # noqa: ARG002 - everyone
        """Tell whether what an analyst is told counts: always."""
        return True

    def __str__(self) -> str:
        return tr("everyone together")


@dataclass(frozen=True)
class EachAnalyst(Scope):
    """Each analyst by themself, but for some who have budgets of their own.

    Parameters
    ----------
    excepted
        The names of those.
    """

    excepted: tuple[str, ...] = ()

    name = mark("each analyst")

    def __post_init__(self) -> None:
        names = {read_name(each, "analyst") for each in self.excepted}
        object.__setattr__(self, "excepted", tuple(sorted(names)))

    def covers(self, analyst: str) -> bool:
        """Tell whether what an analyst is told counts."""
        return analyst not in self.excepted

    def document(self) -> dict[str, Any]:
        """Return the scope as plain values."""
        return {**super().document(), "except": list(self.excepted)}

    def __str__(self) -> str:
        return tr("each other analyst") if self.excepted else tr("each analyst")


@dataclass(frozen=True)
class OneAnalyst(Scope):
    """One analyst, by name.

    Parameters
    ----------
    analyst
        The name.
    """

    analyst: str

    name = mark("one analyst")

    def __post_init__(self) -> None:
        object.__setattr__(self, "analyst", read_name(self.analyst, "analyst"))

    def covers(self, analyst: str) -> bool:
        """Tell whether what an analyst is told counts."""
        return analyst == self.analyst

    def document(self) -> dict[str, Any]:
        """Return the scope as plain values."""
        return {**super().document(), "analyst": self.analyst}

    def __str__(self) -> str:
        return tr("analyst “{analyst}”", analyst=self.analyst)


#: The scope of a budget that names none.
EVERYONE = Everyone()


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
    >>> from sfumato.ledger import Rule
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
        >>> from sfumato.ledger import Rule
        >>> Rule(sf.PureDP(epsilon=1)).is_shared
        True
        """
        return isinstance(self.scope, Everyone)

    def covers(self, analyst: str) -> bool:
        """Tell whether what an analyst is told counts against the budget.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.ledger import Rule
        >>> from sfumato.ledger.rules import OneAnalyst
        >>> Rule(sf.PureDP(epsilon=1), OneAnalyst("Ada")).covers("Grace")
        False
        """
        return self.scope.covers(analyst)

    def filter(self) -> PrivacyFilter:
        """Return a filter that keeps the budget, with nothing spent.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.ledger import Rule
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
        >>> from sfumato.ledger.period import Period
        >>> from sfumato.ledger import Rule
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
        >>> from sfumato.ledger.period import Period
        >>> from sfumato.ledger import Rule
        >>> print(Rule(sf.privacy.GaussianDP(mu=0.5), period=Period("year")).over(9))
        1.5-GDP (add or remove one row)
        """
        return repeated(self.budget, windows) if self.period is not None else self.budget

    def sentence(self) -> str:
        """Return what is guaranteed, plainly.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.ledger.period import Period
        >>> from sfumato.ledger import Rule
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
        >>> from sfumato.ledger import Rule
        >>> from sfumato.ledger.rules import EachAnalyst
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
        >>> from sfumato.ledger import Rule
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
        >>> from sfumato.ledger import Rule
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


_Given = tuple[Any, Scope, Period | None]


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
    given: list[_Given] = [(budget, EVERYONE, period)]
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


def _with_reserve(given: Sequence[_Given], share: Fraction) -> tuple[Rule, ...]:
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


def rules_of(opening: Entry) -> tuple[Rule, ...]:
    """Return the rules of a book from its first entry."""
    opening.check()
    return tuple(Rule.from_document(each) for each in opening.body["rules"])
