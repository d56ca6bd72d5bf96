"""The greatest ε of a mechanism, a plan or a policy: one rule, for all of them.

Noise hides a change of the sensitivity Δ by its scale, which is Δ/ε.  **A noise scale is at least a
millionth of the sensitivity**, so that ε is at most 1,000,000, whatever Δ and its units are; the σ
of Gaussian noise is a scale as well.  With less noise nothing is hidden, however an output is
looked at, and often nothing is added either: 42 plus noise of 1e-308 is the float 42.

The rule refuses slips of the pen.  It is no advice, and no guarantee that a smaller ε protects: a
count has noise of 0 in all but one of 10^19 releases from ε = 45 on, since P(0) = tanh(ε/2).
"""

from __future__ import annotations

from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy.events.fields import positive_epsilon
from sfumato.refusal import Argument, Bare, text

if TYPE_CHECKING:
    from sfumato.privacy.parameters import Epsilon
    from sfumato.refusal import Part


#: The greatest ε there is, and the greatest ρ of a plan or a budget.
MOST_EPSILON = 10**6
#: What the float 1e-6 stores, which is a little less than a millionth.
_LEAST_SHARE = Fraction(1e-6)
_UP = Context(prec=6, rounding=ROUND_CEILING)


def usable_epsilon(value: Any, name: str = "epsilon", *, least: str = "0") -> Epsilon:
    """Return a privacy parameter above 0 for which there is noise.

    Parameters
    ----------
    value, name
        What was given, and what it is called.
    least
        What it must not be below, where what lies between 0 and that cannot be computed.
    """
    found = positive_epsilon(value, name)
    check_usable(found, value, name, least=least)
    return found


def check_usable(found: Epsilon, given: Any, name: str = "epsilon", *, least: str = "0") -> None:
    """Refuse a privacy parameter that leaves no noise, or is below the least that is computed."""
    if Fraction(least) <= found <= MOST_EPSILON:
        return
    said = {"name": Argument(name), "given": _told(given), "example": Argument(name, 1)}
    if found > MOST_EPSILON:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be {allowed}, not {given}, which hides nothing",
            "write {example}, say",
            allowed=_allowed(least),
            **said,
        )
    raise InputError(
        "E-ARGUMENT-RANGE",
        "{name} must be {allowed}, not {given}",
        "write {example}, say",
        allowed=_allowed(least, above=found <= 0),
        **said,
    )


def _allowed(least: str, *, above: bool = False) -> Part:
    """Return between which a privacy parameter lies; ``above`` 0, where that has to be said."""
    if least != "0":
        return text("from {least} to {most:,}", least=least, most=MOST_EPSILON)
    if above:
        return text("above 0, at most {most:,}", most=MOST_EPSILON)
    return text("at most {most:,}", most=MOST_EPSILON)


def check_scale(scale: Fraction, given: Any, name: str, *, sensitivity: Fraction | int) -> None:
    """Refuse a scale of noise that leaves none: one below a millionth of the sensitivity."""
    if scale >= _LEAST_SHARE * sensitivity:
        return
    least, usual = _few_digits(Fraction(sensitivity, MOST_EPSILON)), _few_digits(sensitivity)
    raise InputError(
        "E-NOISE-TOO-SMALL",
        "{name} must be at least {least}, a millionth of the sensitivity, not {given}, which "
        "leaves no noise",
        "write {example}, say",
        name=Argument(name),
        least=least,
        given=_told(given),
        example=Argument(name, Bare(str(usual))),
    )


def _told(given: Any) -> str:
    """Return a number as it was given; in a text it stands without quotes."""
    return f"{given:.60}" if isinstance(given, str) else shown(given)


def _few_digits(number: Fraction | int) -> str:
    """Return a number with six digits, rounded up; it may be beyond the floats."""
    near = _UP.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"{float(near):g}" if 0 < float(near) < inf else f"{near.normalize():g}"
