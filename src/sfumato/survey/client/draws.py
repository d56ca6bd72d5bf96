"""The coins a client tosses, and the exact distribution of what is made from them.

A ratio below e^ε is ε-private, so an ε that is no logarithm of a fraction is replaced by the
greatest multiple of 10^-18 that is no more than e^ε.  Everything after that is whole numbers.
"""

from __future__ import annotations

import re
import secrets
from abc import ABC, abstractmethod
from collections import defaultdict
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_DOWN, Context, Decimal, InvalidOperation
from fractions import Fraction
from math import floor
from string import whitespace
from typing import TYPE_CHECKING, Any, TypeVar

from sfumato.errors import InputError
from sfumato.refusal import Argument
from sfumato.translation import written

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence


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
class ProductDistribution:
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


_LOGARITHM = re.compile(r"[lL]n\s*(?:\(\s*([0-9./]+)\s*\)|\s([0-9./]+))")
_NUMBER = re.compile(r"[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]{1,3})?|[0-9]+/[0-9]+")
_LONGEST = 80
_STEPS = 10**18
_DIGITS = 60
#: The thread's own context may be anything; what is written must not depend on it.
_EXACT = Context(prec=_DIGITS)
_LEAST, _MOST = Fraction(1, 10**6), Fraction(64)


@dataclass(frozen=True)
class Loss:
    """What one report may tell: no answer makes it over ``ratio`` times likelier than another.

    Parameters
    ----------
    ratio
        The largest ratio of two probabilities of one report, e^ε or just below.
    epsilon
        ε where it was given as a number; None where it is the logarithm of the ratio.
    """

    ratio: Fraction
    epsilon: Fraction | None = None

    @property
    def text(self) -> str:
        """ε as it is written in files: ``0.5``, ``1/3`` or ``ln(2)``."""
        return f"ln({self.ratio})" if self.epsilon is None else _decimal(self.epsilon)

    @property
    def upper(self) -> Fraction:
        """ε as a number, rounded up where it is a logarithm."""
        if self.epsilon is not None:
            return self.epsilon
        top, bottom = Decimal(self.ratio.numerator), Decimal(self.ratio.denominator)
        logarithm = _EXACT.subtract(_EXACT.ln(top), _EXACT.ln(bottom))
        return Fraction(logarithm.quantize(Decimal("1e-9"), ROUND_CEILING, context=_EXACT))

    def __str__(self) -> str:
        return self.text


def read_loss(value: Any, name: str = "epsilon") -> Loss:
    """Return ε as given: a number above 0, or a text such as ``0.5``, ``1/2`` or ``ln(2)``."""
    text = written(value).strip(whitespace)
    found = _LOGARITHM.fullmatch(text) if len(text) <= _LONGEST else None
    if found:
        return _logarithm(found[1] or found[2], text, name)
    number = read_fraction(value)
    if number is None or not _LEAST <= number <= _MOST:
        raise _not_epsilon(text, name)
    loss = Loss(_exponential_below(number), number)
    if len(loss.text) > _LONGEST:
        raise InputError(
            "E-NUMBER-FORM",
            "{name} has too many digits to be written down",
            "write 1, 0.5 or 'ln(2)', say",
            name=Argument(name),
        )
    return loss


def loss_of_truth(truth: Any, choices: int) -> Loss:
    """Return ε of telling the truth with a given probability, and else another choice."""
    told = read_fraction(truth)
    if told is None or not Fraction(1, choices) < told < 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{argument} must be above 1/{choices}, which is guessing, and below 1, not {truth}",
            "write '2/3' for two choices, say",
            choices=choices,
            truth=written(truth)[:_LONGEST],
            argument=Argument("truth"),
        )
    loss = Loss(told * (choices - 1) / (1 - told))
    if not _is_ratio(loss.ratio) or len(loss.text) > _LONGEST:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "a truth so near 1 hides nothing, and one so near guessing tells nothing",
            "write '2/3' for two choices, say",
        )
    return loss


def total(losses: Sequence[Loss]) -> Loss:
    """Return what several reports of one person may tell together: the product of the ratios."""
    ratio = Fraction(1)
    for loss in losses:
        ratio *= loss.ratio
    if all(loss.epsilon is None for loss in losses):
        return Loss(ratio)
    return Loss(ratio, sum((loss.upper for loss in losses), Fraction()))


def read_fraction(value: Any) -> Fraction | None:
    """Return the number that is written, exactly; None for what is no number."""
    if isinstance(value, bool):
        return None
    text = written(value).strip(whitespace)
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
    if len(text) > _LONGEST or not _NUMBER.fullmatch(digits):
        return None
    try:
        return sign * Fraction(digits)
    except (ZeroDivisionError, InvalidOperation):
        return None


def _logarithm(written: str, text: str, name: str) -> Loss:
    ratio = read_fraction(written)
    if ratio is None or not _is_ratio(ratio):
        raise _not_epsilon(text, name)
    return Loss(ratio)


def _is_ratio(ratio: Fraction) -> bool:
    """Return whether the logarithm of a ratio is within what ε may be."""
    return _exponential_below(_LEAST) <= ratio <= _exponential_below(_MOST)


def _exponential_below(exponent: Fraction) -> Fraction:
    """Return a multiple of 10^-18 just below e^exponent."""
    context = Context(prec=_DIGITS, rounding=ROUND_DOWN)
    power = context.divide(Decimal(exponent.numerator), Decimal(exponent.denominator)).exp(context)
    nearly = Fraction(power) - Fraction(power) / 10 ** (_DIGITS - 2)
    return Fraction(floor(nearly * _STEPS), _STEPS)


def _decimal(number: Fraction) -> str:
    """Return a number as a decimal where it is one, and else as a fraction."""
    written = f"{_EXACT.divide(Decimal(number.numerator), Decimal(number.denominator)):f}"
    return written if Fraction(written) == number else str(number)


def _not_epsilon(text: str, name: str) -> InputError:
    return InputError(
        "E-ARGUMENT-RANGE",
        "{name} must be from 0.000001 to 64, not {text}",
        "write 1, 0.5 or 'ln(2)', say",
        name=Argument(name),
        text=text[:_LONGEST],
    )
