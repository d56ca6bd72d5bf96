"""Private numbers read in and given out: by type and shape, never by what they are."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sfumato.mechanisms.noise.additive import count_of, real_number, whole_number
from sfumato.mechanisms.noise.discrete_gaussian import DiscreteGaussian
from sfumato.mechanisms.noise.discrete_laplace import DiscreteLaplace
from sfumato.mechanisms.noise.gaussian import Gaussian
from sfumato.mechanisms.noise.laplace import Laplace
from sfumato.sampling import SeededSource
from tests.cases import cases
from tests.mechanisms.noise_checks import NO_VALUES, refuses

LARGEST = 1.7976931348623157e308
REAL = [Laplace(epsilon=1, sensitivity=1), Gaussian(sigma=1, sensitivity=1)]
WHOLE = [DiscreteLaplace(epsilon=1), DiscreteGaussian(sigma=1, dimensions=100)]


class NoBits(SeededSource):
    """A source that fails the test when it is read."""

    def read(self, count: int) -> Any:
        pytest.fail(f"{count} bytes were drawn")


@cases("mechanism", [*REAL, *WHOLE])
@cases("value", [*NO_VALUES, np.array(["a"]), np.array([True]), np.array([1j])])
def test_what_is_no_number_is_refused_before_a_bit_is_drawn(mechanism: Any, value: Any) -> None:
    refuses(lambda: mechanism.release(value, source=NoBits(1)))
    refuses(lambda: mechanism.distribution(value))


@pytest.mark.parametrize(
    "value",
    [
        np.datetime64("2020-01-01"),
        np.timedelta64(1, "D"),
        np.array([1], dtype="timedelta64[D]"),
        np.array([1.0], dtype=np.longdouble),
        np.longdouble(1),
        np.zeros(2, dtype=[("a", float)]),
        [np.zeros(2), np.zeros(3)],
        [np.zeros((2, 2)), np.zeros((2, 3))],
        float,
        np.array,
        np.ma.array([1, 2]),
    ],
)
def test_odd_types_are_refused(value: Any) -> None:
    for mechanism in [*REAL, *WHOLE]:
        refuses(partial(mechanism.release, value, source=NoBits(1)))


@pytest.mark.parametrize(
    "value",
    [1.0, 2.5, math.nan, math.inf, Fraction(2), np.float32(1), [1.0], [1, 2.0], np.ones(3)],
)
def test_reals_are_refused_by_discrete_noise_whatever_their_value(value: Any) -> None:
    for mechanism in WHOLE:
        sentence = refuses(partial(mechanism.release, value, source=NoBits(1)))
        assert "write Laplace" in sentence


def test_messages_do_not_show_the_value() -> None:
    secret = 73123.625
    assert "73123" not in refuses(lambda: WHOLE[0].release(secret))
    assert "73123" not in refuses(lambda: WHOLE[0].release([secret, 1]))
    assert "73123" not in refuses(lambda: REAL[0].release(str(secret)))
    assert "73123" not in refuses(lambda: REAL[0].distribution([secret, secret]))


@pytest.mark.parametrize("mechanism", REAL)
@pytest.mark.parametrize(
    "value", [3, 0.5, np.float32(0.5), np.int8(3), Fraction(1, 3), 10**400, np.array(5.0)]
)
def test_a_number_gives_a_float(mechanism: Any, value: Any) -> None:
    noisy = mechanism.release(value, source=SeededSource(1)).value
    assert type(noisy) is float
    assert math.isfinite(noisy)


@pytest.mark.parametrize("mechanism", REAL)
@pytest.mark.parametrize(
    "values",
    [
        np.zeros((2, 3)),
        np.zeros((2, 3), dtype=np.float32).T,
        np.zeros((2, 3), order="F")[:, ::2],
        np.zeros((0, 4)),
        np.arange(6).reshape(2, 3),
        np.arange(4, dtype=np.uint64),
        np.array([Fraction(1, 3), 2, 0.5], dtype=object),
        [[1, 2.5], [Fraction(1, 3), 10**400]],
        [],
        pd.Series([1.0, 2.0]),
    ],
)
def test_an_array_gives_floats_of_its_shape(mechanism: Any, values: Any) -> None:
    noisy = mechanism.release(values, source=SeededSource(1)).value
    assert isinstance(noisy, np.ndarray)
    assert noisy.dtype == np.float64
    assert noisy.shape == np.shape(np.array(values, dtype=object))


MISSING = [
    [1, None, 3],
    np.array([1, None, 3], dtype=object),
    pd.Series([1, None, 3], dtype="Int64"),
    pl.Series([1, None, 3]),
    pa.array([1, None, 3]),
]


@pytest.mark.parametrize("mechanism", [*REAL, *WHOLE])
@pytest.mark.parametrize("values", MISSING, ids=lambda each: type(each).__name__)
def test_what_is_missing_counts_as_zero(mechanism: Any, values: Any) -> None:
    """Whether a value is missing must not decide whether there is an answer, nor its type."""
    noisy = mechanism.release(values, source=SeededSource(1)).value
    assert np.abs(noisy.astype(float)).max() < 100
    masked = mechanism.release(np.ma.array([5], mask=[True]).sum(), source=SeededSource(1)).value
    assert type(masked) is (float if mechanism in REAL else int)


@pytest.mark.parametrize("mechanism", [*REAL, *WHOLE])
@pytest.mark.parametrize(
    "column",
    [pl.Series, pa.array, lambda numbers: pd.Series(numbers, dtype="Int64"), list],
)
def test_a_missing_entry_does_not_round_the_others(mechanism: Any, column: Any) -> None:
    """Odd numbers above 2^53 are no floats; rounded before the noise, they would move by 128."""
    for number in (2**60 + 128, 2**60 + 129):
        draws = [mechanism.release(column([number, None])).value[0] for _ in range(40)]
        found = {int(each) - 2**60 for each in draws}
        assert len(found) > 1


@pytest.mark.parametrize("frame", [pd.DataFrame({"a": [1]}), pl.DataFrame({"a": [1.5]})])
def test_frames_are_refused(frame: Any) -> None:
    for mechanism in [*REAL, *WHOLE]:
        assert "df['age']" in refuses(partial(mechanism.release, frame, source=NoBits(1)))


def test_noise_is_independent_and_the_given_array_stays() -> None:
    values = np.array([1.0, math.nan, math.inf, -math.inf, 1.0])
    before = values.copy()
    noisy = REAL[0].release(values, source=SeededSource(1)).value
    np.testing.assert_array_equal(values, before)
    assert noisy[0] != noisy[4]
    assert abs(noisy[1]) < 100
    assert noisy[2] == -noisy[3] == LARGEST


def test_special_values_become_fixed_numbers() -> None:
    assert real_number(math.nan) == 0
    assert real_number(math.inf) == -real_number(-math.inf) == Fraction(LARGEST)
    for value, fixed in ((math.nan, 0.0), (math.inf, LARGEST), (-math.inf, -LARGEST)):
        one, other = (
            REAL[0].release(given, source=SeededSource(9)).value for given in (value, fixed)
        )
        assert one == other
        assert REAL[0].distribution(value) == REAL[0].distribution(fixed)


@pytest.mark.parametrize(
    "values",
    [
        [2**53 + 1] * 200,
        np.full(200, 2**53 + 1),
        np.full(200, 2**53 + 1, dtype=np.uint64),
        np.array([Fraction(2**53 + 1)] * 200, dtype=object),
    ],
)
def test_whole_numbers_are_not_rounded_before_the_noise(values: Any) -> None:
    """2^53 + 1 lies midway between two floats: tiny noise decides, and both come out."""
    for mechanism in (Laplace(scale=1e-6, sensitivity=1), Gaussian(sigma=1e-6, sensitivity=1)):
        noisy = mechanism.release(values, source=SeededSource(1)).value
        assert set(noisy.tolist()) == {2.0**53, 2.0**53 + 2}
        rounded = mechanism.release(np.full(200, 2.0**53), source=SeededSource(1)).value
        assert set(rounded.tolist()) == {2.0**53}


@pytest.mark.parametrize("mechanism", WHOLE)
@pytest.mark.parametrize("value", [0, -5, 2**63, -(10**40), np.int8(3), np.uint64(2**64 - 1)])
def test_a_whole_number_gives_a_python_int(mechanism: Any, value: Any) -> None:
    noisy = mechanism.release(value, source=SeededSource(1)).value
    assert type(noisy) is int
    assert abs(noisy - int(value)) < 200


@pytest.mark.parametrize("mechanism", WHOLE)
@pytest.mark.parametrize("kind", [np.int8, np.int32, np.int64, np.uint8, np.uint32])
def test_narrow_integers_give_int64(mechanism: Any, kind: Any) -> None:
    noisy = mechanism.release(np.full((2, 3), 7, dtype=kind), source=SeededSource(1)).value
    assert noisy.dtype == np.int64
    assert noisy.shape == (2, 3)


@pytest.mark.parametrize(
    "values", [[1, 2], [1, 2**70], np.array([1, 2**63], dtype=np.uint64), np.array([1, 2], object)]
)
def test_wide_integers_give_python_ints_whatever_their_value(values: Any) -> None:
    """The type of the output must not tell whether a private number is large."""
    noisy = WHOLE[0].release(values, source=SeededSource(1)).value
    assert noisy.dtype == object
    assert all(type(each) is int for each in noisy)
    assert abs(noisy[1] - int(values[1])) < 200


@pytest.mark.parametrize("scale", [Fraction(1000), Fraction(10**18)])
def test_sums_stay_at_the_ends_of_64_bits(scale: Fraction) -> None:
    ends = np.iinfo(np.int64)
    mechanism = DiscreteLaplace(scale=scale)
    high, low = (
        mechanism.release(np.full(500, end, dtype=np.int64), source=SeededSource(1)).value
        for end in (ends.max, ends.min)
    )
    assert high.dtype == low.dtype == np.int64
    assert (high == ends.max).mean() == pytest.approx(0.5, abs=0.15)
    assert (low == ends.min).mean() == pytest.approx(0.5, abs=0.15)
    assert high.min() > 0 > low.max() or scale > 10**17


def test_one_number_is_read_from_an_array_of_one() -> None:
    assert whole_number(np.array([[7]])) == 7
    assert real_number([0.5]) == Fraction(1, 2)
    assert "shape (2,)" in refuses(lambda: whole_number([1, 2]))
    assert "shape (0,)" in refuses(lambda: real_number([]))
    assert count_of(np.zeros((3, 4))) == 12


def test_a_released_array_is_marked_and_priced_once() -> None:
    released = REAL[0].release(np.zeros(10), source=SeededSource(1))
    assert released.seeded
    assert released.event == REAL[0].event
    assert not REAL[0].release(0.0).seeded
