"""Where a budget stands: what is spent of it, and what is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.translation import tr

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.ledger.rules.rule import Rule
    from sfumato.privacy import Guarantee, PrivacyFilter

__all__ = ["Standing", "percent"]


@dataclass(frozen=True)
class Standing:
    """Where one budget of a book stands.

    Attributes
    ----------
    rule
        The budget, over whom it is, and how often it is given.
    window
        The period, such as 2026; empty for a budget without one.
    spent
        What was admitted so far, added up as the budget's filter does; rounded up.
    remaining
        One more step with that guarantee would be admitted; rounded down.
    used
        The share of the budget that is spent, from 0 to 1; rounded up.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.ledger.rules.rule import Rule
    >>> from sfumato.ledger.standing import Standing
    >>> rule = Rule(sf.PureDP(epsilon=1))
    >>> kept = rule.filter()
    >>> kept.admit(sf.privacy.events.Laplace(scale=4))
    >>> print(Standing.of(rule, "", kept))
    everyone together: 25 % of 1-DP (add or remove one row) is spent
    """

    rule: Rule
    window: str
    spent: Guarantee
    remaining: Guarantee
    used: Fraction

    @classmethod
    def of(cls, rule: Rule, window: str, kept: PrivacyFilter) -> Standing:
        """Return where a budget stands by its filter.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.ledger.rules.rule import Rule
        >>> from sfumato.ledger.standing import Standing
        >>> rule = Rule(sf.PureDP(epsilon=1))
        >>> Standing.of(rule, "", rule.filter()).used
        Fraction(0, 1)
        """
        return cls(rule, window, kept.spent(), kept.remaining(), kept.used())

    def __str__(self) -> str:
        period = tr(" in {window}", window=self.window) if self.window else ""
        return tr(
            "{scope}: {used} of {budget} is spent{period}",
            scope=self.rule.scope,
            used=percent(self.used),
            budget=self.rule.budget,
            period=period,
        )


def percent(share: Fraction) -> str:
    """Return a share in percent, to a tenth; never rounded up to all or down to nothing."""
    tenths = round(share * 1000)
    if 0 < share < 1:
        tenths = min(max(tenths, 1), 999)
    return f"{tenths // 10}.{tenths % 10} %" if tenths % 10 else f"{tenths // 10} %"
