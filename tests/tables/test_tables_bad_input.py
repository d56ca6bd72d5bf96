"""What a person may get wrong: one sentence each, and nothing is charged for it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.errors import BudgetError, InputError, UnknownNameError
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sfumato.tables import PrivateTable, Query

CANARY = "CANARY-7f3a"
PATIENTS = pd.DataFrame(
    {
        "patient_id": [1, 1, 2, 3],
        "sex": ["F", "F", "M", "F"],
        "age": [61, 64, 35, 50],
        "cost": [1.5, 2.5, 0.0, 9.5],
        "name": [CANARY] * 4,
    }
)
UNIT = sf.privacy.AddRemove(unit=sf.privacy.Person("patient_id"))


class Ward:
    """A table with a book of ε = 1."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "ledger.db"
        with sf.Ledger.create(self.path, key=folder / "key.pem") as ledger:
            ledger.add_book("patients", sf.PureDP(epsilon=1, relation=UNIT))

    def table(self, data: Any = None, **declared: Any) -> PrivateTable:
        given: dict[str, Any] = {
            "unit": "patient_id",
            "bounds": {"age": (0, 110)},
            "keys": {"sex": ["F", "M"]},
            "limits": {"rows": 2},
            "ledger": {"path": self.path, "book": "patients", "analyst": "ada"},
        }
        return sf.table(PATIENTS if data is None else data, **{**given, **declared})

    @property
    def entries(self) -> int:
        with sf.Ledger.open(self.path) as ledger:
            return len(list(ledger.book("patients").entries()))


@pytest.fixture(scope="module")
def ward(tmp_path_factory: pytest.TempPathFactory) -> Ward:
    return Ward(tmp_path_factory.mktemp("ward"))


def refusal(ward: Ward, ask: Callable[[], Any], kind: type[Exception] = InputError) -> str:
    """Return the sentence with which something is refused; nothing was charged for it."""
    before = ward.entries
    with pytest.raises(kind) as refused:
        ask()
    said = str(refused.value)
    assert ward.entries == before
    assert "\n" not in said
    assert CANARY not in said
    assert 20 < len(said) < 400
    assert said[-1] not in ".:;,"
    return said


def agg(table: PrivateTable, **asked: Any) -> Query:
    return table.agg(**(asked or {"n": sf.count()}))


def _filtered(table: PrivateTable, times: int) -> PrivateTable:
    for _ in range(times):
        table = table.filter(sf.col("age") > 1)
    return table


#: What is declared wrongly, and a part of what is said.
DECLARED: dict[str, tuple[dict[str, Any], str]] = {
    "a word that declares nothing": ({"bound": {"age": (0, 110)}}, "did you mean 'bounds'?"),
    "a unit that is not there": ({"unit": "patient"}, "did you mean 'patient_id'"),
    "no unit": ({"unit": None}, "unit"),
    "a unit that is a number": ({"unit": 5}, "unit"),
    "bounds of no column": ({"bounds": {"agee": (0, 1)}}, "did you mean 'age'"),
    "reversed bounds": ({"bounds": {"age": (110, 0)}}, "[110, 0]"),
    "bounds that are equal": ({"bounds": {"age": (5, 5)}}, "the same value twice"),
    "bounds of NaN": ({"bounds": {"age": (0, math.nan)}}, "bounds"),
    "bounds without an end": ({"bounds": {"age": (0, math.inf)}}, "bounds"),
    "bounds of one number": ({"bounds": {"age": 110}}, "bounds"),
    "bounds of text": ({"bounds": {"age": ("a", "b")}}, "bounds"),
    "bounds of a text column": ({"bounds": {"sex": (0, 1)}}, "sex"),
    "bounds of True": ({"bounds": {"age": (False, True)}}, "bounds"),
    "keys of another type": ({"keys": {"sex": [1, 2]}}, "sex"),
    "keys of text for numbers": ({"keys": {"age": ["F"]}}, "age"),
    "keys twice": ({"keys": {"sex": ["F", "F"]}}, "twice"),
    "no keys at all": ({"keys": {"sex": []}}, "sex"),
    "keys of no column": ({"keys": {"gender": ["F"]}}, "gender"),
    "a limit below one": ({"limits": {"rows": 0}}, "rows"),
    "a limit of no kind": ({"limits": {"row": 3}}, "did you mean 'rows'"),
    "a limit of True": ({"limits": {"rows": True}}, "rows"),
}


@pytest.mark.parametrize("name", DECLARED)
def test_what_is_declared_wrongly(ward: Ward, name: str) -> None:
    declared, part = DECLARED[name]
    assert part in refusal(ward, lambda: agg(ward.table(**declared)).release(epsilon=1))


#: Questions that cannot be answered, and a part of what is said.
ASKED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a column that is not there": (lambda t: agg(t, m=sf.mean("agee")), "did you mean 'age'"),
    "a group that is not there": (lambda t: t.group_by("sexx").agg(n=sf.count()), "'sex'"),
    "a filter of no column": (lambda t: agg(t.filter(sf.col("agee") > 1)), "did you mean 'age'"),
    "missing bounds": (lambda t: agg(t, m=sf.mean("cost")), "bounds={'cost': (0, 100)}"),
    "missing bounds, derived": (
        lambda t: agg(t.with_columns(age=sf.col("age") * 2), m=sf.mean("age")),
        "derived anew",
    ),
    "great bounds": (lambda t: agg(t, m=sf.std("cost", bounds=(0, 1e200))), "the bounds of cost"),
    "close bounds": (lambda t: agg(t, m=sf.std("cost", bounds=(0, 1e-200))), "the bounds of cost"),
    "reversed bounds": (lambda t: agg(t, m=sf.mean("age", bounds=(9, 1))), "[9, 1]"),
    "two names alike": (lambda t: agg(t.with_columns(Sex=sf.col("age"))), "differ only in case"),
    "many steps": (lambda t: agg(_filtered(t, 51)), "has 51 steps before its aggregates"),
    "a mean of text": (lambda t: agg(t, m=sf.mean("name")), "of type text"),
    "groups by the id": (lambda t: t.group_by("patient_id").agg(n=sf.count()), "one person"),
    "a group twice": (lambda t: t.group_by("sex", "sex").agg(n=sf.count()), "twice"),
    "unknown groups without a delta": (lambda t: t.group_by("name").agg(n=sf.count()), "takes a δ"),
    "a name twice": (lambda t: t.group_by("sex").agg(sex=sf.count()), "two columns 'sex'"),
    "a name twice, made up": (
        lambda t: agg(t, a=sf.tables.quantiles("age", [0.5]), a_q50=sf.count()),
        "two columns 'a_q50'",
    ),
    "no aggregate": (lambda t: t.agg(), "at least one aggregate"),
    "an aggregate without a name": (
        lambda t: t.agg(sf.count()),
        r"agg takes aggregates by name, and count(*) has none; write agg(n=sf.count())",
    ),
    "aggregates as pandas has them": (
        lambda t: t.group_by("sex").agg({"age": "mean"}),
        "by name, and a dict has none",
    ),
    "a person's aggregate without a name": (
        lambda t: t.per_person(sf.count()),
        "per_person takes aggregates by name",
    ),
    "no aggregate but a number": (lambda t: t.agg(n=3), "takes aggregates"),
    "a new id": (lambda t: t.with_columns(patient_id=sf.col("age")), "privacy unit"),
    "a filter that is no condition": (lambda t: t.filter(sf.col("age")), "condition"),
    "a filter that is text": (lambda t: t.filter("age > 60"), "condition"),
    "too few values": (lambda t: agg(t, m=sf.tables.top_k("sex", 3)), "to choose"),
    "a mode of unknown values": (lambda t: agg(t, m=sf.tables.mode("name")), "values="),
    "a function for each group": (
        lambda t: t.group_by("sex").agg(
            f=sf.tables.sample_aggregate(len, columns=["age"], bounds=(0, 1), blocks=3)
        ),
        "without group_by",
    ),
    "rows of no answer": (lambda t: agg(t).sort_by("m"), "no column of the answer 'm'"),
    "a sign that is none": (lambda t: agg(t).having("n", "~", 3), "'~'"),
    "SQL that is none": (lambda t: t.query("SELEC n FROM t"), "SQL"),
}


@pytest.mark.parametrize("name", ASKED)
def test_what_is_asked_wrongly(ward: Ward, name: str) -> None:
    ask, part = ASKED[name]
    assert part in refusal(ward, lambda: ask(ward.table()).release(epsilon=1))


@pytest.mark.parametrize(
    "kind", [pa.timestamp("ns"), pa.timestamp("us"), pa.duration("ns"), pa.time64("ns")], ids=str
)
def test_ids_that_could_be_rounded_are_refused(kind: pa.DataType) -> None:
    """Two moments a nanosecond apart would be one person, and hide each other's rows."""
    rows = pa.table({"id": pa.array([1, 2], kind)})
    with raises_code("E-UNIT-TYPE"):
        sf.table(rows, unit="id")


@pytest.mark.parametrize("kind", [pa.int8(), pa.uint64(), pa.float32(), pa.date32(), pa.string()])
def test_ids_that_are_held_as_they_are_are_taken(kind: pa.DataType) -> None:
    rows = pa.table({"id": pa.array([1, 2, 2], pa.int32()).cast(kind)})
    assert sf.table(rows, unit="id").agg(n=sf.people()).release(epsilon=10_000)["n"] == 2


def test_the_nearest_column_is_named(ward: Ward) -> None:
    query = agg(ward.table(), m=sf.mean("agee"))
    said = refusal(ward, lambda: query.plan(epsilon=1), UnknownNameError)
    assert "'agee'" in said
    assert "'patient_id', 'sex', 'age', 'cost', 'name'" in said


#: What an answer may not cost, and a part of what is said.
TARGETS: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({}, "epsilon"),
    "an epsilon of 0": ({"epsilon": 0}, "epsilon"),
    "an epsilon below 0": ({"epsilon": -1}, "epsilon"),
    "an epsilon of NaN": ({"epsilon": math.nan}, "epsilon"),
    "an infinite epsilon": ({"epsilon": math.inf}, "epsilon"),
    "an epsilon in words": ({"epsilon": "much"}, "epsilon"),
    "an epsilon of True": ({"epsilon": True}, "epsilon"),
    "a huge epsilon": ({"epsilon": 10**400}, "epsilon"),
    "a tiny epsilon": ({"epsilon": "1e-400"}, "epsilon"),
    "a list": ({"epsilon": [1]}, "epsilon"),
    "a delta alone": ({"delta": 1e-6}, "epsilon"),
    "a delta of 1": ({"epsilon": 1, "delta": 1}, "delta"),
    "a delta below 0": ({"epsilon": 1, "delta": -1e-6}, "delta"),
    "epsilon and rho": ({"epsilon": 1, "rho": 1}, "rho"),
    "a rho of 0": ({"rho": 0}, "rho"),
    "Gaussian noise without a delta": ({"epsilon": 1, "noise": "gaussian"}, "delta"),
    "a noise that is none": ({"epsilon": 1, "noise": "gauss"}, "'gaussian'"),
    "a weight of no aggregate": ({"epsilon": 1, "weights": {"m": 2}}, "no aggregate 'm'"),
    "a weight of 0": ({"epsilon": 1, "weights": {"n": 0}}, "must be a number"),
    "a weight of NaN": ({"epsilon": 1, "weights": {"n": math.nan}}, "must be a number"),
    "weights in a list": ({"epsilon": 1, "weights": [1]}, "weights"),
}


@pytest.mark.parametrize("name", TARGETS)
def test_what_may_not_be_spent(ward: Ward, name: str) -> None:
    target, part = TARGETS[name]
    assert part in refusal(ward, lambda: agg(ward.table()).release(**target))


def test_more_than_the_budget(ward: Ward) -> None:
    said = refusal(ward, lambda: agg(ward.table()).release(epsilon="1.25"), BudgetError)
    assert all(each in said for each in ("ε = 1.25", "ε = 1 ", "0.25 too much"))


def test_people_without_a_unit(ward: Ward) -> None:
    table = sf.table(PATIENTS, unit="row")
    said = refusal(ward, lambda: table.agg(p=sf.people()).plan(epsilon=1))
    assert "unit='patient_id'" in said


def test_no_group_is_one_person(ward: Ward) -> None:
    table = ward.table(limits={"rows": 2, "groups": 2})
    by_person = table.group_by("sex", "patient_id").agg(n=sf.count())
    said = refusal(ward, lambda: by_person.plan(epsilon=1, delta=1e-6))
    assert "each group would be one person" in said


def test_a_budget_is_kept_in_a_ledger_or_nothing_is_answered(ward: Ward) -> None:
    table = sf.table(PATIENTS, unit="row", budget={"epsilon": 1})
    said = refusal(ward, lambda: agg(table).release(epsilon=1))
    assert "a budget is declared and no ledger to keep it in" in said


def test_unknown_groups_need_a_limit(ward: Ward) -> None:
    by_name = ward.table().group_by("name").agg(n=sf.count())
    assert "limits={'groups': 5}" in refusal(ward, lambda: by_name.plan(epsilon=1, delta=1e-6))


def test_unknown_groups_under_substitution(ward: Ward) -> None:
    table = ward.table(relation="substitute", limits={"groups": 1, "rows": 1}, ledger=None)
    by_name = table.group_by("name").agg(n=sf.count())
    assert "declare them, as in keys=" in refusal(ward, lambda: by_name.plan(epsilon=1, delta=1e-6))


class TestFiles:
    def test_a_file_that_is_not_there(self, ward: Ward, tmp_path: Path) -> None:
        said = refusal(ward, lambda: ward.table(tmp_path / "no.csv"))
        assert "there is no file" in said

    def test_a_folder(self, ward: Ward, tmp_path: Path) -> None:
        assert "folder" in refusal(ward, lambda: ward.table(tmp_path))

    @pytest.mark.parametrize("name", ["empty.csv", "empty.parquet"])
    def test_a_file_of_no_bytes(self, ward: Ward, tmp_path: Path, name: str) -> None:
        (tmp_path / name).write_bytes(b"")
        said = refusal(ward, lambda: ward.table(tmp_path / name, bounds={}, keys={}))
        assert name in said

    @pytest.mark.parametrize("kind", ["csv", "parquet"])
    def test_a_file_that_is_something_else(self, ward: Ward, tmp_path: Path, kind: str) -> None:
        path = tmp_path / f"other.{kind}"
        path.write_bytes(b"\x89PNG\r\n" + CANARY.encode() * 50)
        said = refusal(ward, lambda: agg(ward.table(path, bounds={}, keys={})).release(epsilon=1))
        assert f"other.{kind}" in said

    def test_a_kind_that_is_not_read(self, ward: Ward, tmp_path: Path) -> None:
        (tmp_path / "data.xlsx").write_bytes(b"PK")
        assert ".csv" in refusal(ward, lambda: ward.table(tmp_path / "data.xlsx"))

    def test_a_list_of_rows(self, ward: Ward) -> None:
        refusal(ward, lambda: ward.table([{"patient_id": 1, "name": CANARY}]))

    def test_a_header_alone_is_answered_with_noise(self, ward: Ward, tmp_path: Path) -> None:
        """A table in which nobody is looks like one with somebody."""
        (tmp_path / "header.csv").write_text("patient_id,sex,age\n")
        pq.write_table(pa.Table.from_pandas(PATIENTS[:0]), tmp_path / "header.parquet")
        for name in ("header.csv", "header.parquet"):
            table = ward.table(tmp_path / name, ledger=None)
            told = table.group_by("sex").agg(n=sf.count(), m=sf.mean("age")).release(epsilon=1)
            assert told["sex"] == ["F", "M"]
            assert all(isinstance(each, int) for each in told["n"])
            assert all(0 <= each <= 110 for each in told["m"])


def test_no_group_is_shown_where_nobody_is(ward: Ward) -> None:
    """Groups are to be found, and there are none: an answer without rows."""
    table = ward.table(PATIENTS[:0], limits={"groups": 1, "rows": 1}, ledger=None)
    asked = {
        "n": sf.count(),
        "m": sf.mean("age"),
        "q": sf.median("age"),
        "c": sf.tables.mode("sex"),
    }
    told = table.group_by("name").agg(**asked).release(epsilon=1, delta=1e-6)
    assert len(told) == 0
    assert list(told.to_pandas()) == ["name", *asked]


def test_nothing_was_charged_by_all_of_it_and_then_once(ward: Ward) -> None:
    """The twin: what is counted does change where something is released."""
    before = ward.entries
    agg(ward.table()).release(epsilon="0.01")
    assert ward.entries > before


def test_what_is_too_long_for_an_engine_is_refused_before_it_is_charged() -> None:
    table = sf.table(pd.DataFrame({"x": [1.0, 2.0]}), unit="row")
    deep: sf.tables.Expression = sf.col("x")
    for _ in range(11):
        deep = (sf.col("x") / deep).round(3)
    asked = table.with_columns(y=deep).agg(s=sf.sum("y", bounds=(0, 1)))
    with raises_code("E-QUESTION-TOO-LARGE"):
        asked.plan(epsilon=1)
