"""How many people of a population are unique: references, exact figures, and known populations."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.risk.exposure.classes import entropy_of, made_classes
from sfumato.risk.exposure.populations import Pitman, fit_pitman, slid_uniques
from sfumato.risk.exposure.uniqueness import check_population, estimate_uniqueness, zayatz_uniques
from tests.refusing import raises_code
from tests.risk.adult_sizes import EIGHT, FOUR, THREE

if TYPE_CHECKING:
    from numpy.typing import NDArray

Sizes = dict[int, int]
SMALL, LARGE = 301_620, 3_016_200

#: Computed apart from this project, with Nelder and Mead's search for the likeliest distribution.
REFERENCES = [
    (THREE, (528, 62, 59), 7.28979112, (89.429991, 0.00436367), (92.66, 38.42), (93.59, 64.04)),
    (
        FOUR,
        (2087, 1215, 338),
        7.86332401,
        (13.355056, 0.58634162),
        (4812.85, 4951.26),
        (18567.11, 18651.13),
    ),
    (
        EIGHT,
        (18109, 14021, 2026),
        13.59510497,
        (2559.863788, 0.70003156),
        (72139.03, 82637.15),
        (361577.91, 674264.16),
    ),
]


@pytest.mark.parametrize(("sizes", "counts", "bits", "distribution", "small", "large"), REFERENCES)
def test_adult_is_as_in_the_references(
    sizes: Sizes,
    counts: tuple[int, int, int],
    bits: float,
    distribution: tuple[float, float],
    small: tuple[float, float],
    large: tuple[float, float],
) -> None:
    classes = made_classes(["q"], sizes)
    assert classes.rows == 30_162
    assert (classes.total, classes.uniques, classes.of_size(2)) == counts
    assert classes.entropy == pytest.approx(bits, abs=5e-9)
    found = fit_pitman(sizes)
    assert found is not None
    assert (found.theta, found.alpha) == pytest.approx(distribution, rel=1e-5)
    for population, (pitman, zayatz) in ((SMALL, small), (LARGE, large)):
        assert found.uniques(population) == pytest.approx(pitman, rel=1e-7, abs=5e-3)
        assert zayatz_uniques(sizes, population) == pytest.approx(zayatz, abs=5e-3)


@pytest.mark.parametrize(("sizes", "distribution"), [(each[0], each[3]) for each in REFERENCES])
def test_the_distribution_found_is_likelier_than_the_reference(
    sizes: Sizes, distribution: tuple[float, float]
) -> None:
    """Where the digits differ, ours are right: shown in balls of 200 bits."""
    found = fit_pitman(sizes)
    assert found is not None
    assert log_likelihood(sizes, found.theta, found.alpha) > log_likelihood(sizes, *distribution)


def log_likelihood(sizes: Sizes, theta: float, alpha: float) -> arb:
    """The logarithm of the Ewens-Pitman chance of a partition, up to a constant."""
    before, ctx.prec = ctx.prec, 200
    try:
        t, a = arb(theta), arb(alpha)
        classes = sum(sizes.values())
        rows = sum(size * count for size, count in sizes.items())
        rising = ((t / a + classes).lgamma() - (t / a + 1).lgamma()) + (classes - 1) * a.log()
        within = sum(
            (count * ((size - a).lgamma() - (1 - a).lgamma()) for size, count in sizes.items()),
            arb(0),
        )
        return rising - ((t + rows).lgamma() - (t + 1).lgamma()) + within
    finally:
        ctx.prec = before


def seen_once(size: int, rows: int, population: int) -> Fraction:
    """The hypergeometric chance, exactly."""
    chance = Fraction(size * rows, population)
    for step in range(size - 1):
        chance *= Fraction(population - rows - step, population - 1 - step)
    return chance


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(st.integers(1, 12), st.integers(1, 20), min_size=1),
    st.sampled_from([0, 1, 7, 1000, 2**31, 10**12]),
)
def test_zayatz_is_exact_for_populations_of_any_size(sizes: Sizes, others: int) -> None:
    in_order = dict(sorted(sizes.items()))
    rows = sum(size * count for size, count in in_order.items())
    population = rows + others
    once = {n: count * seen_once(n, rows, population) for n, count in in_order.items()}
    expected = Fraction(0)
    if 1 in in_order:
        expected = in_order[1] * once[1] / sum(once.values()) * Fraction(population, rows)
    assert zayatz_uniques(in_order, population) == pytest.approx(float(expected), rel=1e-9)


def sizes_of(counts: NDArray[np.int64]) -> Sizes:
    found, how_many = np.unique(counts[counts > 0], return_counts=True)
    return dict(zip(found.tolist(), how_many.tolist(), strict=True))


def slid_population(seed: int, share: float) -> tuple[NDArray[np.int64], Sizes]:
    """50,000 classes of 1 + NB(1/2, 1/5) people, and the classes of a simple random sample."""
    random = np.random.default_rng(seed)
    people = 1 + random.negative_binomial(0.5, 0.2, 50_000)
    rows = int(share * people.sum())
    return people, sizes_of(random.multivariate_hypergeometric(people, rows, method="marginals"))


def test_the_slid_distribution_finds_the_uniques_of_its_own_population() -> None:
    """Over 40 seeds the ratio to the truth has mean 1.002 and deviation 0.024.

    The bar of 0.15 is six of them: a false alarm in 5e8.  The twin takes the population for twice
    as large: mean 1.42, deviation 0.036.
    """
    people, sample = slid_population(1, share=0.3)
    size, truth = int(people.sum()), int((people == 1).sum())
    right, wrong = slid_uniques(sample, size), slid_uniques(sample, 2 * size)
    assert right is not None
    assert wrong is not None
    assert abs(right / truth - 1) < 0.15
    assert abs(wrong / truth - 1) >= 0.15


def test_zayatz_finds_the_uniques_where_most_people_are_in_the_sample() -> None:
    """At a share of 0.8 the ratio has mean 1.003 and deviation 0.005 over 40 seeds; the bar is six.

    The twin takes the population for twice as large: mean 1.21.  At a share of 0.3 the estimate is
    35 % too high on this population, which is why the smaller of two is chosen.
    """
    people, sample = slid_population(2, share=0.8)
    size, truth = int(people.sum()), int((people == 1).sum())
    assert abs(zayatz_uniques(sample, size) / truth - 1) < 0.03
    assert abs(zayatz_uniques(sample, 2 * size) / truth - 1) >= 0.03


def test_the_smaller_of_two_is_chosen_above_a_tenth() -> None:
    people, sample = slid_population(3, share=0.3)
    found = estimate_uniqueness(sample, int(people.sum()))
    assert found.slid is not None
    assert found.slid < found.zayatz
    assert (found.chosen, found.uniques) == ("slid negative binomial", found.slid)


def test_pitman_finds_the_uniques_of_his_own_population() -> None:
    """People sit down one by one, each in a new class or beside those who came before.

    The first 20,000 are a random sample of all 40,000.  Over 24 seeds the ratio to the truth has
    mean 1.000 and deviation 0.030; the bar of 0.19 is six of them.  The twin takes the population
    for three times as large: mean 1.73, deviation 0.07.
    """
    classes = seated(seed=4, people=40_000, theta=50, alpha=0.5)
    truth = int((np.bincount(classes) == 1).sum())
    distribution = fit_pitman(sizes_of(np.bincount(classes[:20_000])))
    assert distribution is not None
    assert abs(distribution.uniques(40_000) / truth - 1) < 0.19
    assert abs(distribution.uniques(120_000) / truth - 1) >= 0.19


def seated(seed: int, people: int, theta: float, alpha: float) -> NDArray[np.int64]:
    random = np.random.default_rng(seed).random
    classes = np.zeros(people, dtype=np.int64)
    sizes: list[int] = []
    for number in range(people):
        if random() * (theta + number) < theta + alpha * len(sizes):
            classes[number] = len(sizes)
            sizes.append(1)
            continue
        beside = classes[int(random() * number)]
        while random() < alpha / sizes[beside]:
            beside = classes[int(random() * number)]
        classes[number] = beside
        sizes[beside] += 1
    return classes


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(st.integers(1, 60), st.integers(1, 50), min_size=1),
    st.integers(0, 10**13),
)
def test_estimates_are_numbers_within_reason(sizes: Sizes, others: int) -> None:
    in_order = dict(sorted(sizes.items()))
    rows = sum(size * count for size, count in in_order.items())
    found = estimate_uniqueness(in_order, rows + others)
    for estimate in (found.zayatz, found.pitman, found.slid, found.uniques):
        assert estimate is None or 0 <= estimate <= (rows + others) * (1 + 1e-9)
    assert found.uniques > 0 or 1 not in in_order


def test_a_whole_population_is_known_exactly() -> None:
    found = estimate_uniqueness({1: 3, 2: 4, 5: 1}, 16)
    assert (found.chosen, found.uniques, found.share) == ("zayatz", 3, 3 / 16)


def test_nobody_unique_in_the_sample_means_nobody_is_guessed_to_be() -> None:
    found = estimate_uniqueness({2: 5, 7: 3}, 1000)
    assert (found.uniques, found.pitman, found.slid) == (0, None, None)


def test_everybody_unique_in_the_sample_falls_back_on_zayatz() -> None:
    found = estimate_uniqueness({1: 20}, 10_000)
    assert found.chosen == "zayatz"
    assert found.uniques == pytest.approx(10_000)


def test_a_distribution_without_alpha_is_ewens() -> None:
    distribution = fit_pitman({20: 3, 25: 4, 30: 3})
    assert distribution is not None
    assert distribution.alpha == 0
    assert distribution.uniques(10**9) == distribution.theta


@pytest.mark.parametrize("alpha", [1e-4, 0.3, 0.9])
def test_large_tables_are_fitted_as_small_ones_are(alpha: float) -> None:
    """Above 100,000 classes sums are by digamma functions: the derivatives are the same."""
    from sfumato.risk.exposure.populations import _inverses, _weighed_inverses

    count, start = 150_000, 40.0
    number = np.arange(1, count + 1)
    assert _inverses(start, alpha, count) == pytest.approx(
        math.fsum(1 / (start + alpha * number)), rel=1e-10
    )
    assert _weighed_inverses(start, alpha, count) == pytest.approx(
        math.fsum(number / (start + alpha * number)), rel=1e-10
    )


def test_entropy_of_equal_classes() -> None:
    assert entropy_of({4: 8}) == 3
    assert Pitman(theta=1, alpha=0.5).uniques(1) == 1


@pytest.mark.parametrize("population", [8, 0, -1, 9.0, True, "9"])
def test_a_population_smaller_than_the_table_is_refused(population: object) -> None:
    with pytest.raises(InputError, match="population"):
        check_population(population, rows=9)


@pytest.mark.parametrize(("theta", "alpha", "population"), [(30, 0.0, 60), (500, 0.3, 1000)])
def test_where_theta_is_no_small_part_the_expectation_is_that_of_the_distribution(
    theta: float, alpha: float, population: int
) -> None:
    """The restaurant's rule: the i-th other person joins somebody's class of one so often."""
    alone = math.prod(1 - (1 - alpha) / (theta + i) for i in range(1, population))
    found = Pitman(theta, alpha).uniques(population)
    assert found == pytest.approx(population * alone, rel=1e-9)
    assert found < population


def test_populations_are_bounded() -> None:
    with raises_code("E-ARGUMENT-RANGE", "population"):
        check_population(10**16, rows=9)
    assert estimate_uniqueness({1: 4, 2: 2}, 10**15).uniques <= 10**15
