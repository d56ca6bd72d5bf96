"""Noise that was added to a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.privacy.events import fields
from sfumato.privacy.events.base import Event
from sfumato.translation import mark

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.privacy.events.fields import Number

__all__ = ["DiscreteGaussian", "DiscreteLaplace", "Gaussian", "Laplace"]


@dataclass(frozen=True, repr=False)
class Laplace(Event):
    """Continuous Laplace noise was added to a number, or to each coordinate of a vector.

    Parameters
    ----------
    scale
        The scale b of the density exp(-abs(x)/b) / (2b).
    sensitivity
        The most by which neighbours change the value, in the L1 norm.  A change spread over
        coordinates tells no more than the same change of one coordinate.

    Examples
    --------
    >>> from sfumato.privacy.events import Laplace
    >>> Laplace(scale=10, sensitivity=1)
    Laplace(scale=10, sensitivity=1)
    """

    scale: Fraction
    sensitivity: Fraction

    name = "laplace"
    wording = mark("Laplace noise of scale {scale} on sensitivity {sensitivity}")

    def __init__(self, *, scale: Number, sensitivity: Number = 1) -> None:
        self._keep(
            scale=fields.positive(scale, "scale"),
            sensitivity=fields.positive(sensitivity, "sensitivity"),
        )


@dataclass(frozen=True, repr=False)
class DiscreteLaplace(Event):
    """Whole-number noise was added on a grid, with P(k) proportional to exp(-abs(k)/scale).

    Parameters
    ----------
    scale
        The scale in grid steps.
    sensitivity
        The most by which neighbours change the value, in whole grid steps and the L1 norm.

    Examples
    --------
    >>> from sfumato.privacy.events import DiscreteLaplace
    >>> print(DiscreteLaplace(scale=2.5))
    discrete Laplace noise of scale 2.5 on sensitivity 1
    """

    scale: Fraction
    sensitivity: int

    name = "discrete_laplace"
    wording = mark("discrete Laplace noise of scale {scale} on sensitivity {sensitivity}")

    def __init__(self, *, scale: Number, sensitivity: int = 1) -> None:
        self._keep(
            scale=fields.positive(scale, "scale"),
            sensitivity=fields.count(sensitivity, "sensitivity"),
        )


@dataclass(frozen=True, repr=False)
class Gaussian(Event):
    """Continuous Gaussian noise was added to a number, or to each coordinate of a vector.

    Parameters
    ----------
    sigma
        The standard deviation of the noise in one coordinate.
    sensitivity
        The most by which neighbours change the value, in the L2 norm.

    Examples
    --------
    >>> from sfumato.privacy.events import Gaussian
    >>> Gaussian(sigma=4)
    Gaussian(sigma=4, sensitivity=1)
    """

    sigma: Fraction
    sensitivity: Fraction

    name = "gaussian"
    wording = mark("Gaussian noise of sigma {sigma} on sensitivity {sensitivity}")

    def __init__(self, *, sigma: Number, sensitivity: Number = 1) -> None:
        self._keep(
            sigma=fields.positive(sigma, "sigma"),
            sensitivity=fields.positive(sensitivity, "sensitivity"),
        )


@dataclass(frozen=True, repr=False)
class DiscreteGaussian(Event):
    """Whole-number noise was added to one number, with P(k) proportional to exp(-k²/(2σ²)).

    Parameters
    ----------
    sigma
        The parameter σ in grid steps; the standard deviation is not above it.
    sensitivity
        The most by which neighbours change the one number, in whole grid steps.

    Examples
    --------
    >>> from sfumato.privacy.events import DiscreteGaussian
    >>> print(DiscreteGaussian(sigma=4))
    discrete Gaussian noise of sigma 4 on sensitivity 1
    """

    sigma: Fraction
    sensitivity: int

    name = "discrete_gaussian"
    wording = mark("discrete Gaussian noise of sigma {sigma} on sensitivity {sensitivity}")

    def __init__(self, *, sigma: Number, sensitivity: int = 1) -> None:
        self._keep(
            sigma=fields.positive(sigma, "sigma"),
            sensitivity=fields.count(sensitivity, "sensitivity"),
        )
