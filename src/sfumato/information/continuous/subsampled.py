"""Moments of a mixture of two Gaussians against a third of the same spread, term by term.

With an integer order the power of the likelihood ratio is a binomial sum, and each term is the
moment generating function of a Gaussian :cite:p:`mironov2019sampled`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import arb, fmpq

from sfumato.information.continuous.distributions import rational
from sfumato.information.continuous.mixture import Mixture
from sfumato.information.continuous.symmetric import Gaussian

if TYPE_CHECKING:
    from sfumato.information.continuous.distributions import ContinuousDistribution

__all__ = ["renyi_of_mixture"]

_GREATEST_ORDER = 10_000
_TWO = 2


def renyi_of_mixture(
    p: ContinuousDistribution, q: ContinuousDistribution, order: fmpq
) -> arb | None:
    """Return the Rényi divergence of an integer order from 2, or None for other pairs."""
    if order.q != 1 or not _TWO <= order <= _GREATEST_ORDER or not isinstance(q, Gaussian):
        return None
    parts = _shifts(p, q)
    if parts is None:
        return None
    return _moment(parts, int(order.p)).log() / (order - 1)


def _shifts(p: ContinuousDistribution, q: Gaussian) -> list[tuple[fmpq, fmpq]] | None:
    """Return the weights of two Gaussian parts and their shifts from q, in spreads of q."""
    if not isinstance(p, Mixture) or len(p.parts) != _TWO:
        return None
    spread, found = rational(q.sd), []
    for weight, distribution in p.parts:
        if not isinstance(distribution, Gaussian) or rational(distribution.sd) != spread:
            return None
        found.append((weight, (rational(distribution.mean) - rational(q.mean)) / spread))
    return found


def _moment(parts: list[tuple[fmpq, fmpq]], order: int) -> arb:
    """Return the mean of the ratio to the power of the order: a sum of positive terms."""
    (weight, shift), (other, step) = parts
    total, ways = arb(0), 1
    for k in range(order + 1):
        rest = order - k
        lean = rest * shift + k * step
        exponent = (lean * lean - rest * shift * shift - k * step * step) / 2
        total += ways * arb(weight) ** rest * arb(other) ** k * arb(exponent).exp()
        ways = ways * rest // (k + 1)
    return total
