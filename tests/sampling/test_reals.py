"""Real noise: added exactly, rounded to a public grid, with the distribution of the textbook."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstest

from sfumato.errors import InputError
from sfumato.numeric import working_precision
from sfumato.sampling import (
    SeededSource,
    add_gaussian,
    add_gaussian_exactly,
    add_laplace,
    add_laplace_exactly,
    grid,
)
from sfumato.sampling import reals as room
from sfumato.sampling.reals import CELLS, StandardNoise, standard_gaussian, standard_laplace
from tests.sampling.scripted import FALSE_ALARM, ScriptedSource

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

NOISES = [
    pytest.param(add_laplace, "laplace", id="laplace"),
    pytest.param(add_gaussian, "norm", id="gaussian"),
]


@pytest.mark.parametrize(("add", "name"), NOISES)
@pytest.mark.parametrize("value", [0.0, -7.25, 1e6 / 3])
def test_sums_follow_the_distribution_and_those_of_another_scale_do_not(
    add: Callable[..., NDArray[Any]], name: str, value: float
) -> None:
    """Kolmogorov-Smirnov, false alarm 1e-6 (the grid of 2^-24 is far below what it sees)."""
    size = 200_000
    values = np.full(size, value)
    summed = add(values, 3, source=SeededSource(8))
    assert kstest((summed - value) / 3, name).pvalue > FALSE_ALARM
    twin = add(values, Fraction(63, 20), source=SeededSource(8))
    assert kstest((twin - value) / 3, name).pvalue < FALSE_ALARM


@pytest.mark.full
@pytest.mark.no_cover
@pytest.mark.parametrize(("add", "name"), NOISES)
def test_single_sums_follow_the_distribution(add: Callable[..., NDArray[Any]], name: str) -> None:
    source = SeededSource(9)

    def drawn(scale: Fraction) -> NDArray[Any]:
        return np.array([add(np.array([0.1]), scale, source=source)[0] for _ in range(20_000)])

    assert kstest((drawn(Fraction(2)) - 0.1) / 2, name).pvalue > FALSE_ALARM
    assert kstest((drawn(Fraction(23, 10)) - 0.1) / 2, name).pvalue < FALSE_ALARM


def supports_coincide(
    release: Callable[[NDArray[np.float64]], NDArray[np.float64]], size: int = 1_000_000
) -> bool:
    """Whether outputs on two neighbouring inputs show the same low bits.

    Every output must be a multiple of one grid, whatever the value was.  Mironov's attack and that
    of Haney and others read the value off the low bits where this fails.
    """
    steps = float(1 / grid(1))
    residues = [np.mod(release(np.full(size, value)) * steps, 1.0) for value in (0.0, 1 / 3)]
    return all(len(np.unique(each)) == 1 and not each.any() for each in residues)


@pytest.mark.parametrize("add", [add_laplace, add_gaussian])
def test_low_bits_say_nothing(add: Callable[..., NDArray[Any]]) -> None:
    """From a million outputs on each of two inputs; numpy's noise fails the same test."""
    assert supports_coincide(lambda values: add(values, 1, source=SeededSource(2)))
    generator = np.random.default_rng(1)
    assert not supports_coincide(lambda values: values + generator.laplace(size=len(values)))
    assert not supports_coincide(lambda values: values + generator.normal(size=len(values)))


@pytest.mark.parametrize("noise", [standard_laplace(), standard_gaussian()], ids=["lap", "gauss"])
@pytest.mark.parametrize("scale", [Fraction(1), Fraction(10, 3), Fraction(1, 10**9), 10**12])
def test_sums_in_floats_are_the_exact_ones(noise: StandardNoise, scale: Fraction) -> None:
    """For the same cell, a sum that floats decide equals the one in rationals, to the last bit."""
    adder = room._adder(noise, Fraction(scale))  # noqa: SLF001
    random = np.random.default_rng(4)
    magnitudes = float(scale) * 10.0 ** random.uniform(-20, 25, 1500)
    values = magnitudes * random.choice([-1, 1], 1500)
    values[:4] = [0.0, -0.0, 1.7e308, -5e-324]
    cells = noise.cells.draw(1500, SeededSource(6))
    summed = np.empty(1500)
    doubtful = adder._add_in_floats(values, cells, summed)  # noqa: SLF001
    assert len(doubtful) < 20
    for place in set(range(1500)) - set(doubtful.tolist()):
        value, cell = Fraction(float(values[place])), int(cells[place])
        count = noise.rounded(value, adder.scale, adder.step, cell, ScriptedSource())
        assert summed[place] == room.nearest_finite(count * adder.step)


@pytest.mark.parametrize("noise", [standard_laplace(), standard_gaussian()], ids=["lap", "gauss"])
@pytest.mark.parametrize("scale", [Fraction(1), Fraction(10, 3)])
def test_floats_do_not_decide_a_cell_across_a_boundary(
    noise: StandardNoise, scale: Fraction
) -> None:
    adder = room._adder(noise, scale)  # noqa: SLF001
    width = adder.scale / adder.step / CELLS
    cells = np.array([(steps + Fraction(1, 2)) // width for steps in range(-100, 100)])
    doubtful = adder._add_in_floats(np.zeros(200), cells, np.empty(200))  # noqa: SLF001
    assert doubtful.tolist() == list(range(200))


@pytest.mark.parametrize("noise", [standard_laplace(), standard_gaussian()], ids=["lap", "gauss"])
@pytest.mark.parametrize("cell", [CELLS // 3, -CELLS // 3, 0, -1, 9 * CELLS])
def test_a_cell_across_a_boundary_is_refined(noise: StandardNoise, cell: int) -> None:
    """A third of the way into a cell stands a boundary of the grid; bits on both sides decide."""
    step, scale = Fraction(1), Fraction(1)
    value = Fraction(1, 2) - Fraction(3 * cell + 1, 3 * CELLS)
    bound = Fraction(3 * cell + 1, 3 * CELLS)
    with working_precision(300):
        share = noise._share_above(bound, cell)  # noqa: SLF001
        assert abs(float(share) - 2 / 3) < 1e-9
        bits = int((share * arb(2) ** 128).floor().unique_fmpz())  # type: ignore[arg-type]
    first, second = bits >> 64, bits & (2**64 - 1)
    for nudge, expected in ((-1, 1), (1, 0)):
        source = ScriptedSource(integers=[first, second + nudge])
        assert noise.rounded(value, scale, step, cell, source) == expected


@pytest.mark.parametrize("noise", [standard_laplace(), standard_gaussian()], ids=["lap", "gauss"])
def test_a_step_finer_than_a_cell_is_uniform_over_what_the_cell_leaves(
    noise: StandardNoise,
) -> None:
    """Four steps to a cell: the four multiples are about equally likely (6 deviations, 4,000)."""
    step, source = Fraction(1, 4 * CELLS), SeededSource(12)
    cell = CELLS // 2
    draw = partial(noise.rounded, Fraction(1, 8 * CELLS), Fraction(1), step, cell, source)
    found = np.array([draw() - 4 * cell for _ in range(4000)])
    counts = np.bincount(found, minlength=6)
    assert counts[:5].sum() == 4000
    assert (np.abs(counts[1:4] - 1000) < 6 * np.sqrt(1000)).all()


def test_values_that_no_float_holds() -> None:
    value = Fraction(2**80 + 1)
    for add in (add_laplace_exactly, add_gaussian_exactly):
        drawn = add(value, 4, source=SeededSource(3))
        assert abs(drawn - value) < 400
        assert (drawn / grid(4)).denominator == 1
        coarse = add(value, 4, step=Fraction(8), source=SeededSource(3))
        assert coarse % 8 == 0


@pytest.mark.parametrize("scale", [Fraction(1, 2**1060), Fraction(2) ** 1000])
def test_scales_at_the_ends_of_the_floats(scale: Fraction) -> None:
    drawn = add_laplace(np.zeros(50), scale, source=SeededSource(1))
    assert np.isfinite(drawn).all()
    assert 0.3 < np.abs(drawn).mean() / float(scale) < 3


def test_the_greatest_float_stays_finite() -> None:
    values = np.array([1.7976931348623157e308, -1.7976931348623157e308])
    assert np.isfinite(add_laplace(values, Fraction(2) ** 1000, source=SeededSource(1))).all()


@given(st.fractions(min_value=Fraction(1, 10**12), max_value=10**12))
def test_the_grid_is_a_power_of_two_fixed_by_the_scale(scale: Fraction) -> None:
    ratio = scale / grid(scale)
    assert 2**24 <= ratio < 2**25
    assert min(grid(scale).numerator, grid(scale).denominator) == 1
    assert grid(scale).numerator.bit_count() == grid(scale).denominator.bit_count() == 1


@pytest.mark.parametrize("bad", [0, -1, float("nan"), float("inf"), "1", True, None])
def test_a_bad_scale_is_refused(bad: Any) -> None:
    for add in (add_laplace, add_gaussian):
        with pytest.raises(InputError, match=r"scale|sigma"):
            add(np.zeros(1), bad, source=ScriptedSource())


def test_no_values_and_any_shape() -> None:
    assert add_laplace(np.zeros(0), 1).shape == (0,)
    assert add_gaussian(np.zeros((3, 0, 2)), 1).shape == (3, 0, 2)
    assert add_laplace(np.zeros(()), 1).shape == ()
