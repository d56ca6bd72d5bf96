"""What a plan spends is what it guarantees, and no row has a say in it (M-LLOYD-1, M-LLOYD-2)."""

from __future__ import annotations

import warnings
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.learning.kmeans.budget import chosen_plan
from sfumato.learning.kmeans.lloyd import noise_of_sums
from sfumato.learning.kmeans.plan import KMeansRequest, Rounds, TableChange
from sfumato.mechanisms.base import Mechanism
from sfumato.privacy import events
from tests.refusing import raises_code

if TYPE_CHECKING:
    from sfumato.learning import Plan

METHODS = ["lloyd", "rounds", "grid", "tree"]
SOME = ["lloyd", "rounds", "grid", "tree", "auto"]
RELATIONS = [sf.privacy.AddRemove(), sf.privacy.Substitute()]

EPSILONS = st.fractions("1/1000", 50, max_denominator=1000)
CHANGES = st.builds(
    TableChange,
    st.sampled_from(RELATIONS),
    weight=st.integers(1, 20),
    fine=st.sampled_from([1, 1024]),
)


@st.composite
def asked(draw: st.DrawFn) -> KMeansRequest:
    return KMeansRequest(
        clusters=draw(st.integers(1, 300)),
        dimensions=draw(st.integers(1, 60)),
        epsilon=draw(EPSILONS),
        size=draw(st.none() | st.integers(1, 10**9)),
        method=draw(st.sampled_from(SOME)),
        rounds=draw(st.none() | st.integers(1, 30)),
    )


def spent(plan: Plan, delta: Fraction | int = 0) -> Fraction:
    return Fraction(sf.compose(plan.event, relation=plan.change.relation).epsilon(delta=delta))


# --- What it costs ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("relation", "people"), [(sf.privacy.AddRemove(), 1), (sf.privacy.Substitute(), 2)]
)
def test_a_person_moves_counts_by_all_their_rows(
    relation: sf.privacy.Relation, people: int
) -> None:
    change = TableChange(relation, weight=4, fine=1024)
    assert (change.counts, change.sums(7)) == (people * 4 * 1024, people * 4 * 1024 * 7)


@given(asked(), CHANGES)
def test_all_of_the_guarantee_is_spent_and_no_more(
    wanted: KMeansRequest, change: TableChange
) -> None:
    plan = chosen_plan(wanted, change)
    assert plan.guarantee == sf.PureDP(epsilon=wanted.budget, relation=change.relation)
    assert sum(each.times * exactly(each.event) for each in plan.steps) == wanted.epsilon
    assert sum(each.times * (each.epsilon or 0) for each in plan.steps) == wanted.epsilon
    assert float(spent(plan)) == pytest.approx(float(wanted.epsilon), rel=1e-9)


def exactly(event: Any) -> Fraction:
    """The ε of one step, from its own numbers."""
    if hasattr(event, "epsilon"):
        return Fraction(event.epsilon)
    return Fraction(event.sensitivity) / Fraction(event.scale)


@given(st.integers(1, 50), EPSILONS, st.sampled_from(RELATIONS))
def test_every_round_of_the_textbook_costs_its_share(
    number: int, epsilon: Fraction, relation: Any
) -> None:
    """M-LLOYD-1: ε' = ε/(2T) for counts and for sums, so that a round costs ε/T."""
    wanted = KMeansRequest(3, 2, epsilon, method="lloyd", rounds=number)
    plan = chosen_plan(wanted, TableChange(relation))
    assert plan.printed is not None
    assert plan.printed.each == epsilon / (2 * number)
    one_round = events.Composed(*(each.event for each in plan.steps))
    share = sf.compose(one_round, relation=relation).epsilon(delta=0)
    assert share == pytest.approx(float(epsilon / number), rel=1e-12)
    assert [each.times for each in plan.steps] == [number, number]


def test_the_textbooks_noise_is_the_textbooks() -> None:
    """M-LLOYD-1: Lap(2/ε') for counts, and for sums in units of the ball."""
    wanted = KMeansRequest(3, 4, Fraction(1), method="lloyd", rounds=5)
    change = TableChange(sf.privacy.Substitute())
    plan = chosen_plan(wanted, change)
    assert plan.printed is not None
    counts, sums = plan.printed.noise(change), plan.printed.noise(change, radius=1000)
    assert counts is not None
    assert sums is not None
    assert counts.scale == 2 / Fraction(1, 10)
    assert sums.scale == 2 / Fraction(1, 10) * 1000


@pytest.mark.parametrize(
    "change", [TableChange(sf.privacy.AddRemove()), TableChange(sf.privacy.Substitute(), 3, 1024)]
)
@pytest.mark.parametrize(
    ("method", "epsilon", "delta", "dimensions"),
    [
        ("rounds", Fraction(1, 100), Fraction(1, 10**12), 1),
        ("tree", Fraction(1), Fraction(1, 10**6), 64),
        ("auto", Fraction(1, 2), Fraction(1, 10**9), 2),
    ],
)
def test_gaussian_sums_keep_epsilon_and_delta(
    method: str, epsilon: Fraction, delta: Fraction, dimensions: int, change: TableChange
) -> None:
    wanted = KMeansRequest(5, dimensions, epsilon, delta=delta, method=method, noise="gaussian")
    plan = chosen_plan(wanted, change)
    assert plan.rounds is not None
    assert plan.rounds.rho is not None
    assert spent(plan, delta) <= epsilon
    assert spent(plan, delta) > epsilon * Fraction(99, 100)
    assert plan.guarantee == sf.ApproxDP(epsilon=epsilon, delta=delta, relation=change.relation)


@given(
    st.fractions("1/1000000", 100, max_denominator=10**9),
    st.integers(1, 2**30),
    CHANGES,
)
def test_gaussian_noise_is_wide_enough_for_its_rho(
    rho: Fraction, radius: int, change: TableChange
) -> None:
    """The standard deviation is rounded up: Δ²/(2σ²) ≤ ρ, exactly."""
    most = change.sums(radius)
    noise: Any = noise_of_sums(Rounds(1, Fraction(1), rho=rho), change, radius, numbers=6)
    assert Fraction(most) ** 2 / (2 * Fraction(noise.sigma) ** 2) <= rho
    assert noise.sensitivity == most


def test_a_guarantee_too_small_for_gaussian_noise_is_refused() -> None:
    """Even the least ρ would cost 70 times the ε that is guaranteed here."""
    small: dict[str, Any] = {"epsilon": 1e-9, "delta": 1e-15, "bounds": (0, 1)}
    with raises_code("E-EPSILON-TOO-SMALL"):
        sf.KMeans(2, noise="gaussian", **small).plan(2)
    assert float(spent(sf.KMeans(2, **small).plan(2))) == pytest.approx(1e-9)


def test_delta_makes_less_noise_of_many_coordinates() -> None:
    wanted: dict[str, Any] = {"bounds": (0, 1), "epsilon": 1}
    millionth: dict[str, Any] = {"delta": Fraction(1, 10**6)}
    pure, approximate = (sf.KMeans(8, **wanted, **more).plan(64) for more in ({}, millionth))
    assert pure.rounds is not None
    assert approximate.rounds is not None
    assert (pure.rounds.norm, approximate.rounds.norm) == ("l1", "l2")


@pytest.mark.parametrize("method", ["rounds", "grid", "tree"])
def test_noise_too_wide_to_be_drawn_is_refused_beforehand(method: str) -> None:
    """Before anything is charged, and whatever the points are."""
    asked = sf.KMeans(2, epsilon=1e-6, bounds=(0, 1), method=method, points_per_person=10**4)
    with raises_code("E-EPSILON-TOO-SMALL", "epsilon"):
        asked.fit(np.zeros((5, 2)), people=range(5))


# --- Nothing in it is of the data -------------------------------------------------------------

TABLES = {
    "empty": np.empty((0, 2)),
    "one row": np.full((1, 2), 0.3),
    "constant": np.full((50, 2), 0.5),
    "missing": np.full((50, 2), np.nan),
    "infinite": np.full((50, 2), np.inf),
    "far out": np.full((50, 2), -1e308),
    "spread": np.random.default_rng(1).random((500, 2)),
}


def fitted(method: str, table: Any, **more: Any) -> sf.KMeans:
    given: dict[str, Any] = {"bounds": (0, 1), "random_state": 3, "epsilon": 2, **more}
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        return sf.KMeans(3, method=method, **given).fit(table)


@pytest.mark.parametrize("method", SOME)
def test_every_table_has_the_same_plan(method: str) -> None:
    more: dict[str, Any] = {"delta": 1e-6} if method == "auto" else {}
    plans = [fitted(method, each, **more).plan_ for each in TABLES.values()]
    assert all(each == plans[0] for each in plans)
    assert plans[0] == sf.KMeans(3, method=method, epsilon=2, bounds=(0, 1), **more).plan(2)


def test_only_a_public_size_has_a_say() -> None:
    """Where one row is replaced by another the number of rows is public; elsewhere it is not."""
    for relation, different in ((sf.privacy.AddRemove(), False), (sf.privacy.Substitute(), True)):
        plans = [fitted("auto", TABLES[each], relation=relation).plan_ for each in TABLES]
        assert (len({str(each) for each in plans}) > 1) == different


@pytest.mark.parametrize("method", METHODS)
def test_every_table_takes_the_same_steps(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each release has the ε, and where cells are public the shape, whatever the values are."""
    taken: list[tuple[Any, ...]] = []
    release = Mechanism.release

    def recorded(self: Any, value: Any, *, source: Any = None) -> Any:
        spends = Fraction(self.sensitivity) / Fraction(self.scale)
        shape = np.shape(value) if len(taken) or method != "tree" else ()
        taken.append((type(self).__name__, spends, shape))
        return release(self, value, source=source)

    monkeypatch.setattr(Mechanism, "release", recorded)
    seen = []
    for table in TABLES.values():
        taken.clear()
        fitted(method, table)
        seen.append(list(taken))
    assert all(each == seen[0] for each in seen)
    plan = sf.KMeans(3, method=method, epsilon=2, bounds=(0, 1)).plan(2)
    split = Fraction(0) if plan.synopsis is None else plan.synopsis.tree or Fraction(0)
    assert sum(spends for _, spends, _ in seen[0]) + split == 2


@pytest.mark.parametrize("method", ["lloyd", "rounds"])
def test_the_start_is_not_of_the_data(method: str) -> None:
    """Where no centre is seen at all, the same seed leaves the same centres."""
    many = {"epsilon": "0.000001", "rounds": 1} if method == "rounds" else {"epsilon": 10**6}
    empty = [np.empty((0, 2)), np.empty((0, 2))]
    starts = [fitted(method, each, **many).cluster_centers_.tolist() for each in empty]
    assert starts[0] == starts[1]


def test_a_plan_says_what_each_step_spends() -> None:
    plan = sf.KMeans(5, epsilon=1, bounds=(0, 1)).plan(2)
    said = str(plan)
    assert said.splitlines()[0] == (
        "5 centres in 2 coordinates, by a tree of cells, split where points are many, then 1 round"
    )
    assert all(str(each) in said.splitlines()[2 + at] for at, each in enumerate(plan.steps))
    assert "in all 1-DP (add or remove one row)" in said
