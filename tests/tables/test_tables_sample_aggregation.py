"""Any function of rows by blocks of people (row M-SA-1): what one changes, and the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.errors import InputError, UnknownNameError
from sfumato.sampling import SeededSource
from sfumato.tables.release.answer import ReleasedContent
from sfumato.tables.release.release import Release
from sfumato.tables.run.rows import EngineRows
from sfumato.tables.sample_aggregation import Gathered, gather
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def _sized(block: Any) -> int:
    return len(block)


def _asked(function: Any = _sized, **given: Any) -> Any:
    chosen: dict[str, Any] = {"columns": ["x"], "bounds": (0, 100), "blocks": 4} | given
    return sf.tables.sample_aggregate(function, **chosen)


def _gathered(frame: Any, asked: Any = None, *, unit: str = "id", kind: str = "pandas") -> Gathered:
    table = sf.table(frame, unit=unit)
    return gather(EngineRows(table), asked or _asked(), kind)


def _rows(people: Mapping[str, Sequence[float | None]]) -> pd.DataFrame:
    pairs = [(who, value) for who, values in people.items() for value in values]
    return pd.DataFrame(pairs, columns=["id", "x"]).astype({"id": "str", "x": "float64"})


PEOPLE: dict[str, list[float | None]] = {
    "a": [3.0, -0.0, None],
    "b": [1.0],
    "d": [0.0, 2.0, 2.0, -0.0],
}


class TestWhatOnePersonChanges:
    """Everybody but the person who is added has the same rows in the same order."""

    @pytest.mark.parametrize("new", ["0", "c", "z", "B", "a ", "é"])
    def test_a_person_with_many_rows_changes_one_block(self, new: str) -> None:
        many: list[float | None] = [float(i % 7) for i in range(5_000)]
        without = _gathered(_rows(PEOPLE))
        with_them = _gathered(_rows({new: many, **PEOPLE}).sample(frac=1, random_state=1))
        assert with_them.people == without.people + 1
        place = sorted([*PEOPLE, new], key=str.encode).index(new)
        others = [each for each in range(4) if each != place]
        for before, after in zip(range(3), others, strict=True):
            assert _same(without.block(_at(before)), with_them.block(_at(after)))
        assert _same(without.block(_at(0, 1, 2)), with_them.block(_at(*others)))
        assert len(with_them.block(_at(place))) == 5_000

    def test_twin_blocks_of_rows_are_changed_everywhere(self) -> None:
        """Where each row is a unit, 5,000 rows of one person reach every block."""
        frame = _rows({**PEOPLE, "c": [float(i) for i in range(5_000)]})
        crowded = {}
        for unit in ("id", "row"):
            noted = _Noting(len)
            sf.table(frame, unit=unit).agg(x=_asked(noted)).release(epsilon=1)
            crowded[unit] = sum(size > 100 for size in noted.seen)
        assert crowded == {"id": 1, "row": 4}

    def test_order_of_rows_does_not_matter(self) -> None:
        frame = _rows({"a": [2.0, None, -1.0, 0.0], "b": [5.0, 4.0]})
        mixed = frame.sample(frac=1, random_state=5)
        assert _same(_gathered(frame).block(_at(0, 1)), _gathered(mixed).block(_at(0, 1)))

    def test_zeros_of_both_signs_are_alike(self) -> None:
        block = _gathered(_rows({"a": [-0.0, 0.0, -0.0]})).block(_at(0))
        assert not np.signbit(block["x"]).any()

    def test_people_without_an_id_are_one(self) -> None:
        frame = pd.DataFrame({"id": [None, "a", None], "x": [1.0, 2.0, 3.0]})
        assert _gathered(frame).people == 2

    def test_the_event_is_that_of_one_block(self) -> None:
        step = sf.table(_rows(PEOPLE), unit="id").agg(x=_asked()).plan(epsilon=1).samples[0]
        assert (
            step.event
            == sf.mechanisms.SampleAndAggregate(_sized, epsilon=1, bounds=(0, 100), blocks=4).event
        )


class _Noting:
    """A function of a block that notes something of it."""

    def __init__(self, what: Callable[[Any], Any]) -> None:
        self.seen: list[Any] = []
        self._what = what

    def __call__(self, block: Any) -> float:
        self.seen.append(self._what(block))
        return 1.0


def _at(*people: int) -> Any:
    return np.array(people)


def _same(left: Any, right: Any) -> bool:
    return bool(left.equals(right)) and (left.dtypes == right.dtypes).all()


class TestBlocks:
    FRAME = pd.DataFrame(
        {
            "id": [1, 2, 3],
            "whole": pd.array([1, None, 3], dtype="Int64"),
            "number": [0.5, None, 1.5],
            "word": ["a", None, "c"],
            "flag": pd.array([True, None, False], dtype="boolean"),
            "when": pd.Series(["2024-01-01", None, "2024-01-03"], dtype="datetime64[us]"),
        }
    )
    COLUMNS = ("whole", "number", "word", "flag", "when")

    @pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
    def test_types_do_not_depend_on_the_rows_of_a_block(self, kind: str) -> None:
        gathered = _gathered(self.FRAME, _asked(columns=self.COLUMNS), kind=kind)
        blocks = [gathered.block(_at(*each)) for each in [(0,), (1,), (0, 2), (0, 1, 2)]]
        assert len({str(_types(each)) for each in blocks}) == 1

    def test_kinds_of_frames(self) -> None:
        asked = _asked(columns=self.COLUMNS)
        found = [
            _gathered(self.FRAME, asked, kind=each).block(_at(0))
            for each in ("pandas", "polars", "arrow")
        ]
        assert [type(each) for each in found] == [pd.DataFrame, pl.DataFrame, pa.Table]
        assert str(found[0].dtypes["whole"]) == "Int64"
        assert list(found[1].columns) == list(self.COLUMNS)

    def test_the_frame_that_came_in_is_handed_on(self) -> None:
        noted = _Noting(type)
        for frame in (self.FRAME, pl.from_pandas(self.FRAME), pa.Table.from_pandas(self.FRAME)):
            sf.table(frame, unit="id").agg(x=_asked(noted, columns=["whole"])).release(epsilon=1)
        assert set(noted.seen) == {pd.DataFrame, pl.DataFrame, pa.Table}

    def test_filters_and_derived_columns_apply(self) -> None:
        table = sf.table(_rows({"a": [1.0, 5.0], "b": [7.0]}), unit="id")
        table = table.filter(sf.col("x") > 2).with_columns(twice=2 * sf.col("x"))
        gathered = gather(EngineRows(table), _asked(columns=["twice"]), "pandas")
        assert gathered.block(_at(0, 1))["twice"].tolist() == [10.0, 14.0]

    def test_an_empty_table_has_the_default_everywhere(self) -> None:
        table = sf.table(_rows({}), unit="id")
        query = table.agg(x=_asked(lambda _: 1 / 0, default=7))
        answers = [query.release(epsilon=1000, source=SeededSource(i))["x"] for i in range(3)]
        assert answers == pytest.approx([7] * 3, abs=1)

    def test_a_function_that_fails_shows_nothing(self) -> None:
        def breaks(block: Any) -> float:
            message = f"canary {block['x'].iloc[0]}"
            raise ValueError(message)

        table = sf.table(_rows({"a": [1.0], "b": [2.0]}), unit="id")
        answer = table.agg(x=_asked(breaks)).release(epsilon=1000)
        assert answer["x"] == pytest.approx(50, abs=2)
        assert "canary" not in str(answer)


def _types(block: Any) -> Any:
    return block.schema if hasattr(block, "schema") else block.dtypes


def _visits() -> pd.DataFrame:
    rng = np.random.default_rng(7)
    age = rng.normal(50, 12, 12_000)
    cost = 20 + 3 * age + rng.normal(0, 15, 12_000)
    return pd.DataFrame({"id": rng.integers(0, 6_000, 12_000), "age": age, "cost": cost})


class TestAnswers:
    """Row M-SA-1: the answers are near those of the function on all rows."""

    def test_a_regression_coefficient(self) -> None:
        def slope(block: Any) -> float:
            return float(np.polyfit(block["age"], block["cost"], 1)[0])

        query = sf.table(_visits(), unit="id").agg(
            slope=sf.tables.sample_aggregate(
                slope, columns=["age", "cost"], bounds=(0, 10), blocks=60
            )
        )
        answer = query.release(epsilon=5, source=SeededSource(3)).to_pandas(confidence=0.99)
        plain = slope(_visits())
        assert plain == pytest.approx(3, abs=0.05)
        assert answer["slope_low"][0] - 0.05 <= plain <= answer["slope_high"][0] + 0.05
        assert answer["slope_high"][0] - answer["slope_low"][0] < 0.4

    def test_a_median_of_means(self) -> None:
        asked = sf.tables.sample_aggregate(
            lambda block: block["cost"].mean(),
            columns=["cost"],
            bounds=(0, 1000),
            blocks=60,
            aggregate="median",
        )
        query = sf.table(_visits(), unit="id").agg(cost=asked)
        answers = [query.release(epsilon=2, source=SeededSource(i))["cost"] for i in range(10)]
        assert np.median(answers) == pytest.approx(_visits()["cost"].mean(), rel=0.03)

    def test_noise_is_as_planned(self) -> None:
        """The interval at 90 % covers the mean of the answers in 90 % of runs, and not in all."""
        table = sf.table(_rows({str(i): [1.0] for i in range(40)}), unit="id")
        query = table.agg(x=_asked(lambda _: 30.0, default=30, blocks=20))
        missed = 0
        for seed in range(60):
            answer = query.release(epsilon=1, source=SeededSource(seed)).to_pandas(confidence=0.9)
            missed += not answer["x_low"][0] <= 30 <= answer["x_high"][0]
        assert 1 <= missed <= 15

    def test_beside_other_aggregates_the_budget_is_divided(self) -> None:
        table = sf.table(_visits(), unit="id", limits={"rows": 10})
        query = table.agg(size=_asked(columns=["age"]), n=sf.count())
        plan = query.plan(epsilon=1, weights={"size": 8})
        assert sf.compose(plan.event).epsilon(delta=0) == pytest.approx(1, abs=1e-9)
        assert float(plan.samples[0].share.amount) == pytest.approx(2 / 3, abs=1e-3)
        answer = query.release(epsilon=50, source=SeededSource(1))
        assert answer.columns == ("size", "n")
        assert answer["n"] == pytest.approx(12_000, abs=30)

    @pytest.mark.parametrize("aggregate", ["mean", "median"])
    def test_concentrated_privacy(self, aggregate: str) -> None:
        plan = sf.table(_rows({"a": [1.0]}), unit="id").agg(x=_asked(aggregate=aggregate))
        planned = plan.plan(rho=0.5)
        spent = sf.compose(planned.event).epsilon(delta=1e-6)
        assert spent <= planned.guarantee.epsilon(delta=1e-6) + 1e-6

    def test_reading_a_release_again_gives_the_same_answer(self) -> None:
        query = sf.table(_rows({"a": [1.0], "b": [2.0]}), unit="id").agg(x=_asked())
        first = query.release(epsilon=1)
        again = Release(first.plan, ReleasedContent.from_bytes(first.content).to_bytes())
        assert str(again) == str(first)
        assert again.notes[0].code == "N-BLOCKS-MEAN"
        assert not first.seeded
        assert query.release(epsilon=1, source=SeededSource(1)).seeded

    def test_answers_are_between_the_bounds(self) -> None:
        query = sf.table(_rows({"a": [1.0]}), unit="id").agg(x=_asked(bounds=(0, 1)))
        for seed in range(10):
            bars = query.release(epsilon=0.01, source=SeededSource(seed)).to_pandas(confidence=0.9)
            assert 0 <= bars["x_low"][0] <= bars["x"][0] <= bars["x_high"][0] <= 1


class TestRefusals:
    FRAME = pd.DataFrame({"id": [1, 2], "sex": ["F", "M"], "x": [1.0, 2.0]})

    def test_not_for_each_group(self) -> None:
        table = sf.table(self.FRAME, unit="id", keys={"sex": ["F", "M"]})
        with raises_code("E-AGGREGATE-NOT-HERE"):
            table.group_by("sex").agg(x=_asked()).plan(epsilon=1)

    def test_a_column_that_is_not_there(self) -> None:
        with raises_code("E-NAME-UNKNOWN", match="'x'", kind=UnknownNameError):
            sf.table(self.FRAME, unit="id").agg(x=_asked(columns=["xx"])).plan(epsilon=1)

    @pytest.mark.parametrize(
        ("given", "why"),
        [
            ({"columns": []}, "at least one column"),
            ({"columns": ["x", "x"]}, "each once"),
            ({"columns": [1]}, "a list of names"),
            ({"columns": None}, "a list of names"),
            ({"bounds": (1, 0)}, "bounds"),
            ({"bounds": [(0, 1), (0, 2)]}, "one pair of bounds"),
            ({"bounds": (0, float("nan"))}, "bounds"),
            ({"bounds": None}, "bounds"),
            ({"blocks": 0}, "blocks"),
            ({"blocks": True}, "blocks"),
            ({"blocks": None}, "blocks"),
            ({"aggregate": "mode"}, "'mean' or 'median'"),
            ({"default": 1000}, "within the bounds"),
            ({"default": "many"}, "default"),
            ({"function": 3}, "function"),
            ({"frame": "numpy"}, "'pandas', 'polars' or 'arrow'"),
            ({"frame": ["pandas"]}, "'pandas', 'polars' or 'arrow'"),
        ],
    )
    def test_one_sentence_for_each_mistake(self, given: dict[str, Any], why: str) -> None:
        with pytest.raises(InputError, match=why) as caught:
            _asked(**given)
        assert "\n" not in str(caught.value)
