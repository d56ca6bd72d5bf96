"""Noise that is too small: by its scale, by the sensitivity, or by a lost factor 2."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.privacy import Substitute
from tests.audit.zoo.animal import Sign, WrongAnimal
from tests.audit.zoo.noise import SIGMA, laplace, normal, whole_laplace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["ANIMALS"]

E = math.e
COLOURS = ("blue", "red")


def count(
    generator: np.random.Generator, table: Sequence[Any], n: int, *, scale: float
) -> NDArray[Any]:
    return laplace(generator, len(table), scale, n)


def whole_count(
    generator: np.random.Generator, table: Sequence[Any], n: int, *, scale: float
) -> NDArray[Any]:
    return whole_laplace(generator, len(table), scale, n)


def normal_count(
    generator: np.random.Generator, table: Sequence[Any], n: int, *, sigma: float
) -> NDArray[Any]:
    return normal(generator, len(table), sigma, n)


def histogram(
    generator: np.random.Generator, table: Sequence[str], n: int, *, scale: float
) -> NDArray[Any]:
    return laplace(generator, votes(table), scale, n)


def choice(
    generator: np.random.Generator, table: Sequence[str], n: int, *, rate: float
) -> NDArray[Any]:
    """Choose the colour with most votes by the exponential mechanism: the Gumbel-max trick."""
    weights = rate * votes(table) + generator.gumbel(size=(n, len(COLOURS)))
    return np.asarray(np.argmax(weights, axis=1))


def votes(table: Sequence[str]) -> NDArray[Any]:
    return np.array([table.count(colour) for colour in COLOURS])


def half_the_scale() -> WrongAnimal:
    return WrongAnimal(
        name="Laplace with half the scale",
        draw=partial(count, scale=0.5),
        mended=partial(count, scale=1),
        d0=(7,) * 3,
        d1=(7,) * 4,
        fault="the noise has scale Δ/(2ε): it keeps 2ε",
        source="the plainest mistake",
        sign=Sign("at most 3", 1 / 2, E**-2 / 2, lambda x: x <= 3),
        samples=20_000,
    )


def a_fifth_too_little() -> WrongAnimal:
    return WrongAnimal(
        name="Laplace with a fifth too little noise",
        draw=partial(count, scale=0.8),
        mended=partial(count, scale=1),
        d0=(7,) * 3,
        d1=(7,) * 4,
        fault="the noise has scale 0.8 Δ/ε: it keeps 1.25 ε",
        source="a slip in a constant",
        sign=Sign("at most 3", 1 / 2, E**-1.25 / 2, lambda x: x <= 3),
        samples=200_000,
    )


def half_the_whole_scale() -> WrongAnimal:
    atom = 1 / (1 + E**-2)
    return WrongAnimal(
        name="discrete Laplace with half the scale",
        draw=partial(whole_count, scale=0.5),
        mended=partial(whole_count, scale=1),
        d0=(7,) * 3,
        d1=(7,) * 4,
        fault="the noise has scale Δ/(2ε): it keeps 2ε",
        source="the plainest mistake, on whole numbers",
        sign=Sign("at most 3", atom, atom * E**-2, lambda x: x <= 3),
        samples=20_000,
    )


def variance_for_deviation() -> WrongAnimal:
    sigma = math.sqrt(SIGMA)
    return WrongAnimal(
        name="Gaussian with the root of its deviation",
        draw=partial(normal_count, sigma=sigma),
        mended=partial(normal_count, sigma=SIGMA),
        d0=(7,) * 4,
        d1=(7,) * 3,
        delta=1e-5,
        fault="σ is passed where the generator wants σ², which takes its root",
        source="σ too small, as in SmartNoise-core issue 316",
        sign=Sign(
            "at least 3 + 2.5 σ",
            upper_normal(2.5 - 1 / sigma),
            upper_normal(2.5),
            lambda x: x >= 3 + 2.5 * sigma,
        ),
        samples=1_000_000,
    )


def half_the_sensitivity() -> WrongAnimal:
    return WrongAnimal(
        name="histogram with half the sensitivity",
        draw=partial(histogram, scale=1),
        mended=partial(histogram, scale=2),
        d0=("blue",) * 3,
        d1=("blue",) * 2 + ("red",),
        relation=Substitute(),
        fault="a substituted row moves two cells, the noise is for a row that is added or removed",
        source="OpenDP issue 2945",
        sign=Sign(
            "blue at least 3 and red at most 0",
            1 / 4,
            E**-2 / 4,
            lambda x: (x[:, 0] >= 3) & (x[:, 1] <= 0),
        ),
        samples=50_000,
    )


def without_the_factor_two() -> WrongAnimal:
    return WrongAnimal(
        name="exponential mechanism without the factor 2",
        draw=partial(choice, rate=1),
        mended=partial(choice, rate=0.5),
        d0=("blue", "red"),
        d1=("red", "red"),
        relation=Substitute(),
        fault="weights are exp(ε u/Δ), not exp(ε u/(2Δ)), where one utility rises as another falls",
        source="McSherry and Talwar 2007, where the factor 2 is",
        sign=Sign("blue", 1 / 2, 1 / (1 + E**2), lambda x: x == 0),
        samples=20_000,
    )


def upper_normal(bound: float) -> float:
    return math.erfc(bound / math.sqrt(2)) / 2


ANIMALS = (
    half_the_scale(),
    a_fifth_too_little(),
    half_the_whole_scale(),
    variance_for_deviation(),
    half_the_sensitivity(),
    without_the_factor_two(),
)
