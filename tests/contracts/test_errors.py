"""Errors can be sent between processes, and their tree is the documented one."""

from __future__ import annotations

import copy
import json
import pickle
from fractions import Fraction

import pytest

from sfumato import errors
from sfumato.refusal import Call, Declaration, Either, text

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
