"""The capacity of a channel, between a lower and an upper bound that are both proved."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import arb, arb_mat

from sfumato.information.arrays import nonnegative
from sfumato.information.channels.channel import Channel, ChannelLike, as_channel
from sfumato.information.channels.optimal_prior import search_prior
from sfumato.information.distribution import Distribution
from sfumato.numeric import (
    as_ball,
    check_base,
    check_tolerance,
    float_above,
    float_below,
    working_precision,
)
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Capacity", "capacity"]

_BITS = 128


@dataclass(frozen=True)
class Capacity:
    """The capacity of a channel lies between ``lower`` and ``upper``.

    Attributes
    ----------
    lower, upper
        The bounds, rounded down and up.
    prior
        The distribution of inputs that leaks at least ``lower``.
    iterations
        How many steps the search for the prior took.
    converged
        Whether the bounds are as close as was asked; they are true bounds either way.

    Examples
    --------
    >>> from sfumato.information import capacity
    >>> found = capacity([[2, 1], [1, 2]])
    >>> found.gap <= 1e-9, found.converged
    (True, True)
    >>> print(found)
    capacity between 0.08170416595 and 0.08170416595
    """

    lower: float
    upper: float
    prior: Distribution
    iterations: int
    converged: bool

    @property
    def gap(self) -> float:
        """How far apart the bounds are.

        Examples
        --------
        >>> from sfumato.information import capacity
        >>> capacity([[1, 0], [0, 1]]).gap < 1e-15
        True
        """
        return self.upper - self.lower

    def __str__(self) -> str:
        note = "" if self.converged else tr(" (wider than asked)")
        return tr(
            "capacity between {lower:.10g} and {upper:.10g}{note}",
            lower=self.lower,
            upper=self.upper,
            note=note,
        )


def capacity(
    channel: ChannelLike | Channel, *, base: float = 2, tolerance: float = 1e-9
) -> Capacity:
    """Return the capacity of a channel: the most its output can tell about its input.

    A prior is sought by the Blahut–Arimoto iteration :cite:p:`blahut1972,arimoto1972` and,
    where that is slow, by Newton steps inside the simplex.  For any prior with output q,

        I(prior) ≤ capacity ≤ greatest D(row || q) over the inputs,

    so the search need not be trusted: both sides are evaluated at the prior that is returned,
    in ball arithmetic, on the rationals that the given numbers denote (a row of floats is
    divided by its exact sum), and rounded outwards.

    Parameters
    ----------
    channel
        A matrix with one row of probabilities (or counts) an input, or a mapping to rows.
    base
        Of the logarithm: 2 gives bits, ``math.e`` nats.
    tolerance
        How close to bring the bounds, in units of the base.  Where that is not reached,
        ``converged`` is False and the bounds are those that were.

    Examples
    --------
    >>> from sfumato.information import capacity
    >>> z_channel = capacity([[1.0, 0.0], [0.5, 0.5]])
    >>> round(z_channel.lower, 6), z_channel.prior.probabilities.round(6)
    (0.321928, array([0.6, 0.4]))
    """
    known, unit, asked = as_channel(channel), check_base(base), check_tolerance(tolerance)
    # Half of it is left to the difference between the float bounds and the proved ones.
    found = search_prior(known.matrix, asked * math.log(unit) / 2)
    prior = Distribution(dict(zip(known.inputs, found.prior.tolist(), strict=True)))
    lower, upper = _bounds(known, prior, unit)
    return Capacity(lower, upper, prior, found.iterations, upper - lower <= asked)


def _bounds(channel: Channel, prior: Distribution, base: float) -> tuple[float, float]:
    """Return I(prior) rounded down and the greatest D(row || output) rounded up."""
    with working_precision(_BITS):
        weights = _unit_sum(prior)
        divergences = _divergences(channel, weights)
        unit = arb(base).log()
        mean = sum((w * d for w, d in zip(weights, divergences, strict=True)), arb(0))
        upper = max(float_above(each / unit) for each in divergences)
        return nonnegative(float_below(mean / unit)), nonnegative(upper)


def _divergences(channel: Channel, weights: Sequence[arb]) -> list[arb]:
    rows = [_unit_sum(row) for row in channel.rows]
    matrix = arb_mat(len(rows), len(channel.outputs), [entry for row in rows for entry in row])
    output = (arb_mat(1, len(rows), list(weights)) * matrix).entries()
    logs = arb_mat(len(output), 1, [_log_or_zero(each) for each in output])
    cross = (matrix * logs).entries()
    own = [sum((each * _log_or_zero(each) for each in row), arb(0)) for row in rows]
    return [a - b for a, b in zip(own, cross, strict=True)]


def _unit_sum(distribution: Distribution) -> list[arb]:
    """Return balls around probabilities that sum to one."""
    if distribution.is_exact:
        return [as_ball(each) for each in distribution.fractions]
    held = [arb(each) for each in distribution.probabilities.tolist()]
    total = sum(held, arb(0))
    return [each / total for each in held]


def _log_or_zero(value: arb) -> arb:
    """Return the logarithm; 0 for the exact zero of an entry, or of an output never reached."""
    return arb(0) if value.is_zero() else value.log()
