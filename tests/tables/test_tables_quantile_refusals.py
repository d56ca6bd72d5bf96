"""Questions for quantiles that are refused, each in one sentence."""

from __future__ import annotations

import math
from typing import Any

import pytest

import sfumato as sf
from tests.cases import cases
from tests.tables.looking import visits

HERE = [("p", "a", 0), ("q", "a", 1)]

WRONG: list[Any] = [
    *[lambda rank=rank: sf.quantile("x", rank) for rank in (0, 1, -1, 2, 0.00001, "x", None, True)],
    *[lambda rank=rank: sf.quantile("x", rank) for rank in (math.nan, math.inf, 10**400, [0.5])],
    *[
        lambda ranks=ranks: sf.tables.quantiles("x", ranks)
        for ranks in ([], 0.5, "0.5", [0.5, 0.5])
    ],
    *[
        lambda ranks=ranks: sf.tables.quantiles("x", ranks)
        for ranks in ([None], [0.1] * 101, {0.5})
    ],
    *[lambda level=level: sf.median("x", confidence=level) for level in (0, 1, 95, "a", math.nan)],
    lambda name=3: sf.median(name),
    lambda name=None: sf.minimum(name),
    lambda: sf.maximum("x", bounds=(3, 0)),
    lambda: visits(HERE).agg(x=sf.median("ward")).plan(epsilon=1),
    lambda: visits(HERE).agg(x=sf.median("y")).plan(epsilon=1),
    lambda: visits(HERE, bounds=None).agg(x=sf.maximum("x")).plan(epsilon=1),
    lambda: visits(HERE).agg(x=sf.tables.quantiles("x", [0.5]), x_q50=sf.count()).plan(epsilon=1),
    lambda: visits(HERE).agg(x=sf.tables.quantiles("x", [0.5])).sort_by("x"),
]


@cases("ask", WRONG)
def test_wrong_questions_are_refused_in_one_sentence(ask: Any) -> None:
    with pytest.raises(sf.errors.InputError) as refused:
        ask()
    assert "\n" not in str(refused.value)
