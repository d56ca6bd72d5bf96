"""KMeans as an estimator: scikit-learn's conventions, and after fit only what is private.

Refusals are in ``test_refusals.py``.
"""

from __future__ import annotations

import pickle
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

import sfumato as sf
from tests.forking import assert_ended_well, forked
from tests.refusing import raises_code

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.filterwarnings("ignore:random_state is for tests")

#: What scikit-learn asks of its clusterers that a private one cannot do, and why.
EXCEPTIONS = {
    "check_clustering": "the exact label of every training point is no private attribute",
    "check_estimators_empty_data_messages": "whether a table is empty is private",
}
RANDOM = np.random.default_rng(1)
POINTS = np.concatenate([RANDOM.normal(0.2, 0.05, (800, 2)), RANDOM.normal(0.8, 0.05, (800, 2))])
FRAME = pd.DataFrame(POINTS, columns=["age", "bmi"])


def model(**more: Any) -> sf.KMeans:
    given: dict[str, Any] = {"n_clusters": 2, "epsilon": 1, "bounds": (0, 1), **more}
    return sf.KMeans(**given)


def seeded(**more: Any) -> sf.KMeans:
    return model(random_state=3, **more)


def centres(fitted: sf.KMeans) -> list[list[float]]:
    found: list[list[float]] = fitted.cluster_centers_.tolist()
    return found


# --- scikit-learn's conventions ---------------------------------------------------------------


def test_scikit_learns_own_checks_pass() -> None:
    """Each exception is unavoidable, and fails."""
    asked = sf.KMeans(3, epsilon=1000, bounds=(-20, 20), random_state=0)
    with warnings.catch_warnings(action="ignore"):
        found = check_estimator(asked, on_fail=None, expected_failed_checks=EXCEPTIONS)
    seen: dict[str, set[str]] = {}
    for each in found:
        seen.setdefault(each["status"], set()).add(each["check_name"])
    assert seen.pop("xfail") == set(EXCEPTIONS)
    assert seen.pop("skipped", set()) <= {"check_array_api_input"}
    assert list(seen) == ["passed"]
    assert len(seen["passed"]) > 35


def test_parameters_are_kept_and_copied() -> None:
    asked = seeded(method="grid", rounds=2, size=1600)
    again = clone(asked)
    assert again.get_params() == asked.get_params()
    assert centres(again.fit(POINTS)) == centres(asked.fit(POINTS))
    assert asked.set_params(n_clusters=3).fit(POINTS).cluster_centers_.shape == (3, 2)


def test_a_fitted_model_survives_a_pickle() -> None:
    fitted = model().fit(FRAME)
    again = pickle.loads(pickle.dumps(fitted))  # noqa: S301
    assert centres(again) == centres(fitted)
    assert again.guarantee_ == fitted.guarantee_
    assert again.plan_ == fitted.plan_
    assert str(again.event_) == str(fitted.event_)
    assert np.array_equal(again.predict(FRAME), fitted.predict(FRAME))


def test_names_of_features_are_kept() -> None:
    fitted = model(bounds={"age": (0, 1), "bmi": (0, 1)}).fit(FRAME)
    assert fitted.feature_names_in_.tolist() == ["age", "bmi"]
    assert fitted.get_feature_names_out().tolist() == ["kmeans0", "kmeans1"]
    fitted.bounds = (0, 1)
    assert not hasattr(fitted.fit(POINTS), "feature_names_in_")


def test_labels_are_of_points_that_the_caller_holds() -> None:
    fitted = model(n_clusters=3).fit(POINTS)
    apart = fitted.transform(POINTS)
    assert np.array_equal(fitted.predict(POINTS), apart.argmin(axis=1))
    assert fitted.score(POINTS) == pytest.approx(-(apart.min(axis=1) ** 2).sum(), rel=1e-6)


# --- What is there after fit ------------------------------------------------------------------

PRIVATE = {
    *("cluster_centers_", "counts_", "noise_", "cost_", "guarantee_", "event_", "plan_"),
    *("receipt_", "seeded_", "bounds_", "n_features_in_"),
}


@pytest.mark.parametrize("method", ["lloyd", "rounds", "grid", "tree", "auto"])
def test_only_private_attributes_are_there(method: str) -> None:
    """No label, no exact cost, no number of rounds, no row."""
    fitted = model(method=method).fit(POINTS)
    assert {each for each in vars(fitted) if each.endswith("_")} == PRIVATE
    assert {each for each in vars(fitted) if not each.endswith("_")} == set(fitted.get_params())
    assert not any(hasattr(fitted, each) for each in ("labels_", "inertia_", "n_iter_"))


def test_a_pickle_of_a_model_holds_no_row() -> None:
    rows = np.concatenate([POINTS, [[0.123456789, 0.987654321]]])
    kept = pickle.dumps(model().fit(rows, people=np.arange(len(rows))))
    assert np.float64(0.123456789).tobytes() not in kept
    assert POINTS[7, 0].tobytes() not in kept
    assert np.float64(0.987654321).tobytes() not in kept


@pytest.mark.parametrize("method", ["lloyd", "rounds", "grid", "tree"])
def test_what_is_released_is_made_of_what_was_released(method: str) -> None:
    """One table and another with the same noisy numbers have the same model, to the last bit."""
    shuffled = np.random.default_rng(2).permutation(POINTS)
    one, other = (seeded(method=method).fit(each) for each in (POINTS, shuffled))
    for name in ("cluster_centers_", "counts_", "noise_"):
        assert np.array_equal(getattr(one, name), getattr(other, name))
    assert np.array_equal(one.cost_, other.cost_, equal_nan=True)


def test_the_cost_is_near_the_truth_and_not_the_truth() -> None:
    fitted = seeded(epsilon=5).fit(POINTS)
    exact = -fitted.score(POINTS) / len(POINTS)
    assert fitted.cost_ == pytest.approx(exact, rel=0.5)
    assert fitted.cost_ != exact


def test_a_seed_is_said() -> None:
    with pytest.warns(UserWarning, match="nothing is private"):
        fitted = model(random_state=1).fit(POINTS)
    assert fitted.seeded_
    assert fitted.explain().splitlines()[-1].startswith("NOT PRIVATE")
    assert not model().fit(POINTS).seeded_
    assert "NOT PRIVATE" not in model().fit(POINTS).explain()


def test_without_a_seed_noise_is_always_other_noise() -> None:
    one, other = model().fit(POINTS), model().fit(POINTS)
    assert centres(one) != centres(other)


def test_children_of_a_process_draw_other_noise(tmp_path: Path) -> None:
    def written(name: str) -> None:
        fitted = model(method="lloyd").fit(POINTS[:50])
        (tmp_path / name).write_text(repr(centres(fitted)))

    written("parent")
    for process in [forked(partial(written, name)) for name in ("one", "other")]:
        assert_ended_well(process)
    assert len({each.read_text() for each in tmp_path.iterdir()}) == 3


def test_threads_find_what_one_finds() -> None:
    many = np.tile(POINTS, (40, 1))
    with ThreadPoolExecutor(4) as pool:
        found = list(
            pool.map(lambda seed: centres(model(random_state=seed).fit(many)), [5, 6, 5, 6])
        )
    assert found[0] == found[2] == centres(model(random_state=5).fit(many))
    assert found[1] == found[3] != found[0]


# --- Points of every kind ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        POINTS.tolist(),
        np.asfortranarray(POINTS),
        POINTS.astype(object),
        POINTS.astype(str).tolist(),
        POINTS.astype(np.longdouble),
        np.repeat(POINTS, 2, axis=0)[::2],
        FRAME,
        FRAME.astype("Float64"),
        pl.from_pandas(FRAME),
        pa.Table.from_pandas(FRAME),
    ],
    ids=lambda data: type(data).__module__.split(".")[0],
)
def test_every_kind_of_points_has_the_same_centres(data: Any) -> None:
    fitted, wanted = seeded().fit(data), seeded().fit(POINTS)
    assert centres(fitted) == centres(wanted)
    assert fitted.predict(data).tolist() == wanted.predict(POINTS).tolist()


def test_what_is_no_number_is_in_the_middle_and_what_is_outside_at_the_bound() -> None:
    odd = np.array([[None, 10**400], [pd.NA, -np.inf], [float("nan"), 1e308]] * 5, dtype=object)
    plain = np.array([[0.5, 1.0], [0.5, 0.0], [0.5, 1.0]] * 5)
    assert centres(seeded().fit(odd)) == centres(seeded().fit(plain))


def test_bounds_far_from_zero_lose_nothing() -> None:
    """The noise is that of the range: the same seed moves the same centres."""
    far = seeded(bounds=(1e6, 1e6 + 1)).fit(POINTS + 1e6)
    assert np.allclose(far.cluster_centers_ - 1e6, seeded().fit(POINTS).cluster_centers_, atol=1e-6)


# --- People -----------------------------------------------------------------------------------


def test_a_person_is_protected_with_all_their_points() -> None:
    people = [f"p{place // 4}" for place in range(len(POINTS))]
    fitted = model(points_per_person=4).fit(POINTS, people=people)
    assert str(fitted.guarantee_) == "1-DP (add or remove one person)"
    assert fitted.plan_.change.weight == 4
    assert str(model().fit(POINTS).guarantee_) == "1-DP (add or remove one row)"


def test_ten_thousand_points_of_one_person_pull_no_centre_away() -> None:
    """With hardly any noise: they weigh what one point does, or less."""
    crowd = np.concatenate([np.full((200, 1), 0.25), np.full((10_000, 1), 1.0)])
    ids = np.concatenate([np.arange(200), np.full(10_000, 999)])
    found = model(n_clusters=1, epsilon=10**6, method="lloyd", rounds=1).fit(crowd, people=ids)
    assert found.cluster_centers_[0, 0] == pytest.approx(0.25, abs=0.75 / 200 + 1e-3)
    rows = model(n_clusters=1, epsilon=10**6, method="lloyd", rounds=1).fit(crowd)
    assert rows.cluster_centers_[0, 0] > 0.9


def test_explaining_needs_no_data() -> None:
    said = model(method="lloyd").explain(dimensions=2)
    assert (
        said.splitlines()[0] == "2 centres in 2 coordinates, by the textbook's algorithm, 5 rounds"
    )
    with raises_code("E-ARGUMENT-MISSING", match="how many coordinates"):
        model().plan()


def test_no_value_decides_whether_numpy_raises() -> None:
    points = np.array([[0.5], [5e-324], [np.inf], [np.nan]])
    signalling = np.array([0x7F800001], dtype=np.uint32).view(np.float32).reshape(1, 1)
    tables = points, points[2:].astype(np.float32), signalling
    with np.errstate(all="raise"):
        for given in tables:
            fitted = sf.KMeans(n_clusters=2, epsilon=1, bounds=(-1e9, 1e9)).fit(given)
            assert np.isfinite(fitted.cluster_centers_).all()


def test_bounds_of_columns_that_were_not_chosen_are_left_alone() -> None:
    frame = pd.DataFrame({"age": [61.0, 35.0], "bmi": [24.0, 31.0]})
    bounds = {"age": (0, 110), "bmi": (10, 60)}
    fitted = sf.KMeans(n_clusters=1, epsilon=1, bounds=bounds, columns=["age"]).fit(frame)
    assert fitted.cluster_centers_.shape == (1, 1)
