"""Building expressions in Python: operators, text, limits, and what is refused."""

from __future__ import annotations

import datetime as dt
import inspect
import json
import math
import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from sfumato.errors import InputError, UnknownNameError
from sfumato.tables.expressions import (
    Case,
    Cast,
    Column,
    Expression,
    FunctionCall,
    Literal,
    as_expression,
    coalesce,
    col,
    document,
    from_document,
    functions,
    least,
    lit,
    type_of,
    when,
)
from sfumato.tables.expressions.values import FUNCTION_NAMES
from tests.cases import cases
from tests.refusing import raises_code
from tests.tables.expressions.trees import ANY_TREE

AGE = col("age")


@cases(
    ("expression", "text"),
    [
        (1 + AGE, "1 + age"),
        (2 - AGE * 3, "2 - (age * 3)"),
        (1 / AGE // 2 % 5, "((1 / age) // 2) % 5"),
        (-(2**AGE), "-(2 ** age)"),
        ((AGE >= 18) & ~(AGE == 65), "(age >= 18) AND (NOT (age = 65))"),
        ((AGE < 18) | (AGE != 3), "(age < 18) OR (age <> 3)"),
        (True & (AGE < 3), "TRUE AND (age < 3)"),
        (AGE.between(1, 2).is_null(), "(age BETWEEN 1 AND 2) IS NULL"),
        (AGE.is_in([1, 2]) == False, "(age IN (1, 2)) = FALSE"),  # noqa: E712
        (col("first name") + "o'x", "\"first name\" + 'o''x'"),
        (col('a"b').like("x\n%"), '"a""b" LIKE \'x\\u{a}%\''),
        (col("null").lower(), 'lower("null")'),
        (when(AGE < 1, None).when(AGE < 2, 1.0).otherwise("x"),
         "CASE WHEN age < 1 THEN NULL WHEN age < 2 THEN 1.0 ELSE 'x' END"),
        (coalesce(AGE, when(AGE > 1, 2)), "coalesce(age, CASE WHEN age > 1 THEN 2 ELSE NULL END)"),
        (lit(dt.datetime(2024, 1, 2, 3, 4, 5, 6)), "TIMESTAMP '2024-01-02 03:04:05.000006'"),
        (AGE.round(0), "round(age)"),
        (AGE.cast("text").substring(1, 2), "substring(CAST(age AS text), 1, 2)"),
    ],
)  # fmt: skip
def test_an_expression_reads_like_sql(expression: Expression, text: str) -> None:
    assert str(expression) == repr(expression) == text


@pytest.mark.parametrize("use", [bool, lambda e: e and e, lambda e: not e, lambda e: 1 < e < 3])
def test_python_s_own_and_or_not_are_refused(use: Any) -> None:
    with raises_code("E-EXPRESSION-IS-NO-BOOLEAN"):
        use(AGE > 1)


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (np.int64(3), 3),
        (np.float32(0.5), 0.5),
        (np.bool_(True), True),  # noqa: FBT003
        (Decimal("0.1"), 0.1),
        (Fraction(1, 4), 0.25),
        (pd.Timestamp("2024-01-02 03:04:05"), dt.datetime(2024, 1, 2, 3, 4, 5)),
        (np.str_("a"), "a"),
    ],
)
def test_values_become_plain_python(value: Any, plain: Any) -> None:
    found = lit(value).value
    assert type(found) is type(plain)
    assert found == plain


@cases(
    "value",
    [
        *(math.nan, math.inf, -math.inf, 2**63, -(2**63) - 1, 10**5000, Decimal("1e999")),
        *(Decimal("nan"), Decimal("snan"), Fraction(10**400), np.float64("nan"), 1j, b"x", [1]),
        *(object(), "a\0b", "\ud800", pd.NaT, dt.time(1), int, dt.timedelta(1)),
        dt.datetime(2024, 1, 1, tzinfo=dt.UTC),
    ],
)
def test_a_value_that_no_query_can_hold_is_one_sentence(value: Any) -> None:
    with pytest.raises(InputError) as caught:
        AGE + value
    assert "\n" not in str(caught.value)
    assert "write" in str(caught.value)


@pytest.mark.parametrize("name", [None, 3, "", "a\0b", "\ud800", b"age", AGE, ["age"]])
def test_a_column_s_name_is_text(name: Any) -> None:
    with pytest.raises(InputError, match="write"):
        col(name)


@pytest.mark.parametrize(
    "build",
    [
        lambda: FunctionCall("sqroot", (AGE,)),
        lambda: FunctionCall(["sqrt"], (AGE,)),  # type: ignore[arg-type]
        lambda: AGE.cast("int"),
        lambda: AGE.cast(3),  # type: ignore[arg-type]
        lambda: Case((), lit(1)),
        lambda: Case((AGE,), lit(1)),  # type: ignore[arg-type]
        lambda: Case(3, lit(1)),  # type: ignore[arg-type]
        lambda: FunctionCall("sqrt", AGE),  # type: ignore[arg-type]
        lambda: FunctionCall("sqrt", "age"),  # type: ignore[arg-type]
        lambda: AGE.is_in([]),
        lambda: AGE.is_in("abc"),
        lambda: AGE.is_in([1, None]),
        lambda: AGE.is_in(3),  # type: ignore[arg-type]
        lambda: AGE.clip(10, 0),
    ],
)
def test_a_malformed_expression_is_refused(build: Any) -> None:
    with pytest.raises(InputError):
        build()


def test_a_misspelt_function_gets_the_nearest() -> None:
    with raises_code("E-NAME-UNKNOWN", match="did you mean 'sqrt'", kind=UnknownNameError):
        FunctionCall("sqroot", (AGE,))


def test_what_is_too_deep_or_too_large_is_refused_without_recursion() -> None:
    deep: Expression = AGE
    for _ in range(99):
        deep = deep + 1
    assert deep.nested == 100
    assert from_document(document(deep)).size == deep.size == 199
    assert str(deep).endswith("+ 1")
    assert type_of(deep, {"age": "integer"}) == "number"
    with raises_code("E-QUESTION-TOO-LARGE"):
        deep + 1
    wide: Expression = AGE
    for _ in range(11):
        wide = wide + wide
    with raises_code("E-QUESTION-TOO-LARGE"):
        wide + wide


def test_a_document_too_deep_is_refused_without_recursion() -> None:
    given_: dict[str, Any] = {"column": "age"}
    for _ in range(100_000):
        given_ = {"cast": given_, "type": "text"}
    with raises_code("E-QUESTION-TOO-LARGE"):
        from_document(given_)


@given(ANY_TREE)
def test_documents_go_through_json_without_a_loss(expression: Expression) -> None:
    again = from_document(json.loads(json.dumps(document(expression))))
    assert document(again) == document(expression)
    assert str(again) == str(expression)
    assert again.columns() == expression.columns()
    assert (again.nested, again.size) == (expression.nested, expression.size)


@cases(
    "given_",
    [
        *(None, 3, "age", [], {}, {"column": 3}, {"column": "a", "more": 1}, {"value": [1]}),
        *({"value": math.nan}, {"value": 2**64}, {"date": "2024-13-01"}, {"date": 5}),
        *({"timestamp": "now"}, {"timestamp": "2024-01-01T00:00:00+01:00"}, {"call": "add"}),
        *({"call": "add", "arguments": {}}, {"call": "eval", "arguments": []}),
        *({"call": None, "arguments": []}, {"case": [], "otherwise": {"value": 1}}),
        *({"case": [[{"value": True}]], "otherwise": {"value": 1}}, {"cast": {"value": 1}}),
        *({"cast": {"value": 1}, "type": "int"}, {"cast": {"value": 1}, "type": []}),
    ],
)
def test_a_document_of_something_else_is_refused(given_: Any) -> None:
    with pytest.raises(InputError):
        from_document(given_)


def test_expressions_are_frozen_hashable_and_travel() -> None:
    expression = when(AGE > 1, AGE.add_days(1)).otherwise(None)
    with pytest.raises(AttributeError):
        AGE.name = "other"  # type: ignore[misc]
    assert len({expression, AGE, col("age")}) == 3
    assert str(pickle.loads(pickle.dumps(expression))) == str(expression)  # noqa: S301


def test_as_expression_leaves_expressions_alone() -> None:
    assert as_expression(AGE) is AGE
    assert isinstance(as_expression("age"), Literal)
    assert isinstance(Cast(AGE, "text").argument, Column)
    assert least(1, AGE).columns() == {"age"}


def test_every_function_is_registered_documented_and_offered() -> None:
    words = set((functions.__doc__ or "").replace(",", " ").split())
    assert set(functions.FUNCTIONS) == set(FUNCTION_NAMES)
    assert set(FUNCTION_NAMES) <= words
    methods = [name for name, _ in inspect.getmembers(Expression) if not name.startswith("_")]
    assert {"add_days", "clip", "fill_null", "is_in", "like", "substring"} <= set(methods)
