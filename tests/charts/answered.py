"""Answers, centres and estimates to draw, small and of every shape."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

import sfumato as sf
from sfumato.sampling import SeededSource

if TYPE_CHECKING:
    from sfumato.survey import Results
    from sfumato.tables import Release

__all__ = ["ODD", "answers_to", "centres_of", "estimates", "people", "rows_of"]

#: Labels that a page, a format or a line could stumble over.
ODD = ["心内科", "<b>bold</b>", "a{b}[c].d", "two\nlines", "long " * 30, "%s \\ '\""]
_ROWS = 600


@cache
def people() -> Any:
    random = np.random.default_rng(12)
    days = [date(2025, 1, 1) + timedelta(days=each) for each in range(50)]
    frame = pa.table(
        {
            "age": random.normal(55, 15, _ROWS).clip(0, 110),
            "sex": random.choice(["F", "M"], _ROWS),
            "year": random.integers(2020, 2026, _ROWS),
            "day": [days[each] for each in random.integers(0, len(days), _ROWS)],
            "ward.[x]": random.choice(ODD, _ROWS),
            "zip": random.integers(0, 100, _ROWS).astype(str),
        }
    )
    keys = {
        "sex": ["F", "M"],
        "year": [*range(2020, 2026)],
        "day": days,
        "ward.[x]": ODD,
        "zip": [*map(str, range(100))],
    }
    return sf.table(frame, unit="row", bounds={"age": (0, 110)}, keys=keys)


def answers_to(*by: str, epsilon: float = 2, **asked: Any) -> Release:
    query = people().group_by(*by).agg(**asked) if by else people().agg(**asked)
    found: Release = query.release(epsilon=epsilon, source=SeededSource(12))
    return found


@cache
def centres_of(dimensions: int, **chosen: Any) -> Any:
    random = np.random.default_rng(12)
    middles = random.uniform(-0.8, 0.8, (3, dimensions))
    points = np.concatenate([random.normal(each, 0.05, (400, dimensions)) for each in middles])
    asked = {"n_clusters": 3, "epsilon": 1, "bounds": (-1, 1), **chosen}
    return sf.KMeans(**asked).fit(points)


@cache
def estimates() -> Results:
    questions = {
        "meal": {"choices": ["soup", "<b>", "鱼"], "epsilon": 2, "text": "What did you eat?"},
        "again": {"choices": ["yes", "no"], "epsilon": 2},
        "spent": {"bounds": (0, 20), "epsilon": 1},
    }
    survey = sf.Survey(questions, name="canteen")
    return sf.survey.simulate(survey, 2000, pairs=[("meal", "again")]).estimate()


def rows_of(chart: Any) -> list[dict[str, Any]]:
    """Every row that a chart draws, once for each of its data; not what is said below it."""
    spec = chart.to_dict()
    names = list(dict.fromkeys(_names(spec)))
    return [row for name in names for row in spec["datasets"][name] if "note" not in row]


def _names(spec: dict[str, Any]) -> list[str]:
    inner = [each for part in ("layer", "concat", "vconcat") for each in spec.get(part, [])]
    own = [spec["data"]["name"]] if "data" in spec else []
    return [*own, *(name for each in inner for name in _names(each))]
