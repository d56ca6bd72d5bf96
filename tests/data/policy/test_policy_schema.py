"""Declarations and the columns that a table has."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from sfumato.data.policy import Policy, check_against_schema, declared_types
from sfumato.errors import InputError, UnknownNameError
from tests.cases import cases
from tests.refusing import raises_code

SCHEMA = {
    "id": "text",
    "age": "integer",
    "cost": "number",
    "sex": "text",
    "smoker": "boolean",
    "born": "date",
    "seen": "timestamp",
    "photo": "other",
}


def test_keys_of_a_column_that_is_not_there_may_be_of_a_derived_one() -> None:
    policy = Policy.inline(keys={"band": ["young", "old"]})
    write = r"; if queries derive it, write \.with_columns\(band=…\)\.declare\(keys={'band': …}\)$"
    with pytest.raises(UnknownNameError, match=write):
        check_against_schema(policy, SCHEMA)
    filed = replace(policy, origin="'p.toml'")
    with raises_code(
        "E-NAME-UNKNOWN", match=r"write \[derived\.band\] in 'p\.toml'$", kind=UnknownNameError
    ):
        check_against_schema(filed, SCHEMA)
    with raises_code(
        "E-NAME-UNKNOWN", match=r"did you mean 'sex'\? \(known: [^;]*\)$", kind=UnknownNameError
    ):
        check_against_schema(Policy.inline(keys={"sexx": ["F", "M"]}), SCHEMA)


def test_the_cells_of_a_csv_have_the_types_that_are_declared() -> None:
    policy = Policy.inline(
        types={"age": "integer"},
        bounds={"age": (0, 110), "cost": "auto", "born": ("1900-01-01", "2020-01-01")},
        keys={"sex": ["F", "M"], "ward": [1, 2], ("sex", "level"): [("F", 1.5), ("M", 2)]},
    )
    names = ["age", "cost", "born", "sex", "ward", "level", "name"]
    assert declared_types(policy, dict.fromkeys(names, "text"), textual=True) == {
        "age": "integer",
        "cost": "number",
        "born": "date",
        "sex": "text",
        "ward": "integer",
        "level": "number",
        "name": "text",
    }


def test_a_table_with_types_keeps_them() -> None:
    policy = Policy.inline(bounds={"age": (0, 110)})
    assert declared_types(policy, SCHEMA, textual=False) == SCHEMA


def test_keys_that_were_written_as_text_are_read_as_the_column_s_type() -> None:
    policy = Policy.inline(
        unit="id",
        keys={
            "age": ["30", " 40"],
            "cost": ["1e3", "-.5"],
            "smoker": ["true", "False"],
            "born": ["2020-02-29"],
            ("sex", "age"): [("F", "30")],
        },
    )
    fitted = check_against_schema(policy, SCHEMA)
    assert fitted.column("age").values == (30, 40)
    assert fitted.column("cost").values == (1000.0, -0.5)
    assert fitted.column("smoker").values == (True, False)
    assert fitted.column("born").values == (date(2020, 2, 29),)
    assert fitted.keysets[0].rows == (("F", 30),)


def test_whole_numbers_are_numbers_where_the_column_has_them() -> None:
    policy = Policy.inline(bounds={"cost": (0, 1)}, keys={"cost": [1, 2]})
    values = check_against_schema(policy, SCHEMA).column("cost").values
    assert values == (1.0, 2.0)
    assert all(type(each) is float for each in values or ())


UNKNOWN: list[dict[str, Any]] = [
    {"unit": "idd"},
    {"bounds": {"agee": (0, 1)}},
    {"keys": {("sex", "agee"): [("F", 1)]}},
]


@pytest.mark.parametrize("declared", UNKNOWN)
def test_a_column_that_is_not_there_is_named_with_the_nearest(declared: dict[str, Any]) -> None:
    with raises_code(
        "E-NAME-UNKNOWN", match=r"in 'p\.csv'; did you mean '(id|age)'\?", kind=UnknownNameError
    ):
        check_against_schema(Policy.inline(**declared), SCHEMA, where="'p.csv'")


MISFITS: list[tuple[dict[str, Any], str]] = [
    ({"keys": {"age": ["F", "M"]}}, "the column 'age': number 1 of values is not an integer"),
    ({"keys": {"age": [1.5]}}, "the column 'age': number 1 of values is not an integer"),
    ({"keys": {"age": [True]}}, "the column 'age': number 1 of values is not an integer"),
    ({"keys": {"age": ["9" * 19]}}, "the column 'age': number 1 of values is not an integer"),
    ({"keys": {"cost": ["1e999"]}}, "number 1 of values is not a number that is finite"),
    ({"types": {"cost": "number"}, "keys": {"cost": [10**400]}}, "is not a number that is finite"),
    ({"types": {"cost": "number"}, "keys": {"cost": [True]}}, "is not a number that is finite"),
    ({"keys": {"sex": [1, 2]}}, "the column 'sex': number 1 of values is not text"),
    ({"keys": {"smoker": ["yes"]}}, "the column 'smoker': number 1 of values is not a boolean"),
    ({"keys": {"born": ["20200101"]}}, "the column 'born': number 1 of values is not a date"),
    ({"keys": {"seen": ["2020-01-01"]}}, "number 1 of values is not a timestamp"),
    ({"keys": {"age": ["1", "01"]}}, "the column 'age': values names a value twice"),
    ({"keys": {("sex", "age"): [("F", "x")]}}, "number 1 of the keys of 'age' is not an integer"),
    ({"bounds": {"sex": (0, 1)}}, "the column 'sex': a column of type text has no bounds"),
    ({"bounds": {"sex": "auto"}}, "the column 'sex': a column of type text has no bounds"),
    ({"bounds": {"smoker": (0, 1)}}, "a column of type boolean has no bounds"),
    ({"bounds": {"born": (0, 1)}}, "bounds are of type number, and the column is of type date"),
    ({"bounds": {"age": (0, 0.5)}}, "bounds of an integer column must be whole numbers"),
    ({"bounds": {"photo": (0, 1)}}, "the column 'photo': sfumato has no use for its type"),
    ({"keys": {("sex", "photo"): [("F", 1)]}}, "the column 'photo': sfumato has no use for its"),
    ({"types": {"age": "text"}}, "declared to be of type text, and in the table it is of type int"),
]


@cases(("declared", "said"), MISFITS)
def test_what_does_not_fit_a_column_is_refused(declared: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        check_against_schema(Policy.inline(**declared), SCHEMA)
    assert said in str(caught.value)


def test_a_column_about_which_nothing_is_said_may_have_any_type() -> None:
    policy = Policy(columns={"photo": Policy().column("photo")})
    assert check_against_schema(policy, SCHEMA) == policy
