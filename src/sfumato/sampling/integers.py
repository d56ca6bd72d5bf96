"""Whole-number noise: geometric, discrete Laplace and discrete Gaussian, exact at any scale."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sfumato.sampling.stepped_sampler import SteppedSampler
from sfumato.sampling.stepped_weights import ExponentialDecay, GaussianDecay, SteppedWeights
from sfumato.sampling.uniform import read_scale, read_size, read_source

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from sfumato.sampling.source import BitSource


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


@lru_cache(maxsize=_TABLES)
def _geometric(scale: Fraction) -> SteppedSampler:
    return SteppedSampler(SteppedWeights(ExponentialDecay(scale), below=None))


@lru_cache(maxsize=_TABLES)
def _laplace(scale: Fraction) -> SteppedSampler:
    return SteppedSampler(SteppedWeights(ExponentialDecay(scale), below=1))


@lru_cache(maxsize=_TABLES)
def _gaussian(sigma: Fraction) -> SteppedSampler:
    return SteppedSampler(SteppedWeights(GaussianDecay(sigma), below=1))
