"""Bad input gets one sentence: what was given, what is allowed, what to write."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.stats import norm

from sfumato.errors import InputError, UnknownNameError
from sfumato.information import (
    Distribution,
    Joint,
    align,
    bounded_neighbour,
    conditional_entropy,
    entropy,
    hockey_stick,
    information_content,
    kl_divergence,
    max_divergence,
    mutual_information,
    renyi_divergence,
)
from tests.cases import cases
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

HALF = [0.5, 0.5]
ROWS = pd.DataFrame({"a": [1, 2, 3], "b": [4, 5, 6]})
REPEATED = pd.DataFrame([[1, 2]], columns=["a", "a"])

CASES: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: entropy([0.5, -0.5, 1]),
        "p has a negative entry at position 1; probabilities and counts",
    ),
    (lambda: entropy([3, -1]), "p has a negative entry at position 1;"),
    (lambda: entropy([Fraction(3, 2), Fraction(-1, 2)]), "p has a negative entry at position 1;"),
    (lambda: entropy([0.5, math.nan]), r"p has a missing \(NaN\) entry at position 1;"),
    (lambda: entropy([0.5, None]), r"p has a missing \(NaN\) entry at position 1;"),
    (lambda: entropy([0.5, math.inf]), "p has an infinite entry at position 1;"),
    (
        lambda: entropy([0.5, 0.4]),
        "p sums to 0.9, which is 0.1 below 1; give probabilities that sum",
    ),
    (lambda: entropy([0.5, 0.75]), "p sums to 1.25, which is 0.25 above 1;"),
    (lambda: entropy([Fraction(1, 3)] * 2), "p sums to 0.6666666667, which is 0.333 below 1;"),
    (lambda: entropy([Decimal("0.1")] * 9), "p sums to 0.9, which is 0.1 below 1;"),
    (lambda: entropy([]), "p is empty; give at least one outcome"),
    (lambda: entropy({}), "p is empty; give at least one outcome"),
    (lambda: entropy([0, 0]), "p holds only zeros; give at least one positive count"),
    (lambda: entropy(["a", "b"]), "p holds text, not numbers;"),
    (lambda: entropy("0.5"), "p holds text, not numbers;"),
    (lambda: entropy([True, False]), "p holds true/false values, not numbers;"),
    (lambda: entropy([1j]), "p holds something else, not numbers;"),
    (lambda: entropy(5), "p is not a list, array, column or mapping"),  # type: ignore[arg-type]
    (lambda: entropy([[1, 2], [3]]), "p holds something else, not numbers;"),
    (lambda: entropy([object()]), "p holds something else, not numbers;"),
    (lambda: entropy(HALF, order=-1), "order must be 0 or more, not -1;"),
    (lambda: entropy(HALF, order=math.nan), "order must be a number from 0 to infinity"),
    (lambda: entropy(HALF, order=str(2)), "order must be a number"),  # type: ignore[arg-type]
    (lambda: entropy(HALF, base=1), "base must be above 1 and finite, not 1; 2 gives bits"),
    (lambda: entropy(HALF, base=0.5), "base must be above 1"),
    (lambda: information_content(1.5), "probability must lie between 0 and 1, not 1.5;"),
    (lambda: kl_divergence(HALF, [1.0]), "p has 2 outcomes and q has 1; give both the same ones"),
    (lambda: kl_divergence(HALF, {"a": 1}), "one of p and q names its outcomes"),
    (
        lambda: kl_divergence({"a": 1, "b": 1}, {"a": 1, "c": 1}),
        r"p and q are over different outcomes \(1 only in p, 1 only in q\); write 0 ",
    ),
    (lambda: kl_divergence(HALF, [0.5, 0.6]), "q sums to 1.1, which is 0.1 above 1;"),
    (lambda: renyi_divergence(HALF, HALF, order=-0.5), "order must be 0 or more, not -0.5;"),
    (lambda: max_divergence(HALF, HALF, delta=2), "delta must lie between 0 and 1, not 2;"),
    (lambda: max_divergence(HALF, HALF, delta=-0.1), "delta must lie between 0 and 1"),
    (lambda: hockey_stick(HALF, HALF, epsilon=math.nan), "epsilon must be a number"),
    (lambda: bounded_neighbour(HALF, HALF, epsilon=-1), "epsilon must be 0 or more, not -1;"),
    (lambda: bounded_neighbour(HALF, HALF, epsilon=math.inf), "epsilon must be at most 10000 here"),
    (lambda: align(HALF, HALF), "p and q must name their outcomes"),
    (
        lambda: mutual_information(np.ones((2, 2, 2), dtype=int)),
        "the table has 3 variables; say which",
    ),
    (lambda: conditional_entropy([[1, 2]], given=[0, 1]), "every variable is given"),
    (lambda: conditional_entropy([[1, 2]], given=[0, 0]), "a variable is named twice"),
    (lambda: Joint([[1, 2]], variables=["x"]), "1 variables are named for a table of 2"),
    (
        lambda: Joint([[1, 2]], variables=["x", "x"]),
        "the variables need names",
    ),
    (
        lambda: Joint([[1, 2]], labels=[["a"], ["b"]]),
        r"the labels do not fit the table; give .* as many as it has values \(0: 1, 1: 2\)",
    ),
    (lambda: Joint({"a": 1}), "needs tuples of equal length as keys"),
    (lambda: Joint.from_columns({"x": [1, 2], "y": [1]}), "the columns differ in length"),
    (lambda: Joint.from_columns({}), "no columns were given"),
    (lambda: Joint([[1, 2]]).condition({0: 0, 1: 0}), "every variable is fixed"),
    (
        lambda: Joint([[1, 0], [0, 1]]).condition({0: 7}),
        "the variable 0 never takes the given value",
    ),
    (
        lambda: Joint({("a", "b"): 1, ("c", "d"): 1}).condition({0: "a", 1: "d"}),
        "every variable is fixed",
    ),
    (
        lambda: Joint(np.eye(2, dtype=int)[:, :, None]).condition({0: 0, 1: 1}),
        "never occur together",
    ),
    (lambda: Joint([[1, 2], [3]]), "a joint table needs rows of equal length"),
    (lambda: Joint(5), "a joint table needs rows of equal length"),
    (lambda: Joint([[1, 2]], variables=[["a"], ["b"]]), "the variables need"),  # type: ignore[list-item]
    (lambda: Joint([[1, 2]], labels=5), "the labels do not fit the table"),  # type: ignore[arg-type]
    (lambda: Joint([[1, 2]], labels=[["a"], ["b", "b"]]), "a label stands twice"),
    (lambda: Joint.from_columns({"x": [[1], [2]]}), "values that cannot be told apart"),
    (lambda: Joint.from_columns({"x": np.ones((2, 2))}), "a column must be flat"),
    (lambda: Joint.from_columns(np.ones((2, 2))), "no columns were given"),
    (lambda: Joint.from_columns(REPEATED), "two columns have the same name"),
    (lambda: Distribution({"a": [0.5, 0.5]}), "p has 1 outcomes and 2 numbers"),
    (lambda: mutual_information([[1, 2]], between=(0, 1, 2)), "between takes two"),  # type: ignore[arg-type]
    (lambda: mutual_information([[1, 2]], between=5), "between takes two groups"),  # type: ignore[arg-type]
    (lambda: entropy([-(10**400), 10**400]), "p has a negative entry at position 0;"),
    (lambda: entropy([10**400, 0.5]), "p has an infinite entry at position 0;"),
    (lambda: entropy([Fraction(10**400), Fraction(1, 3)]), "p sums to inf"),
    (lambda: entropy([Decimal("0.5"), None]), r"p has a missing \(NaN\) entry"),
    (lambda: hockey_stick(HALF, HALF, epsilon=Decimal("sNaN")), "epsilon must be a number"),
    (lambda: max_divergence(HALF, HALF, delta=10**5000), "delta must lie between 0 and 1"),
    (lambda: Distribution([Decimal("1e-100000000"), 1]), "an entry of p has too great an exponent"),
    (lambda: entropy(None), "p is not a list, array, column or mapping"),  # type: ignore[arg-type]
    (lambda: entropy(norm(0, 1)), "p is a continuous distribution"),  # type: ignore[arg-type]
    (lambda: entropy(ROWS), "p is a table of rows.* Joint.from_columns counts them"),
    (lambda: mutual_information(ROWS), "the joint table is a table of rows"),
    (lambda: mutual_information(pl.DataFrame({"a": [1], "b": [2]})), "is a table of rows"),
    (lambda: mutual_information(pa.table({"a": [1], "b": [2]})), "is a table of rows"),
    (lambda: Joint.from_columns(ROWS["a"]), "no columns were given"),
    (lambda: Joint.from_columns("mine.csv"), "no columns were given"),
    (lambda: Joint.from_columns(ROWS, weights="c"), "there is no column 'c'"),
    (lambda: Joint.from_columns(ROWS[["a"]], weights="a"), "only the weights were given"),
    (lambda: Joint(np.ma.array([[1, 2]], mask=[[False, True]])), "the joint table has a missing"),
    (lambda: Joint([[1, 2]]).condition("x"), "condition takes a mapping"),
    (lambda: Distribution([1, 1])["x"], "there is no such outcome"),
]


@cases(("call", "message"), CASES)
def test_bad_input_gets_one_sentence(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        call()
    text = str(caught.value)
    assert "\n" not in text
    assert len(text) < 200


def test_an_unknown_variable_is_answered_with_the_nearest() -> None:
    table = Joint([[1, 2], [3, 4]], variables=["age", "diagnosis"])
    with raises_code(
        "E-NAME-UNKNOWN",
        match="there is no variable 'diagnose'; did you mean 'diagnosis'",
        kind=UnknownNameError,
    ):
        conditional_entropy(table, given="diagnose")


def test_no_label_is_printed_when_outcomes_differ() -> None:
    with pytest.raises(InputError) as caught:
        kl_divergence({"canary-cell": 1, "b": 1}, {"a": 1, "b": 1})
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize("bad", [1e-8, -1e-8, 1e-3])
def test_sums_that_are_off_are_refused_and_rounding_is_not(bad: float) -> None:
    with raises_code("E-PROBABILITIES-SUM"):
        entropy([0.5, 0.5 + bad])
    assert entropy([0.1] * 10) == pytest.approx(math.log2(10))
    assert entropy(np.full(3, 1 / 3, dtype=np.float32)) == pytest.approx(math.log2(3), rel=1e-6)
