"""The tails by which error bars are derived are those of the noise."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from sfumato.audit.certificate.bars import of_one, of_parts, of_share
from sfumato.audit.certificate.noise import Noise

DRAWS = 400_000
#: Six standard deviations of a share near 5 %: a false alarm in fewer than 1e-8 of runs.
OFF = 6 * (0.05 * 0.95 / DRAWS) ** 0.5


def drawn(kind: str, scales: list[float], seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    draw = random.normal if kind == "discrete_gaussian" else random.laplace
    return np.abs(sum(draw(0, each, DRAWS) for each in scales))


@pytest.mark.parametrize("kind", ["discrete_laplace", "discrete_gaussian"])
@pytest.mark.parametrize("units", [[1], [1, 1], [1, 1, 1], [1, 3], [2, -5]])
def test_the_tail_of_a_sum_of_noises_is_theirs(kind: str, units: list[int]) -> None:
    noises = [Noise(kind, Fraction(1000))] * len(units)
    tail = of_parts(noises, [Fraction(each) for each in units])
    assert tail is not None
    found = drawn(kind, [1000.0 * abs(each) for each in units], seed=3)
    reach = float(np.quantile(found, 0.95))
    assert abs(tail(Fraction(reach)) - 0.05) < OFF
    assert tail(Fraction(reach) / 2) > 0.05 + 10 * OFF


@pytest.mark.parametrize("kind", ["discrete_laplace", "discrete_gaussian"])
def test_the_tail_of_one_noise_is_that_of_whole_numbers(kind: str) -> None:
    tail = of_one(Noise(kind, Fraction(1000)), Fraction(1, 4))
    reach = Fraction(np.quantile(drawn(kind, [250.0], seed=4), 0.95))
    assert abs(tail(reach) - 0.05) < OFF


def test_a_mean_of_nothing_can_be_anything() -> None:
    tail = of_one(Noise("discrete_laplace", Fraction(10)), Fraction(1))
    missed = of_share(Fraction(-5), Fraction(2), (Fraction(0), Fraction(110)), tail)
    assert missed(Fraction(0), Fraction(110)) == 0
    assert missed(Fraction(0), Fraction(50)) == 1
