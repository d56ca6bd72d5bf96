"""What is to be known beside an answer: notes with codes, by what is declared alone."""

from __future__ import annotations

from html import escape
from math import ceil
from string import Formatter
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.errors import InputError
from sfumato.tables.notes import DETAILS, KINDS, note
from sfumato.tables.plan.measurements import ChosenLimit
from sfumato.tables.plan.notes import notes_of
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from sfumato.tables.notes import Note
    from sfumato.tables.query import Query

born, ill, paid, ward = (sf.col(each) for each in ("visited", "smoker", "cost", "department"))
_DATE, _WHOLE, _NUMBER = "a date (2025-01-31)", "a whole number (12)", "a number (12.5)"


def patients(**declared: Any) -> sf.tables.PrivateTable:
    return sf.table("examples/patients.csv", unit="patient_id", limits={"rows": 100}, **declared)


def codes(notes: Iterable[Note]) -> list[str]:
    return [each.code for each in notes]


def of(code: str, notes: Iterable[Note]) -> list[str]:
    """The sentences of a kind."""
    return [str(each) for each in notes if each.code == code]


def missing(query: Query) -> list[str]:
    """What is said of cells in the plan, and the same beside the answer."""
    plan = query.plan(epsilon=1)
    said = [str(each) for each in plan.notes if each.code.startswith("N-CELL-")]
    assert all(each in str(plan) for each in said)
    assert said == [each for each in map(str, query.release(epsilon=1).notes) if each in said]
    return said


def unwritten(kind: str, of: str = "") -> str:
    return f"a cell{of} that is not written as {kind} is missing (sf.inspect counts them)"


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        ("date", _DATE),
        ("timestamp", "a time (2025-01-31 12:00)"),
        ("boolean", "true or false (or yes, no, 1, 0)"),
        ("integer", _WHOLE),
        ("number", _NUMBER),
    ],
)
def test_a_condition_on_a_typed_column_says_which_cells_are_missing(
    kind: str, written: str
) -> None:
    table = patients(types={"visited": kind})
    assert missing(table.filter(born.is_not_null()).agg(n=sf.count())) == [unwritten(written)]
    assert missing(table.agg(n=sf.count(born))) == [unwritten(written)]
    assert missing(table.agg(n=sf.count())) == []


def test_a_text_is_written_as_it_is() -> None:
    assert missing(patients().filter(ward == "surgery").agg(n=sf.count())) == []


def test_bounds_to_be_found_are_of_numbers_and_not_of_whole_ones() -> None:
    table = patients(bounds={"cost": "auto"})
    assert missing(table.agg(cost=sf.mean("cost"))) == [unwritten(_NUMBER)]


def test_several_types_are_told_apart_by_their_columns() -> None:
    table = patients(types={"age": "integer", "visited": "date"}, bounds={"cost": (0, 1000)})
    query = table.filter((sf.col("age") > 40) & born.is_not_null()).agg(cost=sf.sum("cost"))
    assert missing(query) == [
        unwritten(_WHOLE, " of age"),
        unwritten(_NUMBER, " of cost"),
        unwritten(_DATE, " of visited"),
    ]


def test_a_cast_of_a_text_reads_cells_too() -> None:
    cast = patients().filter(born.cast("date").year() == 2024).agg(n=sf.count())
    assert missing(cast) == [unwritten(_DATE).removesuffix(" (sf.inspect counts them)")]
    lettered = patients().filter(born.cast("text") < "2024").agg(n=sf.count())
    assert missing(lettered) == []


def test_a_column_that_is_derived_anew_is_none_of_the_file() -> None:
    table = patients(types={"age": "integer"}).with_columns(age=1)
    assert missing(table.agg(n=sf.count("age"))) == []


def test_frames_hold_values() -> None:
    table = sf.table(pd.DataFrame({"age": [1, 2]}), unit="row", bounds={"age": (0, 110)})
    assert missing(table.agg(age=sf.mean("age"))) == []


@pytest.mark.parametrize("asked", [sf.median("age"), sf.quantile("age", 0.9), sf.maximum("age")])
def test_quantiles_say_what_means_say(asked: Any) -> None:
    query = patients(bounds={"age": (0, 110)}).agg(age=asked)
    assert missing(query) == [unwritten(_NUMBER)]
    assert of("N-CLAMPED", query.plan(epsilon=1).notes) == ["values are clamped: age to [0, 110]"]


def test_groups_that_are_not_declared_are_left_out() -> None:
    listed = "N-GROUPS-DECLARED"
    table = patients(keys={"sex": ["f", "m"]})
    grouped = table.group_by("sex").agg(n=sf.count())
    assert listed in codes(grouped.plan(epsilon=1).notes)
    assert listed in codes(grouped.release(epsilon=1).notes)
    assert listed not in codes(table.agg(n=sf.count()).plan(epsilon=1).notes)
    found = patients().declare(limits={"groups": 1}).group_by("sex").agg(n=sf.count())
    assert listed not in codes(found.plan(epsilon=1, delta=1e-6).notes)


def test_an_answer_says_which_groups_it_may_lack() -> None:
    """Both are left out with a chance below 1e-16: 197 and 223 people, where 48 are even odds."""
    by_sex = patients().declare(limits={"groups": 1}).group_by("sex").agg(n=sf.count())
    answer = by_sex.release(epsilon=1, delta=1e-6)
    assert len(answer.to_pandas())
    assert answer.plan.search is not None
    units = f"{answer.plan.search.people:,.0f} distinct values of patient_id"
    (said,) = of("N-GROUPS-FOUND", answer.notes.first)
    assert said.startswith(f"groups with fewer than about {units} are more likely left out")
    declared = patients(keys={"sex": ["F", "M"]}).group_by("sex").agg(n=sf.count())
    assert not of("N-GROUPS-FOUND", declared.release(epsilon=1).notes)


def test_an_answer_without_groups_says_how_many_people_one_takes() -> None:
    """One is shown with a chance below 1e-9: 17 people at most, where 41,894 are even odds."""
    by_age = patients().declare(limits={"groups": 5}).group_by("age").agg(n=sf.count())
    plan = by_age.plan(epsilon=0.01, delta=1e-12)
    assert plan.search is not None
    units = f"{plan.search.people:,.0f} distinct values of patient_id"
    assert f"a group with about {units} is shown with probability 1/2" in str(plan)
    answer = by_age.release(epsilon=0.01, delta=1e-12)
    assert not len(answer.to_pandas())
    assert str(answer.notes[0]) == (
        f"no group is shown, which takes about {units} in a group; declare the groups, or form "
        "larger ones"
    )


@pytest.mark.parametrize("kind", ["text", "number"])
def test_bounds_are_advised_as_they_are_declared(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "staff.csv"
    file.write_text("Years of Age\n40\n", encoding="utf-8")
    table = sf.table(file, unit="row", types={"Years of Age": kind})
    with pytest.raises(InputError, match=r"bounds=\{'Years of Age': \(0, 100\)\}"):
        table.agg(age=sf.sum("Years of Age")).plan(epsilon=1)


def test_groups_are_not_to_be_found_with_a_budget_without_a_delta() -> None:
    query = patients(budget={"epsilon": 3}).group_by("sex").agg(n=sf.count())
    with pytest.raises(InputError) as caught:
        query.plan(epsilon=1)
    assert str(caught.value) == (
        "the groups by 'sex' are not declared, and partition selection takes a δ, which the "
        "privacy budget 3-DP (add or remove one patient_id) does not have; declare them, "
        "as in keys={'sex': ['a', 'b']}"
    )
    with_delta = patients(budget={"epsilon": 3, "delta": 1e-5}).group_by("sex").agg(n=sf.count())
    with raises_code("E-KEYS-MISSING"):
        with_delta.plan(epsilon=1)


@pytest.mark.parametrize(
    ("declared", "kept", "said"),
    [
        ({"epsilon": 3}, {"epsilon": 3, "delta": 1e-5}, "takes epsilon=1, delta=1e-6 and limits"),
        ({"epsilon": 3, "delta": 1e-5}, {"epsilon": 2}, "the privacy budget 2-DP .* does not have"),
    ],
)
def test_whether_groups_can_be_found_is_as_the_book_says(
    declared: dict[str, float], kept: dict[str, float], said: str, tmp_path: Path
) -> None:
    place = tmp_path / "ledger.db"
    table = patients(budget=declared, ledger={"path": str(place), "book": "patients"})
    budget = patients(budget=kept).policy.budget
    assert budget is not None
    with sf.Ledger.create(place, key=tmp_path / "key.pem") as ledger:
        ledger.add_book("patients", budget)
    with pytest.raises(InputError, match=said):
        table.group_by("sex").agg(n=sf.count()).plan(epsilon=1)


def test_a_limit_that_is_chosen_says_what_it_leaves_out_and_how_to_declare_one() -> None:
    table = sf.table("examples/patients.csv", unit="patient_id")
    notes = table.agg(n=sf.count()).release(epsilon=1).notes
    assert codes(notes.first) == ["N-LIMIT-CHOSEN"]
    assert str(notes[0]).startswith("in n, contributions above ")
    (said,) = of("N-LIMIT-UNDECLARED", notes)
    assert said.endswith("declare it for a more precise answer: limits={'rows': 12}")
    assert not of("N-LIMIT-UNDECLARED", patients().agg(n=sf.count()).release(epsilon=1).notes)


def test_a_limit_is_said_of_the_answers_that_it_limits() -> None:
    """Counts and sums lack what is left out and their intervals allow for it; means do not."""
    table = sf.table("examples/patients.csv", unit="patient_id", bounds={"age": (0, 110)})
    notes = table.agg(n=sf.count(), age=sf.mean("age")).release(epsilon=1).notes
    said = {each.split(",")[0]: each for each in of("N-LIMIT-CHOSEN", notes)}
    assert "; the intervals allow for " in said["in n"]
    assert said["in age"].endswith(", and the intervals do not cover that")


def test_where_nothing_can_be_told_of_a_limit_no_figure_is_given() -> None:
    """The estimate is 0 %, its bound is a half or more: only that it cannot be told is true."""
    table = sf.table("examples/patients.csv", unit="patient_id")
    plan = table.agg(n=sf.count()).plan(epsilon=1)
    (name,) = plan.contribution.limits
    for share, code in ((0.49, "N-LIMIT-CHOSEN"), (0.5, "N-LIMIT-UNSURE")):
        (said, *_) = notes_of(plan, {name: ChosenLimit(1, 0.0, share)})
        assert said.code == code
        assert ("%" in str(said)) == (code == "N-LIMIT-CHOSEN")


def test_what_the_intervals_cover_stands_beside_their_confidence() -> None:
    free = sf.table("examples/patients.csv", unit="patient_id", bounds={"age": (0, 110)})
    chosen = "95 % confidence intervals, for noise and chosen limits"
    noise = "95 % confidence intervals, for the noise"
    assert free.agg(n=sf.count()).release(epsilon=1).stated()[1] == chosen
    assert free.agg(age=sf.mean("age")).release(epsilon=1).stated()[1] == noise
    assert patients().agg(n=sf.count()).release(epsilon=1).stated()[1] == noise


def test_where_no_group_is_shown_only_that_is_said() -> None:
    rows = pd.DataFrame({"id": range(8), "ward": list("ABCD") * 2})
    table = sf.table(rows, unit="id", limits={"groups": 2})
    answer = table.group_by("ward").agg(n=sf.count()).release(epsilon=1, delta=1e-9)
    assert codes(answer.notes) == ["N-GROUPS-NONE"]
    assert len(answer.stated()) == 1


def test_a_limit_that_is_to_be_chosen_says_so_in_the_plan() -> None:
    table = sf.table("examples/patients.csv", unit="patient_id", bounds={"age": (0, 110)})
    query = table.agg(n=sf.count(), age=sf.mean("age"))
    assert codes(query.plan(epsilon=1).notes).count("N-LIMIT-TO-CHOOSE") == 1
    assert "N-LIMIT-TO-CHOOSE" not in codes(query.release(epsilon=1).notes)
    assert "N-LIMIT-TO-CHOOSE" not in codes(patients().agg(n=sf.count()).plan(epsilon=1).notes)


def test_rows_without_an_id_are_said_to_be_one_persons_and_are() -> None:
    rows = pd.DataFrame({"id": [None] * 500 + ["a", "b"]})
    query = sf.table(rows, unit="id", limits={"rows": 10}).agg(n=sf.count())
    answer = query.release(epsilon=1000)
    for notes in (query.plan(epsilon=1000).notes, answer.notes):
        assert of("N-UNIT-MISSING", notes) == ["rows without id count together as one id"]
    assert answer["n"] == 12
    by_row = sf.table(rows, unit="row").agg(n=sf.count())
    assert not by_row.plan(epsilon=1).notes


_SCALED = (
    "are scaled down, not dropped (contribution bounding), and the intervals do not cover that"
)
_SUM_LIMITED = f"in f, contributions above 2,000 (2 rows at 1,000) of one id {_SCALED}"
_ROWS_LIMITED = f"contributions above 2 rows of one id {_SCALED}"


def _two_rows_each(**declared: Any) -> sf.tables.PrivateTable:
    """A hundred people with four rows each, of 100 each: all within 2,000, none within 2 rows."""
    rows = pd.DataFrame({"id": list(range(100)) * 4, "cost": [100.0] * 400})
    return sf.table(rows, unit="id", bounds={"cost": (0, 1000)}, **declared)


@pytest.mark.parametrize(
    ("asked", "said", "total"),
    [
        ({"f": sf.sum("cost")}, [_SUM_LIMITED], 40_000),
        ({"f": sf.sum("cost"), "n": sf.count()}, [_ROWS_LIMITED], 20_000),
        ({"f": sf.sum("cost"), "age": sf.mean("cost")}, [_ROWS_LIMITED], 20_000),
    ],
)
def test_a_sum_alone_is_limited_by_what_rows_add_up_to_and_says_so(
    asked: dict[str, Any], said: list[str], total: float
) -> None:
    query = _two_rows_each(limits={"rows": 2}).agg(**asked)
    answer = query.release(epsilon=10_000)
    for notes in (query.plan(epsilon=1).notes, answer.notes):
        assert [str(each) for each in notes if each.code.startswith("N-LIMIT-")] == said
    assert answer["f"] == pytest.approx(total, rel=0.05)


def test_a_limit_of_a_sum_that_is_chosen_is_said_in_what_rows_add_up_to() -> None:
    query = _two_rows_each().agg(f=sf.sum("cost"))
    assert "choose the contribution limit of the sum of cost: ε" in str(query.plan(epsilon=1))
    (said,) = of("N-LIMIT-CHOSEN", query.release(epsilon=100).notes)
    assert said.startswith("in f, contributions above 1,000 (1 row at 1,000) of one id are scaled")


def test_a_limit_of_a_sum_whose_bounds_are_found_has_no_figure() -> None:
    table = _two_rows_each(limits={"rows": 3}).declare(bounds={"cost": "auto"})
    plan = table.agg(f=sf.sum("cost")).plan(epsilon=1)
    (said,) = of("N-LIMIT-DECLARED-SUM", plan.notes)
    assert "contributions above what 3 rows at the farther bound add up to of one id" in said


@pytest.mark.parametrize("target", [{"epsilon": 1}, {"rho": 1}], ids=["laplace", "gaussian"])
@pytest.mark.parametrize("most", range(1, 6))
def test_a_limit_of_groups_is_said_where_there_are_more(target: dict[str, Any], most: int) -> None:
    rows = pd.DataFrame({"id": range(8), "ward": list("ABCD") * 2})
    table = sf.table(rows, unit="id", keys={"ward": list("ABCD")}, limits={"groups": most})
    notes = table.group_by("ward").agg(n=sf.people()).plan(**target).notes
    assert ("N-LIMIT-DECLARED" in codes(notes)) == (most < 4)


def test_a_choice_has_no_interval_and_says_how_good_it_is() -> None:
    """Within 15 rows of the greatest count, but for 1 in 20: three values at ε = 1, limit 1."""
    table = patients(keys={"department": ["surgery", "cardiology", "oncology"]})
    alone = table.agg(d=sf.tables.mode("department")).release(epsilon=1)
    assert not any("interval" in each for each in (*alone.stated(), str(alone.notes.first)))
    (said,) = of("N-CHOICE", alone.notes.first)
    step = alone.plan.looks[0]
    short = step.look.error(step, alone.plan.contribution, 0.95)
    assert said.startswith(f"d has at most {ceil(short):,} rows fewer than the most frequent value")
    assert said.endswith("counted after contribution bounding")
    both = table.agg(d=sf.tables.mode("department"), n=sf.count()).release(epsilon=1)
    assert "95 % confidence intervals, for the noise" in both.stated()


def test_a_median_is_no_mean() -> None:
    table = sf.table("examples/patients.csv", unit="patient_id", bounds={"age": (0, 110)})
    answer = table.agg(m=sf.median("age")).release(epsilon=1)
    assert all("mean" not in str(each) for each in answer.notes)
    assert of("N-LIMIT-CHOSEN", answer.notes)[0].startswith("in m, ")


def test_units_are_called_what_their_column_is() -> None:
    rows = pd.DataFrame({"tailnum": list("ABCD") * 5, "delay": range(20)})
    planes = sf.table(rows, unit="tailnum", bounds={"delay": (-30, 180)}, limits={"rows": 3})
    query = planes.agg(n=sf.count(), delay=sf.mean("delay"))
    answer, plan = query.release(epsilon=1), query.plan(epsilon=1)
    assert str(answer.guarantee) == "1-DP (add or remove one tailnum)"
    for said in (str(answer), str(plan), str(answer.notes), str(query.explain(epsilon=1))):
        assert "person" not in said
        assert "people" not in said
    assert "the sum of (delay + 30), the sum of (180 - delay) and" in str(plan)


def test_a_long_expression_is_written_once() -> None:
    rows = pd.DataFrame({"delay": range(20), "x": range(20)})
    table = sf.table(rows, unit="row")
    late = "CASE WHEN delay > 15 AND x < 4 THEN 1 WHEN delay > 10 THEN 2 ELSE 0 END"
    plan = table.query(f"SELECT AVG(CLIP({late}, 0, 2)) AS a FROM t").plan(epsilon=1)  # noqa: S608
    lines = plan.lines()
    assert lines[0].startswith("a = mean(y) of ")
    assert lines[1].startswith("├─ y = clip(CASE WHEN ")
    assert sum("CASE" in each for each in lines) == 1
    assert "values are clamped: y to [0, 2]" in lines[-1]


def test_three_notes_are_printed_and_all_are_kept() -> None:
    table = sf.table(
        "examples/patients.csv",
        unit="patient_id",
        bounds={"age": (0, 110)},
        keys={"sex": ["F", "M"]},
    )
    query = table.group_by("sex").agg(n=sf.count(), age=sf.mean("age"), top=sf.maximum("age"))
    answer = query.release(epsilon=1)
    footer = answer.footer()
    assert footer[0] == "1-DP (add or remove one patient_id), charged to no ledger"
    assert footer[1].startswith("95 % confidence intervals, for ")
    assert footer[2:-1] == [str(each) for each in answer.notes[:3]]
    assert footer[-1] == f"{len(answer.notes) - 3} more notes: answer.notes"
    every = answer.footer(every=True)
    assert every == [*footer[:2], *map(str, answer.notes)]
    assert len(set(map(str, answer.notes))) == len(answer.notes)
    page = answer._repr_html_()
    folded = page[page.index("<details>") :]
    assert [escape(str(each)) in folded for each in answer.notes] == [False] * 3 + [True] * (
        len(answer.notes) - 3
    )


def test_every_note_has_a_place_in_the_order_and_a_sentence_that_can_be_filled() -> None:
    assert not DETAILS - KINDS.keys()
    for code, sentence in KINDS.items():
        names = {name for _, name, _, _ in Formatter().parse(sentence) if name}
        filled = note(code, **dict.fromkeys(names, "1"))
        assert "{" not in str(filled)
        assert filled.as_dict()["code"] == code
