"""What was taken for what is said beside an answer, by the declared types alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.errors import InputError
from tests.refusing import raises_code

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.tables.query import Query

born, ill, paid, note = (sf.col(each) for each in ("visited", "smoker", "cost", "department"))
_DATE, _WHOLE, _NUMBER = "a date (2025-01-31)", "a whole number (12)", "a number (12.5)"
_LISTED = "rows of other groups than those listed are left out"


def patients(**declared: Any) -> sf.PrivateTable:
    return sf.table("examples/patients.csv", unit="patient_id", limits={"rows": 100}, **declared)


def missing(query: Query) -> list[str]:
    """What is said of cells in the plan, and the same beside the answer."""
    plan = query.plan(epsilon=1)
    said = [each for each in plan.caveats({}) if " is not written as " in each]
    assert all(each in str(plan) for each in said)
    assert said == [each for each in query.release(epsilon=1).caveats if each in said]
    return said


def unwritten(kind: str, of: str = "") -> str:
    return f"a cell{of} that is not written as {kind} is missing (sfumato inspect counts them)"


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
    assert missing(patients().filter(note == "surgery").agg(n=sf.count())) == []


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
    assert missing(cast) == [unwritten(_DATE).removesuffix(" (sfumato inspect counts them)")]
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
    beyond = "values beyond their bounds count as the bound: age from 0 to 110"
    assert beyond in query.plan(epsilon=1).caveats({})


def test_groups_that_are_not_listed_are_left_out() -> None:
    table = patients(keys={"sex": ["f", "m"]})
    grouped = table.group_by("sex").agg(n=sf.count())
    assert _LISTED in grouped.plan(epsilon=1).caveats({})
    assert _LISTED in grouped.release(epsilon=1).caveats
    assert _LISTED not in table.agg(n=sf.count()).plan(epsilon=1).caveats({})
    found = patients().declare(limits={"groups": 1}).group_by("sex").agg(n=sf.count())
    assert _LISTED not in found.plan(epsilon=1, delta=1e-6).caveats({})


def test_an_answer_says_which_groups_it_may_lack() -> None:
    """Both are left out with a chance below 1e-16: 197 and 223 people, where 48 are even odds."""
    by_sex = patients().declare(limits={"groups": 1}).group_by("sex").agg(n=sf.count())
    answer = by_sex.release(epsilon=1, delta=1e-6)
    assert len(answer.to_pandas())
    assert answer.plan.search is not None
    people = f"{answer.plan.search.people:,.0f}"
    assert answer.caveats[-1] == (
        f"a group of fewer than about {people} people is likelier left out than shown"
    )
    declared = patients(keys={"sex": ["F", "M"]}).group_by("sex").agg(n=sf.count())
    assert not any("left out than shown" in each for each in declared.release(epsilon=1).caveats)


def test_an_answer_without_groups_says_how_many_people_one_takes() -> None:
    """One is shown with a chance below 1e-9: 17 people at most, where 41,894 are even odds."""
    by_age = patients().declare(limits={"groups": 5}).group_by("age").agg(n=sf.count())
    plan = by_age.plan(epsilon=0.01, delta=1e-12)
    assert plan.search is not None
    people = f"{plan.search.people:,.0f}"
    assert f"as likely as not with {people} people in a group" in str(plan)
    answer = by_age.release(epsilon=0.01, delta=1e-12)
    assert not len(answer.to_pandas())
    assert answer.caveats[-1] == (
        f"no group had enough people in it to be shown, which takes about {people}; declare the "
        "groups, or find larger ones"
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
        "the groups by 'sex' are not declared, and to find them takes a δ, which the budget of "
        "3-DP (add or remove one person (patient_id)) does not have; declare them, as in "
        "keys={'sex': ['a', 'b']}"
    )
    with_delta = patients(budget={"epsilon": 3, "delta": 1e-5}).group_by("sex").agg(n=sf.count())
    with raises_code("E-KEYS-MISSING"):
        with_delta.plan(epsilon=1)


@pytest.mark.parametrize(
    ("declared", "kept", "said"),
    [
        ({"epsilon": 3}, {"epsilon": 3, "delta": 1e-5}, "takes epsilon=1, delta=1e-6 and limits"),
        ({"epsilon": 3, "delta": 1e-5}, {"epsilon": 2}, "the budget of 2-DP .* does not have"),
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


def test_a_limit_that_is_chosen_says_that_one_declared_narrows_the_bars() -> None:
    table = sf.table("examples/patients.csv", unit="patient_id")
    hint = "; if nobody has more, a declared limit narrows them"
    said, *_ = table.agg(n=sf.count()).release(epsilon=1).caveats
    assert said.endswith(hint)
    assert not any(hint in each for each in patients().agg(n=sf.count()).release(epsilon=1).caveats)


def test_a_limit_that_is_to_be_chosen_says_so_in_the_plan() -> None:
    hint = "a person has at most, a declared limit (rows=12) narrows the bars"
    table = sf.table("examples/patients.csv", unit="patient_id", bounds={"age": (0, 110)})
    query = table.agg(n=sf.count(), age=sf.mean("age"))
    assert str(query.plan(epsilon=1)).count(hint) == 1
    assert hint not in str(query.release(epsilon=1))
    assert hint not in str(patients().agg(n=sf.count()).plan(epsilon=1))


def test_rows_without_an_id_are_said_to_be_one_persons_and_are() -> None:
    said = "rows in which id is missing count as one person's"
    rows = pd.DataFrame({"id": [None] * 500 + ["a", "b"]})
    query = sf.table(rows, unit="id", limits={"rows": 10}).agg(n=sf.count())
    answer = query.release(epsilon=1000)
    assert said in query.plan(epsilon=1000).caveats({})
    assert said in answer.caveats
    assert answer["n"] == 12
    by_row = sf.table(rows, unit="row").agg(n=sf.count())
    assert not by_row.plan(epsilon=1).caveats({})


_SUM_LIMITED = (
    "in the sum of cost a person counts for at most 2,000 (2 rows at 1,000): what is beyond is not "
    "in the bars"
)
_ROWS_LIMITED = "a person with more than 2 rows counts for 2: what is left out is not in the bars"


def _two_rows_each(**declared: Any) -> sf.PrivateTable:
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
    for caveats in (query.plan(epsilon=1).caveats({}), answer.caveats):
        assert [each for each in caveats if "counts for" in each] == said
    assert answer["f"] == pytest.approx(total, rel=0.05)


def test_a_limit_of_a_sum_that_is_chosen_is_said_in_what_rows_add_up_to() -> None:
    query = _two_rows_each().agg(f=sf.sum("cost"))
    plan = str(query.plan(epsilon=1))
    assert "choose how much of a person counts in the sum of cost: ε" in plan
    assert "how much of a person counts in the sum of cost is chosen privately; if you" in plan
    said, *_ = query.release(epsilon=100).caveats
    assert said.startswith(
        "in the sum of cost a person counts for at most 1,000 (1 row at 1,000), chosen privately: "
    )
    assert said.endswith("; if nobody adds up to more, a declared limit narrows them")


def test_a_limit_of_a_sum_whose_bounds_are_found_has_no_figure() -> None:
    table = _two_rows_each(limits={"rows": 3}).declare(bounds={"cost": "auto"})
    said = (
        "in the sum of cost a person counts for at most what 3 rows at the farther bound add up "
        "to: what is beyond is not in the bars"
    )
    assert table.agg(f=sf.sum("cost")).release(epsilon=1).caveats[0] == said


@pytest.mark.parametrize("target", [{"epsilon": 1}, {"rho": 1}], ids=["laplace", "gaussian"])
@pytest.mark.parametrize("most", range(1, 6))
def test_a_limit_of_groups_is_said_where_there_are_more(target: dict[str, Any], most: int) -> None:
    rows = pd.DataFrame({"id": range(8), "ward": list("ABCD") * 2})
    table = sf.table(rows, unit="id", keys={"ward": list("ABCD")}, limits={"groups": most})
    caveats = table.group_by("ward").agg(n=sf.people()).plan(**target).caveats({})
    assert any("a person with more than" in each for each in caveats) == (most < 4)
