"""Applications of differential privacy (§5.3), and the mechanisms that the notes name."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.application.textbook.figures import (
    ENTROPY_NOTES,
    figures,
)
from sfumato.audit import verify
from sfumato.charts import laplace_densities
from sfumato.information import max_divergence
from sfumato.information.continuous import Laplace as LaplaceDistribution
from sfumato.learning import KMeans, L1Ball
from sfumato.mechanisms import (
    DiscreteLaplace,
    Exponential,
    Gaussian,
    Laplace,
    RandomizedResponse,
    SampleAndAggregate,
    sampled,
)
from sfumato.mechanisms.sensitivity import clipped_mean, clipped_sum
from sfumato.numeric import Ln
from sfumato.privacy import Substitute
from sfumato.sampling import SeededSource
from sfumato.survey import Survey, simulate
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sfumato.survey import Estimate


def _response(truth: Fraction) -> str:
    coin = RandomizedResponse(truth=truth)
    three = RandomizedResponse(epsilon=Ln(2), categories=["a", "b", "c"])
    return f"{verify(coin).epsilon.bounds.upper:.6f}; {three.truth}"


RESPONSE = figures(
    name="Theorem 5.1",
    where=mark("chapter, §5.3.1"),
    title=mark("randomized response"),
    text=mark(
        "The least ε of randomized response that tells the truth with probability 2/3, ln 2; and "
        "the probability of the truth at that ε where there are three answers."
    ),
    printed="0.693147; 1/2",
    found=_response,
    instance=Fraction(2, 3),
    twin=Fraction(3, 4),
    wrong=mark("the truth told with probability 3/4"),
)

_CLASS, _CLASSES = 40, 1000


@cache
def _classes() -> list[tuple[float, Estimate]]:
    """Return the true share of each of many simulated classes, and the estimate of it."""
    survey = Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
    shares, source = {"cheated": {"yes": 0.3}}, SeededSource(1)
    results = (
        simulate(survey, _CLASS, shares=shares, source=source).estimate() for _ in range(_CLASSES)
    )
    return [(each.truth["cheated"]["yes"], each["cheated"]["yes"]) for each in results]


def _coverage(width: float) -> tuple[str, bool]:
    """Return how many intervals cover, made so much narrower, and how far estimates are off."""
    found = _classes()
    covered = sum(
        each.value - width * (each.value - each.lower)
        <= truth
        <= each.value + width * (each.upper - each.value)
        for truth, each in found
    )
    off = sum(each.value - truth for truth, each in found) / _CLASSES
    holds = covered >= 0.95 * _CLASSES and abs(off) < 6 * (2 / _CLASS / _CLASSES) ** 0.5
    return f"{100 * covered / _CLASSES:.1f} %, {off:.3f}", holds


ESTIMATE = figures(
    name="Estimate of p",
    where=mark("chapter, §5.3.1"),
    title=mark("estimate p̂ = 3·mean(Y) - 1"),
    text=mark(
        "In a thousand simulated classes of 40 pupils the 95 % confidence intervals of how many "
        "cheated cover the truth as often at least, and estimates are right on average."
    ),
    printed="≥ 95 %, 0",
    found=_coverage,
    instance=1.0,
    twin=0.5,
    wrong=mark("intervals half as wide"),
    citation="warner1965",
)


def _sensitivity(statistic: Callable[[], Any]) -> str:
    return str(statistic().sensitivity.l1)


SENSITIVITY = figures(
    name="Example 5.1",
    where=mark("chapter, §5.3.2"),
    title=mark("global sensitivity of a mean"),
    text=mark(
        "The mean of nine values between 0 and 1 moves by 1/n if one of them is substituted."
    ),
    printed="1/9",
    found=_sensitivity,
    instance=lambda: clipped_mean(0, 1, size=9),
    twin=lambda: clipped_sum(0, 1, relation=Substitute()),
    wrong=mark("the sum in the place of the mean"),
)

_DRAWS = 200_000
#: Six standard deviations of the variance of so many draws, as a share of it: √(5/n) is one.
_SPREAD = 6 * math.sqrt(5 / _DRAWS)


def _laplace(share: Fraction) -> tuple[str, bool]:
    """Draw noise for a share of the sensitivity of 3, at ε = 1/2."""
    mechanism = Laplace(epsilon=Fraction(1, 2), sensitivity=3 * share)
    noise, moved = mechanism.scale, LaplaceDistribution(3, mechanism.scale)
    level = max_divergence(LaplaceDistribution(0, noise), moved).upper
    drawn = mechanism.release(np.zeros(_DRAWS), source=SeededSource(1)).value
    variance = float(np.square(drawn).mean())
    holds = level <= 0.5 and abs(variance / 72 - 1) < _SPREAD
    return f"{noise}, {variance:.1f}; {level:.6g}", holds


LAPLACE = figures(
    name="Theorem 5.2",
    where=mark("chapter, §5.3.2"),
    title=mark("Laplace mechanism"),
    text=mark(
        "At ε = 1/2 and a sensitivity of 3: the scale GS/ε, the variance 2λ² measured on 200,000 "
        "draws, and the greatest log ratio of the densities of neighbours."
    ),
    printed="6, 72; 0.5",
    found=_laplace,
    instance=Fraction(1),
    twin=Fraction(2, 3),
    wrong=mark("noise for two thirds of the sensitivity"),
)


def _peaks(figure: list[tuple[float, float]]) -> str:
    """Return where each drawn density is greatest, and how great it is there."""
    drawn = laplace_densities(figure).to_dict()
    (rows,) = drawn["datasets"].values()
    peaks: dict[str, tuple[float, float]] = {}
    for row in rows:
        here = (row["density"], row["x"])
        peaks[row["name"]] = max(peaks.get(row["name"], here), here)
    return ", ".join(f"{high:g}" + (f" @ {at:g}" if at else "") for high, at in peaks.values())


FIGURE = figures(
    name="Figure 5.1",
    where=mark("chapter, §5.3.2"),
    title=mark("Laplace densities"),
    text=mark(
        "The figure drawn again: the greatest density 1/(2λ) of each curve, and where it is, as "
        "they stand in the picture, for (μ, λ) = (0, 1), (0, 2), (0, 4) and (-5, 4)."
    ),
    printed="0.5, 0.25, 0.125, 0.125 @ -5",
    found=_peaks,
    instance=[(0, 1), (0, 2), (0, 4), (-5, 4)],
    twin=[(0, 1), (0, 2), (0, 4), (-5, 2)],
    wrong=mark("λ = 2 in the last"),
)


def _gaussian(delta: float) -> tuple[str, bool]:
    kinds = (
        Gaussian(epsilon=0.5, delta=delta, sensitivity=1, method=method)
        for method in ("classical", "analytic")
    )
    classical, analytic = (float(each.sigma) for each in kinds)
    shown = f"{classical:.9f}"
    return shown, shown == "9.689610525" and analytic < classical


GAUSSIAN = figures(
    name="Gaussian noise",
    where=ENTROPY_NOTES,
    title=mark("Gaussian mechanism"),
    text=mark(
        "The classical σ = Δ√(2 ln(1.25/δ))/ε at ε = 0.5, δ = 1e-5 and Δ = 1, and the analytic "
        "one, which is less."
    ),
    printed="9.689610525",
    found=_gaussian,
    instance=1e-5,
    twin=1.25e-5,
    wrong=mark("1.25 forgotten in the logarithm"),
    citation="balle2018improving",
)


def _exponential(epsilon: int) -> str:
    utilities = {"best": 10**6, "second": 10**6 - 2, "last": -(10**6)}
    chosen = Exponential(epsilon=epsilon, sensitivity=1).distribution(utilities)
    return ", ".join(f"{chosen.probability(each).upper:.6f}" for each in utilities)


EXPONENTIAL = figures(
    name="Exponential",
    where=mark("notes on information theory, §3.3"),
    title=mark("exponential mechanism"),
    text=mark(
        "Probabilities in proportion to exp(εu/(2Δu)) at ε = 1, of utilities 10⁶, 10⁶ - 2 and "
        "-10⁶: 1/(1 + 1/e), 1/(1 + e) and 0 to six places, without overflow."
    ),
    printed="0.731059, 0.268941, 0.000000",
    found=_exponential,
    instance=1,
    twin=2,
    wrong=mark("the 2 left out"),
    citation="mcsherry2007mechanism",
)


def _of_sample(rate: Fraction) -> tuple[str, bool]:
    """Hold a count of a sample of up to three rows against the guarantee at a rate of 1/10."""
    count = DiscreteLaplace(epsilon=1)
    drawn = sampled(count, of=len, rate=rate)
    claimed = sampled(count, of=len, rate=Fraction(1, 10)).guarantee
    verdict = verify(drawn, epsilon=claimed.epsilon(delta=0), inputs=_UP_TO_THREE)
    return f"{drawn.guarantee.epsilon(delta=0):.6f}", bool(verdict)


_UP_TO_THREE = [[0] * rows for rows in range(4)]
SAMPLE = figures(
    name="Drawn sample",
    where=mark("notes on information theory, §3.4"),
    title=mark("sample, compute, aggregate"),
    text=mark(
        "Each row is drawn with probability q = 1/10, counted, and told by a 1-DP mechanism: "
        "ln(1 + q(e^ε - 1)), decided from the exact outputs on all tables of up to three rows."
    ),
    printed="0.158565",
    found=_of_sample,
    instance=Fraction(1, 10),
    twin=Fraction(1, 5),
    wrong=mark("a fifth drawn in the place of a tenth"),
    citation="balle2018subsampling",
)


def _slope(rows: NDArray[np.float64]) -> float:
    return float(np.polyfit(rows[:, 0], rows[:, 1], 1)[0])


def _blocks(blocks: int) -> tuple[str, bool]:
    """Release a regression coefficient and a median of means, and hold them against the plain."""
    random, source = np.random.default_rng(1), SeededSource(1)
    x = random.normal(size=20_000)
    rows = np.column_stack([x, 0.7 * x + random.normal(size=20_000)])
    slopes = SampleAndAggregate(_slope, epsilon=1, bounds=(-5, 5), blocks=blocks)
    means = SampleAndAggregate(
        np.mean, epsilon=1, bounds=(-5, 5), blocks=blocks, aggregate="median"
    )
    released = (slopes.release(rows, source=source), means.release(rows[:, 1], source=source))
    found = tuple(float(each.value) for each in released)
    plain = (_slope(rows), float(rows[:, 1].mean()))
    near = all(abs(ours - other) < 0.3 for ours, other in zip(found, plain, strict=True))
    return f"{found[0]:.2f}, {found[1]:.2f}", near


BLOCKS = figures(
    name="Blocks",
    where=mark("notes on information theory, §3.4"),
    title=mark("sample and aggregate by blocks"),
    text=mark(
        "The published method: a slope of 0.7 and a mean of 0 computed on 200 disjoint blocks of "
        "20,000 rows, and the mean and the median of the answers told at ε = 1; within 0.3."
    ),
    printed="0.70, 0.00 ± 0.3",
    found=_blocks,
    instance=200,
    twin=2,
    wrong=mark("two blocks, so that noise is a hundred times as wide"),
    citation="nissim2007smooth",
)

_FITS = 150


def _fitted(model: KMeans, points: NDArray[np.float64]) -> KMeans:
    """Fit by a seed, of which the warning is that nothing is private: here nobody is in it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return model.fit(points)


def _noise_of_sums(domain: dict[str, Any]) -> tuple[str, bool]:
    """Measure the noise of one round of ε' = 1/2 around points that are all at 0."""
    points, random = np.zeros((500, 4)), np.random.RandomState(1)
    model = KMeans(1, epsilon=1, method="lloyd", rounds=1, random_state=random, **domain)
    fits = (_fitted(model, points) for _ in range(_FITS))
    sums = np.concatenate([each.cluster_centers_[0] * each.counts_[0] for each in fits])
    spread = float(np.abs(sums).mean())
    rounds = KMeans(3, epsilon=1, method="lloyd", rounds=5, **domain).plan(4).steps
    scales = [step.scale for step in rounds]
    shown = f"{', '.join(str(each or '?') for each in scales)}; {spread:.2f}"
    return shown, scales == [20, 20] and abs(spread - 4) < 6 * 4 / len(sums) ** 0.5


LLOYD = figures(
    name="Theorem 5.3",
    where=mark("chapter, §5.3.3"),
    title=mark("private Lloyd as printed"),
    text=mark(
        "In the L1 unit ball counts and sums of each of T = 5 rounds have Lap(2/ε'), ε' = ε/(2T): "
        "scales of 20 at ε = 1; and the mean size of the noise of one round of ε' = 1/2, measured "
        "on 600 sums, is 4."
    ),
    printed="20, 20; 4",
    found=_noise_of_sums,
    instance={"domain": L1Ball(radius=1)},
    twin={"bounds": (-1, 1)},
    wrong=mark("the box around the ball, whose noise is d times as wide"),
    citation="blum2005sulq",
)


def _costs(share: float) -> tuple[str, bool]:
    """Return the mean squared distance to centres by our default, over the textbook's."""
    random = np.random.default_rng(1)
    middles = np.array([[0.6, 0.2], [-0.5, 0.3], [0.1, -0.7], [-0.3, -0.4]])
    points = np.repeat(middles, 1000, axis=0) + random.normal(scale=0.05, size=(4000, 2))
    ratios = []
    for epsilon in (0.1, 1.0):
        ours = _cost(points, "auto", share * epsilon)
        ratios.append(ours / _cost(points, "lloyd", epsilon))
    return ", ".join(f"{each:.3f}" for each in ratios), max(ratios) < 1


def _cost(points: NDArray[np.float64], method: str, epsilon: float) -> float:
    model = KMeans(4, epsilon=epsilon, method=method, domain=L1Ball(), random_state=1)
    return -float(_fitted(model, points).score(points)) / len(points)


BETTER = figures(
    name="§5.3.3, better",
    where=mark("chapter, §5.3.3"),
    title=mark("a better private k-means"),
    text=mark(
        "The mean squared distance of 4,000 points in the L1 unit ball to four centres that the "
        "default method finds at ε = 0.1 and 1, over that of the printed algorithm."
    ),
    printed="< 1, < 1",
    found=_costs,
    instance=1.0,
    twin=0.001,
    wrong=mark("a thousandth of the ε"),
)

MECHANISMS = (
    RESPONSE,
    ESTIMATE,
    SENSITIVITY,
    LAPLACE,
    FIGURE,
    GAUSSIAN,
    EXPONENTIAL,
    LLOYD,
    BETTER,
    SAMPLE,
    BLOCKS,
)
