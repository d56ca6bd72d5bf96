"""Whole-number noise: geometric, discrete Laplace and discrete Gaussian, exact at any scale."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.numeric import exact, shown
from sfumato.sampling.decays import ExponentialDecay, GaussianDecay
from sfumato.sampling.stepped import SteppedSampler
from sfumato.sampling.steps import Steps
from sfumato.sampling.uniform import read_size, read_source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.sampling.source import BitSource

__all__ = ["discrete_gaussian", "discrete_laplace", "geometric", "read_scale"]

_LEAST = Fraction(1e-6)
_GREATEST = Fraction(10**18)
_TABLES = 64


def geometric(scale: Any, size: int, *, source: BitSource | None = None) -> NDArray[Any]:
    """Return draws of k = 0, 1, 2, … with probabilities proportional to exp(-k/scale).

    Parameters
    ----------
    scale
        From 1e-6 to 1e18; a float is the rational it stores.
    size
        How many draws.
    source
        Where bits come from; the operating system's where nothing is said.

    Examples
    --------
    >>> from sfumato.sampling import SeededSource, geometric
    >>> geometric(10, 4, source=SeededSource(1)).dtype
    dtype('int64')
    """
    return _geometric(read_scale(scale)).draw(read_size(size), read_source(source))


def discrete_laplace(scale: Any, size: int, *, source: BitSource | None = None) -> NDArray[Any]:
    """Return draws of whole numbers k with probabilities proportional to exp(-abs(k)/scale).

    64-bit integers; at scales above about 1e16, whose draws do not fit, Python's own.

    Parameters
    ----------
    scale
        From 1e-6 to 1e18; a float is the rational it stores.
    size
        How many draws.
    source
        Where bits come from; the operating system's where nothing is said.

    Examples
    --------
    >>> from sfumato.sampling import discrete_laplace
    >>> discrete_laplace(10, 1000).shape
    (1000,)
    """
    return _laplace(read_scale(scale)).draw(read_size(size), read_source(source))


def discrete_gaussian(sigma: Any, size: int, *, source: BitSource | None = None) -> NDArray[Any]:
    """Return draws of whole numbers k with probabilities proportional to exp(-k²/(2σ²)).

    64-bit integers; at scales above about 1e16, whose draws do not fit, Python's own.

    Parameters
    ----------
    sigma
        From 1e-6 to 1e18; a float is the rational it stores.
    size
        How many draws.
    source
        Where bits come from; the operating system's where nothing is said.

    Examples
    --------
    >>> from sfumato.sampling import discrete_gaussian
    >>> discrete_gaussian(10, 1000).dtype
    dtype('int64')
    """
    return _gaussian(read_scale(sigma, "sigma")).draw(read_size(size), read_source(source))


def read_scale(scale: Any, name: str = "scale") -> Fraction:
    """Return the scale of whole-number noise, exactly, or refuse what cannot be drawn.

    Examples
    --------
    >>> from sfumato.sampling import read_scale
    >>> read_scale(0.5)
    Fraction(1, 2)
    >>> read_scale(1e20)
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: scale must be from 1e-6 to 1e18, not 1e+20; choose other units
    """
    if isinstance(scale, (bool, str)):
        message = f"{name} must be a number, not {shown(scale)}; write 10, say"
        raise InputError(message)
    number = exact(scale, name)
    if not _LEAST <= number <= _GREATEST:
        message = f"{name} must be from 1e-6 to 1e18, not {shown(scale)}; choose other units"
        raise InputError(message)
    return number


@lru_cache(maxsize=_TABLES)
def _geometric(scale: Fraction) -> SteppedSampler:
    return SteppedSampler(Steps(ExponentialDecay(scale), below=None))


@lru_cache(maxsize=_TABLES)
def _laplace(scale: Fraction) -> SteppedSampler:
    return SteppedSampler(Steps(ExponentialDecay(scale), below=1))


@lru_cache(maxsize=_TABLES)
def _gaussian(sigma: Fraction) -> SteppedSampler:
    return SteppedSampler(Steps(GaussianDecay(sigma), below=1))
