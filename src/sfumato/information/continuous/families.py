"""The families that have a formula: Gaussian, Laplace, logistic, exponential, uniform."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import arb, fmpq

from sfumato.errors import InputError
from sfumato.information.continuous.distributions import (
    Number,
    check_positive,
    keep_exact,
    rational,
)
from sfumato.information.continuous.log_densities import LogisticPiece, Piece, QuadraticPiece
from sfumato.information.continuous.pairs import float_beside
from sfumato.numeric import exact, shown

if TYPE_CHECKING:
    from fractions import Fraction


class Symmetric(ABC):
    """A distribution that falls on both sides of its mean in the same way."""

    mean: Number

    @property
    @abstractmethod
    def spread(self) -> Number:
        """The number the distance from the mean is measured in."""

    @abstractmethod
    def piece(self, at: Number) -> Piece:
        """See ``ContinuousDistribution``."""

    @abstractmethod
    def _standard_cdf(self, z: arb) -> arb:
        """Return the distribution function for mean 0 and spread 1."""

    @property
    def breakpoints(self) -> tuple[Fraction, ...]:
        """The mean, and about one spread to each side."""
        mean, spread = exact(self.mean), exact(self.spread)
        return (float_beside(mean, -spread), mean, float_beside(mean, spread))

    def cdf(self, x: arb) -> arb:
        """See ``ContinuousDistribution``."""
        return self._standard_cdf(self._standard(x))

    def survival(self, x: arb) -> arb:
        """See ``ContinuousDistribution``."""
        return self._standard_cdf(-self._standard(x))

    def _standard(self, x: arb) -> arb:
        return (x - rational(self.mean)) / rational(self.spread)


@dataclass(frozen=True)
class Gaussian(Symmetric):
    """The normal distribution.

    Parameters
    ----------
    mean, sd
        Its mean and its standard deviation.

    Examples
    --------
    >>> from sfumato.information import kl_divergence
    >>> from sfumato.information.continuous import Gaussian
    >>> print(kl_divergence(Gaussian(0, 1), Gaussian(1, 1)))
    0.5
    """

    mean: Number
    sd: Number

    def __post_init__(self) -> None:
        keep_exact(self, "mean", "sd")
        check_positive(self.sd, "sd")

    @property
    def spread(self) -> Number:
        """The standard deviation.

        Examples
        --------
        >>> from sfumato.information.continuous import Gaussian
        >>> Gaussian(0, 3).spread
        3
        """
        return self.sd

    def piece(self, at: Number) -> Piece:  # noqa: ARG002 - one formula everywhere
        """See ``ContinuousDistribution``.

        Examples
        --------
        >>> from sfumato.information.continuous import Gaussian
        >>> Gaussian(0, 2).piece(0).bend
        1/4
        """
        sd = rational(self.sd)
        log_peak = -(sd * (2 * arb.pi()).sqrt()).log()
        return QuadraticPiece(log_peak, rational(self.mean), fmpq(0), 1 / (sd * sd))

    def _standard_cdf(self, z: arb) -> arb:
        return (-z / arb(2).sqrt()).erfc() / 2


@dataclass(frozen=True)
class Scaled(Symmetric):
    """A symmetric distribution whose spread is called its scale."""

    mean: Number
    scale: Number

    def __post_init__(self) -> None:
        keep_exact(self, "mean", "scale")
        check_positive(self.scale, "scale")

    @property
    def spread(self) -> Number:
        """The scale."""
        return self.scale


@dataclass(frozen=True)
class Laplace(Scaled):
    """The double exponential distribution.

    Parameters
    ----------
    mean, scale
        Its mean, and the distance at which the density falls by the factor e.

    Examples
    --------
    >>> from sfumato.information import max_divergence
    >>> from sfumato.information.continuous import Laplace
    >>> print(max_divergence(Laplace(0, 2), Laplace(1, 2)))
    0.5
    """

    def piece(self, at: Number) -> Piece:
        """See ``ContinuousDistribution``: one line on each side of the mean.

        Examples
        --------
        >>> from sfumato.information.continuous import Laplace
        >>> Laplace(0, 2).piece(-1).fall
        -1/2
        """
        scale = rational(self.scale)
        fall = 1 / scale if exact(at) >= exact(self.mean) else -1 / scale
        return QuadraticPiece(-arb(2 * scale).log(), rational(self.mean), fall, fmpq(0))

    def _standard_cdf(self, z: arb) -> arb:
        return (z.min(0).exp() - (-z.max(0)).expm1()) / 2


@dataclass(frozen=True)
class Logistic(Scaled):
    """The logistic distribution.

    Parameters
    ----------
    mean, scale
        Its mean, and the distance at which the far density falls by the factor e.

    Examples
    --------
    >>> from sfumato.information import max_divergence
    >>> from sfumato.information.continuous import Logistic
    >>> print(max_divergence(Logistic(0, 2), Logistic(1, 2)))
    0.5
    """

    def piece(self, at: Number) -> Piece:  # noqa: ARG002 - one formula everywhere
        """See ``ContinuousDistribution``.

        Examples
        --------
        >>> from sfumato.information.continuous import Logistic
        >>> Logistic(0, 2).piece(0).scale
        2
        """
        return LogisticPiece(rational(self.mean), rational(self.scale))

    def _standard_cdf(self, z: arb) -> arb:
        return 1 / (1 + (-z).exp())


@dataclass(frozen=True)
class Exponential:
    """The distribution of a waiting time.

    Parameters
    ----------
    scale
        Its mean above ``shift``.
    shift
        Where it begins.

    Examples
    --------
    >>> from sfumato.information import kl_divergence
    >>> from sfumato.information.continuous import Exponential
    >>> print(kl_divergence(Exponential(1), Exponential(1, shift=1)))
    inf
    """

    scale: Number
    shift: Number = 0

    def __post_init__(self) -> None:
        keep_exact(self, "scale", "shift")
        check_positive(self.scale, "scale")

    @property
    def breakpoints(self) -> tuple[Fraction, ...]:
        """See ``ContinuousDistribution``.

        Examples
        --------
        >>> from sfumato.information.continuous import Exponential
        >>> [str(each) for each in Exponential(2, shift=1).breakpoints]
        ['1', '3']
        """
        shift = exact(self.shift)
        return (shift, float_beside(shift, exact(self.scale)))

    def piece(self, at: Number) -> Piece | None:
        """See ``ContinuousDistribution``.

        Examples
        --------
        >>> from sfumato.information.continuous import Exponential
        >>> Exponential(2).piece(-1) is None
        True
        """
        if exact(at) < exact(self.shift):
            return None
        scale = rational(self.scale)
        return QuadraticPiece(-arb(scale).log(), rational(self.shift), 1 / scale, fmpq(0))

    def cdf(self, x: arb) -> arb:
        """See ``ContinuousDistribution``.

        Examples
        --------
        >>> from flint import arb
        >>> from sfumato.information.continuous import Exponential
        >>> Exponential(1).cdf(arb(-1))
        0
        """
        return -(-self._waited(x)).expm1()

    def survival(self, x: arb) -> arb:
        """See ``ContinuousDistribution``.

        Examples
        --------
        >>> from flint import arb
        >>> from sfumato.information.continuous import Exponential
        >>> Exponential(1).survival(arb(0))
        1.00000000000000
        """
        return (-self._waited(x)).exp()

    def _waited(self, x: arb) -> arb:
        return ((x - rational(self.shift)) / rational(self.scale)).max(0)


@dataclass(frozen=True)
class Uniform:
    """The distribution that spreads its mass evenly between two ends.

    Parameters
    ----------
    low, high
        The ends, in order.

    Examples
    --------
    >>> from sfumato.information import statistical_distance
    >>> from sfumato.information.continuous import Uniform
    >>> print(statistical_distance(Uniform(0, 1), Uniform(0.25, 1.25)))
    0.25
    """

    low: Number
    high: Number

    def __post_init__(self) -> None:
        keep_exact(self, "low", "high")
        if not self.low < self.high:
            raise InputError(
                "E-BOUNDS-ORDER",
                "low must lie below high, not {low} and {high}",
                "swap the ends",
                low=shown(self.low),
                high=shown(self.high),
            )

    @property
    def breakpoints(self) -> tuple[Fraction, ...]:
        """See ``ContinuousDistribution``.

        Examples
        --------
        >>> from sfumato.information.continuous import Uniform
        >>> [str(each) for each in Uniform(0, 0.5).breakpoints]
        ['0', '1/2']
        """
        return (exact(self.low), exact(self.high))

    def piece(self, at: Number) -> Piece | None:
        """See ``ContinuousDistribution``.

        Examples
        --------
        >>> from sfumato.information.continuous import Uniform
        >>> Uniform(0, 1).piece(2) is None
        True
        """
        if not exact(self.low) <= exact(at) <= exact(self.high):
            return None
        low = rational(self.low)
        return QuadraticPiece(-arb(rational(self.high) - low).log(), low, fmpq(0), fmpq(0))

    def cdf(self, x: arb) -> arb:
        """See ``ContinuousDistribution``.

        Examples
        --------
        >>> from flint import arb
        >>> from sfumato.information.continuous import Uniform
        >>> Uniform(0, 2).cdf(arb(0.5))
        0.250000000000000
        """
        low, high = rational(self.low), rational(self.high)
        return ((x - low) / (high - low)).max(0).min(1)

    def survival(self, x: arb) -> arb:
        """See ``ContinuousDistribution``.

        Examples
        --------
        >>> from flint import arb
        >>> from sfumato.information.continuous import Uniform
        >>> Uniform(0, 2).survival(arb(0.5))
        0.750000000000000
        """
        return 1 - self.cdf(x)
