"""Filters that add up amounts, each of which has a limit."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.privacy.filters.amounts import share_above
from sfumato.privacy.filters.base import PrivacyFilter
from sfumato.privacy.filters.decimals import short_below

if TYPE_CHECKING:
    from sfumato.privacy.filters.costs import Cost
    from sfumato.privacy.guarantees import Guarantee

__all__ = ["AdditiveFilter"]


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
