"""The sparse vector technique: exact distributions, the private variants, and sessions that end."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import compose
from sfumato.mechanisms.sparse.distribution import AnswersDistribution, answer_patterns
from sfumato.mechanisms.sparse.vector import SparseVector
from sfumato.numeric import Ln, as_ball, working_precision
from sfumato.privacy import Substitute
from sfumato.sampling import SeededSource
from tests.cases import cases
from tests.mechanisms.choosing import keeps_its_guarantee
from tests.mechanisms.noise_checks import NO_POSITIVE_NUMBERS, NO_VALUES, refuses
from tests.sampling.scripted import FALSE_ALARM, ScriptedSource, surprise

if TYPE_CHECKING:
    from sfumato.mechanisms.sparse.session import SparseVectorSession

LEADS = st.lists(st.integers(-6, 6), min_size=0, max_size=4)
SCALES = st.fractions(min_value="1/2", max_value=4, max_denominator=4)
#: Answers to two and three queries, with the moves that one change of the table can make.
NEAR = [(0, 0), (-1, 1), (2, -1)]
FAR_BELOW = [(-8, -8, -8), (-8, 0, -8)]


def by_summing(
    leads: list[int], answers: tuple[bool, ...], threshold: float, query: float
) -> float:
    """The probability of answers, summed over the noise on the threshold in floats."""
    s, r = math.exp(-1 / threshold), math.exp(-1 / query)
    total = 0.0
    for z in range(-150, 151):
        term = (1 - s) / (1 + s) * s ** abs(z)
        for lead, answer in zip(leads, answers, strict=False):
            x = z - lead
            above = r**x / (1 + r) if x >= 1 else 1 - r ** (1 - x) / (1 + r)
            term *= above if answer else 1 - above
        total += term
    return total


@given(LEADS, SCALES, SCALES, st.integers(1, 3))
def test_the_closed_form_is_the_sum(
    leads: list[int], threshold: Fraction, query: Fraction, positives: int
) -> None:
    distribution = AnswersDistribution(threshold, query)
    patterns = list(answer_patterns(len(leads), positives))
    with working_precision(128):
        chances = [float(distribution.probability(leads, each)) for each in patterns]
    assert sum(chances) == pytest.approx(1, abs=1e-12)
    for chance, answers in zip(chances, patterns, strict=True):
        summed = by_summing(leads, answers, float(threshold), float(query))
        assert chance == pytest.approx(summed, abs=1e-12)


def test_answers_end_with_the_last_positive() -> None:
    patterns = list(answer_patterns(4, 2))
    assert len(set(patterns)) == len(patterns)
    assert all(len(each) == 4 or (sum(each) == 2 and each[-1]) for each in patterns)


def moved(base: tuple[int, ...], *, rising: bool = False) -> list[tuple[Any, Any]]:
    """A row of queries with all rows that one change can lead to, or those in which none falls."""
    steps = (0, 1) if rising else (-1, 0, 1)
    return [
        (base, tuple(a + b for a, b in zip(base, each, strict=True)))
        for each in product(steps, repeat=len(base))
    ]


def made_wrong(mechanism: SparseVector, **changes: Any) -> SparseVector:
    mechanism.__dict__.update(changes)
    return mechanism


@pytest.mark.parametrize("positives", [1, 2])
@pytest.mark.parametrize("sensitivity", [1, "2/3"])
def test_the_guarantee_on_all_neighbours(positives: int, sensitivity: Any) -> None:
    mechanism = SparseVector(epsilon=2, sensitivity=sensitivity, positives=positives)
    scaled = Fraction(sensitivity)
    pairs = [
        (tuple(scaled * each for each in one), tuple(scaled * each for each in other))
        for base in NEAR
        for one, other in moved(base)
    ]
    assert keeps_its_guarantee(mechanism.distribution, pairs, 2)


def test_the_guarantee_with_many_positives_and_for_rising_queries() -> None:
    mechanism = SparseVector(epsilon=2, sensitivity=1, positives=3)
    assert keeps_its_guarantee(mechanism.distribution, moved(FAR_BELOW[0]), 2)
    rising = SparseVector(epsilon=2, sensitivity=1, positives=3, monotone=True)
    assert all(
        keeps_its_guarantee(rising.distribution, moved(each, rising=True), 2) for each in FAR_BELOW
    )


def worst_known_ratio(mechanism: SparseVector, positives: int) -> float:
    """High queries are said to be below and low ones above, while high ones fall and low ones rise.

    The negative answers keep the threshold from explaining the positive ones.
    """
    answers = (False,) * 9 + (True,) * positives
    distribution = AnswersDistribution(mechanism.threshold_scale, mechanism.query_scale)
    rows = [(3,) * 9 + (-9,) * positives, (2,) * 9 + (-8,) * positives]
    with working_precision(192):
        chances = [distribution.probability(mechanism.leads(row).tolist(), answers) for row in rows]
        return float(chances[1] / chances[0])


def test_less_noise_for_queries_that_are_not_monotone_breaks_the_guarantee() -> None:
    """Twin: queries that rise and fall at once need twice the noise."""
    right, wrong = (SparseVector(epsilon=2, sensitivity=1, monotone=each) for each in (False, True))
    assert worst_known_ratio(wrong, 1) > math.exp(2) > worst_known_ratio(right, 1)


def test_noise_that_does_not_grow_with_the_positives_breaks_the_guarantee() -> None:
    """Twin: the query noise of Algorithm 4 of Lyu, Su and Li, without the factor c."""
    mechanism = SparseVector(epsilon=2, sensitivity=1, positives=3)
    assert worst_known_ratio(mechanism, 3) < math.exp(2)
    wrong = made_wrong(mechanism, query_scale=mechanism.query_scale / 3)
    assert worst_known_ratio(wrong, 3) > math.exp(2)


def test_no_noise_on_the_queries_breaks_the_guarantee() -> None:
    """Twin: Algorithm 5 of Lyu, Su and Li, which compares the queries themselves."""
    wrong = made_wrong(SparseVector(epsilon=2, sensitivity=1), query_scale=Fraction(1, 10**4))
    assert not keeps_its_guarantee(wrong.distribution, [((0, 1), (1, 0))], 2)


@pytest.mark.parametrize("positives", [1, 10])
@pytest.mark.parametrize(("monotone", "sides"), [(False, 2), (True, 1)])
def test_the_published_split(positives: int, *, monotone: bool, sides: int) -> None:
    mechanism = SparseVector(epsilon=0.3, sensitivity=1, positives=positives, monotone=monotone)
    split = mechanism.answers_epsilon / mechanism.threshold_epsilon
    assert float(split) == pytest.approx((sides * positives) ** (2 / 3), abs=1e-3)
    assert mechanism.threshold_epsilon + mechanism.answers_epsilon == Fraction(3, 10)


def test_scales_of_the_noise() -> None:
    mechanism = SparseVector(epsilon=1, sensitivity=4, positives=5, threshold_share="1/5")
    steps = 1 << 20
    assert mechanism.threshold_scale == 5 * steps
    assert mechanism.query_scale == Fraction(2 * 5 * steps * 5, 4)


def test_a_sensitivity_between_steps_is_rounded_up() -> None:
    mechanism = SparseVector(epsilon=1, sensitivity="1/3", threshold_share=0.5)
    assert mechanism.threshold_scale == 2 * (-(-(1 << 22) // 3))
    leads = mechanism.leads([Fraction(1, 7), Fraction(1, 7) + Fraction(1, 3)])
    assert leads[1] - leads[0] <= mechanism.threshold_scale / 2


def test_events_and_groups() -> None:
    mechanism = SparseVector(epsilon=Ln(3), sensitivity=1, positives=2, relation=Substitute())
    assert mechanism.threshold_epsilon + mechanism.answers_epsilon <= Ln(3)
    found = compose(mechanism.event_at(2), relation=Substitute()).epsilon(delta=0)
    assert found == pytest.approx(2 * math.log(3))
    assert found <= mechanism.guarantee_at(2).epsilon(delta=0)
    assert str(mechanism.guarantee_at(2).relation) == "substitute two rows"
    assert mechanism.event_at(1).positives == 2


def test_releases_and_sessions_follow_the_distribution() -> None:
    queries = [-2, 3, 0]
    mechanism = SparseVector(epsilon=3, sensitivity=1, positives=2)
    distribution = mechanism.distribution(queries)
    chances = [distribution.probability(each).upper for each in distribution.outcomes]
    source = SeededSource(5)
    released = [mechanism.release(queries, source=source).value for _ in range(2000)]
    asked = [answers_of(mechanism.start(source), queries) for _ in range(500)]
    for found in (released, asked):
        assert (
            surprise([found.count(each) for each in distribution.outcomes], chances) > FALSE_ALARM
        )
    wrong = mechanism.distribution([each + Fraction(1, 2) for each in queries])
    others = [wrong.probability(each).upper for each in distribution.outcomes]
    assert surprise([released.count(each) for each in distribution.outcomes], others) < FALSE_ALARM


def answers_of(session: SparseVectorSession, queries: list[int]) -> tuple[bool, ...]:
    for query in queries:
        if not session.finished:
            session.ask(query)
    return session.released.value


def test_the_error_bound_is_the_least_for_one_query() -> None:
    mechanism = SparseVector(epsilon=1, sensitivity=1, threshold=10)
    bound = mechanism.error(confidence=0.9)
    step = 2.0**-20
    below = mechanism.distribution([10 - bound]).probability((True,))
    assert (
        below.upper <= 0.1 < mechanism.distribution([10 - bound + step]).probability((True,)).lower
    )
    assert mechanism.distribution([10 + bound]).probability((False,)).upper <= 0.1


def test_the_error_bound_covers_queries_chosen_by_the_answers() -> None:
    """Every query lies beyond the bound, on the side on which the last answers make it risky."""
    mechanism = SparseVector(epsilon=1, sensitivity=1, positives=20)
    bound = mechanism.error(confidence=0.8, queries=20) + 0.001
    source = SeededSource(4)
    wrong = 0
    for _ in range(150):
        session = mechanism.start(source)
        answers = [session.ask(bound if i % 2 else -bound) == bool(i % 2) for i in range(20)]
        wrong += not all(answers)
    assert wrong <= 0.2 * 150 + 25


def test_the_error_grows_with_the_queries() -> None:
    mechanism = SparseVector(epsilon=1, sensitivity=1)
    errors = [mechanism.error(queries=each) for each in (1, 10, 1000)]
    assert errors == sorted(set(errors))
    distribution = AnswersDistribution(mechanism.threshold_scale, mechanism.query_scale)
    with working_precision(192):
        once = distribution.probability([-int(errors[2] * 2**20)], [True])
        assert once * 1999 <= as_ball(Fraction(1, 20))


def test_special_values_count_as_documented() -> None:
    mechanism = SparseVector(epsilon=1, sensitivity=1, threshold=3)
    odd = [math.nan, math.inf, -math.inf, 10**400, 2**63 + 1, Fraction(1, 2), -0.0, 5e-324]
    leads = mechanism.leads(odd).tolist()
    three, end = 3 << 20, 1 << 60
    assert leads[:5] == [-three, end, -end, end, end]
    assert leads[5:] == [(1 << 19) - three, -three, -three]
    assert mechanism.leads(np.array([2**63], dtype=np.uint64))[0] == end
    assert mechanism.release([], source=SeededSource(1)).value == ()


@given(
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["1/3", 1, 1000, 1e-9]),
    st.sampled_from([0, "1/3", -1e12, 2**41, 10**400]),
)
def test_floats_are_rounded_as_fractions_are(value: float, sensitivity: Any, level: Any) -> None:
    """Else a change of another query's type could move this one."""
    mechanism = SparseVector(epsilon=1, sensitivity=sensitivity, threshold=level)
    assert mechanism.leads([value])[0] == mechanism.leads([Fraction(value)])[0]


@given(
    st.fractions(-(10**20), 10**20),
    st.fractions(-1, 1),
    st.sampled_from([0, "1/3", -(10**13), 10**19, 10**400]),
)
def test_a_change_moves_a_lead_by_the_sensitivity(value: Any, change: Any, level: Any) -> None:
    mechanism = SparseVector(epsilon=1, sensitivity=1, threshold=level)
    one, other = mechanism.leads([value, value + change])
    assert abs(int(one) - int(other)) <= 1 << 20


@pytest.mark.parametrize("level", [2 * 10**12, -(10**15), 10**30, Fraction(10) ** 400])
def test_the_error_bound_covers_far_from_zero(level: Any) -> None:
    """A threshold that is cut, as queries were, answers at random far from it."""
    mechanism = SparseVector(epsilon=10, sensitivity=1, threshold=level)
    bound = Fraction(mechanism.error(confidence=0.999999))
    assert mechanism.distribution([level - bound]).probability((True,)).upper <= 1e-6
    assert mechanism.distribution([level + bound]).probability((False,)).upper <= 1e-6
    assert mechanism.distribution([level - 10**12]).probability((True,)).upper < 1e-300
    assert mechanism.start(SeededSource(1)).ask(level + 10**12)


def test_the_error_bound_covers_for_much_noise() -> None:
    """Leads are cut beyond the reach of the noise, and an error that none has is infinite."""
    mechanism = SparseVector(epsilon=1e-11, sensitivity=1)
    bound = mechanism.error(confidence=0.99)
    assert mechanism.distribution([-bound]).probability((True,)).upper <= 0.01
    assert mechanism.release([-2 * bound, 2 * bound], source=SeededSource(1)).value == (False, True)
    sure = 1 - Fraction(1, 10**2000)
    assert SparseVector(epsilon=1e-9, sensitivity=1).error(confidence=sure) == math.inf


def test_the_distribution_of_many_queries_is_refused() -> None:
    assert "10" in refuses(lambda: SparseVector(epsilon=1, sensitivity=1).distribution([0] * 11))


@cases(
    "values",
    [*NO_VALUES, 3, [[1, 2]], np.array([True]), np.ma.array([1, 2], mask=[False, True])],
)
def test_values_that_are_no_numbers_are_refused_by_type(values: Any) -> None:
    mechanism = SparseVector(epsilon=1, sensitivity=1)
    refuses(lambda: mechanism.release(values, source=ScriptedSource()))


@pytest.mark.parametrize("wrong", NO_POSITIVE_NUMBERS)
def test_wrong_parameters_are_refused(wrong: Any) -> None:
    refuses(lambda: SparseVector(epsilon=wrong, sensitivity=1))
    refuses(lambda: SparseVector(epsilon=1, sensitivity=wrong))
    refuses(lambda: SparseVector(epsilon=1, sensitivity=1, positives=wrong))
    if wrong is not None:
        refuses(lambda: SparseVector(epsilon=1, sensitivity=1, threshold_share=wrong))


@pytest.mark.parametrize(
    "wrong",
    [
        {"threshold": math.nan},
        {"threshold": None},
        {"monotone": 1},
        {"positives": 1.5},
        {"threshold_share": 1},
        {"relation": "row"},
        {"epsilon": 1e-20},
        {"epsilon": 1e20},
    ],
)
def test_other_parameters_are_refused(wrong: dict[str, Any]) -> None:
    refuses(lambda: SparseVector(**{"epsilon": 1, "sensitivity": 1, **wrong}))
    refuses(lambda: SparseVector(epsilon=1, sensitivity=1).start("seed"))  # type: ignore[arg-type]
