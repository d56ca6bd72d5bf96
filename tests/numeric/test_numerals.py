"""What a written number is: decided in one place, alike for every reader of texts."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.cli.arguments import Form, NamedText, read_number, read_order, read_whole
from sfumato.data.policy import Allowance
from sfumato.errors import InputError
from sfumato.numeric import Ln, exact
from sfumato.numeric.exact import has_great_exponent, meant, rational, whole
from sfumato.privacy import written
from sfumato.privacy.parameters import read_epsilon
from sfumato.risk.attacks.conditions import read_condition
from sfumato.tables.plan.budget import read_target
from tests.cases import cases
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

#: What Python takes for a number, and a person does not write for one.
ODD = [
    "１",
    "０.５",
    "1_000",
    "1_0.5",
    "١",
    "१",
    "𝟏",
    "1e１",
    "1e1_0",
    "１/２",
    "\u00a01",
    "1\u3000",
]
NONE = ["", " ", "e", "1e", ".", "+", "--1", "1/", "/2", "1/2/3", "1/-2", "1/0", "0x10", "1,5"]
NONE += ["nan", "inf", "Infinity", "1 000", "1/2.5", "½", "²", "①", "Ⅷ", "一", "+ 1", "1.5/2", "1j"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", 1),
        ("+1", 1),
        ("-0.5", Fraction(-1, 2)),
        (".5", Fraction(1, 2)),
        ("5.", 5),
        ("1e3", 1000),
        ("1E-3", Fraction(1, 1000)),
        (" 2/3\n", Fraction(2, 3)),
        ("-2/3", Fraction(-2, 3)),
        ("007", 7),
        ("0" * 30 + "1", 1),
    ],
)
def test_what_a_written_number_is(text: str, number: Any) -> None:
    assert rational(text) == exact(text) == written(text) == number


@cases("text", [*ODD, *NONE, "9" * 5000, "1e9999999"])
def test_what_is_none(text: str) -> None:
    assert rational(text) is None
    assert whole(text) is None
    with pytest.raises(InputError):
        exact(text)


@given(st.text(max_size=8) | st.text(st.sampled_from("0123456789+-./eE_ １٣"), max_size=8))
def test_what_is_taken_is_what_python_takes_for_the_same_number(text: str) -> None:
    found, count = rational(text), whole(text)
    assert found is None or (text.isascii() and "_" not in text and found == Fraction(text.strip()))
    assert count is None or (found == count and count == int(text))


@given(st.fractions() | st.decimals(allow_nan=False, allow_infinity=False) | st.floats(-1e9, 1e9))
def test_what_programs_write_is_read_back(number: Fraction | Decimal | float) -> None:
    assert rational(str(number)) == Fraction(str(number))


def test_exponents_that_would_fill_the_memory() -> None:
    assert rational("1e-999999") is not None
    for text in ("1e1000000", "-1.5E-9999999", "1e" + "9" * 99):
        assert has_great_exponent(text)
        with raises_code("E-NUMBER-FORM", "epsilon"):
            written(text, "epsilon")
    with raises_code("E-NUMBER-FORM", "value"):
        exact(Decimal("1e1000000"))
    assert not has_great_exponent("one-hundred-million")


@pytest.mark.parametrize(
    ("text", "write"),
    [
        ("１", "1"),
        ("０．５", "0.5"),
        ("1_000", "1000"),
        ("٣", "3"),
        ("１／２", "1/2"),
        ("－1", "-1"),
    ],
)
def test_a_refusal_says_what_to_write(text: str, write: str) -> None:
    assert meant(text) == write
    with pytest.raises(InputError) as told:
        written(text, "epsilon")
    assert str(told.value) == f"epsilon must be in the digits 0 to 9, not '{text}'; write {write}"


COIN = {"choices": ["yes", "no"]}
#: What a reader takes, where it is not 3.
PLAIN = {"a delta": "0.5", "the truth of a survey": "2/3"}
READERS: dict[str, Callable[[str], Any]] = {
    "exact": exact,
    "written": written,
    "read_epsilon": read_epsilon,
    "a logarithm": Ln,
    "a logarithm in a text": lambda text: read_epsilon(f"ln({text})"),
    "an epsilon": lambda text: sf.mechanisms.Laplace(epsilon=text, sensitivity=1),
    "a sensitivity": lambda text: sf.mechanisms.Laplace(epsilon=1, sensitivity=text),
    "a scale": lambda text: sf.mechanisms.Laplace(scale=text, sensitivity=1),
    "a delta": lambda text: sf.ApproxDP(epsilon=1, delta=text),
    "an event": lambda text: sf.privacy.events.Pure(epsilon=text),
    "calibration": lambda text: sf.calibrate("laplace", epsilon=text),
    "the truth of a survey": lambda text: sf.mechanisms.RandomizedResponse(truth=text),
    "a question of a survey": lambda text: sf.Survey({"q": {**COIN, "epsilon": text}}),
    "a plan": lambda text: read_target(epsilon=text),
    "a budget of a policy": lambda text: Allowance(epsilon=text),  # type: ignore[arg-type]
    "a number in the shell": lambda text: read_number(text, "--t", "a number", {}),
    "an order in the shell": read_order,
    "a whole number in the shell": lambda text: read_whole(text, "--k"),
    "k-means": lambda text: sf.KMeans(1, epsilon=text, bounds=(0, 1)).fit([[0.5]]),
}


@pytest.mark.parametrize("name", READERS)
def test_every_reader_takes_a_written_number(name: str) -> None:
    READERS[name](PLAIN.get(name, "3"))


@cases("text", ODD)
@cases("reader", READERS.values())
def test_every_reader_refuses_what_is_no_written_number(
    reader: Callable[[str], Any], text: str
) -> None:
    with pytest.raises(InputError) as told:
        reader(text)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("text", ["５", "5_0"])
def test_a_limit_is_left_to_the_policy_where_it_is_no_number(text: str) -> None:
    assert NamedText(Form("--limit", "rows=50", of="word"), "rows", text).limit() == text


@pytest.mark.parametrize("text", ["５０", "5_0"])
def test_what_is_compared_by_size_is_a_number(text: str) -> None:
    read_condition("age>=50")
    with raises_code("E-CONDITION-FORM", "where"):
        read_condition(f"age>={text}")


def test_infinity_has_a_name_in_the_shell() -> None:
    assert read_order("inf") == read_order("∞") == float("inf")
    assert read_number("1e400", "--t", "a number", {}) == float("inf")
    with raises_code("E-OPTION-VALUE", match="--t takes a number; 'nan' is not"):
        read_number("nan", "--t", "a number", {})
