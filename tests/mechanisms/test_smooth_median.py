"""The median under smooth sensitivity: figures, smoothness, the guarantee on all neighbours."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from sfumato.mechanisms.estimators.public_grid import PublicGrid
from sfumato.mechanisms.estimators.rounded_noise import CAUCHY, LAPLACE, Noise, RoundedNoise
from sfumato.mechanisms.estimators.smooth_median import SmoothMedian, SortedColumn
from sfumato.numeric import Ln, as_ball, working_precision
from sfumato.privacy import AddRemove, Person, Substitute
from sfumato.sampling import SeededSource
from tests.cases import cases
from tests.mechanisms.noise_checks import (
    NO_POSITIVE_NUMBERS,
    NO_VALUES,
    missed,
    refuses,
)
from tests.mechanisms.small_tables import BOUNDS, greatest_excess
from tests.sampling.scripted import ZEROS, Forever, ScriptedSource

if TYPE_CHECKING:
    from collections.abc import Sequence

COLUMNS = st.lists(st.integers(0, 100), min_size=1, max_size=12)
#: What balls of 192 bits may add up to over all cells.
SLACK = 1e-40


def column(values: Sequence[int], high: int = 100) -> SortedColumn:
    return SortedColumn(np.sort(np.array(values, dtype=np.int64)), 0, high)


@pytest.mark.parametrize(
    ("size", "beta", "figure"),
    [
        (11, 1 / (2 * math.log(2e6)), 0.7333298812),
        (101, 1 / (2 * math.log(2e6)), 0.1104916369),
        (1001, 1 / (2 * math.log(2e6)), 0.0110491637),
        (11, 1 / 6, 0.2607589251),
        (101, 1 / 6, 0.0260758925),
        (1001, 1 / 6, 0.0026075893),
    ],
)
def test_figures_of_the_smooth_sensitivity(size: int, beta: float, figure: float) -> None:
    """Equally spaced values on [0, 1], as in the reference table."""
    unit = 10**9
    found = SortedColumn(np.arange(size) * unit, 0, (size - 1) * unit).smooth_bound(Fraction(beta))
    assert float(found) / ((size - 1) * unit) == pytest.approx(figure, abs=6e-11)


def median_of(values: Sequence[int]) -> int:
    return sorted(values)[(len(values) - 1) // 2]


def moved_within(values: tuple[int, ...], changes: int, top: int) -> int:
    """The greatest move of the median by one change, of any table so many changes away."""
    reachable = [
        each
        for each in product(range(top + 1), repeat=len(values))
        if sum(a != b for a, b in zip(each, values, strict=True)) <= changes
    ]
    return max(
        abs(median_of(each) - median_of((*each[:i], new, *each[i + 1 :])))
        for each in reachable
        for i in range(len(values))
        for new in range(top + 1)
    )


@pytest.mark.parametrize("values", [(1,), (0, 3), (2, 2, 2), (0, 1, 3), (1, 1, 3), (0, 0, 1, 3)])
def test_local_sensitivities_by_trying_all_tables(values: tuple[int, ...]) -> None:
    found = [column(values, high=3).spread(k) for k in range(len(values) + 1)]
    assert found == [moved_within(values, k, 3) for k in range(len(values) + 1)]


@given(COLUMNS, st.integers(0, 11), st.integers(0, 100), st.sampled_from(["1/6", "1/100", "3"]))
def test_the_bound_is_smooth_exactly(values: list[int], at: int, new: int, beta: str) -> None:
    neighbour = [*values]
    neighbour[at % len(values)] = new
    one, other = (column(each).smooth_bound(Fraction(beta)) for each in (values, neighbour))
    with working_precision(256):
        assert as_ball(one) <= as_ball(Fraction(beta)).exp() * as_ball(other)
    assert one >= abs(median_of(values) - median_of(neighbour))
    assert one > 0


def test_the_local_sensitivity_alone_is_not_smooth() -> None:
    """The twin of the test above: a constant column moves by nothing, its neighbour by much."""
    same, near = column([50, 50, 50]), column([50, 50, 100])
    assert same.spread(0) == 0 < near.spread(0)


@given(COLUMNS, st.sampled_from(["1/6", "1/50", "1/1000"]))
def test_the_search_finds_the_greatest_product(values: list[int], beta: str) -> None:
    sorted_values = column(values)
    exact = max(
        math.exp(-k * Fraction(beta)) * sorted_values.spread(k) for k in range(len(values) + 1)
    )
    assert float(sorted_values.smooth_bound(Fraction(beta))) == pytest.approx(exact, rel=1e-12)


def mechanism(**changes: Any) -> SmoothMedian:
    """A mechanism for small columns, made wrong where changes say so."""
    made = SmoothMedian(epsilon=1, delta=changes.pop("delta", None), bounds=BOUNDS)
    made.__dict__.update(changes)
    return made


@pytest.mark.parametrize("delta", [None, 0.05, 1e-6])
def test_the_guarantee_on_all_neighbours(delta: float | None) -> None:
    found = greatest_excess(mechanism(delta=delta).distribution, (1, 2, 3, 5), epsilon=1)
    assert found <= (delta or 0) + SLACK


@pytest.mark.parametrize("delta", [None, 0.05, 1e-6])
def test_noise_for_the_local_sensitivity_breaks_the_guarantee(delta: float | None) -> None:
    """The twin: a bound that falls by e^-40 at each change is the local sensitivity, in effect."""
    wrong = mechanism(delta=delta, beta=Fraction(40))
    assert greatest_excess(wrong.distribution, (3,), epsilon=1) > 0.1


def test_a_third_of_the_noise_breaks_the_guarantee() -> None:
    wrong = mechanism(_stretch=Fraction(2, 3))
    assert greatest_excess(wrong.distribution, (1, 3), epsilon=1) > 1e-3


def dilation_loss(epsilon: float, beta: float) -> arb:
    """What scales e^β apart cost at ε/2, in the formula of the notes."""
    point = (arb(epsilon) / 2 + arb(beta)) / arb(beta).expm1()
    return (-point).exp() * -(-arb(beta)).expm1()


def test_the_loss_of_a_dilation_is_that_of_two_distributions() -> None:
    beta, half, point = 0.5, 1.0, 1.5 / math.expm1(0.5)
    tails = [2 * math.exp(-point * widening) / 2 for widening in (1, math.exp(beta))]
    assert tails[0] - math.exp(half) * tails[1] == pytest.approx(float(dilation_loss(2, beta)))


@pytest.mark.parametrize("epsilon", [0.01, 1, 5, 20, 100])
def test_beta_is_the_greatest_that_keeps_delta(epsilon: float) -> None:
    beta = float(SmoothMedian(epsilon=epsilon, delta=1e-6, bounds=BOUNDS).beta)
    with working_precision(128):
        assert dilation_loss(epsilon, beta) <= arb(1) / 10**6
        assert beta == epsilon / 2 or dilation_loss(epsilon, 1.001 * beta) > arb(1) / 10**6


def test_the_published_beta_is_smaller_at_one_and_too_great_at_twenty() -> None:
    def published(epsilon: float) -> float:
        return epsilon / (2 * math.log(2e6))

    assert published(1) < SmoothMedian(epsilon=1, delta=1e-6, bounds=BOUNDS).beta
    with working_precision(128):
        assert dilation_loss(20, published(20)) > arb(10) / 10**6


@pytest.mark.parametrize("noise", [LAPLACE, CAUCHY])
def test_draws_follow_the_distribution_and_not_one_near_it(noise: Noise) -> None:
    """From all beginnings of 11 bits, each once, the distribution is told to 1/1024."""
    distribution = RoundedNoise(Fraction(1, 3), Fraction(7), -3, noise)
    wrong = RoundedNoise(Fraction(1, 3), Fraction(7) * 21 / 20, -3, noise)
    source, rest = SeededSource(11), (1 << 118) - 1
    beginnings = product((0, 1), range(1024))
    scripts = [[sign, (head << 118) | (source.integer(118) & rest)] for sign, head in beginnings]
    steps = np.array(
        [distribution.draw(ScriptedSource(integers=each, then=source)) for each in scripts]
    )
    edges = [-40, -12, -7, -4, -2, 0.25, 2, 4, 7, 12, 40]
    shares = np.array([np.mean(steps / 8 <= edge) for edge in edges])
    assert max(abs(shares - [distribution.cdf(edge).upper for edge in edges])) < 1 / 1024
    assert max(abs(shares - [wrong.cdf(edge).upper for edge in edges])) > 5 / 1024


@pytest.mark.parametrize("noise", [LAPLACE, CAUCHY])
def test_a_draw_that_first_bits_do_not_settle_is_refined(noise: Noise) -> None:
    """A tail of probability 0 so far, and a point that falls on the edge of two steps so far."""
    distribution = RoundedNoise(Fraction(0), Fraction(1), 0, noise)
    far = distribution.draw(ScriptedSource(integers=[0, 0, 1], then=Forever(ZEROS)))
    with working_precision(1024):
        assert noise.tail(arb(far) - 1) > arb(2) ** -193 > noise.tail(arb(far) + 1)
        edge = (noise.tail(arb(0.5)) * arb(2) ** 193).floor().unique_fmpz()
    assert edge is not None
    head, last = divmod(int(edge), 1 << 64)
    assert distribution.draw(ScriptedSource(integers=[0, head, last - 1])) == 1
    assert distribution.draw(ScriptedSource(integers=[0, head, last + 1])) == 0


def test_the_distribution_adds_up_to_one_within_the_bounds() -> None:
    grid = PublicGrid(0, -2, 3)
    distribution = RoundedNoise(Fraction(1, 2), Fraction(5), 0, CAUCHY, grid.low, grid.high)
    with working_precision(128):
        total = sum((distribution.ball(step) for step in range(-2, 4)), arb(0))
        assert abs(total - 1) < arb(2) ** -100
        assert distribution.cumulative(3) == 1
        assert distribution.cumulative(-3) == distribution.ball(4) == distribution.ball(0.5) == 0


def test_releases_stay_on_a_public_grid_within_the_bounds() -> None:
    source = SeededSource(3)
    median = SmoothMedian(epsilon=0.1, bounds=(0, 1))
    outputs = [median.release([0.1, 0.5], source=source).value for _ in range(300)]
    assert {0.0, 1.0} < set(outputs)
    assert all(0 <= each <= 1 and (each * 2**40).is_integer() for each in outputs)


@pytest.mark.parametrize("bounds", [(0, 1e-300), (0, 1e-320), (-1e308, 1e308), (1e15, 1e15 + 1)])
def test_extreme_bounds(bounds: tuple[float, float]) -> None:
    released = SmoothMedian(epsilon=1, bounds=bounds).release([*bounds], source=SeededSource(1))
    assert bounds[0] <= released.value <= bounds[1]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9), st.sampled_from([None, 1e-4]))
def test_the_error_bound_covers(values: list[float], delta: float | None) -> None:
    median = SmoothMedian(epsilon=2, delta=delta, bounds=(0, 1))
    bound = Fraction(median.error(confidence=0.9, values=values))
    truth = Fraction(sorted(values)[(len(values) - 1) // 2])
    assert missed(median.distribution(values), truth, bound) <= 0.1


def test_the_error_without_values_is_refused() -> None:
    median = SmoothMedian(epsilon=1, bounds=BOUNDS)
    assert "private values" in refuses(median.error)
    refuses(lambda: median.error(confidence=1, values=[1]))


def test_events_and_groups() -> None:
    pure = SmoothMedian(epsilon=Ln(2), bounds=BOUNDS)
    assert pure.guarantee_at(2).epsilon(delta=0) == pytest.approx(2 * math.log(2))
    assert str(pure.guarantee.relation) == "substitute one row"
    approximate = SmoothMedian(epsilon=1, delta=1e-6, bounds=BOUNDS)
    assert approximate.guarantee_at(2).delta(epsilon=2) == pytest.approx(3.71828182846e-6)
    assert approximate.event_at(2).parameters["epsilon"] == 2
    refuses(lambda: approximate.guarantee_at(20))


def test_special_values_count_as_documented() -> None:
    median = SmoothMedian(epsilon=1, bounds=BOUNDS)
    odd = [math.nan, math.inf, -math.inf, Fraction(10**400), np.longdouble(3)]
    assert median.distribution(odd) == median.distribution([5, 10, 0, 10, 3])
    assert median.distribution(np.array([1, 2], dtype=np.float32)) == median.distribution([1, 2])
    assert median.distribution(np.array([2**63], dtype=np.uint64)) == median.distribution([10])


@cases(
    "values",
    [
        *(*NO_VALUES, [], 3, [[1, 2]], np.array([True]), np.array(["a"]), [Decimal("sNaN")]),
        *([np.timedelta64(1)], np.ma.array([1, 2], mask=[False, True])),
    ],
)
def test_values_that_are_no_numbers_are_refused_by_type(values: Any) -> None:
    median = SmoothMedian(epsilon=1, bounds=BOUNDS)
    refuses(lambda: median.release(values, source=ScriptedSource()))


@pytest.mark.parametrize("wrong", NO_POSITIVE_NUMBERS)
def test_wrong_parameters_are_refused(wrong: Any) -> None:
    refuses(lambda: SmoothMedian(epsilon=wrong, bounds=BOUNDS))
    if wrong is not None:
        refuses(lambda: SmoothMedian(epsilon=1, delta=wrong, bounds=BOUNDS))


@pytest.mark.parametrize("delta", [None, 1e-6])
@pytest.mark.parametrize("epsilon", [1e-13, 1e7, 1e9, 1e10])
def test_an_epsilon_out_of_reach_is_refused(epsilon: float, delta: float | None) -> None:
    made = lambda: SmoothMedian(epsilon=epsilon, delta=delta, bounds=BOUNDS)  # noqa: E731
    assert "epsilon must be from" in refuses(made)


def test_the_representation_is_what_was_written() -> None:
    said = "SmoothMedian(epsilon=0.5, delta=1e-06, bounds=(0, 10))"
    assert repr(SmoothMedian(epsilon=0.5, delta=1e-6, bounds=(0, 10))) == said
    assert eval(said) == SmoothMedian(epsilon=0.5, delta=1e-6, bounds=(0, 10))  # noqa: S307


@pytest.mark.parametrize(
    "bounds",
    [
        (1, 0),
        (0, 0),
        (0,),
        3,
        None,
        "01",
        (0, math.inf),
        (math.nan, 1),
        (10**17, 10**17 + 1),
        (0, 10**400),
    ],
)
def test_wrong_bounds_are_refused(bounds: Any) -> None:
    refuses(lambda: SmoothMedian(epsilon=1, bounds=bounds))


@pytest.mark.parametrize("relation", [AddRemove(), Substitute(2), Substitute(unit=Person()), None])
def test_relations_without_a_proof_are_refused(relation: Any) -> None:
    refuses(lambda: SmoothMedian(epsilon=1, bounds=BOUNDS, relation=relation))
