"""The tails by which intervals are derived are those of the noise."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.audit.certificate import check_certificate
from sfumato.audit.certificate.intervals import of_mean, of_one, of_parts, of_share
from sfumato.audit.certificate.noise import WholeNumberNoise
from sfumato.sampling import SeededSource
from tests.tables.certificate.made import certificate_of, unseeded

DRAWS = 400_000
#: Six standard deviations of a share near 5 %: a false alarm in fewer than 1e-8 of runs.
OFF = 6 * (0.05 * 0.95 / DRAWS) ** 0.5
KINDS = ["discrete_laplace", "discrete_gaussian"]
COARSE = ["0.2", "0.27", "0.37", "0.5", "0.8", "1.3", "2.5", "3.9"]


def drawn(kind: str, scales: list[float], seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    draw = random.normal if kind == "discrete_gaussian" else random.laplace
    return np.abs(sum(draw(0, each, DRAWS) for each in scales))


def distribution(kind: str, spread: str) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers, and how likely the noise is each of them."""
    values = np.arange(-200, 201)
    sizes = np.abs(values) / float(spread)
    weights = np.exp(-(sizes**2) / 2 if kind == "discrete_gaussian" else -sizes)
    return values, weights / weights.sum()


def missed(kind: str, spread: str, times: tuple[float, float], reach: float) -> float:
    """How likely a sum of two noises, each times a number, is beyond a reach."""
    values, weights = distribution(kind, spread)
    sums = np.abs(np.add.outer(times[0] * values, times[1] * values))
    return float(np.multiply.outer(weights, weights)[sums > reach + 1e-9].sum())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("units", [[1], [1, 1], [1, 1, 1], [1, 3], [2, -5], [0, 4]])
def test_the_tail_of_a_sum_of_noises_is_theirs(kind: str, units: list[int]) -> None:
    noises = [WholeNumberNoise(kind, Fraction(1000))] * len(units)
    tail = of_parts(noises, [Fraction(each) for each in units])
    assert tail is not None
    found = drawn(kind, [1000.0 * abs(each) for each in units], seed=3)
    reach = float(np.quantile(found, 0.95))
    assert abs(tail(Fraction(reach)) - 0.05) < OFF
    assert tail(Fraction(reach) / 2) > 0.05 + 10 * OFF


@pytest.mark.parametrize("kind", KINDS)
def test_the_tail_of_one_noise_is_that_of_whole_numbers(kind: str) -> None:
    tail = of_one(WholeNumberNoise(kind, Fraction(1000)), Fraction(1, 4))
    reach = Fraction(np.quantile(drawn(kind, [250.0], seed=4), 0.95))
    assert abs(tail(reach) - 0.05) < OFF


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("spread", [*COARSE, "7.9", "8.1", "15"])
def test_the_tail_of_noise_of_few_steps_is_summed(kind: str, spread: str) -> None:
    values, weights = distribution(kind, spread)
    noise = WholeNumberNoise(kind, Fraction(spread))
    for steps in range(int(3 * float(spread)) + 2):
        exact = float(weights[np.abs(values) > steps].sum())
        assert noise.beyond(steps) == pytest.approx(exact, rel=0.01, abs=1e-9)


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("spread", COARSE)
@pytest.mark.parametrize("units", [(1, 1), (2, 3), (7, -1)])
def test_the_tail_of_two_noises_of_few_steps_is_summed(
    kind: str, spread: str, units: tuple[int, int]
) -> None:
    tail = of_parts(
        [WholeNumberNoise(kind, Fraction(spread))] * 2, [Fraction(each) for each in units]
    )
    assert tail is not None
    for reach in np.linspace(0.5, 8 * float(spread) + 2, 20):
        found = tail(Fraction(reach))
        assert found >= missed(kind, spread, units, reach + 0.02) - 1e-6
        nearer = 0.25 if float(spread) < 2 else sum(map(abs, units)) + 1
        assert found <= missed(kind, spread, units, reach - nearer) + 1e-6


def demanded(kind: str, spread: str, tail_of: object) -> float:
    """The least reach at which no more than 5 % are beyond, by a tail."""
    assert callable(tail_of)
    tail = tail_of(WholeNumberNoise(kind, Fraction(spread)), Fraction(1))
    return next(reach / 64 for reach in range(64 * 40) if tail(Fraction(reach, 64)) <= 0.05)


def worst(kind: str, spread: str, reach: float) -> float:
    shares = np.linspace(0.013, 0.987, 40)
    return max(missed(kind, spread, (1 - share, -share), reach) for share in shares)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("spread", [*COARSE, "4.1", "9"])
def test_bars_of_a_mean_that_are_accepted_cover_it_whatever_the_share(
    kind: str, spread: str
) -> None:
    assert worst(kind, spread, demanded(kind, spread, of_mean)) < 0.0505


@pytest.mark.parametrize("kind", KINDS)
def test_the_tail_of_one_part_would_accept_bars_that_do_not(kind: str) -> None:
    """The twin: where one part reaches no step, the noise of the other would be forgotten."""
    assert any(worst(kind, each, demanded(kind, each, of_one)) > 0.08 for each in COARSE)


def test_noises_of_several_kinds_or_sizes_have_no_tail() -> None:
    laplace, gaussian = (WholeNumberNoise(kind, Fraction(1000)) for kind in KINDS)
    assert of_parts([gaussian, laplace], [Fraction(1)] * 2) is None
    assert of_parts([laplace] * 3, [Fraction(1), Fraction(2), Fraction(3)]) is None


def test_a_mean_of_nothing_can_be_anything() -> None:
    tail = of_one(WholeNumberNoise("discrete_laplace", Fraction(10)), Fraction(1))
    missing = of_share(Fraction(-5), Fraction(2), (Fraction(0), Fraction(110)), tail)
    assert missing(Fraction(0), Fraction(110)) == 0
    assert missing(Fraction(0), Fraction(50)) == 1


@pytest.mark.full
@pytest.mark.parametrize("cost", ["0.5", "2", "3.69", "7", "20", "50"])
@pytest.mark.parametrize("kind", ["epsilon", "rho"])
def test_true_answers_with_noise_of_few_steps_hold(kind: str, cost: str) -> None:
    given: dict[str, Any] = {kind: cost}
    frame = pd.DataFrame({"b": [True, False] * 200, "k": [0, 1, 2, 3] * 100})
    table = sf.table(frame, unit="row", bounds={"k": (-1, 3)})
    asked = table.agg(s=sf.sum("b"), m=sf.mean("b"), t=sf.sum("k"), k=sf.mean("k"), n=sf.count())
    for seed in range(3):
        release = unseeded(asked.release(**given, source=SeededSource(seed)))
        assert check_certificate(certificate_of(release).to_json()).problem == ""
