"""How far noise reaches: sums of independent noise, and ratios of two parts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import sfumato as sf
from sfumato.mechanisms import DiscreteGaussian, DiscreteLaplace
from sfumato.tables.expressions import col
from sfumato.tables.plan.measurements import Factor, counting, parts_of
from sfumato.tables.plan.noise import NoisySums, SumNoise, laplace_reach
from sfumato.tables.plan.outputs import CountOutput, MeanOutput

CONFIDENCE = Fraction(19, 20)
DRAWS = 400_000
#: The share of draws beyond a reach of 5 % is within this of 5 % but once in a million times.
SPREAD = 5 * (0.05 * 0.95 / DRAWS) ** 0.5


@pytest.mark.parametrize(
    "scales", [[1.0], [1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 5.0], [0.01, 3.0, 3.0]]
)
def test_a_sum_of_laplace_noise_is_exceeded_as_often_as_said(scales: list[float]) -> None:
    rng = np.random.default_rng(1)
    total = sum(rng.laplace(scale=each, size=DRAWS) for each in scales)
    beyond = float(np.mean(np.abs(total) > laplace_reach(scales, 0.05)))
    assert 0.04 <= beyond <= 0.05 + SPREAD


def test_twin_half_the_scale_is_caught() -> None:
    rng = np.random.default_rng(1)
    total = rng.laplace(size=DRAWS) + rng.laplace(size=DRAWS)
    assert np.mean(np.abs(total) > laplace_reach([0.5, 0.5], 0.05)) > 0.05 + SPREAD


AGE = Factor("age", Fraction(0), Fraction(100), of=col("age"), whole=True)
PARTS = parts_of(AGE, needed=())


def drawn(rows: int, share: float, *, gaussian: bool, size: int) -> NoisySums:
    """Noisy parts of so many groups of equal rows."""
    kind = (
        DiscreteGaussian(sigma=200, sensitivity=100, dimensions=size)
        if gaussian
        else DiscreteLaplace(scale=200, sensitivity=100)
    )
    exact = [round(rows * 100 * share), rows * 100 - round(rows * 100 * share)]
    source = sf.sampling.SeededSource(7)
    sums = {
        part: np.asarray(kind.release(np.full(size, value), source=source).value, dtype=float)
        for part, value in zip(PARTS, exact, strict=True)
    }
    return NoisySums(sums, dict.fromkeys(PARTS, SumNoise(kind, 1.0)), {})


@pytest.mark.parametrize("gaussian", [False, True], ids=["laplace", "gaussian"])
@pytest.mark.parametrize(("rows", "share"), [(3, 0.0), (3, 0.5), (40, 0.1), (1000, 0.9)])
def test_bars_of_a_mean_cover(rows: int, share: float, gaussian: bool) -> None:  # noqa: FBT001
    """At least as often as said; one in a million runs would fail by chance."""
    size = 20_000
    noisy = drawn(rows, share, gaussian=gaussian, size=size)
    bars = MeanOutput("age", *PARTS).bars(noisy, CONFIDENCE)
    truth = 100 * round(rows * 100 * share) / (rows * 100)
    covered = np.mean((bars.low <= truth) & (truth <= bars.high))
    assert covered >= 0.95 - 5 * (0.05 * 0.95 / size) ** 0.5


#: Scales in steps, from where nearly all noise is 0 to where steps hardly show.
COARSE = [Fraction(1, 5), Fraction(271, 1000), Fraction(1, 2), Fraction(3, 4), 1, 2, 7]
SHARES = np.arange(0, 101) / 100


def chances(kind: DiscreteGaussian | DiscreteLaplace) -> tuple[np.ndarray, np.ndarray]:
    """All steps that noise is likely to take, and how likely each is."""
    laplace = isinstance(kind, DiscreteLaplace)
    spread = float(kind.scale if isinstance(kind, DiscreteLaplace) else kind.sigma)
    steps = np.arange(-int(40 * spread) - 3, int(40 * spread) + 4)
    weights = np.exp(-np.abs(steps) / spread if laplace else -(steps**2) / (2 * spread**2))
    return steps, weights / weights.sum()


def worst_coverage(kind: DiscreteGaussian | DiscreteLaplace, reach: float) -> float:
    """The least probability over r that (1 - r)X - rY is within a reach, added up exactly."""
    steps, each = chances(kind)
    both = np.outer(each, each)
    mixed = (np.abs(np.subtract.outer((1 - r) * steps, r * steps)) for r in SHARES)
    return min(float(both[far <= reach + 1e-12].sum()) for far in mixed)


@pytest.mark.parametrize("spread", COARSE)
@pytest.mark.parametrize("gaussian", [False, True], ids=["laplace", "gaussian"])
def test_a_mixture_of_two_coarse_noises_is_within_its_reach(
    gaussian: bool,  # noqa: FBT001
    spread: Fraction,
) -> None:
    kind = (
        DiscreteGaussian(sigma=spread, sensitivity=1, dimensions=1)
        if gaussian
        else DiscreteLaplace(scale=spread, sensitivity=1)
    )
    noisy = NoisySums({}, dict.fromkeys(PARTS, SumNoise(kind, 1.0)), {})
    assert worst_coverage(kind, noisy.reach_of_mixture(*PARTS, CONFIDENCE)) >= 0.95


def test_twin_the_reach_of_one_coarse_noise_is_too_short() -> None:
    kind = DiscreteLaplace(scale=Fraction(271, 1000), sensitivity=1)
    assert worst_coverage(kind, kind.error(confidence=CONFIDENCE)) < 0.91


def test_a_count_of_parts_has_a_bar_for_both_noises() -> None:
    noisy = drawn(40, 0.3, gaussian=False, size=20_000)
    bars = CountOutput("n", PARTS).bars(noisy, CONFIDENCE)
    covered = np.mean((bars.low <= 40) & (bars.high >= 40))
    assert covered >= 0.95 - 0.008


def test_parts_of_nothing_tell_nothing() -> None:
    noise = dict.fromkeys(PARTS, SumNoise(DiscreteLaplace(scale=200, sensitivity=100), 1.0))
    noisy = NoisySums(dict.fromkeys(PARTS, np.array([-3000.0])), noise, {})
    bars = MeanOutput("age", *PARTS).bars(noisy, CONFIDENCE)
    assert (bars.low[0], bars.high[0]) == (0, 100)


def test_what_a_limit_may_leave_out_is_in_a_count_s_bar() -> None:
    rows = counting()
    noise = {rows: SumNoise(DiscreteLaplace(scale=1), 1.0)}
    noisy = NoisySums({rows: np.array([100.0])}, noise, {rows: 0.2})
    bars = CountOutput("n", (rows,)).bars(noisy, CONFIDENCE)
    assert bars.low[0] == 97
    assert bars.high[0] == pytest.approx(103 / 0.8, abs=1)
