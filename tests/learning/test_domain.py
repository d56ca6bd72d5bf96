"""Points in an L1 ball, the textbook's own domain, and its algorithm without noise (M-LLOYD-1)."""

from __future__ import annotations

import math
import warnings
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import sfumato as sf
from sfumato.application.learning import KMeansReport, kmeans_page
from sfumato.errors import InputError
from sfumato.learning import L1Ball, NoGuarantee, found_by
from sfumato.learning.kmeans.plan import TableChange
from sfumato.learning.kmeans.points.arrays import ArrayPoints
from sfumato.learning.kmeans.space import GridBall, GridBox, space_of, uniform_in_ball
from sfumato.privacy import events
from tests.refusing import raises_code

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    Reals = NDArray[np.float64]

pytestmark = pytest.mark.filterwarnings("ignore:random_state is for tests")

ADD, SUBSTITUTE = sf.privacy.AddRemove(), sf.privacy.Substitute()
METHODS = ["lloyd", "rounds", "grid", "tree", "auto"]
#: The chance of a false alarm in each test of a distribution.
ALARM = 1e-6
#: In the ball, on it, outside, and what is no number.
VALUES = [-math.inf, -1e308, -1.0, -0.8, -0.5, -0.2, 0.0, 0.3, 0.55, 1.0, 7.0, math.inf, math.nan]


def ball(dimensions: int, domain: L1Ball | None = None, *, reach: int = 4) -> GridBall:
    given = domain or L1Ball()
    space = space_of(*given.ends(dimensions), reach=reach, domain=given)
    assert isinstance(space, GridBall)
    return space


def tiny(dimensions: int, bits: int = 2) -> GridBall:
    """A ball of so few steps that all of its points can be listed."""
    one = np.ones(dimensions)
    return GridBall(-one, one, bits, 4, domain=L1Ball())


def in_ball(number: int, dimensions: int = 2, *, seed: int = 1) -> Reals:
    return uniform_in_ball(number, dimensions, np.random.default_rng(seed))


def blobs(number: int = 400, *, seed: int = 1) -> Reals:
    """Points around three middles in the unit ball."""
    random = np.random.default_rng(seed)
    middles = np.array([[0.6, 0.2], [-0.3, 0.4], [-0.1, -0.7]])
    near: Reals = np.repeat(middles, number, axis=0)
    return near + random.uniform(-0.04, 0.04, near.shape)


def model(**more: Any) -> sf.KMeans:
    given: dict[str, Any] = {"n_clusters": 3, "epsilon": 1, "domain": L1Ball(), **more}
    return sf.KMeans(**given)


# --- Brought in -------------------------------------------------------------------------------


@given(
    st.integers(1, 6).flatmap(
        lambda d: st.lists(
            st.lists(st.sampled_from(VALUES) | st.floats(allow_nan=True), min_size=d, max_size=d),
            min_size=1,
            max_size=5,
        )
    ),
    st.sampled_from([L1Ball(), L1Ball(radius=1e-3), L1Ball(radius=3, center=1e6), L1Ball("1/3")]),
)
def test_every_row_is_whole_steps_in_the_ball(rows: list[list[float]], domain: L1Ball) -> None:
    space = ball(len(rows[0]), domain)
    steps = space.whole(np.array(rows, dtype=np.float64))
    assert (steps == np.round(steps)).all()
    assert (np.abs(steps).sum(axis=1) <= space.radius).all()


@pytest.mark.parametrize("dimensions", [1, 2, 5, 40])
def test_points_inside_stay_where_they_are(dimensions: int) -> None:
    """To half a step and, at the surface, to what is pulled in: 1/65536 of the radius."""
    space, points = ball(dimensions), in_ball(2000, dimensions)
    back = space.real(space.whole(points))
    assert np.abs(back - points).max() <= 1 / space.unit + 1 / 65536
    inner = np.abs(points).sum(axis=1) < 1 - dimensions / space.unit
    assert np.abs(back - points)[inner].max() <= 0.5 / space.unit + 1e-12


def test_points_outside_are_clamped_and_then_scaled() -> None:
    space = ball(2, L1Ball(radius=2, center=[10, -10]))
    given = np.array([[12.0, -8.0], [13.0, -10.0], [1e9, -1e9], [math.nan, -9.0], [14.0, math.nan]])
    wanted = [[11, -9], [12, -10], [11, -11], [10, -9], [12, -10]]
    assert space.real(space.whole(given)) == pytest.approx(np.array(wanted), abs=1e-4)


def test_centres_that_are_brought_in_are_in_the_ball() -> None:
    space = ball(3)
    places = np.random.default_rng(1).normal(size=(500, 3)) * space.unit
    norms = np.abs(space.inside(places)).sum(axis=1)
    assert norms.max() <= space.radius * (1 + 1e-12)
    assert np.array_equal(space.inside(places / 50), places / 50)


# --- Sensitivity, of all neighbours -----------------------------------------------------------


def all_points(space: GridBox, side: Any) -> Reals:
    """Every row of some values, as the space holds it."""
    rows = np.array(list(product(side, repeat=space.dimensions)))
    return np.unique(space.whole(rows), axis=0)


def moved(space: GridBox, points: Reals, centres: Any) -> tuple[Any, Any]:
    """Counts and sums that each point alone adds, flat."""
    held = space.held(np.array(centres, dtype=np.float64) * space.unit)
    found = [ArrayPoints(space, each[None]).totals(held, ball=None) for each in points]
    counts = np.array([each.counts for each in found])
    sums = np.array([each.sums.ravel() for each in found])
    return counts, sums


CENTRES: Any = ([[0, 0]], [[-0.5, 0], [0.5, 0]], [[0, 0.25], [3, 0], [0, -4]])


@pytest.mark.parametrize("centres", CENTRES)
def test_one_change_moves_sums_by_the_radius_and_another_row_by_two(centres: Any) -> None:
    """M-LLOYD-1: over all pairs of rows of a ball of four steps; both bounds are attained."""
    space = tiny(2)
    points = all_points(space, [*np.linspace(-1.5, 1.5, 25), math.inf, math.nan])
    assert len(points) == 2 * space.unit**2 + 2 * space.unit + 1
    counts, sums = moved(space, points, centres)
    assert np.abs(counts).sum(axis=1).max() == TableChange(ADD).counts
    assert np.abs(sums).sum(axis=1).max() == TableChange(ADD).sums(space.radius) == space.unit
    pairs = np.abs(sums[:, None] - sums[None]).sum(axis=2)
    assert pairs.max() == TableChange(SUBSTITUTE).sums(space.radius) == 2 * space.unit
    both = np.abs(counts[:, None] - counts[None]).sum(axis=2)
    assert both.max() <= TableChange(SUBSTITUTE).counts


def test_in_the_box_around_it_sums_move_by_more() -> None:
    """The twin: without what pulls rows in, the radius of the ball is too little."""
    box = GridBox(-np.ones(2), np.ones(2), 2, 4)
    _, sums = moved(box, all_points(box, np.linspace(-1.5, 1.5, 25)), [[0, 0]])
    assert np.abs(sums).sum(axis=1).max() == 2 * box.unit == box.radius


@pytest.mark.parametrize("relation", [ADD, SUBSTITUTE])
def test_the_distribution_of_a_round_keeps_its_guarantee(relation: Any) -> None:
    """M-LLOYD-1, k = T = 1: by the exact distributions of counts and sums, for every pair."""
    space = tiny(2, bits=1)
    change = TableChange(relation)
    plan = model(n_clusters=1, method="lloyd", rounds=1, relation=relation).plan(2)
    assert plan.printed is not None
    adding = plan.printed.noise(change, space.radius)
    assert adding is not None
    _, sums = moved(space, all_points(space, np.linspace(-1.5, 1.5, 9)), [[0, 0]])

    @cache
    def least(one: float, other: float) -> float:
        found = sf.verify(adding, epsilon=adding.epsilon, neighbours=[(one, other)])
        assert found
        return float(found.epsilon.bounds.upper)

    others = np.zeros((1, 2)) if relation == ADD else sums
    found = [
        sum(least(*sorted(pair)) for pair in zip(one, other, strict=True) if pair[0] != pair[1])
        for one, other in product(sums.tolist(), others.tolist())
    ]
    assert max(found) == pytest.approx(float(adding.epsilon)) == 0.5


# --- The noise that is printed ----------------------------------------------------------------


@given(st.fractions("1/100", 20, max_denominator=100), st.integers(1, 20), st.integers(1, 9))
def test_the_noise_is_the_textbooks(epsilon: Fraction, rounds: int, dimensions: int) -> None:
    """M-LLOYD-1: ε' = ε/(2T); counts and sums have Lap(2/ε'), however many coordinates."""
    plan = model(epsilon=epsilon, method="lloyd", rounds=rounds).plan(dimensions)
    each = epsilon / (2 * rounds)
    counts, sums = plan.steps
    for step in (counts, sums):
        assert step.event == events.Laplace(scale=2 / each, sensitivity=2)
        assert (step.epsilon, step.times, step.scale) == (each, rounds, 2 / each)
    spent = sf.compose(plan.event, relation=plan.change.relation).epsilon(delta=0)
    assert spent == pytest.approx(float(epsilon), rel=1e-12)
    assert plan.guarantee == sf.PureDP(epsilon=epsilon, relation=SUBSTITUTE)


def test_noise_of_sums_goes_with_the_radius_and_with_the_relation() -> None:
    def scales(**more: Any) -> list[Fraction | None]:
        return [step.scale for step in model(method="lloyd", rounds=5, **more).plan(3).steps]

    assert scales() == [20, 20]
    assert scales(domain=L1Ball(radius=7)) == [20, 140]
    assert scales(relation=ADD) == [10, 10]
    assert scales(points_per_person=3) == [60, 60]
    assert scales(domain=None, bounds=(-1, 1)) == [None, None]


def noise_of_runs(runs: int, **domain: Any) -> tuple[Reals, Reals]:
    """The noise of counts and of sums, in units of the data, of one round each: all points at 0."""
    points = np.zeros((3000, 4))
    random = np.random.RandomState(11)
    asked = sf.KMeans(1, epsilon=1, method="lloyd", rounds=1, random_state=random, **domain)
    counts, sums = [], []
    for _ in range(runs):
        fitted = asked.fit(points)
        counts.append(fitted.counts_[0] - len(points))
        sums.append(fitted.cluster_centers_[0] * fitted.counts_[0])
    return np.array(counts), np.concatenate(sums)


@pytest.mark.full
def test_measured_noise_is_lap_two_over_epsilon() -> None:
    """M-LLOYD-1: Kolmogorov-Smirnov against Lap(2/ε'), ε' = 1/2; two tests at 1e-6 in all."""
    counts, sums = noise_of_runs(250, domain=L1Ball())
    assert stats.kstest(counts, stats.laplace(scale=4).cdf).pvalue > ALARM / 2
    assert stats.kstest(sums, stats.laplace(scale=4).cdf).pvalue > ALARM / 2
    assert np.abs(sums).mean() == pytest.approx(4, rel=0.1)


@pytest.mark.full
def test_noise_for_the_box_around_the_ball_would_be_seen() -> None:
    """The twin: bounds (-1, 1) in 4 coordinates have a ball four times as wide, and its noise."""
    counts, sums = noise_of_runs(250, bounds=(-1, 1))
    assert stats.kstest(counts, stats.laplace(scale=4).cdf).pvalue > ALARM / 2
    assert stats.kstest(sums, stats.laplace(scale=4).cdf).pvalue < ALARM / 2
    assert np.abs(sums).mean() == pytest.approx(16, rel=0.1)


def accused(monkeypatch: pytest.MonkeyPatch, share: int) -> bool:
    """Whether sums in a black box tell a row on the surface from none better than ε' allows."""
    monkeypatch.setattr(GridBall, "radius", property(lambda self: self.unit // share))
    # The event of the count is left out: of the guarantee, only the half of the sums is claimed.
    asked = model(
        n_clusters=1, epsilon=2, method="lloyd", rounds=1, relation=ADD, random_state=_RANDOM
    )
    zeros = np.zeros((300, 2))

    def sums(table: Any, number: int) -> Any:
        fits = (asked.fit(table) for _ in range(number))
        return np.array([each.cluster_centers_[0, 0] * each.counts_[0] for each in fits])

    one = np.vstack([zeros, [[1e9, 0.0]]])
    return bool(sf.audit(sums, zeros, one, epsilon=1, samples=1500, alpha=ALARM).violated)


_RANDOM = np.random.RandomState(3)


@pytest.mark.full
def test_a_black_box_audit_accuses_noise_for_half_the_radius_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An ε' of 1; noise for half the radius has 2."""
    assert not accused(monkeypatch, share=1)
    assert accused(monkeypatch, share=2)


# --- Every method -----------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("delta", [None, 1e-6])
def test_every_method_spends_its_epsilon_in_a_ball(method: str, delta: Any) -> None:
    if method == "lloyd" and delta is not None:
        return
    plan = model(method=method, delta=delta, size=1000).plan(2)
    spent = sf.compose(plan.event, relation=plan.change.relation).epsilon(delta=delta or 0)
    assert spent <= 1 + 1e-12
    assert str(plan.domain) in str(plan)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("delta", [None, 1e-6])
def test_every_method_finds_the_middles(method: str, delta: Any) -> None:
    if method == "lloyd" and delta is not None:
        return
    given = {} if delta is None else {"delta": delta, "noise": "gaussian"}
    asked = model(epsilon=100, method=method, random_state=4, **given)
    points = blobs()
    cost = -asked.fit(points).score(points) / len(points)
    assert cost < 0.3 if method in ("lloyd", "rounds") else cost < 0.003
    if method != "lloyd":
        assert (np.abs(asked.cluster_centers_).sum(axis=1) <= 1 + 1e-9).all()


def test_cells_outside_the_ball_are_known_to_be_empty() -> None:
    space = ball(2)
    middles = np.array([[0.9, 0.9], [0.5, 0.6], [0.4, 0.4], [-0.95, 0.0]]) * space.unit
    halves = np.full((4, 2), 0.1 * space.unit)
    assert space.reached(middles, halves).tolist() == [False, True, True, True]
    assert GridBox(-np.ones(2), np.ones(2), 4).reached(middles, halves).all()


def test_a_ball_elsewhere_is_the_same_ball() -> None:
    """The same seed moves the same centres, in other units."""
    points = blobs()
    here = model(random_state=1).fit(points).cluster_centers_
    there = model(domain=L1Ball(radius=8, center=[64, -16]), random_state=1)
    found = there.fit(points * 8 + [64, -16])
    assert (found.cluster_centers_ - [64, -16]) / 8 == pytest.approx(here, abs=1e-5)
    assert [each.tolist() for each in found.bounds_] == [[56, -24], [72, -8]]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e308, None])
def test_no_value_raises_an_error_or_a_warning(method: str, value: Any) -> None:
    for rows in (0, 1, 40):
        with warnings.catch_warnings(action="error"):
            fitted = model(method=method).fit(np.full((rows, 2), value, dtype=object))
        assert np.isfinite(fitted.cluster_centers_).all()
        assert np.isfinite(fitted.noise_).all()


def test_one_coordinate_is_an_interval() -> None:
    points = np.array([[-5.0], [0.25], [0.5], [math.nan]] * 200)
    inside, boxed = (
        sf.KMeans(2, epsilon=1, random_state=1, method="lloyd", **each).fit(points)
        for each in ({"domain": L1Ball()}, {"bounds": (-1, 1)})
    )
    assert np.array_equal(inside.cluster_centers_, boxed.cluster_centers_)


def test_points_that_the_caller_holds_are_brought_in_as_well() -> None:
    fitted = model(random_state=1, epsilon=100).fit(blobs())
    far, near = np.array([[40.0, 40.0]]), np.array([[0.5, 0.5]])
    assert fitted.transform(far) == pytest.approx(fitted.transform(near), abs=1e-4)
    assert fitted.predict(far).tolist() == fitted.predict(near).tolist()


# --- What is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"radius": 0}, "E-ARGUMENT-RANGE"),
        ({"radius": -1}, "E-ARGUMENT-RANGE"),
        ({"radius": math.nan}, "E-NUMBER-NOT-FINITE"),
        ({"radius": math.inf}, "E-NUMBER-NOT-FINITE"),
        ({"radius": "wide"}, "E-NUMBER-FORM"),
        ({"radius": None}, "E-ARGUMENT-TYPE"),
        ({"radius": True}, "E-ARGUMENT-TYPE"),
        ({"radius": 10**400}, "E-BOUNDS-WIDTH"),
        ({"radius": 1e-300}, "E-BOUNDS-WIDTH"),
        ({"center": 1e17}, "E-BOUNDS-WIDTH"),
        ({"center": -(10**400)}, "E-BOUNDS-WIDTH"),
        ({"center": []}, "E-ARGUMENT-EMPTY"),
        ({"center": [0, math.nan]}, "E-NUMBER-NOT-FINITE"),
        ({"center": [[0, 1]]}, "E-ARGUMENT-TYPE"),
        ({"center": "here"}, "E-NUMBER-FORM"),
    ],
)
def test_balls_that_are_none_are_refused(wrong: dict[str, Any], code: str) -> None:
    with raises_code(code) as caught:
        L1Ball(**wrong)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("wrong", "code", "words"),
    [
        ({"bounds": (0, 1)}, "E-ARGUMENT-CONFLICT", "bounds and domain both"),
        ({"domain": (0, 1)}, "E-ARGUMENT-TYPE", "domain must be an L1 ball"),
        ({"domain": L1Ball}, "E-ARGUMENT-TYPE", "domain must be an L1 ball"),
        ({"domain": L1Ball(center=[0, 0, 0])}, "E-LENGTHS-DIFFER", "the centre of the ball has 3"),
        ({"domain": None}, "E-BOUNDS-MISSING", "bounds are missing"),
    ],
)
def test_domains_that_do_not_fit_are_refused(wrong: dict[str, Any], code: str, words: str) -> None:
    with raises_code(code, match=words):
        model(**wrong).fit(blobs())
    if wrong != {"domain": None}:
        with raises_code(code):
            model(**wrong).plan(2)


def test_a_ball_tells_how_many_coordinates_there_are() -> None:
    assert model(domain=L1Ball(center=[0, 1, 2])).plan().dimensions == 3
    with raises_code("E-ARGUMENT-MISSING"):
        model().plan()


def test_a_ball_is_equal_to_a_ball_that_is_the_same() -> None:
    assert L1Ball("1/2", center=np.array([0, 1])) == L1Ball(0.5, center=(0.0, 1.0))
    assert L1Ball() != L1Ball(2)
    assert str(L1Ball(0.5, center=[0, 1])) == "the L1 ball of radius 0.5 around (0, 1)"
    assert L1Ball().as_dict() == {"kind": "l1-ball", "radius": 1.0, "center": 0.0}


# --- Private tables ---------------------------------------------------------------------------


def private(points: Reals, **more: Any) -> Any:
    return sf.table(pd.DataFrame(points, columns=["x", "y"]), unit="row", **more)


@pytest.mark.parametrize("bounds", [{}, {"bounds": {"x": (0, 0.1), "y": (0, 9)}}])
def test_a_private_table_is_fitted_in_a_ball_instead_of_its_bounds(bounds: Any) -> None:
    points = blobs() * 1.5
    asked = model(columns=["x", "y"], relation=None, method="lloyd", random_state=5)
    there = asked.fit(private(points, **bounds)).cluster_centers_
    here = model(relation=ADD, method="lloyd", random_state=5).fit(points).cluster_centers_
    assert np.array_equal(there, here)


def test_columns_of_a_table_without_bounds_are_named() -> None:
    with raises_code("E-ARGUMENT-MISSING", match="not named; write columns="):
        model().fit(private(blobs()))
    table = private(blobs(), bounds={"x": (0, 1)})
    assert model(n_clusters=1).fit(table).feature_names_in_.tolist() == ["x"]


# --- Without noise ----------------------------------------------------------------------------


def plain_lloyd(points: Reals, clusters: int, rounds: int, random: Any) -> Reals:
    """The textbook's algorithm as it stands before any noise, from the same start."""
    centres = uniform_in_ball(clusters, points.shape[1], random)
    for _ in range(rounds):
        labels = ((points[:, None] - centres[None]) ** 2).sum(axis=2).argmin(axis=1)
        drawn = uniform_in_ball(clusters, points.shape[1], random)
        centres = np.array(
            [
                points[labels == each].mean(axis=0) if (labels == each).any() else drawn[each]
                for each in range(clusters)
            ]
        )
    return centres


def start_of(seed: int) -> Any:
    """The generator that a model with this seed draws its start from."""
    from sklearn.utils import check_random_state

    from sfumato.sampling import SeededSource

    source = SeededSource(int(check_random_state(seed).randint(2**31 - 1)))
    return np.random.default_rng(source.integer(128))


def test_noise_goes_to_nothing_and_leaves_lloyds_algorithm() -> None:
    """M-LLOYD-1: ε = ∞ is Lloyd's own, from the same start, and great ε come near it."""
    points = blobs()
    wanted = plain_lloyd(points, 3, 5, start_of(8))

    def apart(epsilon: float) -> float:
        fitted = model(epsilon=epsilon, method="lloyd", random_state=8).fit(points)
        return float(np.abs(fitted.cluster_centers_ - wanted).max())

    far = [apart(10.0**power) for power in (1, 2, 3, 5)]
    assert apart(math.inf) < 1e-4
    assert far == sorted(far, reverse=True)
    assert far[0] > 1e-3 > far[2]
    assert far[3] < 1e-5


@pytest.mark.parametrize("epsilon", [math.inf, np.inf, "inf", np.float32("inf")])
def test_without_noise_everything_says_that_nothing_is_private(epsilon: Any) -> None:
    asked = model(epsilon=epsilon, method="lloyd")
    said = "NOT PRIVATE: epsilon = inf adds no noise"
    assert said in repr(asked)
    fitted = asked.fit(blobs())
    report = KMeansReport(found=found_by(fitted))
    assert fitted.event_ is None
    assert isinstance(fitted.guarantee_, NoGuarantee)
    assert str(fitted.guarantee_) == said
    assert not fitted.plan_.is_private
    assert fitted.noise_[fitted.counts_ >= 1].max() == 0
    for shown in (
        *(repr(fitted), fitted._repr_html_(), fitted._repr_mimebundle_()["text/html"]),
        *(fitted.explain(), str(report), report.to_html(), report._repr_html_()),
        *(kmeans_page(fitted), str(fitted.plot().to_dict()["title"])),
    ):
        assert said in shown.replace("&nbsp;", " ")
        assert "-DP" not in shown
    told = report.as_dict()
    assert (told["private"], told["guarantee"], told["event"]) == (False, None, None)
    assert "NOT PRIVATE" not in repr(model()) + model().fit(blobs())._repr_html_()


def test_a_centre_that_is_drawn_again_without_noise_may_be_anywhere() -> None:
    fitted = model(epsilon=math.inf, method="lloyd", rounds=1, random_state=1)
    fitted.fit(np.full((10, 2), 0.3))
    assert sorted(found_by(fitted).seen) == [False, False, True]


def test_without_noise_nothing_can_be_charged_or_drawn_at_another_epsilon() -> None:
    asked = model(epsilon=math.inf, method="lloyd")
    with raises_code("E-EVENT-KIND", match="no event for what guarantees nothing"):
        _ = asked.plan(2).event
    with raises_code("E-CHART-NONE"):
        asked.fit(blobs()).plot("cost")
    for told in ({"analyst": "ann"}, {"key": "k"}):
        with raises_code("E-LEDGER-NOT-DECLARED"):
            asked.fit(blobs(), **told)


def test_a_private_table_answers_under_a_guarantee_alone() -> None:
    asked = model(epsilon=math.inf, method="lloyd", columns=["x", "y"])
    for refused in (
        lambda: asked.fit(private(blobs())),
        lambda: asked.plan(table=private(blobs())),
    ):
        with raises_code("E-ARGUMENT-CONFLICT", match="under a guarantee alone"):
            refused()


@pytest.mark.parametrize("method", ["auto", "rounds", "grid", "tree"])
def test_other_methods_are_nothing_without_noise(method: str) -> None:
    with raises_code("E-ARGUMENT-CONFLICT", match="no other method"):
        model(epsilon=math.inf, method=method).fit(blobs())


@pytest.mark.parametrize("epsilon", [-math.inf, math.nan, "-inf", 1e7])
def test_other_numbers_that_are_no_epsilon_stay_refused(epsilon: Any) -> None:
    with pytest.raises(InputError):
        model(epsilon=epsilon, method="lloyd").fit(blobs())
