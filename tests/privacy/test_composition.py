"""What a composition guarantees: groups, relations, samples (M-COMP-1, M-GROUP-1)."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.numeric import Disc
from sfumato.privacy import PureDP, PureFilter
from sfumato.privacy import events as ev
from sfumato.privacy.theorems import gaussian_epsilon
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

SAMPLED = ev.Subsampled(ev.Gaussian(sigma=2), rate=0.1)


def test_disjoint_groups_alone_cost_the_greatest_of_them() -> None:
    groups = (
        ev.Laplace(scale=10),
        ev.Gaussian(sigma=10),
        ev.Repeated(ev.Laplace(scale=30), count=2),
    )
    together = sf.compose(ev.Parallel(*groups))
    for delta in (1e-9, 1e-6, 1e-3):
        alone = [sf.compose(group).bounds(delta=delta) for group in groups]
        found = together.bounds(delta=delta)
        assert found.upper == max(each.upper for each in alone)
        assert found.lower == max(each.lower for each in alone)


def test_groups_of_one_kind_compose_as_the_strongest() -> None:
    groups = ev.Parallel(ev.Laplace(scale=10), ev.Laplace(scale=5), ev.Laplace(scale=20))
    found = sf.compose(groups, count=10).bounds(delta=1e-6)
    assert found == sf.compose(ev.Laplace(scale=5), count=10).bounds(delta=1e-6)


@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [
        (ev.Pure(epsilon=2), ev.Pure(epsilon=3)),
        (ev.PermuteAndFlip(epsilon=2), ev.Pure(epsilon=sf.numeric.Ln(9))),
        (ev.Approximate(epsilon=2, delta="0.001"), ev.Approximate(epsilon=3, delta="0.001")),
    ],
)
def test_groups_known_by_their_epsilon_compose_as_the_strongest(
    weaker: ev.Event, stronger: ev.Event
) -> None:
    found = sf.compose(ev.Pure(epsilon=1), ev.Parallel(weaker, stronger)).bounds(delta=0.01)
    assert found == sf.compose(ev.Pure(epsilon=1), stronger).bounds(delta=0.01)
    assert found.lower > sf.compose(ev.Pure(epsilon=1), weaker).bounds(delta=0.01).upper


@pytest.mark.parametrize("single", [ev.Pure(epsilon=1), ev.Laplace(scale=1), ev.Gaussian(sigma=1)])
def test_a_few_steps_of_different_groups_are_little_work(
    single: ev.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted are the numbers of which e to the power is taken, millions of them in an integral."""
    groups = ev.Parallel(ev.Laplace(scale=1), ev.Pure(epsilon=2))
    taken: list[int] = []

    def counted(power: Callable[[Disc], Disc]) -> Callable[[Disc], Disc]:
        def of(disc: Disc) -> Disc:
            taken.append(disc.mid.size)
            return power(disc)

        return of

    for name in ("exp", "expm1"):
        monkeypatch.setattr(Disc, name, counted(getattr(Disc, name)))
    sf.compose(single, groups).bounds(delta=0.01)
    assert 0 < sum(taken) < 150_000


def test_different_groups_compose_to_no_less_than_any_choice_of_them() -> None:
    """Which group a unit is in may change from step to step."""
    noises = (ev.Laplace(scale=10), ev.Gaussian(sigma=10))
    found = sf.compose(ev.Parallel(*noises), count=6).bounds(delta=1e-6)
    for first in range(7):
        chosen = [noises[0]] * first + [noises[1]] * (6 - first)
        assert found.upper >= sf.compose(*chosen).bounds(delta=1e-6).lower
    # The twin that takes the worst single group is caught.
    assert found.upper > max(sf.compose(each, count=6).epsilon(delta=1e-6) for each in noises)


@pytest.mark.parametrize(
    "event",
    [
        SAMPLED,
        ev.Parallel(ev.Pure(epsilon=1), ev.Pure(epsilon=1)),
        ev.Repeated(ev.Composed(ev.Laplace(scale=1), SAMPLED), count=3),
    ],
)
def test_events_about_one_unit_refuse_a_relation_of_several(event: ev.Event) -> None:
    """Two units may both be in a sample, or in different groups."""
    with raises_code("E-RELATION-OTHER", match=r"one changed unit.*\.group\(2\)"):
        sf.compose(event, relation=sf.privacy.AddRemove(count=2))


@given(size=st.integers(2, 5), sigma=st.integers(1, 20), count=st.integers(1, 30))
def test_a_group_moves_noise_by_its_sensitivities(size: int, sigma: int, count: int) -> None:
    group = sf.compose(ev.Gaussian(sigma=sigma), count=count).group(size)
    mu = size * math.sqrt(count) / sigma
    exact = gaussian_epsilon(mu=Fraction(mu), delta=1e-6)
    assert group.epsilon(delta=1e-6) == pytest.approx(exact.upper, rel=1e-9)
    assert group.relation == sf.privacy.AddRemove(count=size)


def test_what_has_no_group_of_its_own_goes_by_its_profile() -> None:
    alone = sf.compose(SAMPLED)
    assert alone.group(2).epsilon(delta=0.5) >= alone.epsilon(delta=0.5)


def test_a_group_to_which_nothing_is_guaranteed_is_refused() -> None:
    with raises_code("E-GROUP-TOO-LARGE"):
        sf.compose(ev.Approximate(epsilon=3, delta=0.1)).group(5)


def test_rho_and_mu_add_up() -> None:
    noise = sf.compose(ev.Gaussian(sigma=2), count=4)
    assert (noise.rho(), noise.mu()) == (0.5, 1.0)
    assert sf.compose(ev.Laplace(scale=10), count=3).rho() == pytest.approx(0.015)
    assert sf.compose(ev.Laplace(scale=10)).mu() == math.inf
    assert sf.compose(SAMPLED).rho() == math.inf


@pytest.mark.parametrize(("count", "fixed"), [(10, 0.628636838773), (50, 1.53374035292)])
def test_choices_cost_no_less_than_those_fixed_in_advance(count: int, fixed: float) -> None:
    """R9 is the optimum among choices fixed in advance; adaptive ones cost that or more."""
    found = sf.compose(ev.Exponential(epsilon=0.1), count=count).bounds(delta=1e-6)
    assert found.lower == pytest.approx(fixed, rel=1e-11)
    assert fixed < found.upper < count * 0.1


def test_a_guarantee_of_nothing_composes() -> None:
    assert sf.compose(sf.privacy.GaussianDP(mu=0), sf.PureDP(epsilon=1)).epsilon(delta=0) == 1


def test_a_label_is_kept_at_its_own_delta() -> None:
    found = sf.compose(sf.ApproxDP(epsilon=1, delta=1e-6)).bounds(delta=1e-6)
    assert found.upper == pytest.approx(1, rel=1e-14)
    assert sf.compose(sf.ApproxDP(epsilon=1, delta=1e-6)).epsilon(delta=1e-7) == math.inf


def test_pure_sums_are_exact() -> None:
    ten = sf.compose(ev.Laplace(scale=10), count=10)
    assert ten.epsilon(delta=0) == 1
    assert ten.delta(epsilon=1) == 0
    assert ten.delta(epsilon=Fraction(999, 1000)) > 0


def test_the_boundary_of_randomized_response_is_exact() -> None:
    """M-RR-1: ln 2 at 2/3."""
    answer = sf.compose(ev.RandomizedResponse.of_truth("2/3"))
    assert answer.delta(epsilon=sf.numeric.Ln(2)) == 0
    assert answer.delta(epsilon=0.6931471805599452) > 0
    assert sf.compose(ev.RandomizedResponse(epsilon=1), count=2).bounds(delta=1e-9).lower > 1.99


@pytest.mark.full
@pytest.mark.parametrize(("rate", "count", "delta"), [(0.01, 5, 1e-5), (0.001, 2, 1e-6)])
def test_a_few_steps_on_small_samples_are_bounded_by_their_table(
    rate: float, count: int, delta: float
) -> None:
    """The composed cost lies between that of one step and the sum of steps with their deltas."""
    step = ev.Subsampled(ev.Gaussian(sigma=1), rate=rate)
    found = sf.compose(step, count=count).bounds(delta=delta)
    one = sf.compose(step)
    assert one.bounds(delta=delta).lower <= found.upper
    assert found.lower <= count * one.epsilon(delta=delta / count)
    assert found.upper <= count * one.epsilon(delta=delta / count)


def test_small_noise_on_a_sample_counts_as_seen() -> None:
    seen = sf.compose(ev.Subsampled(ev.Gaussian(sigma=1e-4), rate=0.5), count=2)
    assert seen.delta(epsilon=0) >= 0.75
    assert seen.epsilon(delta=0.7) == math.inf


def test_mixed_relations_are_refused() -> None:
    row, person = sf.PureDP(epsilon=1), sf.PureDP(epsilon=1, relation=sf.privacy.Substitute())
    with raises_code("E-RELATION-OTHER", match="cannot be added up"):
        sf.compose(row, person)


def test_discrete_noise_on_a_sample_is_refused_where_it_cannot_be_listed() -> None:
    fine = ev.Subsampled(ev.DiscreteGaussian(sigma=10**6, sensitivity=1000), rate=0.1)
    with raises_code("E-NOISE-TOO-WIDE"):
        sf.compose(fine, count=2).epsilon(delta=1e-6)


def test_counts_beyond_the_machine_integers_are_counted() -> None:
    many = sf.compose(ev.DiscreteGaussian(sigma=10**12), count=2**64).bounds(delta=1e-6)
    exact = gaussian_epsilon(mu=Fraction(2**32, 10**12), delta=1e-6)
    assert many.lower <= exact.upper
    assert exact.lower <= many.upper


def test_mechanisms_releases_and_compositions_bring_their_relation_along() -> None:
    """The relation is not lost on the way from a mechanism to the accountant (row M-DEF-1)."""
    survey = sf.mechanisms.RandomizedResponse(truth="2/3")
    assert sf.compose(survey, count=2).relation == sf.privacy.Substitute()
    released = sf.mechanisms.Laplace(
        epsilon=1, sensitivity=1, relation=sf.privacy.Substitute()
    ).release(3)
    both = sf.compose(released, survey)
    assert both.relation == sf.privacy.Substitute()
    assert sf.compose(both, survey).event == sf.privacy.events.Composed(both.event, survey.event)
    with raises_code("E-RELATION-OTHER", match="cannot be added up"):
        sf.compose(survey, sf.mechanisms.Laplace(epsilon=1, sensitivity=1))
    with raises_code("E-RELATION-OTHER", match="the budget is for"):
        PureFilter(PureDP(epsilon=1)).admit(survey)
