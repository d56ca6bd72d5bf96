"""Bounds that are found privately: what they cost, what one person moves, what they hold."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.sampling import SeededSource
from sfumato.tables.plan.bounds import BUCKETS, OCTAVES, FoundBounds
from sfumato.tables.plan.outline import with_bounds
from sfumato.tables.release.answer import ReleasedContent
from sfumato.tables.release.release import Release
from sfumato.tables.run.noisy_histograms import bounds_in, held_in_buckets
from sfumato.tables.run.rows import EngineRows
from tests.cases import rings
from tests.refusing import raises_code

ONE = 2**16
#: The bucket of the numbers from 1 up to 2.
FROM_ONE = OCTAVES + 33


def _plan(frame: Any, *, unit: str = "id", epsilon: Any = 1, **declared: Any) -> Any:
    table = sf.table(frame, unit=unit, bounds={"x": "auto"}, **declared)
    return table.agg(x=sf.mean("x")).plan(epsilon=epsilon)


def _held(frame: Any, *, unit: str = "id") -> Any:
    plan = _plan(frame, unit=unit)
    rows = EngineRows(plan.query.table)
    return held_in_buckets(rows, plan.keys, plan.findings[0])


def _visits(*people: Any) -> pd.DataFrame:
    rows = [(who, value) for who, values in enumerate(people) for value in values]
    return pd.DataFrame(rows, columns=["id", "x"]).astype({"id": "int64", "x": "float64"})


def _filled(held: Any) -> dict[int, int]:
    """Return the buckets that hold something, counted from that of the numbers 1 to 2."""
    return {int(place) - FROM_ONE: int(held[place]) for place in np.flatnonzero(held)}


class TestWhatOnePersonMoves:
    """A person moves the histogram by at most 1 in all, whatever rows they have."""

    @pytest.mark.parametrize("size", rings([1, 2, 3], first=[1, 2]))
    def test_small_tables_with_and_without_a_person(self, size: int) -> None:
        others = ([1.5, 6.0], [-3.0])
        without = _held(_visits(*others))
        for rows in combinations_with_replacement([-3.0, 0.0, 1.5], size):
            moved = np.abs(_held(_visits(*others, rows)) - without).sum()
            assert ONE - size <= moved <= ONE

    def test_ten_thousand_rows_in_many_octaves(self) -> None:
        many = [(-1.0) ** power * 2.0 ** (power % 40) for power in range(10_000)]
        others = [[20.0]] * 50
        moved = _held(_visits(*others, many)) - _held(_visits(*others))
        assert moved.min() >= 0
        assert 0.9 * ONE <= moved.sum() <= ONE
        # The twin: rows that all count move it by far more.
        by_row = _held(_visits(*others, many), unit="row") - _held(_visits(*others), unit="row")
        assert by_row.sum() == 10_000

    def test_the_noise_hides_that_much_and_no_less(self) -> None:
        step = _plan(_visits([1.0])).findings[0]
        assert Fraction(ONE) / step.mechanism.scale == step.share.epsilon == Fraction(1, 10)

    def test_a_substituted_person_moves_it_twice_as_much(self) -> None:
        plan = _plan(_visits([1.0]), relation="substitute")
        assert plan.findings[0].mechanism.sensitivity == 2 * ONE

    def test_order_of_rows_does_not_matter(self) -> None:
        frame = _visits(*[[1.1**i, -(1.3**i), 0.0] for i in range(40)])
        mixed = frame.sample(frac=1, random_state=3)
        assert np.array_equal(_held(frame), _held(mixed))

    def test_people_without_an_id_are_one(self) -> None:
        frame = pd.DataFrame({"id": [None, None, "a"], "x": [1.0, 1.0, 1.0]})
        assert _held(frame).sum() <= 2 * ONE


class TestBuckets:
    def test_a_number_is_in_its_octave(self) -> None:
        places = {
            0: [1.0, 1.999],
            1: [2.0],
            -1: [0.75],
            62: [2.0**62],
            63: [1e300, float("inf")],
            -33: [0.0, -0.0, 1e-300],
            -66: [-1.0],
            -67: [-3.0],
            -129: [float("-inf")],
        }
        frame = pd.DataFrame({"x": [value for values in places.values() for value in values]})
        counted = {bucket: len(values) for bucket, values in places.items()}
        assert _filled(_held(frame, unit="row")) == counted

    def test_missing_values_are_in_none(self) -> None:
        frame = pd.DataFrame({"x": [None, float("nan"), 3.0]})
        assert _filled(_held(frame, unit="row")) == {1: 1}

    def test_the_greatest_and_the_least_integer(self) -> None:
        frame = pd.DataFrame({"x": np.array([2**63 - 1, -(2**63)])})
        assert _filled(_held(frame, unit="row")) == {63: 1, -129: 1}

    def test_an_empty_table(self) -> None:
        assert not _held(_visits()).any()


class TestWhatIsFound:
    def test_the_bulk_is_held_and_nothing_far_off(self) -> None:
        """2,000 people at ε = 0.1: all but 3 % of them are held, in at least 97 % of runs."""
        ages = np.random.default_rng(1).normal(50, 15, 2_000).clip(1, 105)
        frame = pd.DataFrame({"x": ages})
        step, held = _plan(frame, unit="row").findings[0], _held(frame, unit="row")
        found = [_seen(step, held, seed) for seed in range(150)]
        assert all(each.seen and each.low >= -128 and each.high <= 512 for each in found)
        beyond = [((ages < float(each.low)) | (ages > float(each.high))).mean() for each in found]
        assert sum(share > 0.03 for share in beyond) <= 4

    def test_twin_a_threshold_for_one_bucket_sees_what_is_not_there(self) -> None:
        step = _plan(_visits([1.0])).findings[0]
        empty = np.zeros(BUCKETS, dtype=np.int64)
        one = step.mechanism.error(confidence=0.95)
        seen = [_seen(step, empty, seed, sure=one).seen for seed in range(20)]
        assert sum(seen) >= 15
        assert not any(_seen(step, empty, seed).seen for seed in range(100))

    def test_the_share_left_out_is_told(self) -> None:
        held = np.zeros(BUCKETS)
        held[FROM_ONE : FROM_ONE + 5] = [10_000, 80_000, 10_000, 0, 1_000]
        found = bounds_in(held, sure=2_000, likely=20, whole=False)
        assert _ends(found) == (1, 8)
        assert found.left_out == 1_000 / 101_000
        assert found.left_out < found.at_most < 0.02

    def test_a_variance_beside_the_covariance_of_a_column_with_itself(self) -> None:
        table = sf.table(pd.DataFrame({"x": [1.0, 2.0, 4.0] * 50}), unit="row")
        asked = {
            "v": sf.variance("x", bounds="auto"),
            "c": sf.tables.covariance("x", "x", bounds="auto", other_bounds="auto"),
        }
        release = table.agg(**asked).release(epsilon=1000)
        assert release["v"] == pytest.approx(release["c"], abs=0.1)

    def test_noise_below_nothing_leaves_a_share_that_is_one(self) -> None:
        held = np.zeros(BUCKETS)
        held[FROM_ONE : FROM_ONE + 4] = [100, -90, -80, 95]
        found = bounds_in(held, sure=90, likely=20, whole=False)
        assert _ends(found) == (1, 16)
        assert 0 <= found.left_out <= found.at_most <= 1

    def test_neighbours_of_what_is_seen_are_taken_with_less(self) -> None:
        held = np.zeros(BUCKETS)
        held[FROM_ONE - 1 : FROM_ONE + 3] = [30, 100, 25, 10]
        found = bounds_in(held, sure=90, likely=20, whole=False)
        assert _ends(found) == (0.5, 4)

    def test_a_column_of_zeros(self) -> None:
        held = np.zeros(BUCKETS)
        held[OCTAVES] = 1_000
        assert _ends(bounds_in(held, sure=90, likely=20, whole=True)) == (-1, 1)
        assert _ends(bounds_in(held, sure=90, likely=20, whole=False)) == (-(2**-32), 2**-32)

    def test_negative_numbers_and_a_constant(self) -> None:
        frame = pd.DataFrame({"x": [-5.0] * 3_000})
        answer = _plan(frame, unit="row")
        found = _released(answer).bounds["x"]
        assert _ends(found) == (-8, -4)

    def test_bounds_of_integers_are_whole(self) -> None:
        frame = pd.DataFrame({"x": np.tile([0, 1, 2, 3], 2_000)})
        found = _released(_plan(frame, unit="row")).bounds["x"]
        assert _ends(found) == (0, 4)

    def test_too_few_people_get_the_fallback_and_it_is_said(self) -> None:
        answer = _released(_plan(_visits([50.0], [60.0])))
        assert answer.bounds["x"] == FoundBounds(Fraction(0), Fraction(1), 1.0, 1.0, seen=False)
        assert 0 <= answer["x"] <= 1
        assert "no bounds were found for x" in str(answer)


def _ends(found: FoundBounds) -> tuple[float, float]:
    return float(found.low), float(found.high)


def _seen(step: Any, held: Any, seed: int, sure: float | None = None) -> FoundBounds:
    noisy = step.mechanism.release(held, source=SeededSource(seed)).value
    at_least = step.mechanism.error(confidence=1 - Fraction(2, 10_000 * BUCKETS))
    likely = step.mechanism.error(confidence=0.95)
    values = np.asarray(noisy, dtype=np.float64)
    return bounds_in(values, sure=sure or at_least, likely=likely, whole=False)


def _released(plan: Any) -> Release:
    from sfumato.tables.run.execution import run_plan

    return Release(plan, run_plan(plan, source=SeededSource(5)).to_bytes())


class TestPlanAndRelease:
    def test_the_plan_says_what_it_costs(self) -> None:
        plan = _plan(_visits([1.0]), limits={"rows": 5})
        assert "find bounds for x: ε = 0.1" in str(plan)
        assert "in proportion" in str(plan)
        assert sf.compose(plan.event).epsilon(delta=0) == pytest.approx(1, abs=1e-9)

    def test_many_columns_take_three_tenths_together(self) -> None:
        frame = pd.DataFrame({name: [1.0] for name in "abcde"})
        table = sf.table(frame, unit="row", bounds=dict.fromkeys("abcde", "auto"))
        plan = table.agg(**{name: sf.mean(name) for name in "abcde"}).plan(epsilon=1)
        assert sum(step.share.epsilon or 0 for step in plan.findings) == Fraction(3, 10)
        assert sf.compose(plan.event).epsilon(delta=0) == pytest.approx(1, abs=1e-9)

    def test_the_charge_does_not_depend_on_what_is_found(self) -> None:
        frame = pd.DataFrame({"x": np.repeat([3.0, 900.0], 3_000)})
        near, far = _plan(frame[frame.x < 5], unit="row"), _plan(frame, unit="row")
        assert near.event == far.event
        assert _released(near).bounds != _released(far).bounds

    def test_concentrated_privacy(self) -> None:
        table = sf.table(_visits([1.0]), unit="id", bounds={"x": "auto"}, limits={"rows": 3})
        plan = table.agg(x=sf.sum("x")).plan(rho=0.5)
        guaranteed = plan.guarantee.epsilon(delta=1e-6)
        assert sf.compose(plan.event).epsilon(delta=1e-6) == pytest.approx(guaranteed, abs=1e-6)
        assert plan.findings[0].share.rho == Fraction(1, 20)

    def test_every_aggregate_of_numbers(self) -> None:
        rng = np.random.default_rng(2)
        frame = pd.DataFrame({"x": rng.normal(20, 5, 20_000), "y": rng.exponential(3, 20_000)})
        table = sf.table(frame, unit="row")
        query = table.agg(
            mean=sf.mean("x", bounds="auto"),
            total=sf.sum(sf.col("x") + 1, bounds="auto"),
            spread=sf.std("x", bounds="auto"),
            both=sf.tables.covariance("x", "y", bounds=(0, 50), other_bounds="auto"),
        )
        answer = query.release(epsilon=5, source=SeededSource(4)).to_pandas(confidence=0.99)
        truth = {
            "mean": frame.x.mean(),
            "total": (frame.x + 1).sum(),
            "spread": frame.x.std(),
            "both": frame.x.cov(frame.y),
        }
        for name, value in truth.items():
            slack = 0.01 * abs(value) + 0.1
            assert answer[f"{name}_low"][0] - slack <= value <= answer[f"{name}_high"][0] + slack

    def test_declared_and_found_bounds_of_one_column_side_by_side(self) -> None:
        frame = pd.DataFrame({"x": np.repeat([1, 0], 5_000)})
        table = sf.table(frame, unit="row")
        query = table.agg(a=sf.mean("x", bounds="auto"), b=sf.mean("x", bounds=(-1, 1)))
        answer = query.release(epsilon=10, source=SeededSource(4))
        assert answer["a"] == pytest.approx(0.5, abs=0.02)
        assert answer["b"] == pytest.approx(0.5, abs=0.02)

    def test_found_bounds_that_are_those_declared_beside_them(self) -> None:
        table = sf.table(pd.DataFrame({"x": [20.0, 100.0]}), unit="row")
        both = sf.tables.covariance("x", "x", bounds="auto", other_bounds=(16, 128))
        plan = table.agg(x=both).plan(epsilon=1)
        found = FoundBounds(Fraction(16), Fraction(128), 0.0, 0.0)
        known = with_bounds(plan, {"x": found})
        assert [each.share for each in known.measures] == [each.share for each in plan.measures]
        assert len({each.measurement for each in known.measures}) == len(plan.measures)

    def test_quantiles(self) -> None:
        frame = pd.DataFrame({"x": np.random.default_rng(2).normal(50, 10, 20_000)})
        query = sf.table(frame, unit="row", bounds={"x": "auto"}).agg(x=sf.median("x"))
        answer = query.release(epsilon=2, source=SeededSource(3))
        assert answer["x"] == pytest.approx(50, abs=1)
        assert list(answer.bounds) == ["x"]

    def test_reading_a_release_again_gives_the_same_answer(self) -> None:
        frame = pd.DataFrame({"x": np.random.default_rng(2).normal(20, 5, 5_000)})
        plan = _plan(frame, unit="row")
        first = _released(plan)
        again = Release(plan, ReleasedContent.from_bytes(first.content).to_bytes())
        assert again.content == first.content
        assert str(again) == str(first)
        assert "x is clamped to [" in str(again.notes[0])

    def test_booleans_need_no_search(self) -> None:
        table = sf.table(pd.DataFrame({"x": [True, False]}), unit="row")
        assert not table.agg(x=sf.mean("x", bounds="auto")).plan(epsilon=1).findings

    def test_text_has_no_bounds_to_find(self) -> None:
        table = sf.table(pd.DataFrame({"x": ["a"]}), unit="row")
        with raises_code("E-AGGREGATE-TYPE"):
            table.agg(x=sf.mean("x", bounds="auto")).plan(epsilon=1)
