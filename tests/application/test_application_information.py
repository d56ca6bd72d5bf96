"""The verbs about information: figures from files equal figures from the information room."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import information
from sfumato.application import code_columns, measure_divergence, measure_entropy
from sfumato.errors import UnknownNameError
from sfumato.numeric import Ln
from tests.refusing import raises_code

EXAMPLES = Path(__file__).parents[2] / "examples"
HOSPITAL_A = EXAMPLES / "hospital-a-generalised.csv"
HOSPITAL_B = EXAMPLES / "hospital-b-generalised.csv"
QUASI = ["age", "sex", "zip", "smoker"]

few_examples = settings(max_examples=15, deadline=None)
rows = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), min_size=1, max_size=20)
orders = st.sampled_from([0, 0.5, 1, 2, 7.5, math.inf])


def columns_of(pairs: list[tuple[str, str]]) -> dict[str, list[str]]:
    return {"of": [of for of, _ in pairs], "known": [known for _, known in pairs]}


def test_m_risk_8_exposure_of_table_5_2() -> None:
    report = measure_entropy(HOSPITAL_A, columns=["diagnosis"], given=QUASI)
    assert report.prior == pytest.approx(2.947703, abs=5e-7)
    assert report.value == pytest.approx(0.972765, abs=5e-7)
    assert report.learned == pytest.approx(1.974938, abs=5e-7)
    assert (report.rows, report.outcomes, report.groups, report.unit) == (9, 8, 4, "bits")
    assert report.private is False


def test_m_risk_8_table_5_1_singles_everybody_out() -> None:
    report = measure_entropy(EXAMPLES / "hospital-a.csv", columns=["diagnosis"], given=["age"])
    assert report.value == 0
    assert report.groups == report.rows == 9


@few_examples
@given(rows, orders, st.sampled_from([2, math.e, 10]))
def test_m_info_2_entropy_agrees_with_the_information_room(
    pairs: list[tuple[str, str]], order: float, base: float
) -> None:
    named = columns_of(pairs)
    joint = information.Joint.from_columns(named)
    report = measure_entropy(
        pa.table(named), columns=["of"], given=["known"], order=order, base=base
    )
    wanted = information.conditional_entropy(joint, given="known", order=order, base=base)
    alone = information.entropy(joint.marginal("of"), order=order, base=base)
    assert report.value == pytest.approx(wanted, abs=1e-12)
    assert report.prior == pytest.approx(alone, abs=1e-12)
    assert report.learned is not None
    assert report.learned == pytest.approx(alone - wanted, abs=1e-12)
    assert report.learned >= 0


@few_examples
@given(rows, rows, orders)
def test_m_div_1_divergence_agrees_with_the_information_room(
    left: list[tuple[str, str]], right: list[tuple[str, str]], order: float
) -> None:
    p, q = ({pair: pairs.count(pair) for pair in pairs} for pairs in (left, right))
    first, second = information.align(p, q)
    report = measure_divergence(
        pa.table(columns_of(left)), pa.table(columns_of(right)), order=order, delta=0.125
    )
    assert report.p_from_q == pytest.approx(
        information.renyi_divergence(first, second, order=order), abs=1e-12
    )
    assert report.max_q_from_p == pytest.approx(
        information.max_divergence(second, first, delta=0.125), abs=1e-9
    )
    assert report.statistical_distance == pytest.approx(
        float(information.statistical_distance(first, second)), abs=1e-12
    )
    assert (report.only_in_p, report.only_in_q) == (
        len(p.keys() - q.keys()),
        len(q.keys() - p.keys()),
    )


def test_m_div_3_the_two_hospitals_share_one_kind_of_row() -> None:
    report = measure_divergence(HOSPITAL_A, HOSPITAL_B)
    assert report.columns == ("name", "age", "sex", "zip", "diagnosis")
    assert report.statistical_distance == pytest.approx(8 / 9)
    assert report.p_from_q == report.max_q_from_p == math.inf
    assert (report.rows, report.outcomes, report.only_in_p, report.only_in_q) == ((9, 6), 13, 7, 5)


def test_counts_and_probabilities_as_weights_give_the_same() -> None:
    spelt_out = pa.table({"x": ["a", "a", "a", "b"]})
    counted = pa.table({"x": ["a", "b"], "n": [3, 1]})
    shares = pa.table({"x": ["a", "b"], "n": ["0.75", "0.25"]})
    values = [
        measure_entropy(spelt_out, columns=["x"]).value,
        measure_entropy(counted, columns=["x"], weights="n").value,
        measure_entropy(shares, columns=["x"], weights="n").value,
    ]
    assert values == pytest.approx([information.entropy([3, 1])] * 3)
    report = measure_divergence(counted, shares, weights="n")
    assert report.columns == ("x",)
    assert report.p_from_q == pytest.approx(0, abs=1e-12)


def test_given_with_weights() -> None:
    table = pa.table({"x": ["a", "b", "a"], "y": ["u", "u", "v"], "w": [0.25, 0.25, 0.5]})
    report = measure_entropy(table, columns=["x"], given=["y"], weights="w", order=2)
    joint = information.Joint({("a", "u"): 0.25, ("b", "u"): 0.25, ("a", "v"): 0.5})
    assert report.value == pytest.approx(information.conditional_entropy(joint, given=1, order=2))


@pytest.mark.parametrize("name", ["count", "Probability", "n", "p", "weight"])
def test_a_column_that_looks_like_weights_is_suggested(name: str) -> None:
    table = pa.table({"x": ["a", "b"], name: [3, 1]})
    assert measure_entropy(table, columns=["x"]).suggested_weights == name
    assert measure_entropy(table, columns=["x", name]).suggested_weights is None
    assert measure_entropy(table, columns=["x"], weights=name).suggested_weights is None
    assert measure_divergence(table, table).suggested_weights == name


def test_reports_are_valid_json_with_infinities_spelt_out() -> None:
    report = measure_divergence(HOSPITAL_A, HOSPITAL_B, order=math.inf)
    read = json.loads(json.dumps(report.as_dict(), allow_nan=False))
    assert read["private"] is False
    assert (read["order"], read["p_from_q"]) == ("Infinity", "Infinity")
    assert float(read["p_from_q"]) == math.inf
    assert read["columns"] == list(report.columns)


def test_a_delta_above_every_event_is_minus_infinity_in_json() -> None:
    table = pa.table({"x": ["a", "b"]})
    assert measure_divergence(table, table, delta=1).as_dict()["max_p_from_q"] == "-Infinity"


@pytest.mark.parametrize(
    ("base", "unit"),
    [
        (2, "bits"),
        (math.e, "nats"),
        (10, "base 10 units"),
        (1 + 2**-52, "base 1.0000000000000002 units"),
    ],
)
def test_the_base_names_the_unit(base: float, unit: str) -> None:
    assert measure_entropy(HOSPITAL_A, columns=["sex"], base=base).unit == unit


def test_bad_arguments_are_refused_before_the_file_is_opened() -> None:
    with raises_code("E-ARGUMENT-RANGE", "order"):
        measure_entropy("nowhere.csv", columns=["a"], order=-1)
    with raises_code("E-ARGUMENT-RANGE", "delta"):
        measure_divergence("nowhere.csv", "nowhere.csv", delta=2)


def test_unknown_and_unshared_columns() -> None:
    with raises_code("E-NAME-UNKNOWN", match="did you mean 'smoker'", kind=UnknownNameError):
        measure_entropy(HOSPITAL_A, columns=["sex"], given=["smokr"])
    with raises_code("E-COLUMNS-NOT-SHARED"):
        measure_divergence(HOSPITAL_A, pa.table({"x": [1]}))


def test_a_single_column_may_be_named_alone() -> None:
    report = measure_entropy(HOSPITAL_A, columns="diagnosis", given="age")
    assert (report.columns, report.given) == (("diagnosis",), ("age",))
    assert measure_divergence(HOSPITAL_A, HOSPITAL_B, columns="age").columns == ("age",)
    names = (each for each in ["age", "sex"])
    assert measure_divergence(HOSPITAL_A, HOSPITAL_B, columns=names).columns == ("age", "sex")


def test_what_is_no_name_of_a_column_is_refused() -> None:
    no_names: Any = None
    with raises_code("E-COLUMN-NAME"):
        measure_entropy(HOSPITAL_A, columns=no_names)
    with raises_code("E-COLUMN-NAME"):
        measure_entropy(HOSPITAL_A, columns="age", given=no_names)


def test_the_index_of_a_frame_is_not_compared() -> None:
    frame = pd.DataFrame({"x": ["a", "b"]}, index=pd.Index(["u", "v"], name="id"))
    other = frame.set_index(pd.Index(["v", "w"], name="id"))
    report = measure_divergence(frame, other)
    assert (report.columns, report.p_from_q) == (("x",), 0)


def test_a_report_prints_as_the_shell_does_and_escapes_in_a_notebook() -> None:
    frame = pd.DataFrame({"<b>": ["x", "y"], "n": [1, 1]})
    report = measure_entropy(frame, columns="<b>")
    assert str(report).startswith("entropy of <b>: 1.000 bits\n")
    assert "hint: if n says how often" in str(report)
    shown = report._repr_html_()
    assert "&lt;b&gt;" in shown
    assert "<b>" not in shown


def test_the_same_table_gives_the_same_digits_in_any_order() -> None:
    frame = pd.DataFrame({"x": [i % 97 for i in range(5000)], "y": [i % 13 for i in range(5000)]})
    mixed = frame.sample(frac=1, random_state=1)
    for order in (1, 2):
        first = measure_entropy(frame, columns="x", given="y", order=order)
        assert first == measure_entropy(mixed, columns="x", given="y", order=order)
    other = frame.head(3000)
    assert measure_divergence(frame, other) == measure_divergence(mixed, other)


def test_counts_are_compared_exactly() -> None:
    users = pd.DataFrame({"user": range(2000)})
    report = measure_divergence(users, users.head(1800))
    assert report.statistical_distance == 0.1
    assert report.max_q_from_p == float(Ln("10/9"))
    assert measure_divergence(users, users + 2000).statistical_distance == 1


def test_a_code_of_a_column_is_huffman_s_and_counts_gaps() -> None:
    table = pa.table({"a": ["x", None, "x", "", "y", "x", None, "x"], "b": [1] * 8})
    report = code_columns(table, columns=["a", "b"])
    counts = {("x", "1"): 4, (None, "1"): 2, ("", "1"): 1, ("y", "1"): 1}
    assert report.code.lengths == information.huffman(counts).lengths
    assert report.code.expected_length == Fraction(14, 8)
    assert report.rows == 8
    column = [each for each, count in counts.items() for _ in range(count)]
    assert information.arithmetic_code(column).bits <= report.arithmetic <= 14 + 2
    assert report.as_dict()["private"] is False
    assert report.as_dict()["codewords"][1] == {"value": [None, "1"], "rows": 2, "codeword": "10"}
    lines = report.lines()
    assert lines[0].startswith("a Huffman code of a, b takes 1.750 bits a row; entropy 1.750")
    assert "(empty), 1" in lines[4]
    assert lines[-1] == "not private: exact figures, for the data owner"


def test_a_long_code_prints_its_most_frequent_values() -> None:
    report = code_columns(pd.DataFrame({"a": [*range(50), 7, 7]}), columns="a")
    lines = report.lines()
    assert lines[3].startswith("7 ")
    assert "30 others not shown" in lines
    assert len(report.as_dict()["codewords"]) == 50


def test_a_code_of_too_many_values_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.application.codes._MOST", 2)
    with raises_code("E-TOO-LARGE", match="a code of 3 values"):
        code_columns(pd.DataFrame({"a": [1, 2, 3]}), columns="a")
    with raises_code("E-NAME-UNKNOWN", kind=UnknownNameError):
        code_columns(pd.DataFrame({"a": [1]}), columns="b")
