"""Divergences of pairs that have a formula, evaluated in balls; None where there is none.

Rényi divergences are those of :cite:p:`gil2013renyi`; the hockey-stick divergence of two Gaussians
is that of :cite:p:`balle2018improving`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import arb, fmpq

from sfumato.information.continuous.distributions import rational
from sfumato.information.continuous.families import Gaussian, Laplace, Logistic, Symmetric
from sfumato.information.continuous.mixture import renyi_of_mixture
from sfumato.numeric import as_fmpq, exact

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.information.continuous.declared import AnyDistribution

#: The normal tail has next to nothing below this; further out, exponents leave the library's range.
_FAR_OUT = -1e6


def kl(p: AnyDistribution, q: AnyDistribution) -> arb | None:
    """Return the Kullback-Leibler divergence of two Gaussians, or Laplaces of one scale."""
    if isinstance(p, Gaussian) and isinstance(q, Gaussian):
        ratio = (rational(p.sd) / rational(q.sd)) ** 2
        return (_distance(p, q) ** 2 + ratio - 1 - arb(ratio).log()) / 2
    shift = _shift(p, q)
    if isinstance(p, Laplace) and shift is not None:
        return shift + (-arb(shift)).expm1()
    return None


def renyi(p: AnyDistribution, q: AnyDistribution, order: fmpq) -> arb | None:
    """Return the Rényi divergence of an order that is none of 0, 1 and infinity."""
    if isinstance(p, Gaussian) and isinstance(q, Gaussian):
        return _renyi_of_gaussians(p, q, order)
    shift = _shift(p, q)
    if isinstance(p, Laplace) and shift is not None:
        return _renyi_of_laplaces(shift, order)
    return renyi_of_mixture(p, q, order)


def maximum(p: AnyDistribution, q: AnyDistribution) -> arb | None:
    """Return the max divergence."""
    shift = _shift(p, q)
    if isinstance(p, (Laplace, Logistic)) and shift is not None:
        return arb(shift)
    if isinstance(p, Gaussian) and isinstance(q, Gaussian):
        gap = rational(q.sd) ** 2 - rational(p.sd) ** 2
        apart = rational(q.mean) - rational(p.mean)
        if gap <= 0:
            return arb(0) if gap == apart == 0 else arb.pos_inf()
        return arb(rational(q.sd) / rational(p.sd)).log() + apart * apart / (2 * gap)
    return None


def hockey_stick(p: AnyDistribution, q: AnyDistribution, level: arb) -> arb | None:
    """Return the hockey-stick divergence of two Gaussians or two Laplaces of one scale."""
    shift = _shift(p, q)
    if shift is None:
        return None
    distance = arb(shift)
    if isinstance(p, Laplace):
        return -level.min((level - distance) / 2).min(0).expm1()
    if isinstance(p, Gaussian) and distance > 0:
        near, far = distance / 2 - level / distance, -distance / 2 - level / distance
        if near < _FAR_OUT:
            return arb(0).union(_normal_cdf(arb(_FAR_OUT)))
        return _normal_cdf(near) - level.exp() * _normal_cdf(far)
    return None


def statistical_distance(p: AnyDistribution, q: AnyDistribution) -> arb | None:
    """Return the statistical distance of a symmetric unimodal distribution and its shift.

    The densities cross halfway between the means and nowhere else.
    """
    if not isinstance(p, Symmetric) or not isinstance(q, Symmetric) or _shift(p, q) is None:
        return None
    halfway = arb((rational(p.mean) + rational(q.mean)) / 2)
    return abs(p.cdf(halfway) - q.cdf(halfway))


def exact_shift(p: AnyDistribution, q: AnyDistribution) -> Fraction | None:
    """Return by how many spreads a symmetric distribution lies above one that is else the same."""
    if not (isinstance(p, Symmetric) and isinstance(q, Symmetric) and type(p) is type(q)):
        return None
    spread = exact(q.spread)
    return (exact(q.mean) - exact(p.mean)) / spread if exact(p.spread) == spread else None


def _shift(p: AnyDistribution, q: AnyDistribution) -> fmpq | None:
    """Return the distance of symmetric distributions that differ in their means only, else None."""
    found = exact_shift(p, q)
    return None if found is None else as_fmpq(abs(found))


def _distance(p: Symmetric, q: Symmetric) -> fmpq:
    """Return how far apart the means are, in spreads of q."""
    return abs(rational(p.mean) - rational(q.mean)) / rational(q.spread)


def _renyi_of_gaussians(p: Gaussian, q: Gaussian, order: fmpq) -> arb:
    ratio = (rational(p.sd) / rational(q.sd)) ** 2
    mixed = order + (1 - order) * ratio
    if mixed <= 0:
        return arb.pos_inf()
    spread = arb(mixed).log() / (order - 1) + arb(ratio).log()
    return (order * _distance(p, q) ** 2 / mixed - spread) / 2


def _renyi_of_laplaces(distance: fmpq, order: fmpq) -> arb:
    if order == fmpq(1, 2):
        return distance - 2 * arb(distance / 2).log1p()
    near, far = arb((order - 1) * distance).exp(), arb(-order * distance).exp()
    total = (order * near + (order - 1) * far) / (2 * order - 1)
    return total.log() / (order - 1)


def _normal_cdf(z: arb) -> arb:
    return Gaussian(0, 1).cdf(z)
