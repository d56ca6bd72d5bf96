"""How exposed a table is: the rows' figures, and every figure against plain Python."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import combinations
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato.risk as room
from sfumato.data import open_source
from sfumato.errors import InputError, UnknownNameError
from sfumato.printing.printed import NotPrivate
from sfumato.risk import homogeneity, k_anonymity, l_diversity, risk, t_closeness
from tests.refusing import raises_code

RAW, GENERALISED = "examples/hospital-a.csv", "examples/hospital-a-generalised.csv"
QUASI = ["age", "sex", "zip", "smoker"]


def test_m_risk_1_everybody_is_unique_on_age() -> None:
    found = risk(RAW, quasi="age", sensitive="diagnosis")
    assert (found.k, found.classes.uniques) == (1, 9)
    by_age = {each.values["age"]: each.given_away["diagnosis"] for each in found.at_risk}
    assert by_age["56"] == "AIDS"
    assert len(by_age) == 9


def test_m_risk_1_the_generalised_table() -> None:
    found = risk(GENERALISED, quasi=QUASI, sensitive="diagnosis")
    assert (found.k, found.diversity[0].distinct) == (2, 2)
    assert all(each.rows >= 2 and not each.given_away for each in found.at_risk)


def test_m_risk_8_bits() -> None:
    (told,) = risk(GENERALISED, quasi=QUASI, sensitive="diagnosis").information
    figures = told.before, told.after, told.learned
    assert figures == pytest.approx((2.947703, 0.972765, 1.974938), abs=5e-7)


def test_the_room_is_its_foremost_function() -> None:
    assert room(RAW, quasi="age").k == 1  # type: ignore[operator]
    assert room.risk is risk


def test_every_result_says_that_it_is_not_private() -> None:
    found = risk(RAW, quasi=QUASI, sensitive="diagnosis", population=90, public=RAW)
    parts: list[object] = [found, found.classes, found.attackers, found.presence]
    parts += [found.population, *found.diversity, *found.closeness, *found.information]
    for each in [*parts, *found.combinations, *found.at_risk]:
        assert isinstance(each, NotPrivate)
        assert each.as_dict()["private"] is False
        assert str(each).splitlines()[-1].startswith("not private: ")


Table = list[tuple[Any, Any, Any]]
CELL = st.sampled_from(["a", "b", "c", None])
TABLES = st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=30)


def frame(rows: Table) -> pa.Table:
    columns = zip(*rows, strict=True)
    return pa.table(
        {name: pa.array(each, pa.string()) for name, each in zip("pqs", columns, strict=True)}
    )


def by_class(rows: Table) -> dict[tuple[Any, Any], Counter[Any]]:
    found: dict[tuple[Any, Any], Counter[Any]] = defaultdict(Counter)
    for p, q, s in rows:
        found[p, q][s] += 1
    return found


def bits(counts: Counter[Any]) -> float:
    total = counts.total()
    return -sum(n / total * math.log2(n / total) for n in counts.values())


@pytest.mark.full
@settings(max_examples=20, deadline=None)
@given(TABLES)
def test_figures_are_those_of_plain_python(rows: Table) -> None:
    classes, whole = by_class(rows), Counter(s for *_, s in rows)
    found = risk(frame(rows), quasi=["p", "q"], sensitive="s", rows=100)
    totals = [counts.total() for counts in classes.values()]
    assert dict(zip(found.classes.sizes, found.classes.counts, strict=True)) == Counter(totals)
    (diversity,), (closeness,), (told,) = found.diversity, found.closeness, found.information
    assert diversity.distinct == min(map(len, classes.values()))
    assert diversity.entropy == pytest.approx(2 ** min(map(bits, classes.values())))
    assert diversity.ratio == pytest.approx(max(map(ratio, classes.values())))
    alone = sum(counts.total() for counts in classes.values() if len(counts) == 1)
    assert diversity.one_value_rows == alone
    assert closeness.t == pytest.approx(max(distance(each, whole) for each in classes.values()))
    assert told.before == pytest.approx(bits(whole))
    left = sum(counts.total() / len(rows) * bits(counts) for counts in classes.values())
    assert told.after == pytest.approx(left, abs=1e-12)
    listed = {tuple(each.values.values()): each for each in found.at_risk}
    small = {key for key, counts in classes.items() if counts.total() < found.at_least}
    assert set(listed) == small
    for key in small:
        shared = {"s": next(iter(classes[key]))} if len(classes[key]) == 1 else {}
        assert (listed[key].rows, listed[key].given_away) == (classes[key].total(), shared)


def ratio(counts: Counter[Any]) -> float:
    most, rest = max(counts.values()), counts.total() - max(counts.values())
    return most / rest if rest else math.inf


def distance(counts: Counter[Any], whole: Counter[Any]) -> float:
    gaps = (counts[s] / counts.total() - whole[s] / whole.total() for s in whole)
    return sum(map(abs, gaps)) / 2


@pytest.mark.full
@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(CELL, st.sampled_from([None, -2.5, 0, 1, 3, 4, 10, 11])), min_size=1, max_size=30
    )
)
def test_numbers_are_moved_in_their_order(rows: list[tuple[Any, float | None]]) -> None:
    """A missing value lies below all others; the distance is the mean crossing of a step."""
    table = pa.table(
        {
            "q": pa.array([q for q, _ in rows], pa.string()),
            "s": pa.array([s for _, s in rows], pa.float64()),
        }
    )
    order = sorted({s for _, s in rows}, key=lambda s: -math.inf if s is None else s)
    found = t_closeness(table, quasi="q", sensitive="s")
    assert found.ordered
    assert found.t == pytest.approx(max(moved(rows, q, order) for q, _ in rows), abs=1e-9)


def moved(rows: list[tuple[Any, float | None]], q: Any, order: list[float | None]) -> float:
    own, whole = Counter(s for each, s in rows if each == q), Counter(s for _, s in rows)
    crossing, so_far = 0.0, 0.0
    for value in order:
        so_far += own[value] / own.total() - whole[value] / whole.total()
        crossing += abs(so_far)
    return crossing / max(1, len(order) - 1)


def test_the_paper_s_salaries() -> None:
    """Li, Li and Venkatasubramanian: 0.375 for {3, 4, 5} and 0.167 for {6, 8, 11} of nine."""
    salaries = [[3, 4, 5], [6, 8, 11], [7, 9, 10]]
    rows = [(str(q), s) for q, each in enumerate(salaries) for s in each]
    table = pl.DataFrame(rows, schema=["q", "s"], orient="row")
    assert t_closeness(table, quasi="q", sensitive="s").t == 0.375
    order: list[float | None] = [float(s) for s in range(3, 12)]
    assert moved([(q, float(s)) for q, s in rows], "1", order) == pytest.approx(1 / 6)


def test_numbers_in_a_csv_are_text_until_named_as_ordered() -> None:
    assert not t_closeness(RAW, quasi="sex", sensitive="age").ordered
    found = t_closeness(RAW, quasi="sex", sensitive="age", ordered="age")
    as_numbers = pd.read_csv(RAW)
    assert found.t == t_closeness(as_numbers, quasi="sex", sensitive="age").t
    with raises_code("E-CELLS-UNREADABLE"):
        t_closeness(RAW, quasi="sex", sensitive="diagnosis", ordered="diagnosis")
    with raises_code("E-COLUMN-NOT-SENSITIVE"):
        risk(RAW, quasi="sex", sensitive="diagnosis", ordered="age")


@pytest.mark.full
@settings(max_examples=25, deadline=None)
@given(TABLES)
def test_combinations_are_searched_by_uniques_and_then_by_bits(rows: Table) -> None:
    found = risk(frame(rows), quasi=["p", "q", "s"], rows=0)
    best: dict[int, tuple[int, float]] = {}
    for size in (1, 2, 3):
        for chosen in combinations(range(3), size):
            counts = Counter(tuple(row[each] for each in chosen) for row in rows)
            score = sum(n == 1 for n in counts.values()), round(bits(counts), 9)
            best[size] = max(score, best.get(size, score))
    told = [(each.uniques, round(each.entropy, 9)) for each in found.combinations]
    assert told == [best[size] for size in (1, 2, 3)]
    assert len(found.columns) == 3
    assert [each.uniques for each in found.columns] == sorted(
        (each.uniques for each in found.columns), reverse=True
    )


def test_several_sensitive_columns_are_each_as_if_alone() -> None:
    table = pd.read_csv(RAW)
    both = risk(table, quasi=["sex"], sensitive=["smoker", "age"])
    for position, name in enumerate(["smoker", "age"]):
        alone = risk(table, quasi=["sex"], sensitive=name)
        assert both.diversity[position] == alone.diversity[0]
        assert both.closeness[position] == alone.closeness[0]
        assert both.information[position] == alone.information[0]


def test_a_name_of_ours_is_no_different_from_any_other() -> None:
    table = pd.DataFrame({"mass": [1, 1, 2], "rows": ["a", "b", "c"], "key0": [1, 2, 3]})
    found = risk(table, quasi=["mass", "key0"], sensitive="rows")
    assert (found.k, found.at_risk[0].given_away) == (1, {"rows": "a"})


@pytest.mark.parametrize("asked", [k_anonymity, l_diversity, t_closeness])
def test_one_figure_is_that_of_the_report(asked: Any) -> None:
    source = open_source(GENERALISED)
    secret = {} if asked is k_anonymity else {"sensitive": "diagnosis"}
    report = risk(source, quasi=QUASI, sensitive="diagnosis")
    expected = {
        k_anonymity: report.classes,
        l_diversity: report.diversity[0],
        t_closeness: report.closeness[0],
    }
    assert asked(source, quasi=QUASI, **secret) == expected[asked]


def test_risks_and_presence_with_a_public_table() -> None:
    ours = pd.DataFrame({"age": [30, 30, 40, 50], "sex": ["F", "F", "M", "M"]})
    town = pd.DataFrame({"age": [30] * 4 + [40] + [50] * 5 + [60], "sex": ["F"] * 4 + ["M"] * 7})
    found = risk(ours, quasi=["age", "sex"], public=town, at_least=3)
    risks, presence = found.attackers, found.presence
    assert presence is not None
    assert (risks.prosecutor_greatest, risks.prosecutor_mean) == (1, 3 / 4)
    assert risks.journalist_greatest == 1
    assert risks.marketer == pytest.approx((2 / 4 + 1 / 1 + 1 / 5) / 4)
    assert risks.journalist_mean == pytest.approx(max(3 / 10, risks.marketer))
    assert (risks.prosecutor_at_risk, risks.journalist_at_risk) == (1, 1 / 4)
    assert (presence.least, presence.greatest, presence.certain_people) == (0, 1, 1)
    assert presence.uncovered_rows == 0


def test_who_is_missing_in_the_public_table_is_told() -> None:
    found = risk(
        pd.DataFrame({"age": [30, 30, 90]}), quasi="age", public=pd.DataFrame({"age": [30]})
    )
    assert found.presence is not None
    assert found.presence.uncovered_rows == 2
    assert "2 rows have no counterpart in the public table" in str(found)


def test_a_csv_beside_a_public_frame() -> None:
    found = risk(RAW, quasi="age", public=pd.read_csv(RAW))
    assert found.presence is not None
    assert (found.presence.least, found.presence.uncovered_rows) == (1, 0)


@pytest.mark.full
def test_files_and_frames_give_the_same_answer(tmp_path: Any) -> None:
    table = pd.read_csv(RAW, dtype=str)
    table.to_parquet(tmp_path / "a.parquet")
    texts = {
        str(risk(each, quasi=QUASI, sensitive="diagnosis"))
        for each in (RAW, table, tmp_path / "a.parquet", pl.from_pandas(table), open_source(RAW))
    }
    assert len(texts) == 1


def test_missing_column_and_clashes_are_refused() -> None:
    with raises_code("E-NAME-UNKNOWN", match="did you mean 'age'", kind=UnknownNameError):
        risk(RAW, quasi="agee")
    with raises_code("E-NAME-UNKNOWN", match="did you mean 'diagnosis'", kind=UnknownNameError):
        risk(RAW, quasi="age", sensitive="diagnose")
    with raises_code("E-COLUMN-TWICE"):
        risk(RAW, quasi="age", sensitive="age")
    with raises_code("E-NAME-UNKNOWN", match="no column 'smoker'", kind=UnknownNameError):
        risk(RAW, quasi=QUASI, public="examples/hospital-b-generalised.csv")


@pytest.mark.parametrize(
    ("settings_", "told"),
    [
        ({"at_least": 10}, "at_least is 10, and the table has 9 rows"),
        ({"at_least": 0}, "at_least must be a whole number of 1 or more, not 0; write 1"),
        ({"rows": -1}, "rows must be a whole number of 0 or more"),
        ({"combinations": 0}, "combinations must be a whole number of 1 or more"),
        ({"population": 8}, "population is 8, and the table has 9 rows"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(settings_: dict[str, int], told: str) -> None:
    with pytest.raises(InputError, match=told):
        risk(RAW, quasi="age", **settings_)  # type: ignore[arg-type]


@pytest.mark.parametrize("asked", [k_anonymity, l_diversity, t_closeness, risk])
def test_an_empty_table_is_refused(asked: Any) -> None:
    empty = pa.table({"q": pa.array([], pa.string()), "s": pa.array([], pa.string())})
    secret = {} if asked is k_anonymity else {"sensitive": "s"}
    with raises_code("E-TABLE-EMPTY"):
        asked(empty, quasi="q", **secret)


@pytest.mark.parametrize("asked", [l_diversity, t_closeness, homogeneity])
@pytest.mark.parametrize("several", [["diagnosis", "smoker"], [], None])
def test_one_figure_is_of_one_sensitive_column(asked: Any, several: Any) -> None:
    with raises_code("E-ARGUMENT-TYPE", "sensitive"):
        asked(RAW, quasi="age", sensitive=several)


def test_nothing_learned_is_nothing_to_the_last_digit() -> None:
    people = pa.table({"age": [*range(30, 37)] * 14, "ill": ["flu"] * 49 + ["gout"] * 49})
    (told,) = risk(people, quasi="age", sensitive="ill").information
    assert told.learned == 0


def test_an_empty_table_of_numbers_is_refused() -> None:
    empty = pa.table({"q": pa.array([], pa.string()), "s": pa.array([], pa.int64())})
    with raises_code("E-TABLE-EMPTY"):
        t_closeness(empty, quasi="q", sensitive="s")


def test_too_many_combinations_are_refused() -> None:
    wide = pd.DataFrame({f"c{number}": [1] for number in range(60)})
    with raises_code("E-TOO-LARGE", match="there are 36,050 combinations of up to 3 of 60 columns"):
        risk(wide, quasi=list(wide.columns))


@pytest.mark.full
def test_more_combinations_than_one_query_takes() -> None:
    wide = pd.DataFrame({f"c{number}": [number % 2, 1, 2] for number in range(8)})
    found = risk(wide, quasi=list(wide.columns), combinations=3)
    assert [len(each.columns) for each in found.combinations] == [1, 2, 3]
    assert len(found.columns) == 8
