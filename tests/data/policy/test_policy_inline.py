"""The same declarations in Python, and flags over a file."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sfumato.data.policy import KeySet, LedgerPlace, Limits, Policy, digest, read_policy
from sfumato.errors import InputError
from sfumato.privacy import (
    AddRemove,
    ApproxDP,
    GaussianDP,
    Person,
    PureDP,
    Row,
    Substitute,
    ZeroConcentratedDP,
)
from tests.cases import cases
from tests.refusing import raises_code

HERE = Path(__file__).parent
PERSON = AddRemove(unit=Person("patient_id"))


def test_python_and_a_file_say_the_same() -> None:
    day = "2020-01-01T00:00:00", "2020-01-02T10:00"
    policy = Policy.inline(
        unit="patient_id",
        relation="add-remove",
        limits={"rows": 50, "groups": 5, "rows_per_group": 10},
        types={"age": "integer", "ward": "integer"},
        bounds={
            "age": (0, 110),
            "blood pressure": (60.5, Fraction(721, 4)),
            "cost": "auto",
            "admitted": ("2020-01-01", "2025-12-31"),
            "seen": day,
        },
        complete=["age"],
        keys={
            "sex": ["F", "M"],
            "smoker": (False, True),
            "region": HERE / "regions.csv",
            "ward": f"{HERE / 'regions.csv'}:ward number",
            ("sex", "band"): str(HERE / "sex_band.csv"),
            ("sex", "ward"): [("F", 1), ("M", 2)],
        },
        budget={"epsilon": 3, "delta": 1e-6},
        ledger={"path": str(HERE / "ledger.db"), "book": "patients", "analyst": "ada"},
    )
    assert policy == read_policy(HERE / "patients.toml")
    assert digest(policy) == digest(read_policy(HERE / "patients.toml"))


TABLES = [
    pd.DataFrame({"sex": ["F", "M", "F"], "ward": [1, 2, 1]}),
    pl.DataFrame({"sex": ["F", "M", "F"], "ward": [1, 2, 1]}),
    pa.table({"sex": ["F", "M", "F"], "ward": [1, 2, 1]}),
]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: type(table).__module__)
def test_keys_may_be_a_public_frame(table: Any) -> None:
    policy = Policy.inline(keys={"ward": table, ("ward", "sex"): table})
    assert policy.column("ward").values == (1, 2)
    assert policy.keysets == (KeySet(("ward", "sex"), ((1, "F"), (2, "M"))),)


@pytest.mark.parametrize(
    "keys",
    [pd.Series([1, 2]), pl.Series([1, 2]), np.array([1, 2]), {1: 0, 2: 0}.keys(), (1, 2)],
    ids=lambda keys: type(keys).__name__,
)
def test_keys_may_be_any_collection(keys: Any) -> None:
    values = Policy.inline(keys={"ward": keys}).column("ward").values
    assert values == (1, 2)
    assert all(type(each) is int for each in values or ())


def test_flags_go_over_a_file() -> None:
    policy = read_policy(HERE / "patients.toml")
    changed = policy.with_changes(
        unit="visit_id",
        bounds={"age": (0, 100), "height": (40, 250)},
        keys={"sex": ["f", "m"], ("band", "sex"): [("30-39", "f")]},
        limits={"groups": 2},
        complete="height",
    )
    assert changed.column("age").bounds == (Fraction(0), Fraction(100))
    assert changed.column("age").type == "integer"
    assert changed.column("height").complete
    assert changed.column("sex").values == ("f", "m")
    assert changed.limits == Limits(rows=50, groups=2, rows_per_group=10)
    assert [each.columns for each in changed.keysets] == [("band", "sex"), ("sex", "ward")]
    assert changed.budget is not None
    assert changed.budget.relation == AddRemove(unit=Person("visit_id"))
    assert changed.ledger == policy.ledger
    assert changed.source == policy.source
    assert policy.column("age").bounds == (Fraction(0), Fraction(110))


def test_none_takes_a_declaration_back() -> None:
    policy = Policy.inline(bounds={"age": (0, 110)}, keys={"age": [1, 2]})
    assert policy.with_changes(bounds={"age": None}).column("age").bounds is None
    assert policy.with_changes(keys={"age": None}).column("age").values is None


def test_no_change_changes_nothing() -> None:
    policy = read_policy(HERE / "patients.toml")
    assert policy.with_changes() == policy


@pytest.mark.parametrize("unit", ["row", Row()])
def test_each_row_may_be_a_person(unit: Any) -> None:
    policy = Policy.inline(unit=unit, relation=Substitute())
    assert policy.relation == Substitute()


def test_a_column_may_have_the_name_row() -> None:
    assert Policy.inline(unit=Person("row")).relation == AddRemove(unit=Person("row"))


@pytest.mark.parametrize(
    "guarantee",
    [
        PureDP(epsilon=1, relation=PERSON),
        ApproxDP(epsilon=1, delta=1e-6, relation=PERSON),
        ZeroConcentratedDP(rho=0.1, relation=PERSON),
    ],
)
def test_a_guarantee_may_be_the_budget_where_its_relation_is_the_table_s(guarantee: Any) -> None:
    assert Policy.inline(unit="patient_id", budget=guarantee).budget == guarantee


def test_parts_may_be_given_as_they_are_made() -> None:
    place = LedgerPlace(path=Path("ledger.db"), book="patients")  # type: ignore[arg-type]
    policy = Policy.inline(unit="id", limits=Limits(rows="auto"), ledger=place)
    assert policy.limits.rows == "auto"
    assert policy.ledger == LedgerPlace(path="ledger.db", book="patients")


FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"unit": 3}, "unit must be the column of the person's id"),
    ({"unit": True}, "unit must be the column of the person's id"),
    ({"unit": Person()}, "unit must be the column of the person's id"),
    ({"relation": "swap"}, "'swap'"),
    ({"relation": 1}, "relation must be add_remove or substitute, not 1"),
    ({"unit": "id", "relation": AddRemove()}, "“add or remove one row” is given"),
    ({"unit": "id", "budget": PureDP(epsilon=1)}, "“add or remove one row” is given"),
    ({"unit": "row", "relation": AddRemove(2)}, "“add or remove two rows” is given"),
    ({"budget": PureDP(epsilon=1)}, "the privacy unit is not declared"),
    ({"budget": GaussianDP(mu=1)}, "budget must be pure, approximate or zero-concentrated"),
    ({"budget": 3}, "budget must be names with values, not 3"),
    ({"budget": {"eps": 3}}, "there is no entry 'eps' in budget"),
    ({"budget": {"epsilon": float("nan")}}, "epsilon must"),
    ({"budget": {"epsilon": None}}, "a budget has neither epsilon nor rho"),
    ({"limits": 5}, "limits must be names with values, not 5; write {'rows': 50}, say"),
    ({"limits": {"row": 5}}, "there is no entry 'row' in limits; did you mean 'rows'?"),
    ({"limits": {3: 5}}, "there is no entry '3' in limits"),
    ({"limits": {"rows": 10**5000}}, "not a number of thousands of digits"),
    ({"ledger": "ledger.db"}, "ledger must be names with values"),
    ({"ledger": {"path": "\ud800"}}, "path must be text"),
    ({"ledger": LedgerPlace, "unit": "id"}, "not a value of type type"),
    ({"bounds": [("age", 0, 110)]}, "bounds must be given by column"),
    ({"bounds": {3: (0, 1)}}, "a column of bounds must be a name, not 3"),
    ({"bounds": {("a", "b"): (0, 1)}}, "a column of bounds must be a name, not ['a', 'b']"),
    ({"bounds": {"age": 110}}, "the column 'age': bounds must be a lower and an upper bound"),
    ({"bounds": {"age": (float("inf"), 1)}}, "the column 'age': bounds must be two finite"),
    ({"bounds": {"age": (10**5000, 10**5001)}}, "numbers between -1e300 and 1e300"),
    ({"bounds": {"age": (None, 1)}}, "bounds must be two finite numbers"),
    ({"bounds": {"age": np.array([0, 1])}}, "not a value of type ndarray"),
    ({"keys": {"sex": 3}}, "the column 'sex': values must be a list of values, not 3"),
    ({"keys": {"sex": b"FM"}}, "values must be a list of values, not a value of type bytes"),
    ({"keys": {"sex": ["F", None]}}, "number 2 of values is of type NoneType"),
    ({"keys": {"sex": ["\udc80"]}}, "number 1 of values is not text in UTF-8"),
    ({"keys": {"sex": [pd.NaT]}}, "number 1 of values is not a timestamp"),
    (
        {"keys": {"sex": "F"}},
        "keys must be a list, or the path of a public table, not 'F'; write ['F'",
    ),
    ({"keys": {"sex": "no.csv"}}, "there is no file 'no.csv'"),
    ({"keys": {"sex": pd.DataFrame({"sx": ["F"]})}}, "there is no column 'sex' in the table"),
    (
        {"keys": {"sex": pl.LazyFrame({"sex": ["F"]})}},
        "a LazyFrame, which is not computed yet; call",
    ),
    ({"keys": {("sex",): [("F",)]}}, "columns must be two or more names, each once"),
    ({"keys": {("sex", 3): [("F", 1)]}}, "a column of keys must be a name"),
    ({"keys": {("sex", "band"): "F"}}, "there is no file 'F'"),
    ({"keys": {("sex", "band"): ["Fx"]}}, "not one value of each of sex, band"),
    ({"types": {"age": "int"}}, "the column 'age': there is no type 'int'"),
    ({"types": ["age"]}, "types must be given by column"),
    ({"complete": 3}, "complete takes the name of a column, or several"),
]


@cases(("declared", "said"), FAULTS)
def test_a_mistake_in_python_is_one_sentence(declared: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        Policy.inline(**declared)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_keys_of_the_same_columns_are_given_once() -> None:
    keys = {("sex", "band"): [["F", "30-39"]], ("band", "sex"): [["40-49", "M"]]}
    with raises_code("E-KEYS-TWICE"):
        Policy.inline(unit="row", keys=keys)
    first = Policy.inline(unit="row", keys={("sex", "band"): [["F", "30-39"]]})
    changed = first.with_changes(keys={("band", "sex"): [["40-49", "M"]]})
    assert [each.columns for each in changed.keysets] == [("band", "sex")]
