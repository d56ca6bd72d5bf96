"""Sums and means whose noise does not fit: bounds, clips, counts and overflows."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.privacy import Substitute
from tests.audit.zoo.animal import Sign, WrongAnimal
from tests.audit.zoo.noise import laplace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Table = Sequence[float]

__all__ = ["ANIMALS"]

E = math.e


def clipped_sum(
    generator: np.random.Generator, table: Table, n: int, *, low: float, high: float
) -> NDArray[Any]:
    """Clip each value between public bounds, a missing one to the lower, and add noise for ε = 1.

    The noise is for a row that is added, removed or substituted.
    """
    values = np.clip(np.nan_to_num(np.array(table), nan=low), low, high)
    return laplace(generator, np.sum(values), max(abs(low), abs(high), high - low), n)


def mean_of_secret_size(generator: np.random.Generator, table: Table, n: int) -> NDArray[Any]:
    values = np.clip(table, 0, 1)
    return laplace(generator, np.mean(values), 1 / len(table), n)


def mean_of_noisy_size(generator: np.random.Generator, table: Table, n: int) -> NDArray[Any]:
    sums = laplace(generator, np.sum(np.clip(table, 0, 1)), 2, n)
    return sums / np.maximum(laplace(generator, len(table), 2, n), 1)


def clipped_too_late(generator: np.random.Generator, table: Table, n: int) -> NDArray[Any]:
    return laplace(generator, np.clip(np.sum(table), 0, len(table)), 1, n)


def bounds_from_data(generator: np.random.Generator, table: Table, n: int) -> NDArray[Any]:
    return laplace(generator, np.sum(table), max(table) - min(table), n)


def nan_slips_through(generator: np.random.Generator, table: Table, n: int) -> NDArray[Any]:
    return laplace(generator, np.sum(np.clip(table, 0, 1)), 1, n)


def sum_in_one_byte(generator: np.random.Generator, table: Table, n: int) -> NDArray[Any]:
    wrapped = np.sum(np.array(table, dtype=np.int8), dtype=np.int8)
    return laplace(generator, float(wrapped), 100, n)


def variance(
    generator: np.random.Generator, table: Table, n: int, *, sensitivity: float
) -> NDArray[Any]:
    return laplace(generator, np.var(np.clip(table, 0, 10)), sensitivity, n)


def sum_and_count(
    generator: np.random.Generator, table: Table, n: int, *, scale: float
) -> NDArray[Any]:
    """The two parts of an average, as a table that shows both has them."""
    return laplace(generator, [np.sum(np.clip(table, 0, 1)), len(table)], scale, n)


def secret_size() -> WrongAnimal:
    return WrongAnimal(
        name="mean with secret n",
        draw=mean_of_secret_size,
        mended=mean_of_noisy_size,
        d0=(0.0,),
        d1=(0.0, 1.0),
        fault="the noise is for (high - low)/n with the table's own n, which it shows by its size",
        source="SmartNoise-core issue 356",
        sign=Sign("at most -1", E**-1 / 2, E**-3 / 2, lambda x: x <= -1),
        samples=20_000,
    )


def clip_after_the_sum() -> WrongAnimal:
    return WrongAnimal(
        name="clip after the sum",
        draw=clipped_too_late,
        mended=partial(clipped_sum, low=0, high=1),
        d0=(0.0,) * 9 + (1000.0,),
        d1=(0.0,) * 10,
        relation=Substitute(),
        fault="the sum is clipped to what rows within bounds reach, so one row moves it all along",
        source="SmartNoise issue 201",
        sign=Sign("at least 5", 1 - E**-5 / 2, E**-5 / 2, lambda x: x >= 5),
        samples=10_000,
    )


def bounds_from_the_data() -> WrongAnimal:
    return WrongAnimal(
        name="bounds from the data",
        draw=bounds_from_data,
        mended=partial(clipped_sum, low=0, high=10),
        d0=(0.0, 1.0, 1.0),
        d1=(0.0, 1.0, 10.0),
        relation=Substitute(),
        fault="the least and the greatest value of the column are the clip and scale the noise",
        source="diffprivlib's PrivacyLeakWarning",
        sign=Sign(
            "between 0 and 4", 1 - E**-2, (E**-0.7 - E**-1.1) / 2, lambda x: (x >= 0) & (x <= 4)
        ),
        samples=10_000,
    )


def nan_in_a_clip() -> WrongAnimal:
    return WrongAnimal(
        name="NaN passes the clip",
        draw=nan_slips_through,
        mended=partial(clipped_sum, low=0, high=1),
        d0=(0.0, math.nan),
        d1=(0.0, 1.0),
        relation=Substitute(),
        fault="NaN is neither below nor above a bound, so it reaches the sum and the output",
        source="Google Go PR 405",
        sign=Sign("NaN", 1, 0, np.isnan),
        samples=2_000,
    )


def overflow() -> WrongAnimal:
    return WrongAnimal(
        name="sum that wraps around",
        draw=sum_in_one_byte,
        mended=partial(clipped_sum, low=0, high=100),
        d0=(100,),
        d1=(100, 100),
        fault="the sum wraps at 127, so a row of at most 100 moves it by 156",
        source="Google issue 40, Go PR 405",
        sign=Sign("at least 100", 1 / 2, E**-1.56 / 2, lambda x: x >= 100),
        samples=50_000,
    )


def unsquared_bounds() -> WrongAnimal:
    return WrongAnimal(
        name="variance with unsquared bounds",
        draw=partial(variance, sensitivity=10 / 2),
        mended=partial(variance, sensitivity=10**2 / 4),
        d0=(0.0, 0.0),
        d1=(0.0, 10.0),
        relation=Substitute(),
        fault="the noise is for (high - low)/n, the variance of two rows moves by (high - low)²/4",
        source="SmartNoise issue 203",
        sign=Sign("at most 12.5", 1 - E**-2.5 / 2, E**-2.5 / 2, lambda x: x <= 12.5),
        samples=10_000,
    )


def full_budget_twice() -> WrongAnimal:
    return WrongAnimal(
        name="average of a sum and a count at the full ε each",
        draw=partial(sum_and_count, scale=1),
        mended=partial(sum_and_count, scale=2),
        d0=(1.0,),
        d1=(1.0, 1.0),
        fault="two answers at ε each are charged ε",
        source="SmartNoise issue 202",
        sign=Sign("sum and count at most 1", 1 / 4, E**-2 / 4, lambda x: np.all(x <= 1, axis=1)),
        samples=50_000,
    )


ANIMALS = (
    secret_size(),
    clip_after_the_sum(),
    bounds_from_the_data(),
    nan_in_a_clip(),
    overflow(),
    unsquared_bounds(),
    full_budget_twice(),
)
