"""ε as a client uses it: the largest ratio of two probabilities, as an exact fraction.

A ratio below e^ε is ε-private, so an ε that is no logarithm of a fraction is replaced by the
greatest multiple of 10^-18 that is no more than e^ε.  Everything after that is whole numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_DOWN, Context, Decimal, InvalidOperation
from fractions import Fraction
from math import floor
from string import whitespace
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.refusal import Argument
from sfumato.translation import written

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Loss", "loss_of_truth", "read_fraction", "read_loss", "total"]

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
