"""The coins a client tosses, and the exact distribution of what is made from them."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

__all__ = ["Draws", "Parts", "SecretDraws", "distribution_of"]

_MOST_WAYS = 20_000

Outcome = TypeVar("Outcome", bound="Hashable")


class Draws(ABC):
    """Where a client's chance comes from: whole numbers and coins, both exact."""

    @abstractmethod
    def below(self, bound: int) -> int:
        """Return one of 0, 1, ..., bound - 1, each as likely as the others."""

    @abstractmethod
    def chance(self, probability: Fraction) -> bool:
        """Return True with exactly this probability."""


class SecretDraws(Draws):
    """Chance from the operating system's cryptographic generator."""

    def below(self, bound: int) -> int:
        """Return one of 0, 1, ..., bound - 1, each as likely as the others."""
        return secrets.randbelow(bound)

    def chance(self, probability: Fraction) -> bool:
        """Return True with exactly this probability: it is rational, and no float is involved."""
        return secrets.randbelow(probability.denominator) < probability.numerator


@dataclass(frozen=True)
class Parts:
    """The distribution of several reports that are drawn independently of one another.

    Parameters
    ----------
    factors
        The distribution of each.
    """

    factors: tuple[Mapping[Any, Any], ...]


def distribution_of(action: Callable[[Draws], Outcome]) -> dict[Outcome, Fraction]:
    """Return the exact distribution of what an action makes of its draws.

    The action itself is run once for each way in which its draws can fall, so the distribution is
    that of the code and not that of a formula beside it.  It must be a function of its draws alone,
    and there must be at most 20,000 ways.
    """
    distribution: dict[Outcome, Fraction] = defaultdict(Fraction)
    waiting: list[list[int]] = [[]]
    ways = 0
    while waiting:
        ways += 1
        _check_ways(ways)
        draws = _Followed(waiting.pop())
        outcome = action(draws)
        distribution[outcome] += draws.weight
        waiting += reversed(draws.others)
    return dict(distribution)


def _check_ways(ways: int) -> None:
    if ways > _MOST_WAYS:
        raise InputError(
            "E-TOO-LARGE",
            "there are more than {most_ways:,} ways in which the draws can fall, too many to "
            "go through",
            "take fewer choices",
            most_ways=_MOST_WAYS,
        )


class _Followed(Draws):
    """Draws that fall as they are told, then the first way; the other ways are noted."""

    def __init__(self, told: list[int]) -> None:
        self.others: list[list[int]] = []
        self._told = told
        self._taken: list[int] = []
        self._weight = [1, 1]

    @property
    def weight(self) -> Fraction:
        """How likely the draws are to fall this way."""
        return Fraction(*self._weight)

    def below(self, bound: int) -> int:
        _check_ways(bound)
        return self._fall([Fraction(1, bound)] * bound)

    def chance(self, probability: Fraction) -> bool:
        return bool(self._fall([1 - probability, probability]))

    def _fall(self, ways: list[Fraction]) -> int:
        place = len(self._taken)
        if place < len(self._told):
            way = self._told[place]
        else:
            way, *others = (each for each, weight in enumerate(ways) if weight)
            self.others += [[*self._taken, other] for other in others]
        self._taken.append(way)
        self._weight[0] *= ways[way].numerator
        self._weight[1] *= ways[way].denominator
        return way
