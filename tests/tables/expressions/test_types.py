"""Types are found before a row is read, and what does not fit is one sentence."""

from __future__ import annotations

import datetime as dt

import ibis
import pytest

from sfumato.errors import InputError, UnknownNameError
from sfumato.tables.expressions import (
    Expression,
    FunctionCall,
    coalesce,
    col,
    column_types,
    greatest,
    lit,
    type_of,
    when,
)
from sfumato.tables.expressions.guards import CASTS
from sfumato.tables.expressions.values import TYPES
from tests.cases import cases
from tests.refusing import raises_code

SCHEMA = {
    "age": "integer",
    "weight": "number",
    "name": "text",
    "ill": "boolean",
    "born": "date",
    "seen": "timestamp",
    "photo": "other",
}
age, weight, name, ill, born, seen = (col(each) for each in list(SCHEMA)[:6])


@cases(
    ("expression", "wanted"),
    [
        (age + 1, "number"),
        (age // 2, "integer"),
        (age.round(), "integer"),
        (weight.round(2), "number"),
        (-age, "integer"),
        (abs(weight), "number"),
        (age.clip(0, 110), "integer"),
        (age.clip(0.5, 110), "number"),
        (name + "x", "text"),
        (name.length(), "integer"),
        (when(ill, 1).otherwise(weight), "number"),
        (when(ill, born).otherwise(seen), "timestamp"),
        (when(ill, None).otherwise(None), "null"),
        (coalesce(None, born), "date"),
        (coalesce(None, None), "null"),
        (greatest(age, weight), "number"),
        (born.date_trunc("month"), "date"),
        (born.date_trunc("hour"), "timestamp"),
        (born.days_until(seen), "integer"),
        (born < dt.datetime(2020, 1, 1), "boolean"),
        (lit(None), "null"),
    ],
)
def test_the_type_of_an_expression(expression: Expression, wanted: str) -> None:
    assert type_of(expression, SCHEMA) == wanted


@cases(
    ("expression", "said"),
    [
        (
            name + 1,
            r"name \+ 1 has no value, since name is text; declare types=.* or cast it$",
        ),
        (age.lower(), r"lower takes \(text\) and was given \(integer\)"),
        (name.sqrt(), r"since name is text; declare types={'name': 'number'}"),
        (name.month(), r"'date'} where a .* \(types={'name': 'timestamp'} where there is a time"),
        (born == "2020-01-01", r"was given \(date, text\)"),
        (ill < True, r"was given \(boolean, boolean\)"),
        (ill & age, r"and takes \(boolean, boolean\)"),
        (~age, r"not takes \(boolean\)"),
        (born.add_days(1.5), r"was given \(date, number\)"),
        (weight.round(16), "a whole number from 1 to 15"),
        (name.substring(0, 1), "a whole number from 1 to 1000000"),
        (name.left(-1), "a whole number from 0 to 1000000"),
        (FunctionCall("left", (name, age)), "a whole number from 0"),
        (FunctionCall("like", (name, name)), "a written text of at most 1000 characters"),
        (born.date_trunc("fortnight"), "one of 'year', 'quarter'"),
        (name.replace("a", "b" * 101), "at most 100 characters"),
        (FunctionCall("sqrt", ()), r"sqrt takes \(number\) and was given \(\)"),
        (FunctionCall("coalesce", ()), r"coalesce takes \(integer, \.\.\.\)"),
        (when(age, 1).otherwise(2), "the condition age is of type integer; write one"),
        (when(ill, 1).otherwise("x"), r"has values of several types \(integer, text\)"),
        (weight.cast("text"), "casts a value of type number, which can become integer only"),
        (seen.cast("text"), "casts a value of type timestamp, which can become date only"),
        (col("photo").is_null(), "the column 'photo' has a type that expressions cannot use"),
    ],
)
def test_what_does_not_fit_is_one_sentence(expression: Expression, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        type_of(expression, SCHEMA)
    assert "\n" not in str(caught.value)


def test_a_column_that_is_not_there_gets_the_nearest() -> None:
    with raises_code(
        "E-NAME-UNKNOWN", match="no column 'wieght'; did you mean 'weight'", kind=UnknownNameError
    ):
        type_of(1 + col("wieght"), SCHEMA)


def test_a_long_expression_is_cut_in_a_message() -> None:
    long = name
    for _ in range(90):
        long = long + "x"  # type: ignore[assignment]
    with pytest.raises(InputError) as caught:
        type_of(long.sqrt(), SCHEMA)
    assert len(str(caught.value)) < 400


def test_each_cast_is_allowed_or_refused() -> None:
    columns = dict(zip(TYPES, list(SCHEMA)[:6], strict=True))
    for start in TYPES:
        for to in TYPES:
            expression = col(columns[start]).cast(to)
            if start == to or (start, to) in CASTS:
                assert type_of(expression, SCHEMA) == to
            else:
                with raises_code("E-EXPRESSION-TYPE"):
                    type_of(expression, SCHEMA)


def test_the_engine_s_types() -> None:
    kinds = {
        "integer": ["int8", "int64", "uint32"],
        "number": ["float32", "float64", "uint64", "decimal(38, 0)", "decimal(9, 2)"],
        "text": ["string"],
        "boolean": ["boolean"],
        "date": ["date"],
        "timestamp": ["timestamp", "timestamp('UTC')", "timestamp(9)"],
        "other": ["time", "binary", "uuid", "json", "interval('s')", "array<int64>", "null"],
    }
    schema = {kind: ours for ours, each in kinds.items() for kind in each}
    assert column_types(ibis.schema({kind: kind for kind in schema})) == schema
