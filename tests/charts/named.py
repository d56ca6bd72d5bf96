"""A chart for every place in which a name that somebody chose is drawn."""

from __future__ import annotations

import tempfile
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

import sfumato as sf
from sfumato.risk import risk

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.printing.page import Chart

__all__ = ["NAMED"]

_ROWS = 60


def _table(column: str, group: str) -> Any:
    years = [2020, 2021, 2022]
    frame = pd.DataFrame(
        {
            column: [group, "b"] * (_ROWS // 2),
            "other": ["x", "x", "y", "y"] * (_ROWS // 4),
            "year": years * (_ROWS // 3),
            "age": range(_ROWS),
        }
    )
    keys = {column: [group, "b"], "other": ["x", "y"], "year": years}
    return sf.table(frame, unit="row", keys=keys, bounds={"age": (0, _ROWS)})


def _answered(
    *by: str, column: str = "c", value: str = "n", group: str = "a", asked: Any = None
) -> Chart:
    table = _table(column, group)
    question = table.group_by(*by) if by else table
    found = question.agg(**{value: sf.count() if asked is None else asked})
    return found.release(epsilon=1).plot()  # type: ignore[no-any-return]


def _filtered(name: str) -> Chart:
    """Return an answer whose axis holds a text of the question."""
    asked = sf.sum(sf.when(sf.col("c") == name, 1).otherwise(0), bounds=(0, 1))
    return _answered("other", asked=asked)


def _accounts(name: str, draw: Callable[[sf.Ledger], Chart]) -> Chart:
    with (
        tempfile.TemporaryDirectory() as folder,
        sf.Ledger.create(f"{folder}/ledger.db", key=f"{folder}/key.pem") as ledger,
    ):
        book = ledger.add_book("patients", sf.PureDP(epsilon=3))
        ledger.add_book(name, sf.PureDP(epsilon=3))
        for analyst in ("ada", name):
            book.spend(sf.privacy.events.Laplace(scale=2), analyst=analyst, purpose=name)
        return draw(ledger)


def _surveyed(name: str) -> Chart:
    questions = {
        "meal": {"choices": [name, "soup"], "epsilon": 2, "text": name},
        "spent": {"bounds": (0, 20), "epsilon": 1, "text": name},
        "again": {"choices": ["yes", "no"], "epsilon": 2},
    }
    survey = sf.Survey(questions, name="canteen")
    return sf.survey.simulate(survey, 200, pairs=[("meal", "again")]).estimate().plot()


def _exposed(name: str, of: Any) -> Chart:
    frame = pd.DataFrame({name: ["x", "x", "y"], "b": [1, 1, 2], "c": [0, 1, 0]})
    told = {"quasi": "b", "sensitive": name} if of == "information" else {"quasi": [name, "b"]}
    return risk(frame, **told).plot(of)


@cache
def _centres(columns: int) -> sf.KMeans:
    points = np.random.default_rng(12).uniform(0, 1, (300, columns))
    return sf.KMeans(n_clusters=2, epsilon=1, bounds=(0, 1)).fit(points)


def _clustered(name: str, columns: int) -> Chart:
    return sf.charts.kmeans(_centres(columns), names=[name, "b", "c"][:columns])


#: What a name is the name of, and a chart that has it there.
NAMED: dict[str, Callable[[str], Chart]] = {
    "group": lambda name: _answered("c", group=name),
    "group of a table": lambda name: _answered("c", "other", group=name),
    "column": lambda name: _answered(name, column=name),
    "column of a table": lambda name: _answered(name, "other", column=name),
    "value": lambda name: _answered("c", value=name),
    "value of dots": lambda name: _answered("c", value=name, asked=sf.mean("age")),
    "value along a line": lambda name: _answered("year", value=name),
    "value alone": lambda name: _answered(value=name),
    "value in bins": lambda name: _answered(value=name, asked=sf.histogram("age", [0, 30, 60])),
    "text of a question": _filtered,
    "analyst": lambda name: _accounts(name, lambda ledger: ledger.plot("patients")),
    "book": lambda name: _accounts(name, lambda ledger: ledger.plot()),
    "choice": _surveyed,
    "line": lambda name: sf.charts.guarantees(
        {name: sf.PureDP(epsilon=1), "b": sf.PureDP(epsilon=2)}
    ),
    "candidate": lambda name: sf.mechanisms.Exponential(epsilon=1, sensitivity=1).plot(
        {name: 3, "b": 1}
    ),
    "variable": lambda name: sf.information.Joint([[1, 2], [2, 1]], variables=[name, "b"]).plot(),
    "outcome with a codeword": lambda name: sf.information.huffman({name: 2, "b": 1}).plot(),
    "outcome": lambda name: sf.information.Distribution({name: 2, "b": 1}).plot(),
    "distribution": lambda name: sf.charts.distributions({name: [1, 2], "b": [2, 1]}),
    "row": lambda name: sf.charts.neighbours([name, "b"], [name, "c"]),
    "quasi-identifier": lambda name: _exposed(name, "columns"),
    "sensitive column": lambda name: _exposed(name, "information"),
    "column of points": lambda name: _clustered(name, 2),
    "one of many columns": lambda name: _clustered(name, 3),
}
