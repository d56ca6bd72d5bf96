"""Distributions with an end: exponential and uniform."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import arb, fmpq

from sfumato.errors import InputError
from sfumato.information.continuous.cells import float_beside
from sfumato.information.continuous.distributions import (
    Number,
    check_positive,
    keep_exact,
    rational,
)
from sfumato.information.continuous.pieces import Piece, QuadraticPiece
from sfumato.numeric import exact, shown

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["Exponential", "Uniform"]


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
