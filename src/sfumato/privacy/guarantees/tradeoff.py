"""From (ε, δ) to the errors of an attacker who distinguishes two neighbouring tables."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.numeric import as_ball, float_below, working_precision
from sfumato.numeric.exact import rational_exponential
from sfumato.privacy.guarantees.search import least_value

if TYPE_CHECKING:
    from collections.abc import Callable

    from flint import arb

    from sfumato.privacy.parameters import Epsilon

__all__ = ["false_negative_rate", "greatest_false_negative_rate"]

_BITS = 128
#: Where the best ε is first looked for: 0, and the powers of two that e^ε survives.
_GRID = (0.0, *(2.0**power for power in range(-20, 10)))


def false_negative_rate(
    *, epsilon: Epsilon, delta: float | Fraction, false_positive_rate: Fraction
) -> float:
    """Return the least false negative rate under (ε, δ)-DP, rounded down.

    It is the greatest of 1 - δ - e^ε α, e^-ε (1 - δ - α) and 0, and some mechanism attains it
    :cite:p:`kairouz2015composition`.
    """
    with working_precision(_BITS):
        alarms, kept = as_ball(false_positive_rate), 1 - as_ball(delta)
        factor = _exponential(epsilon)
        steep, flat = kept - factor * alarms, (kept - alarms) / factor
        return max(0.0, float_below(steep), float_below(flat))


def greatest_false_negative_rate(
    delta: Callable[[Fraction], float], false_positive_rate: Fraction
) -> float:
    """Return the greatest bound that a search finds among the points of a curve from ε to δ.

    Every point gives a valid bound, so the search decides only how tight it is.
    """

    def negative_rate(point: float) -> float:
        epsilon = Fraction(point)
        return -false_negative_rate(
            epsilon=epsilon, delta=delta(epsilon), false_positive_rate=false_positive_rate
        )

    return -least_value(negative_rate, _GRID) + 0.0


def _exponential(epsilon: Epsilon) -> arb:
    """Return e^ε, rounded once where ε is the logarithm of a rational."""
    rational = rational_exponential(epsilon)
    return as_ball(epsilon).exp() if rational is None else as_ball(rational)
