"""Errors can be sent between processes, and their tree is the documented one."""

from __future__ import annotations

import copy
import json
import pickle
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato import errors
from sfumato.cli.surface import SHELL, Shell
from sfumato.refusal import (
    PYTHON,
    SQL,
    Argument,
    Arguments,
    Bare,
    Call,
    Declaration,
    Either,
    Setting,
    text,
)

if TYPE_CHECKING:
    from collections.abc import Callable

RAISED = [
    errors.InputError("E-INTERNAL", "a sentence"),
    errors.UnknownNameError("column", "agee", ["age"], where="the table"),
    errors.InfeasibleError("they clash", conflict=("mean", "cap")),
    errors.MissingExtraError("reading", extra="duckdb"),
    errors.NoEnclosureError("E-INTERNAL", "no bound"),
    errors.BudgetError("E-INTERNAL", "spent"),
    errors.InternalError("E-INTERNAL", "our bug"),
]


@pytest.mark.parametrize("error", RAISED, ids=lambda error: type(error).__name__)
def test_errors_survive_pickles_and_copies(error: errors.SfumatoError) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):  # noqa: S301
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert again.refusal == error.refusal


def test_the_page_draws_every_error() -> None:
    drawn = errors.__doc__ or ""
    assert all(name in drawn for name in errors.__all__)


def test_an_error_is_a_problem_document() -> None:
    hint = Either("None", Call("count"))
    ends = text("{bounds}", bounds=Declaration("bounds", "age", (0, Fraction(1, 2))))
    error = errors.InputError(
        "E-BOUNDS-MISSING",
        "{name!r} has {count:,} cells",
        "write {hint} or {ends}",
        name="age",
        count=1000,
        hint=hint,
        ends=ends,
    )
    error.refusal = error.refusal.at("'p.toml'", column="age")
    document = error.as_dict()
    assert json.loads(json.dumps(document)) == document
    assert document == {
        "type": "urn:sfumato:error:E-BOUNDS-MISSING",
        "title": "a column has no declared bounds, and clamping needs them",
        "detail": "'p.toml': 'age' has 1,000 cells; write None or "
        "bounds={'age': (0, Fraction(1, 2))}",
        "code": "E-BOUNDS-MISSING",
        "places": ["'p.toml'"],
        "column": "age",
        "given": {"name": "'age'", "count": "1,000"},
        "hints": [
            {"either": "None", "sql": {"call": "count", "of": "", "bounds": None}},
            {"declaration": "bounds", "column": "age", "value": [0, "1/2"], "whose": ""},
        ],
    }


def test_a_sentence_says_nothing_of_a_value_beyond_its_format() -> None:
    error = errors.InputError("E-TEXT-FORM", "{text!r:.4} is wrong", text="a cell of somebody")
    assert "somebody" not in json.dumps(error.as_dict()) + repr(vars(error))


#: Escape, a new line, one of the second set of controls, letters turned round, half a pair.
STEERING = "\x1b[31m\n\x9b\u202e\u2028\udcff"
WHATEVER = st.text(st.one_of(st.sampled_from(STEERING), st.characters()), max_size=8)
SURFACES = [PYTHON, SQL, SHELL, Shell(described=True), Shell(public=(STEERING,))]


@given(WHATEVER, st.sampled_from(SURFACES))
def test_nothing_that_is_given_steers_a_terminal(given: str, surface: Shell) -> None:
    hints = [
        Argument("epsilon", Bare(given)),
        Argument(given),
        Arguments((Argument(given, 1), Argument("delta", given))),
        Call("sum", given),
        Declaration("bounds", given, (given, 1)),
        Declaration("limits", given, {given: given}),
        Declaration("tables", given, 1),
        Declaration("types", given, [given]),
        Either(given, Call("count", given)),
        Setting("bounds", given),
        Setting(given, given),
        text("a part of {name} and {hint}", name=given, hint=Declaration("keys", given, given)),
    ]
    for each in [*hints, given]:
        error = errors.InputError("E-INTERNAL", "{name} is wrong", "{hint}", name=given, hint=each)
        for in_file in (False, True):
            error.refusal = error.refusal.at(given, column=given, in_file=in_file)
            error.surface = surface
            assert str(error).isprintable()


@pytest.mark.parametrize("form", ["{name}", "{name!r}", "{name:>9}"])
def test_what_nobody_would_read_to_its_end_is_cut(form: str) -> None:
    error = errors.InputError("E-INTERNAL", f"{form} is wrong", "write less", name="a" * 10_000)
    assert str(error).endswith(" is wrong; write less")
    assert len(str(error)) < 3_000


#: A number that Python itself would not write.
GREAT: Any = 10**5000
TABLE = sf.table(pd.DataFrame({"id": [1, 2], "x": [1, 2]}), unit="id", bounds={"x": (0, 9)})


@pytest.mark.parametrize(
    "asked",
    [
        lambda: sf.Survey({"a": {"choices": ["a", "b"], "epsilon": GREAT}}),
        lambda: sf.Survey({"a": {"choices": ["a", "b"], "truth": GREAT}}),
        lambda: sf.Survey({"a": {"choices": ["a", "b"], "epsilon": 1, "lifetime": GREAT}}),
        lambda: sf.Survey({"a": {"choices": ["a", "b"], "epsilon": 1, "protocol": GREAT}}),
        lambda: sf.Survey({"a": {"choices": [GREAT, "b"], "epsilon": 1}}),
        lambda: sf.Survey({"a": {"bounds": [0, GREAT], "epsilon": 1}}),
        lambda: sf.Survey({GREAT: {"choices": ["a", "b"], "epsilon": 1}}),
        lambda: sf.anonymize(pd.DataFrame({"x": [1, 2]}), quasi=["x"], k=GREAT),
        lambda: sf.anonymize(pd.DataFrame({"x": [1, 2]}), quasi=["x"], k=2, suppression=GREAT),
        lambda: TABLE.agg(n=sf.count()).plan(epsilon=1, noise=GREAT),
        lambda: TABLE.agg(n=sf.count()).plan(epsilon=GREAT),
        lambda: sf.KMeans(n_clusters=GREAT, epsilon=1, bounds=(0, 1)).fit([[0.5], [0.2]]),
        lambda: sf.KMeans(n_clusters=2, epsilon=1, bounds=(0, GREAT)).fit([[0.5], [0.2]]),
        lambda: sf.language.use(GREAT),
    ],
)
def test_a_number_that_nobody_can_write_is_said_in_words(asked: Callable[[], object]) -> None:
    with pytest.raises(errors.InputError) as caught:
        asked()
    assert "0000" not in str(caught.value).replace("1,000,000", "").replace("0.000001", "")
    json.dumps(caught.value.as_dict())


def test_a_hint_of_such_a_number_is_said_in_words_too() -> None:
    error = errors.InputError("E-INTERNAL", "it is not {hint}", hint=Argument("count", GREAT))
    assert str(error) == "it is not count=a number of thousands of digits"
    json.dumps(error.as_dict())
