"""Losses of an event on a random sample: its loss x becomes y = ln(1 - q + q e^x).

With P and Q the laws of the event and q the sampling rate, the sampled pair is (1-q) Q + q P
against Q when the unit is removed, and Q against (1-q) Q + q P when it is added
:cite:p:`zhu2022`.  For a sample of fixed size and substitution the profile at epsilon >= 0 is
that of the first pair, and the one below 0 follows from the symmetry of the relation
:cite:p:`balle2018`: the losses above 0 are those of the first pair, their mirror images lie below
0, and what is left sits at 0.

Everything is an integral over the law of x under Q, with w = e^y: the moments are E[w^(s+1)] when
removed and E[w^-s] when added.  Off the real axis, at x + iv with 0 <= v < pi, the argument of w
lies between 0 and v, and its size between cos(v/2) and 1 times that at x.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import Disc
from sfumato.privacy.loss.base import Atoms, Losses, blockwise, few_values, upper_log
from sfumato.privacy.loss.quadrature import Rule, gauss_legendre

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from sfumato.privacy.loss.body import Body

    Reals = NDArray[np.float64]

__all__ = ["Change", "SampledLosses", "mean_power"]

_UP = 1 + 1e-12
#: Shifts off the real axis that are tried for the envelope.
_SHIFTS = math.pi * np.geomspace(1e-3, 0.9, 24)


class Change(Enum):
    """What becomes of the unit: from the first table to the second."""

    REMOVED = "removed"
    ADDED = "added"
    EXCHANGED = "exchanged"


def mean_power(logs: Disc, log_weights: Disc, power: Disc) -> Disc:
    """Return the weighted sum of e^(power log) - 1, without overflow and without cancellation."""
    far = logs.mid * power.mid.real.max() > 1
    near = (logs[~far][:, None] * power).expm1() * log_weights[~far].exp()[:, None]
    grown = (logs[far][:, None] * power + log_weights[far][:, None]).exp()
    return near.sum(axis=0) + grown.sum(axis=0) - log_weights[far].exp().sum()


@dataclass(frozen=True)
class _Nodes:
    """Sampled losses y with the logarithms of their Q-masses, and what they miss."""

    logs: Disc
    log_weights: Disc
    missed: float


class SampledLosses(Losses):
    """An event with a smooth body on a sample, ``count`` times."""

    def __init__(self, body: Body, rate: Fraction, count: int, change: Change) -> None:
        self._body, self._count, self._change = body, count, change
        self._rate, self._share = Disc.of(rate), float(rate)
        self._positive = change is Change.EXCHANGED
        self.ceiling = body.ceiling
        self.greatest = self._greatest() * count * (1 + 1e-12)

    def _greatest(self) -> float:
        if self._change is Change.ADDED:
            return -float(np.log1p(-self._share))
        return math.log1p(self._share * math.expm1(min(self._body.end, 700.0)))

    def log_moment(self, s: Disc) -> Disc:
        """Sum over the nodes of a rule that is fine enough for the points at hand."""
        return blockwise(s, 1, lambda piece, _: self._log_one(piece) * self._count, each=64)

    def _log_one(self, s: Disc) -> Disc:
        nodes = self._nodes(float(s.mid.real.max()), float(np.abs(s.mid.imag).max()))
        return (self._less_one(s, nodes) + Disc(0.0, 4 * nodes.missed)).log1p()

    def _less_one(self, s: Disc, nodes: _Nodes) -> Disc:
        """Return the moment less 1."""
        if self._change is Change.REMOVED:
            return mean_power(nodes.logs, nodes.log_weights, s + 1)
        added = mean_power(nodes.logs, nodes.log_weights, -s)
        if self._change is Change.ADDED:
            return added
        both = Disc.joined([s + 1, Disc(1.0)])
        powers = mean_power(nodes.logs, nodes.log_weights, both)
        return added + powers[:-1] - powers[-1:]

    def _nodes(self, real: float, height: float) -> _Nodes:
        rule = self._rule(real, height)
        x = Disc.joined([rule.nodes, self._atom_values()])
        body = rule.weights.log() + self._body.log_density(rule.nodes)
        weights = Disc.joined([body, self._atom_masses().log()])
        return _Nodes((x.expm1() * self._rate).log1p(), weights, rule.missed)

    def _rule(self, real: float, height: float) -> Rule:
        start = 0.0 if self._positive else self._body.start
        end = self._body.end_for(real)

        def log_bound(left: Reals, right: Reals, up: Reals) -> Reals:
            density = self._body.log_density_bound(left, right, up)
            size = np.maximum(self._log_power(real, left, up), self._log_power(real, right, up))
            logs = density + np.maximum(size, 0.0) + height * up + math.log(2)
            return np.where(up < math.pi * 0.98, logs, np.inf)

        return gauss_legendre(start, end, log_bound)

    def _log_power(self, real: float, x: Reals, up: Reals) -> Reals:
        """Bound ln of the size of w^p, p the powers in use, over the given x off the axis."""
        log_w = np.log1p(self._share * np.expm1(np.minimum(x, 300.0)))
        shrunk = real * (log_w + np.log(np.cos(np.minimum(up, 3.1) / 2)))
        if self._change is Change.REMOVED:
            return (real + 1) * log_w
        return -shrunk if self._change is Change.ADDED else np.maximum((real + 1) * log_w, -shrunk)

    def _atom_values(self) -> Disc:
        return self._body.atom_values[self._kept()]

    def _atom_masses(self) -> Disc:
        return self._body.atom_masses[self._kept()]

    def _kept(self) -> NDArray[np.bool_]:
        values = self._body.atom_values.mid
        return values > 0 if self._positive else np.full(values.shape, fill_value=True)

    def log_envelope(self, real: float, height: float) -> float:
        """Add what sits on single values, at full size, and what is spread out and fades."""
        spread = sum(self._spread(power, real, height) for power in self._powers(real))
        size = (self._on_atoms(real) + spread) * _UP
        on_axis = upper_log(self.log_moment(Disc(np.array([real]))))
        return min(on_axis, self._count * math.log(size))

    def _powers(self, real: float) -> list[float]:
        named = {Change.REMOVED: [real + 1], Change.ADDED: [-real]}
        return named.get(self._change, [real + 1, -real])

    def _on_atoms(self, real: float) -> float:
        w = 1 + self._share * np.expm1(self._atom_values().mid)
        masses = self._atom_masses().mid
        listed = sum(float((masses * w**power).sum()) for power in self._powers(real))
        return listed + self._at_zero()

    def _at_zero(self) -> float:
        """Return the mass left at 0 when the unit is exchanged."""
        if self._change is not Change.EXCHANGED:
            return 0.0
        nodes = self._nodes(1.0, 0.0)
        away = (nodes.log_weights.exp() * (nodes.logs.exp() + 1)).sum()
        return max(1 - float(away.mid) + float(away.rad) + 4 * nodes.missed, 0.0)

    def _spread(self, power: float, real: float, height: float) -> float:
        """Bound the integral of density w^(power + it) for all t above a height.

        The path goes up from each end of the body by a shift and along at that height, where
        w^(it) is at most e^(-t arg w).
        """
        start = 0.0 if self._positive else self._body.start
        ends = [start, *([self._body.end] if math.isfinite(self._body.end) else [])]
        mass = self._mass(power, real)
        sizes = []
        for shift in _SHIFTS[self._body.log_growth(_SHIFTS) < 50]:
            grown = math.exp(self._body.log_growth(shift))
            grown *= math.cos(shift / 2) ** min(power, 0.0)
            along = mass * math.exp(-height * self._turn(start, shift))
            up = sum(self._rise(end, power, height, shift) for end in ends)
            sizes.append(grown * (along + up))
        return min([mass, *sizes])

    def _mass(self, power: float, real: float) -> float:
        rule = self._rule(real, 0.0)
        w = 1 + self._share * np.expm1(rule.nodes.mid)
        density = np.exp(self._body.log_density(rule.nodes).mid) * rule.weights.mid
        return float((density * w**power).sum()) * _UP + rule.missed

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
        return density * w**power / (height * rate) * _UP

    def atoms(self, most: int) -> list[Atoms] | None:
        """Return the images of the event's own atoms, and what sits at 0."""
        x, masses = self._atom_values(), self._atom_masses()
        kinds = x.mid.size * (2 if self._positive else 1) + (1 if self._positive else 0)
        if kinds == 0 or not few_values(kinds, [self._count], most):
            return None
        y = (x.expm1() * self._rate).log1p()
        if self._change is Change.REMOVED:
            return [Atoms(y, masses * y.exp(), self._count)]
        if self._change is Change.ADDED:
            return [Atoms(-y, masses, self._count)]
        zero = Disc(self._at_zero(), 1e-14)
        values = Disc.joined([y, -y, Disc(0.0)])
        return [Atoms(values, Disc.joined([masses * y.exp(), masses, zero]), self._count)]
