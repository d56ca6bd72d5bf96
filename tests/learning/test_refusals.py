"""What k-means refuses, in one sentence that says what to write and shows no cell."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import sfumato as sf
from sfumato.errors import InputError, RefusedError, UnknownNameError
from sfumato.privacy import AddRemove, Person, Substitute
from tests.cases import cases

#: Of the data, and so in no message.
NUMBER, WORD = 271828.5, "Wilhelmina"
ROWS = np.array([[NUMBER, 1.0], [0.5, NUMBER]])
FRAME = pd.DataFrame(ROWS, columns=["age", "bmi"])

pytestmark = pytest.mark.filterwarnings("ignore:random_state is for tests")


def model(**more: Any) -> sf.KMeans:
    given: dict[str, Any] = {"n_clusters": 2, "epsilon": 1, "bounds": (0, 1), **more}
    return sf.KMeans(**given)


def said(refused: Any, kind: Any = InputError) -> str:
    """What somebody is told: one line, none of it from the data."""
    with pytest.raises(kind) as caught:
        refused()
    message = str(caught.value)
    assert "\n" not in message
    assert str(NUMBER) not in message
    assert WORD not in message
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return message


# --- Parameters -------------------------------------------------------------------------------

PARAMETERS: list[tuple[dict[str, Any], str]] = [
    ({"bounds": None}, "bounds are missing.*write bounds=\\(-1, 1\\)"),
    ({"bounds": [(0, 1)] * 3}, "3 bounds are given for 2 columns; give one pair for all"),
    ({"bounds": (0, 1, 2)}, "3 bounds are given for 2 columns"),
    ({"bounds": "age"}, "bounds must be pairs of numbers, not 'age'"),
    ({"bounds": (0, float("nan"))}, "a number of the bounds must be a finite number, not nan"),
    ({"bounds": (0, float("inf"))}, "must be a finite number, not inf"),
    ({"bounds": (0, 10**400)}, "too far apart or too close"),
    ({"bounds": (1, 1)}, "the lower one first, not 1 and 1; write \\(0, 110\\)"),
    ({"bounds": (2, 1)}, "the lower one first, not 2 and 1"),
    (
        {"bounds": [(0, 1), "x"]},
        "the bounds of column 1 must be a lower and an upper bound, not 'x'",
    ),
    ({"bounds": (0, 1e-300)}, "too far apart or too close"),
    ({"bounds": (-1e300, 1e300)}, "too far apart or too close"),
    ({"bounds": {"age": (0, 1)}}, "the columns have none; give a frame"),
    ({"n_clusters": 0}, "n_clusters must be a whole number from 1 to 10,000, not 0; write"),
    ({"n_clusters": -3}, "not -3"),
    ({"n_clusters": 2.5}, "not 2.5"),
    ({"n_clusters": "many"}, "not 'many'"),
    ({"n_clusters": True}, "not True"),
    ({"n_clusters": 10**9}, "from 1 to 10,000"),
    ({"epsilon": None}, "epsilon is missing.*write epsilon=1"),
    ({"epsilon": 0}, "epsilon must be from 1e-9 to 1,000,000, not 0; write epsilon=1"),
    ({"epsilon": -1}, "epsilon must be from 1e-9 to 1,000,000, not -1"),
    ({"epsilon": 1e9}, "from 1e-9 to 1,000,000"),
    ({"epsilon": "much"}, "epsilon must be a number, not 'much'; write"),
    ({"epsilon": float("nan")}, "epsilon must be a finite number"),
    ({"epsilon": float("inf")}, "no other method is; write method='lloyd' as well, or epsilon=1"),
    ({"domain": sf.learning.L1Ball()}, "bounds and domain both say where points lie"),
    ({"delta": 1}, "delta must lie between 0 and 1, not be 1; write delta=1e-6"),
    ({"delta": 0}, "delta must lie between 0 and 1"),
    ({"delta": "little"}, "delta must be a number"),
    ({"noise": "gaussian"}, "needs a delta as well; write epsilon=1, delta=1e-6"),
    ({"method": "lloyd", "delta": 1e-6}, "needs no delta; leave delta out"),
    ({"rounds": 0, "method": "lloyd"}, "rounds must be a whole number from 1 to 1,000"),
    ({"rounds": 1.5}, "rounds must be a whole number"),
    ({"size": 0}, "size must be a whole number of 1 or more"),
    ({"columns": ["age"]}, "the points have no names; leave columns out"),
    ({"columns": []}, "columns must be names in a list"),
    ({"points_per_person": 3}, "the privacy unit is not given; give people=ids"),
    ({"relation": AddRemove(2)}, "of one, not add or remove two rows; write relation="),
    ({"relation": "substitute"}, "write relation=sf\\.privacy\\.AddRemove\\(\\)"),
    ({"relation": Substitute(unit=Person())}, "give fit\\(X, people=ids\\)"),
    ({"random_state": "x"}, "random_state must be a whole number"),
    ({"random_state": np.random.default_rng(1)}, "leave it out"),
]


@cases(("wrong", "words"), PARAMETERS)
def test_parameters_are_refused(wrong: dict[str, Any], words: str) -> None:
    message = said(lambda: model(**wrong).fit(ROWS))
    assert re.search(words, message), message


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"method": "kmeans"}, "there is no method 'kmeans' (known: 'auto', 'lloyd'"),
        ({"noise": "cauchy"}, "there is no noise 'cauchy' (known: 'auto', 'laplace', 'gaussian')"),
    ],
)
def test_unknown_words_are_refused(wrong: dict[str, Any], words: str) -> None:
    assert words in said(lambda: model(**wrong).fit(ROWS), UnknownNameError)


def test_a_plan_refuses_what_fit_refuses() -> None:
    for wrong, _ in PARAMETERS:
        if set(wrong) & {"n_clusters", "epsilon", "delta", "noise", "rounds", "size"}:
            said(lambda wrong=wrong: model(**wrong).plan(2))
    assert "points_per_person must" in said(lambda: model(points_per_person=0).plan(2))


def test_names_of_columns_are_checked() -> None:
    some = {"age": (0, 1), "height": (0, 1)}
    assert "no column 'height'" in said(lambda: model(bounds=some).fit(FRAME), UnknownNameError)
    del some["height"]
    message = said(lambda: model(bounds=some).fit(FRAME))
    assert message.startswith("the column 'bmi' has no bounds; write bounds={'bmi': (0, 100)}, or ")
    assert "no column 'x'" in said(lambda: model(columns=["x"]).fit(FRAME), UnknownNameError)


# --- Points -----------------------------------------------------------------------------------

POINTS: dict[str, Any] = {
    "a column of text": pd.DataFrame({"age": [NUMBER], "name": [WORD]}),
    "a category": pd.DataFrame({"age": [NUMBER], "name": pd.Categorical([WORD])}),
    "text in polars": pl.DataFrame({"age": [NUMBER], "name": [WORD]}),
    "text in Arrow": pa.table({"age": [NUMBER], "name": [WORD]}),
    "text": np.array([["0.5", WORD]]),
    "bytes": np.array([[WORD.encode()]]),
    "dates": np.array([["2020-01-01"]], dtype="datetime64[D]"),
    "lists": np.array([[[NUMBER], 1.0], [2.0, [3.0]]], dtype=object),
    "rows not as long": [[NUMBER, 1.0], [2.0]],
    "one dimension": [NUMBER, 1.0],
    "three dimensions": np.full((2, 2, 2), NUMBER),
    "one number": NUMBER,
    "a word": WORD,
    "a dictionary": {"age": [NUMBER]},
    "nothing": None,
    "an iterator": iter([[NUMBER]]),
    "sparse": sparse.csr_matrix(ROWS),
    "complex": ROWS + 1j,
    "objects": np.array([[{WORD: NUMBER}, 1.0]], dtype=object),
    "complex objects": np.array([[complex(NUMBER), 1.0]], dtype=object),
    "no columns": np.empty((7, 0)),
}


@cases("points", POINTS.values())
def test_points_are_refused(points: Any) -> None:
    """scikit-learn's own checks ask for a TypeError where cells are objects, or sparse."""
    said(lambda: model().fit(points), (InputError, TypeError))


def test_people_are_checked() -> None:
    wrong: list[Any] = [[WORD], WORD, [[WORD], [WORD]], {WORD: 1}, [{WORD}, {WORD}], 7]
    for people in wrong:
        assert "people=" in said(lambda people=people: model().fit(ROWS, people=people))
    ids = [WORD, NUMBER]
    message = said(lambda: model(points_per_person=0).fit(ROWS, people=ids))
    assert "points_per_person must be a whole number" in message
    assert "leave the ids out" in said(lambda: model(relation=AddRemove()).fit(ROWS, people=ids))


def test_a_ledger_is_asked_for() -> None:
    for given in ({"analyst": "ann"}, {"key": "k"}):
        assert "leave them out" in said(lambda given=given: model().fit(ROWS, **given))


def test_labelling_checks_its_points() -> None:
    fitted, named = model().fit(ROWS), model().fit(FRAME)
    message = said(lambda: fitted.predict(np.full((3, 5), NUMBER)))
    assert message == "X has 5 features, but KMeans is expecting 2 features as input."
    said(lambda: fitted.predict(np.array([[WORD, "1"]])))
    said(lambda: fitted.transform([NUMBER, 1.0]))
    said(lambda: named.predict(FRAME.rename(columns={"age": "x"})))
    table = sf.table(FRAME, unit="row", bounds={"age": (0, 1), "bmi": (0, 1)})
    assert "give points that you hold" in said(lambda: fitted.predict(table))


# --- Private tables ---------------------------------------------------------------------------


def test_a_private_table_declares_everything_itself() -> None:
    people = pd.DataFrame({"id": [WORD, "b"], "age": [NUMBER, 1.0], "name": [WORD, "c"]})
    table = sf.table(people, unit="id", bounds={"age": (0, 1)})
    for wrong, given in (
        ({"bounds": (0, 1)}, {}),
        ({"relation": AddRemove()}, {}),
        ({}, {"people": [1, 2]}),
    ):
        asked = model(**{"bounds": None, **wrong})
        assert "declares its own" in said(lambda a=asked, g=given: a.fit(table, **g))
    asked = model(bounds=None)
    said(lambda: asked.set_params(columns=["name"]).fit(table), (InputError, RefusedError))
    said(lambda: asked.set_params(columns=["x"]).fit(table), UnknownNameError)
    message = said(lambda: asked.set_params(columns=["age"]).fit(table, analyst="ann"))
    assert "none is declared" in message
    narrow = sf.table(people, unit="id", bounds={"age": (0, 1e-320)})
    assert "too close for numbers" in said(lambda: asked.fit(narrow))


# --- Values decide nothing --------------------------------------------------------------------


@pytest.mark.parametrize("method", ["lloyd", "rounds", "grid", "tree"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e308, -0.0, 5e-324, None, WORD])
def test_no_value_raises_an_error_or_a_warning(method: str, value: Any) -> None:
    for rows in (0, 1, 40):
        fitted = model(method=method).fit(np.full((rows, 2), value, dtype=object))
        assert np.isfinite(fitted.cluster_centers_).all()
        assert np.isfinite(fitted.noise_).all()


def test_what_is_not_computed_yet_is_refused() -> None:
    message = said(lambda: model().fit(pl.DataFrame({"age": [0.5], "bmi": [0.5]}).lazy()))
    assert message.startswith("a LazyFrame is not computed yet; give a frame")
    assert "open it as a private table" in said(lambda: model().fit("customers.csv"))


def test_one_word_among_numbers_is_a_missing_coordinate() -> None:
    rows = [[0.5, 0.25], [0.75, "0.5"], [0.5, WORD]]
    known = [[0.5, 0.25], [0.75, 0.5], [0.5, np.nan]]
    found = [model(random_state=1).fit(each).cluster_centers_ for each in (rows, known)]
    assert np.array_equal(found[0], found[1])
