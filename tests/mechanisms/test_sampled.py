"""Mechanisms on secret samples: drawn as stated, private as amplified, and silent about the sample.

What is proved is proved from exact mixtures over all samples.  Statistical tests have fixed seeds,
and a fresh one would fail with probability at most 1e-6; each has a twin that is caught.
"""

from __future__ import annotations

import math
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import chisquare

import sfumato as sf
from sfumato.mechanisms import (
    DiscreteGaussian,
    DiscreteLaplace,
    Exponential,
    ExponentialMedian,
    FiniteDistribution,
    FixedSizeSampled,
    Gaussian,
    Laplace,
    PoissonSampled,
    ProposeTestRelease,
    RandomizedResponse,
    SampleAndAggregate,
    SmoothMedian,
    Staircase,
)
from sfumato.mechanisms.sensitivity import clipped_mean, clipped_sum
from sfumato.numeric import Ln
from sfumato.privacy import AddRemove, Person, Substitute, events
from sfumato.sampling import SeededSource, bernoulli
from tests.mechanisms.noise_checks import FALSE_ALARM, NO_VALUES, refuses
from tests.refusing import raises_code
from tests.sampling.scripted import ScriptedSource

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.audit import AuditReport

    Rows = tuple[int, ...]

SUBSTITUTE = Substitute()
A_PERSON = AddRemove(unit=Person())
TRILLIONTH = Fraction(1, 10**12)
ANY_SIZE = [rows for size in range(3) for rows in product((0, 1), repeat=size)]
THREE = list(product((0, 1), repeat=3))


def poisson(epsilon: Any = 1, rate: Any = "1/2", **given: Any) -> Any:
    return PoissonSampled(DiscreteLaplace(epsilon=epsilon), rate=rate, **{"of": sum, **given})


def fixed(epsilon: Any = 1, size: int = 2, population: int = 3, **given: Any) -> Any:
    noise = DiscreteLaplace(epsilon=epsilon, relation=SUBSTITUTE)
    return FixedSizeSampled(noise, size=size, population=population, **{"of": sum, **given})


def noting(seen: list[Any]) -> Callable[[Any], int]:
    """A function that notes down its samples, as no user's may."""

    def note(sample: Any) -> int:
        seen.append(sample)
        return 0

    return note


def broken(mechanism: Any, **changes: Any) -> Any:
    """A mechanism that does not draw as it says."""
    mechanism.__dict__.update(changes)
    return mechanism


def status(mechanism: Any, epsilon: Any, inputs: Any, relation: Any = None) -> str:
    neighbours = relation or mechanism.relation
    return sf.verify(mechanism, epsilon=epsilon, inputs=inputs, neighbours=neighbours).status


SAMPLED = [
    *(poisson(epsilon, rate) for epsilon in (1, 3) for rate in ("1/2", "1/10", 1)),
    *(fixed(epsilon, size) for epsilon in (1, 3) for size in (1, 2, 3)),
]


@pytest.mark.parametrize("mechanism", SAMPLED, ids=repr)
def test_the_amplified_epsilon_is_exactly_what_is_kept(mechanism: Any) -> None:
    """On all neighbours of a small domain: ln(1 + q (e^ε - 1)), and no trillionth less."""
    inputs = ANY_SIZE if isinstance(mechanism, PoissonSampled) else THREE
    claimed = mechanism.guarantee.exact_epsilon
    share = float(mechanism.share)
    inner = float(mechanism.mechanism.epsilon)
    assert float(claimed) == pytest.approx(math.log1p(share * math.expm1(inner)), rel=1e-12)
    assert status(mechanism, claimed, inputs) == "proved"
    assert status(mechanism, claimed - TRILLIONTH, inputs) == "refuted"


def test_a_logarithm_is_amplified_exactly() -> None:
    """Half of the time another person is asked: ln 2 becomes ln(3/2), in rationals throughout."""
    asked = RandomizedResponse(truth="2/3", relation=SUBSTITUTE)
    survey: Any = sf.sampled(asked, of=lambda rows: rows[0], size=1, population=2)
    verdict = sf.verify(survey, inputs=list(product((0, 1), repeat=2)))
    assert verdict.status == "proved"
    assert survey.guarantee.exact_epsilon == verdict.epsilon.exact == Ln("3/2")
    assert status(survey, Fraction("0.405465108"), list(product((0, 1), repeat=2))) == "refuted"


@pytest.mark.parametrize("mechanism", [poisson(1, "1/3"), fixed(1)], ids=repr)
def test_the_exact_verdict_is_that_of_a_long_sum(mechanism: Any) -> None:
    """The least δ at ε = 0.3, against the sum over all outcomes that matter."""
    tables = ([0, 1], [0, 1, 1]) if mechanism.relation == AddRemove() else ([0, 0, 1], [0, 1, 1])
    p, q = (
        [mechanism.distribution(each).probability(k).upper for k in range(-60, 60)]
        for each in tables
    )
    sums = [
        sum(max(x - math.exp(0.3) * y, 0) for x, y in zip(*pair, strict=True))
        for pair in ((p, q), (q, p))
    ]
    verdict = sf.verify(mechanism, epsilon="0.3", neighbours=[tables])
    assert verdict.delta is not None
    assert verdict.delta.bounds.upper == pytest.approx(max(sums), rel=1e-9)


def test_twin_a_sample_of_everybody_breaks_the_amplified_epsilon() -> None:
    right = poisson(3, "1/5")
    wrong = broken(poisson(3, "1/5"), rate=Fraction(1))
    assert status(wrong, right.guarantee.exact_epsilon, ANY_SIZE) == "refuted"
    all_three = broken(fixed(3, 1), size=3)
    assert status(all_three, fixed(3, 1).guarantee.exact_epsilon, THREE) == "refuted"


def test_twin_a_sample_whose_size_is_seen_breaks_the_amplified_epsilon() -> None:
    """How many were drawn, beside the noisy sum: it tells of a row whatever the noise is."""

    def with_size(rows: Rows) -> dict[tuple[int, str], Fraction]:
        found: dict[tuple[int, str], Fraction] = {}
        for coins in product((0, 1), repeat=len(rows)):
            told = RandomizedResponse(truth="2/3").distribution(0)
            for outcome in told.outcomes:
                share = told.exact(outcome) or Fraction(0)
                seen = sum(coins), str(outcome)
                found[seen] = found.get(seen, Fraction(0)) + share / 2 ** len(rows)
        return found

    assert status(with_size, 10, ANY_SIZE, AddRemove()) == "refuted"


def in_place(rows: list[int]) -> int:
    """Moves by one where one row is substituted in its place, and by two where rows move along."""
    return (rows[0] == 0) + (rows[1] == 1)


def test_a_sample_of_fixed_size_comes_in_the_order_of_drawing() -> None:
    """In the order of the table it would break the guarantee, as its twin shows.

    A sample without the row that differs has another one in its place, which must be at the same
    place of the sample.
    """
    mechanism = fixed(3, of=in_place)
    claimed = mechanism.guarantee.exact_epsilon

    def in_order(rows: Rows) -> Any:
        mixed = [
            mechanism.mechanism.distribution(in_place([rows[i], rows[j]]))
            for i, j in ((0, 1), (0, 2), (1, 2))
        ]
        return MixtureOfThree(mixed)

    assert status(mechanism, claimed, THREE) == "proved"
    assert status(in_order, claimed, THREE, SUBSTITUTE) == "refuted"


class MixtureOfThree:
    """One of three distributions, each as likely as the others."""

    def __init__(self, parts: list[Any]) -> None:
        self.parts = [(Fraction(1, 3), each) for each in parts]

    def ball(self, outcome: Any) -> Any:
        return (
            sum((each.ball(outcome) for _, each in self.parts[1:]), self.parts[0][1].ball(outcome))
            / 3
        )

    def cumulative(self, outcome: Any) -> Any:
        return (
            sum(
                (each.cumulative(outcome) for _, each in self.parts[1:]),
                self.parts[0][1].cumulative(outcome),
            )
            / 3
        )


def drawn(mechanism: Any, rows: list[int], times: int) -> Counter[tuple[int, ...]]:
    """Which samples a mechanism drew, and how often each."""
    seen: list[list[int]] = []
    watched, source = broken(mechanism, of=noting(seen)), SeededSource(7)
    for _ in range(times):
        watched.release(rows, source=source)
    return Counter(map(tuple, seen))


def unlikely(found: Counter[tuple[int, ...]], expected: dict[tuple[int, ...], Fraction]) -> bool:
    assert set(found) <= set(expected)
    times = sum(found.values())
    fitted = chisquare(
        [found[each] for each in expected], [float(share * times) for share in expected.values()]
    )
    return float(fitted.pvalue) < FALSE_ALARM


def coin_shares(rate: Fraction) -> dict[tuple[int, ...], Fraction]:
    """The probability of every subset of 0, 1, 2."""
    subsets = (
        tuple(row for row, coin in enumerate(coins) if coin) for coins in product((0, 1), repeat=3)
    )
    return {each: rate ** len(each) * (1 - rate) ** (3 - len(each)) for each in subsets}


def test_a_poisson_sample_is_any_subset_by_independent_coins() -> None:
    found = drawn(poisson(rate="1/3"), [0, 1, 2], 4_000)
    assert not unlikely(found, coin_shares(Fraction(1, 3)))
    assert unlikely(found, coin_shares(Fraction(2, 5)))


def test_a_sample_of_fixed_size_is_any_order_of_any_subset() -> None:
    found = drawn(fixed(size=2, population=4), [0, 1, 2, 3], 4_000)
    orders: list[tuple[int, ...]] = list(permutations(range(4), 2))
    assert not unlikely(found, {each: Fraction(1, 12) for each in orders})
    slanted = {each: Fraction(2 if 0 in each else 1, 18) for each in orders}
    assert unlikely(found, slanted)


def test_every_release_draws_afresh() -> None:
    assert len(drawn(fixed(size=5, population=50), list(range(50)), 50)) == 50


AUDITED = {
    "Poisson": (
        poisson(4, "1/5"),
        ([0, 0, 0], [0, 0, 0, 1]),
        {
            "everybody is drawn": broken(poisson(4, "1/5"), rate=Fraction(1)),
            "too many are drawn": broken(poisson(4, "1/5"), rate=Fraction(3, 4)),
        },
    ),
    "fixed size": (
        fixed(4, 1, 5),
        ([0, 0, 0, 0, 0], [1, 0, 0, 0, 0]),
        {
            "the first are always drawn": broken(
                fixed(4, 1, 5), _drawn=lambda units, source: np.array([0, -1, -1, -1, -1])
            ),
            "too many are drawn": broken(fixed(4, 1, 5), size=4),
        },
    ),
}


def released_by(mechanism: Any) -> Callable[[Any, Any], Any]:
    return lambda rows, source: mechanism.release(rows, source=source).value


def audited(claim: Any, release: Callable[[Any, Any], Any], tables: Any) -> AuditReport:
    """What 4,000 outputs on each of two neighbours prove; a false alarm has probability 1e-6."""
    source = SeededSource(11)
    return sf.audit(
        lambda rows, times: [release(rows, source) for _ in range(times)],
        *tables,
        epsilon=claim.guarantee.exact_epsilon,
        samples=4_000,
    )


@pytest.mark.full
@pytest.mark.parametrize("kind", AUDITED)
def test_draws_show_no_more_than_the_amplified_guarantee(kind: str) -> None:
    mechanism, tables, wrong = AUDITED[kind]
    assert not audited(mechanism, released_by(mechanism), tables).violated
    for twin in wrong.values():
        assert audited(mechanism, released_by(twin), tables).violated


@pytest.mark.full
def test_draws_show_that_a_sample_is_used_again() -> None:
    """Three releases of one sample are no three samples: together they cost more."""
    mechanism, tables = poisson(2, "1/10"), ([0], [0, 1])
    noise, claim = mechanism.mechanism, sf.compose(mechanism.event, count=3)

    def least_of_three(release: Callable[[Any, Any], list[int]]) -> AuditReport:
        source = SeededSource(3)
        return sf.audit(
            lambda rows, times: [min(release(rows, source)) for _ in range(times)],
            *tables,
            epsilon=claim.epsilon(delta=0),
            samples=6_000,
        )

    def fresh(rows: Any, source: Any) -> list[int]:
        return [mechanism.release(rows, source=source).value for _ in range(3)]

    def reused(rows: Any, source: Any) -> list[int]:
        coins = bernoulli(mechanism.rate, len(rows), source=source).tolist()
        kept = sum(row for row, coin in zip(rows, coins, strict=True) if coin)
        return [noise.release(kept, source=source).value for _ in range(3)]

    assert not least_of_three(fresh).violated
    assert least_of_three(reused).violated


@pytest.mark.full
def test_draws_show_the_size_of_the_sample() -> None:
    """How many were drawn, beside whether the noisy sum is positive."""
    mechanism, tables = poisson(), ([0], [0, 1])
    seen: list[list[int]] = []
    watched = poisson(of=noting(seen))

    def with_size(rows: Any, source: Any) -> int:
        noisy: int = watched.release(rows, source=source).value
        return 10 * len(seen[-1]) + (noisy > 0)

    assert audited(mechanism, with_size, tables).violated


@pytest.mark.full
def test_totals_of_many_samples_are_tight() -> None:
    """Reference: 10,000 steps at rate 0.01 with σ = 4 have ε = 0.9468668007643804 at δ = 1e-5."""
    step = sf.sampled(Gaussian(sigma=4, sensitivity=1), of=len, rate=0.01)
    total = sf.compose(step.event, count=10_000).epsilon(delta=1e-5)
    assert total == pytest.approx(0.9468668007643804, rel=1e-9)
    assert step.guarantee.epsilon(delta=1e-5) < total
    without = sf.sampled(
        Gaussian(sigma=4, sensitivity=1, relation=SUBSTITUTE), of=len, size=10, population=1_000
    )
    whole = sf.compose(without.event, count=100, relation=SUBSTITUTE)
    assert whole.epsilon(delta=1e-5) < 100 * without.guarantee.epsilon(delta=1e-7)


def test_guarantees_of_all_kinds_are_amplified() -> None:
    pure = sf.sampled(Laplace(epsilon=Ln(3), sensitivity=1), of=sum, rate="1/4").guarantee
    assert pure == sf.PureDP(epsilon=Ln("3/2"))
    noise = Gaussian(epsilon=Ln(3), delta=1e-6, sensitivity=1)
    both = sf.sampled(noise, of=sum, rate="1/4").guarantee
    assert both == sf.ApproxDP(epsilon=Ln("3/2"), delta=Fraction(1, 4 * 10**6))
    assert poisson(rate=1).guarantee == DiscreteLaplace(epsilon=1).guarantee
    assert fixed(size=3).guarantee == fixed().mechanism.guarantee
    step: Any = sf.sampled(Gaussian(sigma=2, sensitivity=1), of=sum, rate="1/4")
    many: Any = step.guarantee_at(2)
    one: Any = step.guarantee
    assert one.event == events.Subsampled(events.Gaussian(sigma=2), rate=0.25)
    assert many.event == events.Gaussian(sigma=2, sensitivity=2)
    medians = SampleAndAggregate(
        len, epsilon=1, bounds=[(0, 1), (0, 1)], blocks=2, aggregate="median"
    )
    assert sf.sampled(medians, rate=0.5).event == events.Subsampled(
        events.Pure(epsilon=1), rate=0.5
    )
    whole = DiscreteGaussian(epsilon=1, delta=1e-6, sensitivity=2, dimensions=2)
    assert sf.sampled(whole, of=lambda _: [0, 0], default=[0, 0], rate=0.5).event == (
        events.Subsampled(events.Approximate(epsilon=1, delta=1e-6), rate=0.5)
    )


@pytest.mark.parametrize(
    "odd",
    [
        lambda _: math.nan,
        lambda _: math.inf,
        lambda _: "many",
        lambda _: None,
        lambda _: True,
        lambda _: 1.5,
        lambda _: [1, 2],
        lambda _: [[1], [2, 3]],
        lambda _: 1j,
        lambda _: Decimal("NaN"),
        lambda rows: rows[99],
        lambda _: (_ for _ in ()).throw(RuntimeError("a secret")),
    ],
)
def test_a_function_that_fails_gives_the_default(odd: Any) -> None:
    failing, three = poisson(of=odd, default=3), poisson(of=lambda _: 3)
    assert failing.distribution([1, 2]) == three.distribution([1, 2])
    found, other = (
        each.release([1, 2, 3], source=SeededSource(1)).value for each in (failing, three)
    )
    assert found == other
    assert type(found) is int


@pytest.mark.parametrize(
    ("answer", "counts_as"), [(np.int8(4), 4), (4.0, 4), (np.array([4]), 4), (Decimal(4), 4)]
)
def test_a_number_of_any_type_counts_as_that_number(answer: Any, counts_as: int) -> None:
    if np.ndim(answer):
        answer = answer[0]
    found = poisson(of=lambda _: answer).release([1], source=SeededSource(1)).value
    assert found == poisson(of=lambda _: counts_as).release([1], source=SeededSource(1)).value


@pytest.mark.parametrize(
    "answer", [[1, 0.5], (1, 0.5), np.array([1, 0.5]), pd.Series([1, 0.5]), pl.Series([1.0, 0.5])]
)
def test_several_numbers_are_released_in_one_type(answer: Any) -> None:
    noise = Laplace(epsilon=1, sensitivity=1)
    both = sf.sampled(noise, of=lambda _: answer, rate=0.5, default=[0, 0])
    plain = sf.sampled(noise, of=lambda _: [1, 0.5], rate=0.5, default=[0, 0])
    found, other = (each.release([1], source=SeededSource(1)).value for each in (both, plain))
    assert found.tolist() == other.tolist()
    assert found.dtype == other.dtype


def test_a_statistic_of_one_column_refuses_a_frame() -> None:
    total = clipped_sum(0, 9)
    mechanism = sf.sampled(Laplace(epsilon=1, sensitivity=9), of=total, rate=0.5)
    refuses(lambda: mechanism.release(pd.DataFrame({"x": [1]}), source=ScriptedSource()))
    mechanism.release(pd.Series([1]))


def test_a_row_that_is_not_drawn_raises_like_one_that_is() -> None:
    """What is refused is refused for the whole table, before a bit is drawn."""
    median = ExponentialMedian(epsilon=1, bounds=(0, 10))
    refuses(lambda: sf.sampled(median, rate="1/1000").release([1, 2, "x"], source=ScriptedSource()))
    for rows in [*(each for each in NO_VALUES if not isinstance(each, list)), 3]:
        refuses(partial(poisson().release, rows, source=ScriptedSource()))


class Uncopied:
    """A row of which no copy can be made."""

    def __deepcopy__(self, memo: Any) -> Any:
        raise RuntimeError


def test_a_row_that_is_not_copied_does_not_show() -> None:
    counting = poisson(rate=1, of=len, default=7)
    assert counting.distribution([Uncopied()]) == counting.distribution(range(7))
    blocks = SampleAndAggregate(len, epsilon=1, bounds=(0, 4), blocks=2)
    for _ in range(20):
        sf.sampled(blocks, rate=0.5).release([1, Uncopied()])


def test_a_function_cannot_change_the_rows() -> None:
    rows = [[1], [2]]
    mechanism = poisson(rate=1, of=lambda sample: sample[0].append(5) or len(sample))
    mechanism.release(rows)
    assert rows == [[1], [2]]


@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        ([5, 6, 7], list),
        (np.array([5, 6, 7]), np.ndarray),
        (pd.Series([5, 6, 7], index=["a", "b", "c"]), pd.Series),
        (pd.DataFrame({"x": [5, 6, 7]}, index=["a", "b", "c"]), pd.DataFrame),
        (pl.Series([5, 6, 7]), pl.Series),
        (pl.DataFrame({"x": [5, 6, 7]}), pl.DataFrame),
    ],
)
def test_samples_have_the_type_of_the_rows_without_their_places(rows: Any, kind: type) -> None:
    seen: list[Any] = []
    mechanism = poisson(of=noting(seen))
    source = SeededSource(2)
    for _ in range(30):
        mechanism.release(rows, source=source)
    assert {type(each) for each in seen} == {kind}
    assert {len(each) for each in seen} == {0, 1, 2, 3}
    for each in seen:
        if hasattr(each, "index") and not isinstance(each, list):
            assert list(each.index) == list(range(len(each)))


def test_people_are_drawn_with_all_of_their_rows() -> None:
    rows, people = [1, 2, 3, 4, 5], ["a", "b", "a", None, math.nan]
    seen: list[tuple[Any, Any]] = []

    def note(sample: Any, people: Any) -> int:
        seen.append((tuple(sample), tuple(people)))
        return 0

    noise = Laplace(epsilon=1, sensitivity=1, relation=A_PERSON)
    mechanism, source = sf.sampled(noise, of=note, rate="1/2"), SeededSource(5)
    for _ in range(100):
        mechanism.release(rows, people=people, source=source)
    together = {sample for sample, _ in seen}
    assert together == {(), (1, 3), (2,), (4, 5), (1, 2, 3), (1, 3, 4, 5), (2, 4, 5), tuple(rows)}
    assert all(len(sample) == len(whose) for sample, whose in seen)
    assert dict(seen)[2,] == ("b",)


def test_a_person_is_hidden_with_all_rows() -> None:
    """Exactly, for a statistic in which two rows of a person count; twin: rows drawn one by one."""
    total = clipped_sum(0, 1, relation=A_PERSON, rows_per_person=2)
    noise = DiscreteLaplace(epsilon=2, sensitivity=2, relation=A_PERSON)
    mechanism: Any = sf.sampled(noise, of=total, rate="1/4")
    tables = [([0], ["b"]), ([0, 1, 1, 1], ["b", "a", "a", "a"])]

    def of_people(which: int) -> Any:
        return mechanism.distribution(tables[which][0], people=tables[which][1])

    def of_rows(which: int) -> Any:
        noisy = DiscreteLaplace(epsilon=2, sensitivity=2)
        return PoissonSampled(noisy, rate="1/4", of=lambda rows: min(sum(rows), 2)).distribution(
            tables[which][0]
        )

    claimed = mechanism.guarantee.exact_epsilon
    assert sf.verify(of_people, epsilon=claimed, neighbours=[(0, 1)]).status == "proved"
    assert sf.verify(of_rows, epsilon=claimed, neighbours=[(0, 1)]).status == "refuted"
    assert str(mechanism.guarantee.relation) == "add or remove one person"


def test_people_of_a_public_number_are_sampled() -> None:
    noise = Laplace(epsilon=1, sensitivity=1, relation=Substitute(unit=Person()))
    two = sf.sampled(noise, of=lambda rows, people: len({*people}), size=2, population=3)
    found = two.distribution([1, 2, 3, 4], people=["a", "b", "c", "c"])
    assert found == two.distribution([1, 2, 3], people=["a", "b", "c"])
    with raises_code("E-LENGTHS-DIFFER", match="3 people"):
        two.release([1, 2, 3], people=["a", "b", "b"])


BOUNDS = (0, 10)
TAKING_ROWS = [
    sf.sampled(ExponentialMedian(epsilon=1, bounds=BOUNDS), rate="1/2"),
    sf.sampled(
        ExponentialMedian(epsilon=1, bounds=BOUNDS, relation=SUBSTITUTE), size=1, population=4
    ),
    sf.sampled(SmoothMedian(epsilon=1, delta=0.01, bounds=BOUNDS), size=1, population=4),
    sf.sampled(SampleAndAggregate(sum, epsilon=1, bounds=BOUNDS, blocks=2), rate="1/2"),
]


@pytest.mark.full
@pytest.mark.parametrize("mechanism", TAKING_ROWS, ids=repr)
def test_mechanisms_that_take_rows_are_proved_on_samples(mechanism: Any) -> None:
    one = [0, 0, 0] if isinstance(mechanism, PoissonSampled) else [0, 0, 0, 0]
    assert sf.verify(mechanism, neighbours=[(one, [0, 0, 0, 10])]).status == "proved"


def test_mechanisms_that_take_rows_are_given_the_sample() -> None:
    """At a rate of almost nothing the median is that of no row: anywhere."""
    tested = ProposeTestRelease.median(epsilon=1, delta=0.05, proposed=1, bounds=BOUNDS)
    kept = sf.sampled(tested, size=50, population=100)
    assert kept.release([5] * 100, source=SeededSource(1)).value == pytest.approx(5, abs=9)
    rare = sf.sampled(ExponentialMedian(epsilon=9, bounds=BOUNDS), rate="1/1000000000")
    values = {rare.release([5] * 40, source=SeededSource(seed)).value for seed in range(20)}
    assert len(values) > 10


def test_choices_have_exact_mixtures() -> None:
    """All votes for one candidate, of whom one is added: exactly decided, far below the bound."""
    votes: Any = sf.sampled(
        Exponential(epsilon=1, sensitivity=1, monotone=True),
        of=lambda rows: [rows.count(0), rows.count(1)],
        rate="1/2",
        default=[0, 0],
    )
    found = votes.distribution([0, 1, 1, 1])
    assert isinstance(found, FiniteDistribution)
    assert found.weights is not None
    assert status(votes, votes.guarantee.exact_epsilon, ANY_SIZE) == "proved"
    verdict = sf.verify(votes, epsilon=1, inputs=ANY_SIZE, neighbours=AddRemove())
    assert 0.28 < verdict.epsilon.bounds.upper < 0.62


def test_a_statistic_that_needs_a_size_has_it() -> None:
    average = clipped_mean(0, 1, size=2)
    noise = Laplace(epsilon=1, sensitivity=average.sensitivity, relation=SUBSTITUTE)
    some = sf.sampled(noise, of=average, size=2, population=3)
    centres = {each.centre for _, each in some.distribution([0, 1, 1]).parts}  # type: ignore[attr-defined]
    assert centres == {Fraction(1, 2), Fraction(1)}


def test_a_number_or_none_has_no_exact_mixture() -> None:
    tested = ProposeTestRelease.median(epsilon=1, delta=0.05, proposed=1, bounds=BOUNDS)
    with raises_code("E-DISTRIBUTIONS-DIFFER", match="None"):
        sf.sampled(tested, size=2, population=3).distribution([1, 2, 3])


def test_mixtures_of_stairs_are_not_verified() -> None:
    steps = sf.sampled(Staircase(epsilon=1, sensitivity=1), of=sum, rate="1/2")
    with raises_code("E-DISTRIBUTIONS-DIFFER", match="stairs"):
        sf.verify(steps, neighbours=[((0,), (0, 1))])


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"rate": None}, "E-ARGUMENT-CONFLICT"),
        ({"size": 2}, "E-ARGUMENT-CONFLICT"),
        ({"rate": None, "size": 2}, "E-ARGUMENT-CONFLICT"),
        ({"rate": 0}, "E-ARGUMENT-RANGE"),
        ({"rate": 1.5}, "E-ARGUMENT-RANGE"),
        ({"rate": "often"}, "E-NUMBER-FORM"),
        ({"of": None}, "E-ARGUMENT-MISSING"),
        ({"of": 3}, "E-ARGUMENT-MISSING"),
        ({"default": "none"}, "E-ARGUMENT-TYPE"),
        ({"default": 0.5}, "E-ARGUMENT-TYPE"),
        ({"mechanism": len}, "E-ARGUMENT-TYPE"),
        ({"mechanism": DiscreteLaplace}, "E-ARGUMENT-TYPE"),
        ({"mechanism": poisson()}, "E-ARGUMENT-TYPE"),
        ({"mechanism": Exponential(epsilon=1, sensitivity=1)}, "E-ARGUMENT-TYPE"),
        ({"mechanism": ExponentialMedian(epsilon=1, bounds=(0, 1))}, "E-ARGUMENT-CONFLICT"),
        ({"mechanism": DiscreteGaussian(sigma=2, dimensions=2)}, "E-EVENT-KIND"),
        ({"mechanism": DiscreteLaplace(epsilon=1, relation=AddRemove(2))}, "E-RELATION-OTHER"),
    ],
)
def test_wrong_parameters_are_refused(wrong: dict[str, Any], code: str) -> None:
    given: dict[str, Any] = {"mechanism": DiscreteLaplace(epsilon=1), "of": len, "rate": 0.5}
    with raises_code(code):
        sf.sampled(**{**given, **wrong})


def test_a_sample_of_the_wrong_kind_says_what_to_write() -> None:
    """The two traps: Poisson samples and substitution, samples of a fixed size and addition."""
    substituted = DiscreteLaplace(epsilon=1, relation=SUBSTITUTE)
    with raises_code("E-RELATION-OTHER", match="a Poisson sample holds for add or remove only"):
        sf.sampled(substituted, of=len, rate=0.5)
    with raises_code("E-RELATION-OTHER", match=r"relation=sf.privacy.Substitute\(\)"):
        sf.sampled(DiscreteLaplace(epsilon=1), of=len, size=2, population=3)
    with raises_code("E-ARGUMENT-RANGE", match="at most the population"):
        sf.sampled(substituted, of=len, size=4, population=3)
    with raises_code("E-LENGTHS-DIFFER", match="must have 3 rows"):
        fixed().release([1, 2])


def test_noise_for_less_than_the_statistic_s_sensitivity_is_refused() -> None:
    total = clipped_sum(0, 110)
    for few in (Laplace(epsilon=1, sensitivity=109), Gaussian(sigma=9, sensitivity=109)):
        with raises_code("E-SENSITIVITY-WRONG", match="110"):
            sf.sampled(few, of=total, rate=0.5)
    with raises_code("E-RELATION-OTHER"):
        sf.sampled(
            Laplace(epsilon=1, sensitivity=110, relation=SUBSTITUTE), of=total, size=2, population=3
        )
    sf.sampled(Laplace(epsilon=1, sensitivity=111), of=total, rate=0.5)


def test_people_are_named_where_they_are_the_unit_and_only_there() -> None:
    noise = Laplace(epsilon=1, sensitivity=1, relation=A_PERSON)
    by_person = sf.sampled(noise, of=lambda rows, people: len(people), rate=0.5)
    for build in (
        lambda: by_person.release([1]),
        lambda: poisson().release([1], people=["a"]),
    ):
        with raises_code("E-UNIT-MISSING"):
            build()
    with raises_code("E-LENGTHS-DIFFER"):
        by_person.release([1], people=["a", "b"])


def test_a_distribution_over_too_many_samples_is_refused() -> None:
    poisson().distribution([0] * 10)
    with raises_code("E-TOO-LARGE"):
        poisson().distribution([0] * 11)
    with raises_code("E-TOO-LARGE"):
        fixed(size=5, population=10).distribution([0] * 10)


def test_a_statistic_that_no_sample_fits_is_refused() -> None:
    """It would count as the default each time, and nobody would be told."""
    mean = sf.mechanisms.sensitivity.clipped_mean(0, 1, size=1000)
    noise = sf.mechanisms.Laplace(
        epsilon=1, sensitivity=mean.sensitivity, relation=sf.privacy.Substitute()
    )
    with raises_code("E-LENGTHS-DIFFER", match="size=10"):
        sf.sampled(noise, of=mean, size=10, population=1000)
    votes = sf.mechanisms.sensitivity.histogram(keys=["a", "b"])
    counted = DiscreteLaplace(epsilon=1)
    with raises_code("E-ARGUMENT-TYPE", match=r"default=\[0, 0\]"):
        sf.sampled(counted, of=votes, rate="1/2")
    assert sf.sampled(counted, of=votes, rate="1/2", default=[0, 0]).default == (0, 0)
