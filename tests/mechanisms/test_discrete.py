"""Discrete Laplace and discrete Gaussian noise on whole numbers."""

from __future__ import annotations

import math
from copy import deepcopy
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from sfumato.mechanisms.distributions.integers import DiscreteGaussianNoise, DiscreteLaplaceNoise
from sfumato.mechanisms.noise.discrete_gaussian import DiscreteGaussian, exact_delta
from sfumato.mechanisms.noise.discrete_laplace import DiscreteLaplace
from sfumato.numeric import Ln, as_ball, working_precision
from sfumato.privacy import (
    ApproxDP,
    PureDP,
    Substitute,
    ZeroConcentratedDP,
    compose,
    events,
)
from sfumato.sampling import SeededSource
from sfumato.sampling.stepped_weights import GaussianDecay
from tests.mechanisms.noise_checks import (
    FALSE_ALARM,
    NO_POSITIVE_NUMBERS,
    fit,
    keeps,
    missed,
    refuses,
    worst_ratio,
)

if TYPE_CHECKING:
    from sfumato.mechanisms.distributions.output import OutputDistribution

SCALES = st.fractions(min_value=Fraction(1, 5), max_value=50, max_denominator=20)


def variance(distribution: OutputDistribution[Any], reach: int) -> float:
    with working_precision(128):
        return float(2 * sum((k * k * distribution.ball(k) for k in range(1, reach)), arb(0)))


@pytest.mark.parametrize(
    ("epsilon", "figure"),
    [
        (0.1, 199.83341663361),
        (1, 1.8413471884156),
        (2, 0.36203083048316),
        (10, 9.0808104700951e-5),
    ],
)
def test_variances_of_discrete_laplace_noise(epsilon: float, figure: float) -> None:
    distribution = DiscreteLaplace(epsilon=epsilon).distribution(0)
    assert variance(distribution, 700) == pytest.approx(figure, rel=1e-12)


def test_figures_of_discrete_laplace_noise() -> None:
    distribution = DiscreteLaplace(epsilon=1).distribution(0)
    assert distribution.probability(0).upper == pytest.approx(0.46211715726001, rel=1e-13)
    with working_precision(128):
        size = float(2 * sum((k * distribution.ball(k) for k in range(1, 200)), arb(0)))
    assert size == pytest.approx(0.85091812823932, rel=1e-13)


@pytest.mark.parametrize(
    ("square", "figure"),
    [(Fraction(1, 4), 0.2150126750881385), (1, 0.9999997887677281), (4, 4.0)],
)
def test_variances_of_discrete_gaussian_noise(square: Fraction, figure: float) -> None:
    distribution = DiscreteGaussian(sigma=Fraction(math.sqrt(square))).distribution(0)
    assert variance(distribution, 60) == pytest.approx(figure, rel=1e-14)


def test_peaks_of_discrete_gaussian_noise() -> None:
    for sigma, figure in ((1, 0.3989422782668617), (10, 0.03989422804014327)):
        peak = DiscreteGaussian(sigma=sigma).distribution(0).probability(0)
        assert peak.upper == pytest.approx(figure, rel=1e-15)
        assert peak.width <= math.ulp(figure)


@pytest.mark.parametrize(
    ("sigma", "epsilon", "figure"),
    [
        (1, 1, 0.14135133940562),
        (2, 1, 0.0072487768459526),
        (4, 0.5, 0.0027529236763292),
        (10, 0.1, 0.0087623539239481),
    ],
)
def test_exact_delta_of_discrete_gaussian_noise(sigma: int, epsilon: float, figure: float) -> None:
    mechanism = DiscreteGaussian(sigma=sigma)
    assert mechanism.guarantee.delta(epsilon=epsilon) == pytest.approx(figure, rel=1e-12)
    assert mechanism.guarantee == compose(mechanism.event)


@given(SCALES, st.integers(1, 4), st.integers(-30, 30))
def test_discrete_laplace_keeps_its_guarantee_exactly(
    scale: Fraction, sensitivity: int, value: int
) -> None:
    mechanism = DiscreteLaplace(scale=scale, sensitivity=sensitivity)
    one, other = mechanism.distribution(value), mechanism.distribution(value + sensitivity)
    outcomes = range(value - 20, value + 20)
    assert keeps(one, other, outcomes, mechanism.epsilon)
    assert keeps(other, one, outcomes, mechanism.epsilon)
    assert float(worst_ratio(one, other, outcomes)) == pytest.approx(
        math.exp(mechanism.epsilon), rel=1e-12
    )
    half = DiscreteLaplace(scale=scale / 2, sensitivity=sensitivity)
    assert not keeps(
        half.distribution(value),
        half.distribution(value + sensitivity),
        outcomes,
        mechanism.epsilon,
    )


def test_discrete_gaussian_keeps_its_guarantee_exactly() -> None:
    """The sum of what exceeds e^ε times the neighbour's probability; less noise fails."""

    def excess(sigma: Fraction) -> arb:
        noise = DiscreteGaussianNoise(sigma)
        with working_precision(128):
            factor = as_ball(Fraction(1)).exp()
            each = (noise.mass(abs(k)) - factor * noise.mass(abs(k - 1)) for k in range(-80, 81))
            return sum((part.max(0) for part in each), arb(0))

    guaranteed = DiscreteGaussian(epsilon=1, delta=1e-6)
    assert excess(guaranteed.sigma) <= as_ball(Fraction(1, 10**6))
    assert excess(guaranteed.sigma * Fraction(999, 1000)) > as_ball(Fraction(1, 10**6))


@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1), Ln(2), Fraction(5)])
@pytest.mark.parametrize("sigma", [Fraction(1, 2), Fraction(3), Fraction(50)])
@pytest.mark.parametrize("sensitivity", [1, 4])
def test_the_exact_curve_agrees_with_the_accountant(
    epsilon: Fraction | Ln, sigma: Fraction, sensitivity: int
) -> None:
    with working_precision(128):
        delta = exact_delta(epsilon=epsilon, sigma=sigma, sensitivity=sensitivity)
    event = events.DiscreteGaussian(sigma=sigma, sensitivity=sensitivity)
    found = compose(event).bounds(epsilon=epsilon)
    assert found.lower <= float(delta) * (1 + 1e-9) + 1e-300
    assert float(delta) <= found.upper * (1 + 1e-12)


@pytest.mark.parametrize(
    ("epsilon", "delta", "sensitivity"),
    [(1, 1e-6, 1), (0.1, 1e-9, 1), (12, 0.1, 1), (Ln(2), 1e-6, 1), (1, 1e-6, 30), (1, 0.5, 1)],
)
def test_noise_for_a_guarantee_is_certified_by_the_accountant_and_least(
    epsilon: Any, delta: float, sensitivity: int
) -> None:
    sigma = DiscreteGaussian(epsilon=epsilon, delta=delta, sensitivity=sensitivity).sigma
    kept, less = (
        compose(events.DiscreteGaussian(sigma=each, sensitivity=sensitivity)).delta(epsilon=epsilon)
        for each in (sigma, sigma * (1 - Fraction(1, 10**6)))
    )
    assert kept <= delta < less


def test_noise_for_large_sensitivities_is_found_quickly_and_nearly_continuous() -> None:
    discrete = DiscreteGaussian(epsilon=1, delta=1e-6, sensitivity=100_000)
    assert float(discrete.sigma) == pytest.approx(422_467.88893268, rel=1e-8)


@given(st.sampled_from([Fraction(1, 3), Fraction(1), Fraction(7, 2), Fraction(40), Fraction(500)]))
def test_distributions_sum_to_one_and_agree_with_their_tails(scale: Fraction) -> None:
    for noise in (DiscreteLaplaceNoise(scale), DiscreteGaussianNoise(scale)):
        with working_precision(160):
            whole = noise.mass(0) + 2 * noise.tail(1)
            assert whole.contains(1)
            assert whole.rad() < 1e-35
            near = int(scale)
            step = noise.cumulative(near) - noise.cumulative(near - 1)
            assert step.overlaps(noise.mass(near))
            assert noise.between(-near, near).overlaps(1 - 2 * noise.tail(near + 1))
            assert noise.between(near, near + 3).overlaps(
                sum((noise.mass(k) for k in range(near, near + 4)), arb(0))
            )


@pytest.mark.parametrize("sigma", [Fraction(32), Fraction(100, 3), Fraction(100)])
@pytest.mark.parametrize("deviations", [0, 1, 3, 10])
def test_smooth_tails_are_the_sums_of_their_terms(sigma: Fraction, deviations: int) -> None:
    start = 1 + int(deviations * sigma)
    with working_precision(128):
        noise = DiscreteGaussianNoise(sigma)
        ratio = noise.tail(start) / noise.mass(0)
        assert ratio.overlaps(GaussianDecay(sigma).beyond(start, 1))
        assert ratio.rel_accuracy_bits() > 100


@pytest.mark.parametrize(
    ("mechanism", "figure"),
    [
        (DiscreteLaplace(epsilon=1), 3),
        (DiscreteLaplace(epsilon=0.1), 30),
        (DiscreteLaplace(epsilon=100), 0),
        (DiscreteGaussian(sigma=10), 20),
        (DiscreteGaussian(sigma=10**12), 1959963984540),
    ],
)
def test_error_is_the_least_whole_distance(mechanism: Any, figure: int) -> None:
    assert mechanism.error() == figure
    distribution = mechanism.distribution(7)
    assert missed(distribution, Fraction(7), Fraction(figure)) <= 0.05
    assert figure == 0 or missed(distribution, Fraction(7), Fraction(figure - 1)) > 0.05


@pytest.mark.parametrize(
    ("build", "wrong"),
    [
        (lambda b: DiscreteLaplace(scale=b), Fraction(105, 100)),
        (lambda b: DiscreteGaussian(sigma=b, dimensions=200_000), Fraction(105, 100)),
    ],
)
@pytest.mark.parametrize("scale", [Fraction(3, 2), Fraction(20), Fraction(10**6)])
def test_releases_follow_the_distribution(build: Any, wrong: Fraction, scale: Fraction) -> None:
    value, size = 42, 200_000
    mechanism = build(scale)
    edges = [value + round(scale * k / 4) for k in range(-8, 9)]
    edges = sorted(set(edges))
    values = np.full(size, value)
    draws = mechanism.release(values, source=SeededSource(11)).value
    assert fit(draws, mechanism.distribution(value), edges) > FALSE_ALARM
    assert fit(draws, build(scale * wrong).distribution(value), edges) < FALSE_ALARM


def test_single_releases_follow_the_distribution() -> None:
    mechanism, source = DiscreteLaplace(epsilon=1), SeededSource(5)
    draws = np.array([mechanism.release(3, source=source).value for _ in range(5000)])
    assert fit(draws, mechanism.distribution(3), range(7)) > FALSE_ALARM
    assert fit(draws, DiscreteLaplace(epsilon=1.25).distribution(3), range(7)) < FALSE_ALARM


def test_guarantees_at_every_distance() -> None:
    mechanism = DiscreteLaplace(epsilon=0.5, sensitivity=2, relation=Substitute())
    assert mechanism.event_at(3) == events.DiscreteLaplace(scale=4, sensitivity=6)
    assert mechanism.guarantee_at(3) == PureDP(epsilon=1.5, relation=Substitute(3))
    assert compose(mechanism.event_at(3)).epsilon(delta=0) == 1.5
    gaussian = DiscreteGaussian(epsilon=1, delta=1e-6)
    assert gaussian.guarantee == ApproxDP(epsilon=1, delta=1e-6)
    assert compose(gaussian.event).delta(epsilon=1) <= 1e-6
    farther = gaussian.guarantee_at(2)
    assert str(farther.relation) == "add or remove two rows"
    assert 1e-6 < farther.delta(epsilon=1) < 1


def test_logarithms_round_the_scale_up() -> None:
    mechanism = DiscreteLaplace(epsilon=Ln(2))
    assert mechanism.guarantee == PureDP(epsilon=Ln(2))
    assert 1 / mechanism.scale < Ln(2)
    assert float(mechanism.scale) == pytest.approx(1 / math.log(2), rel=1e-11)


def test_vectors_of_discrete_gaussian_noise_are_concentrated() -> None:
    """An L2 sensitivity over coordinates: the curve of one number would guarantee too much."""
    mechanism = DiscreteGaussian(sigma=2, sensitivity="3/2", dimensions=4)
    rho = Fraction(9, 4) / 8
    assert mechanism.event == events.ZeroConcentrated(rho=rho)
    assert mechanism.guarantee == ZeroConcentratedDP(rho=rho)
    assert mechanism.guarantee_at(2).rho() == pytest.approx(4 * float(rho))
    asked = DiscreteGaussian(epsilon=1, delta=1e-6, dimensions=4)
    assert asked.guarantee == ApproxDP(epsilon=1, delta=1e-6)
    assert compose(asked.event).epsilon(delta=1e-6) <= 1
    less = events.ZeroConcentrated(rho=1 / (2 * (asked.sigma * Fraction(999, 1000)) ** 2))
    assert compose(less).epsilon(delta=1e-6) > 1
    assert mechanism.release([1, 2, 3, 4], source=SeededSource(1)).value.shape == (4,)
    assert mechanism.release(np.arange(3), source=SeededSource(1)).value.shape == (3,)
    assert "dimensions=5" in refuses(lambda: mechanism.release(np.arange(5)))
    assert "dimensions=2" in refuses(lambda: DiscreteGaussian(sigma=2).release([1, 2]))


@pytest.mark.parametrize("wrong", NO_POSITIVE_NUMBERS)
def test_wrong_parameters_are_refused(wrong: Any) -> None:
    if wrong is not None:
        refuses(lambda: DiscreteLaplace(epsilon=wrong))
        refuses(lambda: DiscreteLaplace(scale=wrong))
        refuses(lambda: DiscreteGaussian(sigma=wrong))
        refuses(lambda: DiscreteGaussian(epsilon=wrong, delta=1e-6))
    refuses(lambda: DiscreteLaplace(epsilon=1, sensitivity=wrong))
    refuses(lambda: DiscreteGaussian(sigma=1, sensitivity=wrong))
    refuses(lambda: DiscreteGaussian(sigma=1, sensitivity=wrong, dimensions=2))
    refuses(lambda: DiscreteGaussian(sigma=1, dimensions=wrong))
    refuses(lambda: DiscreteLaplace(epsilon=1).error(confidence=wrong))
    refuses(lambda: DiscreteLaplace(epsilon=1).event_at(wrong))
    refuses(lambda: DiscreteLaplace(epsilon=1, relation=wrong))


def test_parameters_that_do_not_go_together_are_refused() -> None:
    assert "exactly one" in refuses(lambda: DiscreteLaplace(epsilon=1, scale=1))
    assert "exactly one" in refuses(DiscreteLaplace)
    assert "sigma alone" in refuses(lambda: DiscreteGaussian(sigma=1, epsilon=1, delta=1e-6))
    assert "sigma alone" in refuses(lambda: DiscreteGaussian(epsilon=1))
    refuses(lambda: DiscreteLaplace(epsilon=1, sensitivity=0.5))  # type: ignore[arg-type]
    refuses(lambda: DiscreteGaussian(epsilon=1, delta=0))
    refuses(lambda: DiscreteGaussian(epsilon=1, delta=0, dimensions=2))
    assert "1e-6 to 1e18" in refuses(lambda: DiscreteLaplace(scale=1e19))
    assert "1e-6 to 1e18" in refuses(lambda: DiscreteGaussian(sigma=1e-7))


@pytest.mark.parametrize("outcome", ["1", None, True, float("nan"), 1j])
def test_distributions_refuse_what_is_no_outcome(outcome: Any) -> None:
    refuses(lambda: DiscreteLaplace(epsilon=1).distribution(0).probability(outcome))


def test_mechanisms_are_values() -> None:
    mechanism = DiscreteLaplace(epsilon=0.1)
    assert mechanism == DiscreteLaplace(scale=10)
    assert hash(mechanism) == hash(DiscreteLaplace(scale=10))
    assert mechanism != DiscreteLaplace(epsilon=0.1, relation=Substitute())
    assert deepcopy(mechanism) == mechanism
    assert repr(mechanism) == "DiscreteLaplace(scale=10, sensitivity=1)"
    with pytest.raises(AttributeError):
        mechanism.scale = Fraction(1)  # type: ignore[misc]
