"""Errors can be sent between processes, and their tree is the documented one."""

from __future__ import annotations

import copy
import pickle

import pytest

from sfumato import errors

RAISED = [
    errors.InputError("a sentence"),
    errors.UnknownNameError("column", "agee", ["age"], where="the table"),
    errors.InfeasibleError("they clash", conflict=("mean", "cap")),
    errors.MissingExtraError("reading", extra="duckdb"),
    errors.NoEnclosureError("no bound"),
    errors.BudgetError("spent"),
    errors.InternalError("our bug"),
]


@pytest.mark.parametrize("error", RAISED, ids=lambda error: type(error).__name__)
def test_errors_survive_pickles_and_copies(error: errors.SfumatoError) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):  # noqa: S301
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)


def test_the_page_draws_every_error() -> None:
    drawn = errors.__doc__ or ""
    assert all(name in drawn for name in errors.__all__)
