"""The distribution of a loss under Q where part of it is spread out, as sampling needs it."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import Disc
from sfumato.privacy.loss.quadrature import MISSED

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from sfumato.privacy.parameters import Epsilon

    Reals = NDArray[np.float64]

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
