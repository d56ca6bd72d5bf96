"""Amounts of privacy for reading: a few digits, what is spent rounded up, what is left down."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from sfumato.privacy import ApproxDP, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP
from sfumato.privacy.events import plain
from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.privacy import Epsilon, Guarantee

_DIGITS = 4
#: What is written in so few characters is exact.
_MOST_CHARACTERS = 10


def amount(guarantee: Guarantee) -> str:
    """Return a guarantee without its relation, exactly."""
    return str(guarantee).removesuffix(f" ({guarantee.relation})")


def at_most(number: Epsilon) -> str:
    """Return a number as it was written, or rounded up where that is shorter."""
    return min(plain(number), plain(_short(number, ROUND_CEILING)), key=len)


def budgeted(budget: Guarantee) -> str:
    """Return a budget as it was written, or rounded up where that is shorter."""
    return min(amount(budget), amount(_rounded(budget, ROUND_CEILING)), key=len)


def spent(guarantee: Guarantee) -> str:
    """Return what is spent: exact where that is short, else a few digits, rounded up."""
    return amount(_rounded(guarantee, ROUND_CEILING))


def left(budget: Guarantee, remaining: Guarantee) -> str:
    """Return what is left of a budget, in a cell of a table; rounded down.

    Where the costs of steps add up to the budget, that is the rest.  Under (ε, δ) and μ they add
    up to less, and it is the greatest ε or μ of one more step.

    Parameters
    ----------
    budget
        The whole.
    remaining
        What its filter says that one more step may guarantee.
    """
    step = _step(budget, remaining)
    if not step:
        return amount(_rounded(remaining, ROUND_FLOOR))
    return ", ".join(f"{name} ≤ {plain(most)}" for name, most in step.items())


def left_in_words(budget: Guarantee, remaining: Guarantee) -> str:
    """Return what is left of a budget, at the end of a sentence; rounded down."""
    step = _step(budget, remaining)
    if not step:
        return tr("{amount} is left", amount=left(budget, remaining))
    if not any(step.values()):
        return tr("nothing is left")
    first, *others = (f"{name} = {plain(most)}" for name, most in step.items())
    most = tr("{first} and {other}", first=first, other=others[0]) if others else first
    return tr("a step of up to {most} still fits", most=most)


def leaves_a_step(budget: Guarantee, remaining: Guarantee) -> bool:
    """Tell whether what is left is said as the greatest step that still fits."""
    return any(_step(budget, remaining).values())


def _step(budget: Guarantee, remaining: Guarantee) -> dict[str, Epsilon]:
    """Return the greatest step that still fits, where steps do not simply add up."""
    match budget, remaining:
        case ApproxDP(), PureDP():
            return {"ε": _short(remaining.exact_epsilon, ROUND_FLOOR)}
        case ApproxDP(), ApproxDP():
            delta = _few_digits(remaining.exact_delta, ROUND_FLOOR)
            return {"ε": _short(remaining.exact_epsilon, ROUND_FLOOR), "δ": delta}
        case GaussianDP(), GaussianDP():
            return {"μ": _few_digits(remaining.exact_mu, ROUND_FLOOR)}
    return {}


def _rounded(guarantee: Guarantee, direction: str) -> Guarantee:
    few = partial(_few_digits, direction=direction)
    relation = guarantee.relation
    match guarantee:
        case PureDP():
            return PureDP(epsilon=_short(guarantee.exact_epsilon, direction), relation=relation)
        case ApproxDP():
            epsilon, delta = _short(guarantee.exact_epsilon, direction), few(guarantee.exact_delta)
            known = delta if delta < 1 else guarantee.exact_delta
            return ApproxDP(epsilon=epsilon, delta=known, relation=relation)
        case ZeroConcentratedDP():
            return ZeroConcentratedDP(rho=few(guarantee.exact_rho), relation=relation)
        case GaussianDP():
            return GaussianDP(mu=few(guarantee.exact_mu), relation=relation)
        case RenyiDP() if not callable(guarantee.curve):
            points = [(order, few(bound)) for order, bound in guarantee.curve]
            return RenyiDP(points, relation=relation)
    return guarantee


def _short(epsilon: Epsilon, direction: str) -> Epsilon:
    if isinstance(epsilon, Fraction):
        return _few_digits(epsilon, direction)
    if len(plain(epsilon)) <= _MOST_CHARACTERS:
        return epsilon
    ends = PureDP(epsilon=epsilon).bounds(delta=0)
    near = ends.lower if direction == ROUND_FLOOR else ends.upper
    return _few_digits(Fraction(near), direction)


def _few_digits(value: Fraction, direction: str) -> Fraction:
    """Return a number whose decimal is short: itself, or one on the stated side of it."""
    text = plain(value)
    if len(text) <= _MOST_CHARACTERS and "/" not in text:
        return value
    parts = Decimal(value.numerator), Decimal(value.denominator)
    return Fraction(Context(prec=_DIGITS, rounding=direction).divide(*parts))


def percent(share: Fraction) -> str:
    """Return a share in percent, to a tenth; never rounded up to all or down to nothing."""
    tenths = round(share * 1000)
    if 0 < share < 1:
        tenths = min(max(tenths, 1), 999)
    return f"{tenths // 10}.{tenths % 10} %" if tenths % 10 else f"{tenths // 10} %"
