"""What a privacy parameter says about a channel, whatever the channel is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from flint import arb

from sfumato.information.arrays import nonnegative
from sfumato.numeric import (
    Ln,
    as_ball,
    check_base,
    check_epsilon,
    float_above,
    read_count,
    working_precision,
)
from sfumato.translation import tr

if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction


#: Enough for ε² of the smallest float to keep its digits beside 1.
_BITS = 4096
#: The best size of a subset lies between two whole numbers; a blur may add one on either side.
_MOST_SIZES = 3


@dataclass(frozen=True)
class EpsilonBounds:
    """Upper bounds, rounded up, on what any ε-locally private channel leaks.

    Attributes
    ----------
    leakage
        Of the mutual information under the uniform prior.
    capacity
        Of the capacity, hence of the mutual information under any prior.
    maximal_leakage
        Of the maximal leakage.

    Examples
    --------
    >>> from sfumato.information import epsilon_bounds
    >>> print(epsilon_bounds(1, inputs=10))
    at most 0.1765 (uniform prior), 0.1779 (capacity), 1.214 (maximal leakage)
    """

    leakage: float
    capacity: float
    maximal_leakage: float

    def __str__(self) -> str:
        return tr(
            "at most {leakage:.4g} (uniform prior), {capacity:.4g} (capacity), "
            "{maximal_leakage:.4g} (maximal leakage)",
            leakage=self.leakage,
            capacity=self.capacity,
            maximal_leakage=self.maximal_leakage,
        )


def epsilon_bounds(
    epsilon: float | Fraction | Decimal | Ln, *, inputs: int, base: float = 2
) -> EpsilonBounds:
    """Return what pure local ε-differential privacy bounds: any two inputs are neighbours.

    Let k be the number of inputs, a = e^ε - 1 and
    f(t) = ε·e^ε·t / (1 + a·t) - ln(1 + a·t).

    ==================  ==========================================  ==========================
    quantity            bound (in nats)                             attained by
    ==================  ==========================================  ==========================
    maximal leakage     ln(k·e^ε / (k - 1 + e^ε))                   k-ary randomized response
    uniform leakage     greatest f(d/k), d = 1, ..., k              choosing a subset of size d
    capacity, k = 2     f(1/2)                                      randomized response
    capacity, k > 2     least of u - 1 - ln u with u = ε·e^ε / a,
                        and the bound on maximal leakage
    ==================  ==========================================  ==========================

    Proof: :doc:`/proofs/leakage-bounds`.

    The bound u - 1 - ln u is close to ε²/8 for small ε and always below ε·tanh(ε/2).

    Parameters
    ----------
    epsilon
        0 or more; ``Ln(2)`` for ln 2 exactly, ``math.inf`` for no privacy.
    inputs
        How many inputs the channel has.
    base
        Of the logarithm: 2 gives bits, ``math.e`` nats.

    Examples
    --------
    >>> from sfumato.information import epsilon_bounds
    >>> from sfumato.numeric import Ln
    >>> bounds = epsilon_bounds(Ln(2), inputs=2)  # randomized response at 2/3 attains all
    >>> round(bounds.capacity, 6), round(bounds.maximal_leakage, 6)
    (0.081704, 0.415037)
    """
    value = check_epsilon(epsilon, least=0)
    count = read_count(inputs, "inputs")
    unit = check_base(base)
    with working_precision(_BITS):
        if value == 0 or count == 1:
            return EpsilonBounds(0.0, 0.0, 0.0)
        if value == math.inf:
            everything = float_above(arb(count).log() / arb(unit).log())
            return EpsilonBounds(everything, everything, everything)
        leaks = _in_nats(as_ball(value), count)
        scale = arb(unit).log()
        return EpsilonBounds(*(nonnegative(float_above(each / scale)) for each in leaks))


def _in_nats(epsilon: arb, count: int) -> tuple[arb, arb, arb]:
    ratio, growth = epsilon.exp(), epsilon.expm1()
    maximal = (count * ratio / (count - 1 + ratio)).log()
    peak = epsilon * ratio / growth

    def gain(share: arb) -> arb:
        total = 1 + growth * share
        return epsilon * ratio * share / total - total.log()

    if count == 2:
        return gain(arb(1) / 2), gain(arb(1) / 2), maximal
    capacity = (peak - 1 - peak.log()).min(maximal)
    gains = [gain(arb(d) / count) for d in _sizes_around(count * (peak - 1) / growth, count)]
    return reduce(arb.max, gains).min(capacity) if gains else capacity, capacity, maximal


def _sizes_around(best: arb, count: int) -> range:
    """Return the whole numbers from 1 to count next to ``best``; none where it is too blurred."""
    low, high = best.lower().floor().unique_fmpz(), best.upper().ceil().unique_fmpz()
    if low is None or high is None or high - low > _MOST_SIZES:
        return range(0)
    return range(min(max(int(low), 1), count), min(max(int(high), 1), count) + 1)
