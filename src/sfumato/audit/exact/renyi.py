"""Rényi divergences of exact finite distributions: exact sums at whole orders, balls at others."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb, fmpz

from sfumato.audit.comparison import Least
from sfumato.audit.exact.ratio import INFINITE, least_exact
from sfumato.audit.exact.weights import Exact, exact_sum, exactly, log_of, rational
from sfumato.numeric import Enclosure, Exponentials, Ln, as_ball, working_precision

if TYPE_CHECKING:
    from sfumato.audit.exact.pair import ExactPair
    from sfumato.privacy.parameters import Epsilon

__all__ = ["exact_renyi", "judge_renyi"]

_BITS = 192
_MOST_BITS = 4096
#: Sums of so high an order are not expanded exactly.
_HIGHEST_ORDER = 256


def exact_renyi(pair: ExactPair, order: Fraction) -> Least:
    """Return the divergence: ln Σ p^α q^(1-α) over α - 1, exactly where that has a name."""
    if pair.impossible.any():
        return INFINITE
    if pair.is_equal():
        return least_exact(Fraction(0))
    if (total := _rational_sum(pair, order)) is not None:
        root = _root(total, int(order) - 1)
        if root is not None:
            return least_exact(Ln(root) if root != 1 else Fraction(0))
    with working_precision(_BITS):
        found = Enclosure.of_ball(_divergence(pair, order))
    return Least(Enclosure(max(found.lower, 0.0), max(found.upper, 0.0)))


def judge_renyi(pair: ExactPair, order: Fraction, epsilon: Epsilon) -> bool | None:
    """Decide whether the divergence is at most ε; None where balls do not tell."""
    if pair.impossible.any():
        return False
    if pair.is_equal():
        return True
    if (total := _rational_sum(pair, order)) is not None:
        return bool(total <= _power(epsilon, int(order) - 1))
    bits = _BITS
    while bits <= _MOST_BITS:
        with working_precision(bits):
            gap = _divergence(pair, order) - as_ball(epsilon)
        if gap > 0 or gap < 0:
            return bool(gap < 0)
        bits *= 2
    return None


def _power(epsilon: Epsilon, times: int) -> Exact:
    """Return e to so many times ε."""
    if isinstance(epsilon, Ln):
        return epsilon.argument**times
    return Exponentials.exp(epsilon * times)


def _rational_sum(pair: ExactPair, order: Fraction) -> Fraction | None:
    """Return Σ p^α q^(1-α) for two rational distributions at a whole order, else None."""
    whole_p, whole_q = pair.totals
    if isinstance(whole_p, Exponentials) or isinstance(whole_q, Exponentials):
        return None
    if order.denominator != 1 or order > _HIGHEST_ORDER:
        return None
    power, parts = int(order), []
    for (p, q), count in _counted(pair):
        share_p, share_q = rational(p) / whole_p, rational(q) / whole_q
        parts.append(count * share_p**power * share_q ** (1 - power))
    return rational(exact_sum(parts))


def _counted(pair: ExactPair) -> list[tuple[tuple[Exact, Exact], int]]:
    """Return the distinct pairs of weights with a positive first, and how often each occurs."""
    found = Counter(zip(pair.p, pair.q, strict=True))
    return [((exactly(p), exactly(q)), count) for (p, q), count in found.items() if exactly(p)]


def _divergence(pair: ExactPair, order: Fraction) -> arb:
    """Return a ball around the divergence, at the precision in force."""
    power, (whole_p, whole_q) = as_ball(order), pair.totals
    parts = (
        count * (power * log_of(p) + (1 - power) * log_of(q)).exp()
        for (p, q), count in _counted(pair)
    )
    scale = power * log_of(whole_p) + (1 - power) * log_of(whole_q)
    return (sum(parts, arb(0)).log() - scale) / (power - 1)


def _root(value: Fraction, degree: int) -> Fraction | None:
    """Return the root of a degree where it is rational, else None."""
    roots = [int(fmpz(part).root(degree)) for part in (value.numerator, value.denominator)]
    return Fraction(*roots) if Fraction(*roots) ** degree == value else None
