"""Outputs that show more than their numbers: low bits, keys, failures, and noise that repeats."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.mechanisms import Gaussian, Laplace
from sfumato.privacy import Substitute
from tests.audit.zoo.animal import Sign, WrongAnimal
from tests.audit.zoo.noise import SIGMA, laplace, whole_laplace
from tests.audit.zoo.ours import together

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

__all__ = ["ANIMALS"]

E = math.e
COLOURS = ("blue", "green", "red")
SECRET = 7
#: Above this noisy count a key is shown: 1 + noise passes it with probability δ.
THRESHOLD, DELTA = 5, E**-5 / (1 + E**-1)


def float_laplace(generator: np.random.Generator, table: Sequence[float], n: int) -> NDArray[Any]:
    return np.asarray(np.sum(table) + generator.laplace(size=n))


def float_normal(generator: np.random.Generator, table: Sequence[float], n: int) -> NDArray[Any]:
    return np.asarray(np.sum(table) + generator.normal(scale=SIGMA, size=n))


def always_the_same(generator: np.random.Generator, table: Sequence[Any], n: int) -> NDArray[Any]:
    return laplace(np.random.default_rng(2024), len(table), 1, n)


def of_the_system(generator: np.random.Generator, table: Sequence[Any], n: int) -> NDArray[Any]:
    return laplace(generator, len(table), 1, n)


def present_keys(generator: np.random.Generator, table: Sequence[str], n: int) -> list[Any]:
    return counts_of(generator, table, sorted(set(table)), n)


def public_keys(generator: np.random.Generator, table: Sequence[str], n: int) -> list[Any]:
    return counts_of(generator, table, COLOURS, n)


def counts_of(
    generator: np.random.Generator, table: Sequence[str], keys: Iterable[str], n: int
) -> list[Any]:
    columns = {key: whole_laplace(generator, table.count(key), 1, n).tolist() for key in keys}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def shown_from(generator: np.random.Generator, table: Sequence[str], n: int) -> NDArray[Any]:
    return shown_count(generator, table, n, least=THRESHOLD)


def shown_above(generator: np.random.Generator, table: Sequence[str], n: int) -> NDArray[Any]:
    return shown_count(generator, table, n, least=THRESHOLD + 1)


def shown_count(
    generator: np.random.Generator, table: Sequence[str], n: int, *, least: int
) -> NDArray[Any]:
    """The noisy count of the one key, where it is at least so much and the key occurs; else 0."""
    noisy = whole_laplace(generator, len(table), 1, n)
    return np.where((noisy >= least) & (len(table) > 0), noisy, 0)


def divides_by_nothing(
    generator: np.random.Generator, table: Sequence[int], n: int
) -> NDArray[Any]:
    values = [min(max(1 / (x - SECRET), 0), 1) for x in table]
    return laplace(generator, sum(values), 1, n)


def divides_if_it_can(generator: np.random.Generator, table: Sequence[int], n: int) -> NDArray[Any]:
    values = [min(max(1 / (x - SECRET), 0), 1) if x != SECRET else 0 for x in table]
    return laplace(generator, sum(values), 1, n)


def greatest_with_value(
    generator: np.random.Generator, table: Sequence[str], n: int
) -> NDArray[Any]:
    noisy = laplace(generator, ticks(table), 1, n)
    return np.stack([np.argmax(noisy, axis=1), np.max(noisy, axis=1)], axis=1)


def greatest_alone(generator: np.random.Generator, table: Sequence[str], n: int) -> NDArray[Any]:
    return np.asarray(np.argmax(laplace(generator, ticks(table), 1, n), axis=1))


def ticks(table: Sequence[str]) -> NDArray[Any]:
    """How many of the people ticked each of four boxes; each row has a person's letters."""
    return np.array([sum(box in row for row in table) for box in "abcd"])


def is_finer(outputs: NDArray[Any]) -> NDArray[Any]:
    steps = outputs * 2.0**54
    return np.asarray(steps != np.round(steps))


def has_green(outputs: list[Any]) -> NDArray[Any]:
    return np.array(["green" in each for each in outputs])


def low_bits_of_laplace() -> WrongAnimal:
    return WrongAnimal(
        name="numpy's Laplace in floats",
        draw=float_laplace,
        mended=together(Laplace(epsilon=1, sensitivity=1)),
        d0=(0.0,),
        d1=(1.0,),
        relation=Substitute(),
        fault="a float that is a sum with 1 has no bits below 2^-53 where it is small",
        source="Mironov 2012; Haney et al. 2022",
        sign=Sign("no multiple of 2^-54", 0.1, 0, is_finer),
        samples=20_000,
    )


def low_bits_of_gaussian() -> WrongAnimal:
    return WrongAnimal(
        name="numpy's Gaussian in floats",
        draw=float_normal,
        mended=together(Gaussian(epsilon=1, delta=1e-5, sensitivity=1)),
        d0=(0.0,),
        d1=(1.0,),
        delta=1e-5,
        relation=Substitute(),
        fault="a float that is a sum with 1 has no bits below 2^-53 where it is small",
        source="Jin et al. 2022",
        sign=Sign("no multiple of 2^-54", 0.03, 0, is_finer),
        samples=20_000,
    )


def seeded_generator() -> WrongAnimal:
    return WrongAnimal(
        name="seeded generator",
        draw=always_the_same,
        mended=of_the_system,
        d0=(7,) * 3,
        d1=(7,) * 4,
        fault="the generator starts from the same seed in each call, so a call repeats its noise",
        source="diffprivlib's random_state",
        sign=Sign("a call's outputs are those of the call before", 1, 0, takes=24),
        samples=10_000,
    )


def published_keys() -> WrongAnimal:
    return WrongAnimal(
        name="published group keys",
        draw=present_keys,
        mended=public_keys,
        d0=("green", "red", "red"),
        d1=("red", "red"),
        fault="the groups of the table are the keys of the answer, and one person can be a group",
        source="SmartNoise with censor_dims off; Korolova 2009",
        sign=Sign("the key green", 1, 0, has_green),
        samples=2_000,
    )


def threshold_with_its_atom() -> WrongAnimal:
    return WrongAnimal(
        name="threshold that lets its own atom through",
        draw=shown_from,
        mended=shown_above,
        d0=("red",),
        d1=(),
        delta=DELTA,
        fault="δ is the chance to be above the threshold, the key is shown at the threshold too",
        source="OpenDP issue 2922, δ 0.0049 claimed where it is 0.0134",
        sign=Sign("the key is shown", DELTA * E, 0, lambda x: x > 0),
        samples=100_000,
    )


def division_by_zero() -> WrongAnimal:
    return WrongAnimal(
        name="failure on one person's value",
        draw=divides_by_nothing,
        mended=divides_if_it_can,
        d0=(8, 9, SECRET),
        d1=(8, 9, 10),
        relation=Substitute(),
        fault="1/(x - secret) raises if and only if somebody has the secret value",
        source="Boenisch et al. 2021",
        sign=Sign("raised ZeroDivisionError", 1, 0),
        samples=2_000,
    )


def uncharged_value() -> WrongAnimal:
    return WrongAnimal(
        name="noisy max with its noisy value",
        draw=greatest_with_value,
        mended=greatest_alone,
        d0=(),
        d1=("abcd",),
        fault="the noisy value of the greatest count is shown uncharged: it bounds all the others",
        source="Ding et al. 2018 (noisy max that returns the value)",
        sign=Sign("the value is at most 0", 1 / 16, E**-4 / 16, lambda x: x[:, 1] <= 0),
        samples=20_000,
    )


ANIMALS = (
    low_bits_of_laplace(),
    low_bits_of_gaussian(),
    seeded_generator(),
    published_keys(),
    threshold_with_its_atom(),
    division_by_zero(),
    uncharged_value(),
)
