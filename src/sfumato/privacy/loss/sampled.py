"""Losses of an event on a random sample: its loss x becomes y = ln(1 - q + q e^x).

With P and Q the output distributions and q the sampling rate, the sampled pair is (1-q) Q + q P
against Q when the unit is removed, and Q against (1-q) Q + q P when it is added
:cite:p:`zhu2022`.  For a sample of fixed size and substitution the profile at epsilon >= 0 is
that of the first pair, and the one below 0 follows from the symmetry of the relation
:cite:p:`balle2018subsampling`: the losses above 0 are those of the first pair, their mirror images
lie below 0, and what is left sits at 0.  Proof: :doc:`/proofs/poisson-sampling`
and :doc:`/proofs/fixed-size-sampling`.

Everything is an expectation of x under Q, with w = e^y: the moments are E[w^(s+1)] when
removed and E[w^-s] when added.  Off the real axis, at x + iv with 0 <= v < pi, the argument of w
lies between 0 and v, and its size between cos(v/2) and 1 times that at x.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.numeric import Disc, cached_property, complex_expm1
from sfumato.privacy.loss.base import (
    MISSED,
    SLIGHTLY_UP,
    UNIT,
    Atoms,
    PrivacyLosses,
    QuadratureRule,
    gauss_legendre,
    piecewise,
)

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from sfumato.privacy.parameters import Epsilon

    Reals = NDArray[np.float64]


#: How many points share a rule.
_POINTS = 16
_GREATEST_GROWTH = 50.0
#: Losses beyond this are taken as x + ln q, which is off by less than e^-x/q.
FAR = 300.0
#: Shifts off the real axis that are tried for the envelope.
_SHIFTS = math.pi * np.geomspace(1e-3, 0.9, 24)


class Direction(Enum):
    """What becomes of the unit: from the first table to the second."""

    REMOVED = "removed"
    ADDED = "added"
    EXCHANGED = "exchanged"

    @property
    def opposite(self) -> Direction:
        """The change the other way round."""
        turned = {Direction.REMOVED: Direction.ADDED, Direction.ADDED: Direction.REMOVED}
        return turned.get(self, self)


def sampled_loss(x: Disc, rate: Disc) -> Disc:
    """Return ln(1 - q + q e^x), also where e^x is beyond the floats."""
    near = (Disc(np.minimum(x.mid, FAR), x.rad).expm1() * rate).log1p()
    left = (1 - rate) / rate * (-Disc(np.maximum(x.mid, FAR), x.rad)).exp()
    far = x + rate.log() + left.log1p()
    beyond = x.mid > FAR
    return Disc(np.where(beyond, far.mid, near.mid), np.where(beyond, far.rad, near.rad))


def log_mean(logs: Disc, log_weights: Disc, power: Disc, missed: float) -> Disc:
    """Return ln of the weighted sum of e^(power log), a mean that is 1 at the power 0.

    ``missed`` is what the weights may miss, as a share of the mean at the real part of the power.
    """
    level = real_level(logs, log_weights, power)
    greatest = float((logs.mid * power.mid.real.max()).max())
    if level.max() <= 1 and greatest < FAR:
        return (mean_power(logs, log_weights, power) + Disc(0.0, 4 * missed)).log1p()
    return (scaled_sum(logs, log_weights, power, level) + Disc(0.0, 2 * missed)).log() + level


def mean_power(logs: Disc, log_weights: Disc, power: Disc) -> Disc:
    """Return the weighted sum of e^(power log) - 1, without cancellation.

    Most of the time goes here, so the radius is not carried along with each number: the size of
    e^(py) - 1 is at most abs(py) e^max(y Re p, 0), and it is computed to 136 units of that.
    """
    weights = log_weights.exp()
    total = _weigh(complex_expm1(power.mid[:, None] * logs.mid), weights.mid)
    real, place = np.unique(power.mid.real, return_inverse=True)
    grown = np.exp(np.maximum(real[:, None] * logs.mid, 0.0))
    size, around = np.abs(logs.mid), np.broadcast_to(logs.rad, logs.mid.shape)
    units = (200 + logs.mid.size) * UNIT
    carried = _weigh(grown, weights.mid * (size * units + 2 * around) + weights.rad * size)
    spread = 2 * _weigh(grown, weights.mid * size)
    return Disc(
        total, (np.abs(power.mid) * carried[place] + power.rad * spread[place]) * SLIGHTLY_UP
    )


def _weigh(rows: NDArray[Any], weights: Reals) -> NDArray[Any]:
    """Return the weighted sum of each row, on one thread."""
    return np.asarray(np.einsum("ij,j->i", rows, weights))


def scaled_sum(logs: Disc, log_weights: Disc, power: Disc, level: Reals) -> Disc:
    """Return the weighted sum of e^(power log), over e^level."""
    return (logs[:, None] * power + log_weights[:, None] - level).exp().sum(axis=0)


def real_level(logs: Disc, log_weights: Disc, power: Disc) -> Reals:
    """Return ln of the weighted sum at the real parts of the powers, roughly."""
    real, place = np.unique(power.mid.real, return_inverse=True)
    return log_sums(logs.mid[:, None] * real + log_weights.mid[:, None], axis=0)[place]


def log_sums(exponents: Reals, axis: int) -> Reals:
    """Return ln of the sums of e^exponents along an axis."""
    most = exponents.max(axis=axis, keepdims=True)
    sums = np.log(np.exp(exponents - most).sum(axis=axis))
    return np.asarray(sums + most.squeeze(axis))


def _power(base: float, exponent: float) -> float:
    """Return a power that does not overflow: it is an upper bound that would bound nothing."""
    return math.exp(min(exponent * math.log(base), FAR))


@dataclass(frozen=True)
class _Nodes:
    """Sampled losses y with the logarithms of their Q-masses, and what they miss."""

    logs: Disc
    log_weights: Disc
    missed: float


class SampledLosses(PrivacyLosses):
    """An event with a smooth body on a sample."""

    def __init__(self, body: Body, rate: Fraction, change: Direction) -> None:
        self._body, self._change = body, change
        self._exact_rate, self._rate, self._share = rate, Disc.of(rate), float(rate)
        self._positive = change is Direction.EXCHANGED
        self.ceiling = body.ceiling
        self.greatest = self._greatest() * (1 + 1e-12)

    def _greatest(self) -> float:
        if self._change is Direction.ADDED:
            return -math.log(float(1 - self._exact_rate))
        if math.isinf(self._body.end):
            return math.inf
        return self._body.end + math.log1p((1 - self._share) * math.expm1(-self._body.end))

    def log_moment(self, s: Disc) -> Disc:
        """Sum over the nodes of a rule that is fine enough for the points at hand."""
        return piecewise(s, _POINTS, self._log_one)

    def cost(self, real: float, height: float) -> float:
        """Return how many nodes a rule has there; each takes some time."""
        return 8.0 * self._nodes(real, height).logs.mid.size

    def _log_one(self, s: Disc) -> Disc:
        nodes = self._nodes(float(s.mid.real.max()), float(np.abs(s.mid.imag).max()))
        logs, weights = nodes.logs, nodes.log_weights
        if self._change is Direction.REMOVED:
            return log_mean(logs, weights, s + 1, nodes.missed)
        if self._change is Direction.ADDED:
            return log_mean(logs, weights, -s, nodes.missed)
        level = np.maximum(real_level(logs, weights, s + 1), 0.0)
        both = scaled_sum(logs, weights, s + 1, level) + scaled_sum(logs, weights, -s, level)
        rest = self._zero * Disc(-level).exp()
        return (both + rest + Disc(0.0, 8 * nodes.missed)).log() + level

    def _nodes(self, real: float, height: float) -> _Nodes:
        rule = self._rule(real, height)
        x = Disc.joined([rule.nodes, self._atom_values()])
        body = rule.weights.log() + self._body.log_density(rule.nodes)
        weights = Disc.joined([body, self._atom_masses().log()])
        return _Nodes(sampled_loss(x, self._rate), weights, rule.missed)

    def _rule(self, real: float, height: float) -> QuadratureRule:
        start = 0.0 if self._positive else self._body.start
        end = self._body.end_for(real)
        level = self._least_level(real, end)

        def log_bound(left: Reals, right: Reals, up: Reals) -> Reals:
            density = self._body.log_density_bound(left, right, up)
            size = np.maximum(self._log_power(real, left, up), self._log_power(real, right, up))
            logs = density + np.maximum(size, 0.0) + height * up + math.log(2) - level
            return np.where(up < math.pi * 0.98, logs, np.inf)

        return gauss_legendre(start, end, log_bound)

    def _least_level(self, real: float, end: float) -> float:
        """Return a lower bound on ln of the mean of w^(c+1), the greatest power in use."""
        if self._change is Direction.ADDED:
            return 0.0
        middle = np.linspace(0.0, end, 9)[:-1]
        mass = self._body.log_mass_beyond(middle)
        log_w = np.log1p(self._share * np.expm1(np.minimum(middle, FAR)))
        return max(float((mass + (real + 1) * log_w).max()) - 1e-9, 0.0)

    def _log_power(self, real: float, x: Reals, up: Reals) -> Reals:
        """Bound ln of the size of w^p, p the powers in use, over the given x off the axis."""
        log_w = np.log1p(self._share * np.expm1(np.minimum(x, 300.0)))
        shrunk = real * (log_w + np.log(np.cos(np.minimum(up, 3.1) / 2)))
        if self._change is Direction.REMOVED:
            return (real + 1) * log_w
        return (
            -shrunk if self._change is Direction.ADDED else np.maximum((real + 1) * log_w, -shrunk)
        )

    def _atom_values(self) -> Disc:
        return self._body.atom_values[self._kept()]

    def _atom_masses(self) -> Disc:
        return self._body.atom_masses[self._kept()]

    def _kept(self) -> NDArray[np.bool_]:
        values = self._body.atom_values.mid
        return values > 0 if self._positive else np.full(values.shape, fill_value=True)

    def log_envelope(self, real: float, height: float) -> float:
        """Add what sits on single values, at full size, and what is spread out and fades."""
        on_axis = self.log_on_axis(real)
        if on_axis > _GREATEST_GROWTH:
            return on_axis
        spread = sum(self._spread(power, real, height) for power in self._powers(real))
        size = (self._on_atoms(real) + spread) * SLIGHTLY_UP
        return min(on_axis, math.log(size))

    def _powers(self, real: float) -> list[float]:
        named = {Direction.REMOVED: [real + 1], Direction.ADDED: [-real]}
        return named.get(self._change, [real + 1, -real])

    def _on_atoms(self, real: float) -> float:
        w = 1 + self._share * np.expm1(self._atom_values().mid)
        masses = self._atom_masses().mid
        listed = sum(float((masses * w**power).sum()) for power in self._powers(real))
        return listed + (float(self._zero.size) if self._positive else 0.0)

    @cached_property
    def _zero(self) -> Disc:
        """The mass left at 0 when the unit is exchanged."""
        nodes = self._nodes(1.0, 0.0)
        away = ((nodes.log_weights + nodes.logs).exp() + nodes.log_weights.exp()).sum()
        return 1 - away + Disc(0.0, 8 * nodes.missed)

    def _spread(self, power: float, real: float, height: float) -> float:
        """Bound the integral of density w^(power + it) for all t above a height.

        The path goes up from each end of the body by a shift and along at that height, where
        w^(it) is at most e^(-t arg w).
        """
        start = 0.0 if self._positive else self._body.start
        ends = [start, *([self._body.end] if math.isfinite(self._body.end) else [])]
        mass = self._mass(power, real)
        best = mass
        for shift in _SHIFTS[self._body.log_growth(_SHIFTS) < _GREATEST_GROWTH].tolist():
            grown = math.exp(float(self._body.log_growth(np.array(shift))))
            along = mass * math.exp(-height * self._turn(start, shift))
            up = sum(self._rise(end, power, height, shift) for end in ends)
            best = min(best, grown * _power(math.cos(shift / 2), min(power, 0.0)) * (along + up))
        return best

    def _mass(self, power: float, real: float) -> float:
        rule = self._rule(real, 0.0)
        w = 1 + self._share * np.expm1(rule.nodes.mid)
        density = np.exp(self._body.log_density(rule.nodes).mid) * rule.weights.mid
        return float((density * w**power).sum()) * SLIGHTLY_UP + rule.missed

    def _turn(self, x: float, shift: float) -> float:
        return math.atan2(
            self._share * math.exp(x) * math.sin(shift),
            1 - self._share + self._share * math.exp(x) * math.cos(shift),
        )

    def _rise(self, x: float, power: float, height: float, shift: float) -> float:
        """Bound the way up from an end: the argument of w grows at least linearly there."""
        w = 1 + self._share * math.expm1(x)
        rate = min(self._share * math.exp(x) / w, self._turn(x, shift) / shift)
        density = float(np.exp(self._body.log_density(Disc(np.array([x]))).mid[0]))
        if rate <= 0:
            return math.inf
        return density * _power(w, power) / (height * rate) * SLIGHTLY_UP

    def atoms(self, most: int) -> list[Atoms] | None:
        """Return the images of the event's own atoms, and what sits at 0."""
        x, masses = self._atom_values(), self._atom_masses()
        kinds = x.mid.size * (2 if self._positive else 1) + (1 if self._positive else 0)
        if not 0 < kinds <= most:
            return None
        y = sampled_loss(x, self._rate)
        if self._change is Direction.REMOVED:
            return [Atoms(y, masses * y.exp(), 1)]
        if self._change is Direction.ADDED:
            return [Atoms(-y, masses, 1)]
        values = Disc.joined([y, -y, Disc(0.0)])
        return [Atoms(values, Disc.joined([masses * y.exp(), masses, self._zero]), 1)]


#: Tilts are kept below this over the greatest loss.
_GREATEST_TILT = 600.0


class Body(ABC):
    """An analytic density between ``start`` and ``end``, and atoms beside it."""

    start: float
    end: float
    ceiling: float = math.inf
    atom_values: Disc = Disc(np.zeros(0))
    atom_masses: Disc = Disc(np.zeros(0))

    @abstractmethod
    def log_density(self, x: Disc) -> Disc:
        """Return ln of the density under Q."""

    @abstractmethod
    def log_density_bound(self, left: Reals, right: Reals, up: Reals) -> Reals:
        """Bound ln of its size over a rectangle off the real axis."""

    @abstractmethod
    def log_mass_beyond(self, x: Reals) -> Reals:
        """Return ln of the mass under Q above points of the body."""

    def log_growth(self, up: Reals) -> Reals:
        """Bound ln of how much its size grows from the real axis up."""
        return np.zeros_like(up)

    def end_for(self, real: float) -> float:  # noqa: ARG002
        """Return where an integral may stop, for moments up to a real part."""
        return self.end


class ExponentialBody(Body):
    """The density height e^(-x/2) on (-epsilon, epsilon): Laplace noise, bounded range."""

    def __init__(self, epsilon: Epsilon, *, ends: bool) -> None:
        disc = Disc.of(epsilon)
        self.start, self.end = -float(epsilon), float(epsilon)
        if ends:
            self._log_height = -disc * 0.5 + Disc(math.log(0.25), 1e-16)
            self.atom_values = Disc.joined([disc, -disc])
            self.atom_masses = Disc.joined([0.5 * (-disc).exp(), Disc(0.5)])
        else:
            self._log_height = disc * 0.5 + (0.5 / disc.expm1()).log()
        self.ceiling = _GREATEST_TILT / self.end

    def log_density(self, x: Disc) -> Disc:
        """Return ln height - x/2."""
        return self._log_height - x * 0.5

    def log_density_bound(self, left: Reals, right: Reals, up: Reals) -> Reals:  # noqa: ARG002
        """Return the value at the left."""
        return float(self._log_height.mid) - left / 2 + 1e-9

    def log_mass_beyond(self, x: Reals) -> Reals:
        """Integrate, and add what sits at the end."""
        height = math.exp(float(self._log_height.mid))
        body = 2 * height * (np.exp(-x / 2) - math.exp(-self.end / 2))
        return np.asarray(np.log(body + float(self.atom_masses.mid[:1].sum())))


class NormalBody(Body):
    """Gaussian noise: the loss under Q is normal, with mean -mu^2/2 and variance mu^2."""

    end = math.inf

    def __init__(self, mu: Fraction) -> None:
        self._mu = Disc.of(mu)
        self._slope = float(mu)
        self.start = -math.inf
        self.ceiling = _GREATEST_TILT / 3 / self._slope

    def log_density(self, x: Disc) -> Disc:
        """Return ln of the normal density."""
        z = x / self._mu + self._mu * 0.5
        return z * z * -0.5 - self._mu.log() - Disc(0.5 * math.log(2 * math.pi), 1e-15)

    def log_density_bound(self, left: Reals, right: Reals, up: Reals) -> Reals:
        """Return the value nearest to the mean, grown by the height."""
        mean = -(self._slope**2) / 2
        nearest = np.clip(mean, left, right)
        peak = -math.log(self._slope * math.sqrt(2 * math.pi)) + 1e-9
        fall = (nearest - mean) ** 2 / (2 * self._slope**2)
        return np.asarray(peak - fall + self.log_growth(up))

    def log_growth(self, up: Reals) -> Reals:
        """Return the square of the height over twice the variance."""
        return np.asarray(up**2 / (2 * self._slope**2))

    def end_for(self, real: float) -> float:
        """Return where less than what may be missed lies beyond."""
        most = real * (real + 1) * self._slope**2 / 2
        far = (real + 1) * self._slope + math.sqrt(2 * (most - math.log(MISSED) + 2))
        return self._slope * (far - self._slope / 2)

    def log_mass_beyond(self, x: Reals) -> Reals:
        """Return ln of a lower bound on the normal tail: of phi(z) z / (1 + z^2) for z above 1."""
        z = np.maximum(x / self._slope + self._slope / 2, 1.0)
        return np.asarray(np.log(z / (1 + z * z)) - z * z / 2 - 0.5 * math.log(2 * math.pi))
