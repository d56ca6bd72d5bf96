"""What is said of centres: those that drown in the noise are marked, and what is not known."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sfumato.application.learning.kmeans import cells, notes
from sfumato.learning.kmeans.model import FittedModel
from sfumato.privacy import AddRemove, PureDP

BOX = (np.array([0.0, 10.0]), np.array([80.0, 20.0]))


def found(noise: list[list[float]], *, cost: float = 0.03, synopsis: Any = "cells") -> FittedModel:
    """A model of centres in a box of 80 by 10, as far as its words go."""
    plan = SimpleNamespace(synopsis=synopsis, change=SimpleNamespace(relation=AddRemove()))
    model = SimpleNamespace(
        cluster_centers_=np.full((len(noise), 2), 15.0),
        counts_=np.arange(len(noise)) - 1.0,
        noise_=np.array(noise),
        bounds_=BOX,
        cost_=cost,
        plan_=plan,
    )
    return FittedModel(model, ("orders", "basket"))


def test_a_centre_is_seen_unless_it_may_be_anywhere_in_the_box() -> None:
    assert found([[40.0, 5.0], [40.0, 4.9], [1.0, 5.0], [41.0, 6.0]]).seen == [
        False,
        True,
        True,
        False,
    ]


def test_a_centre_that_drowns_is_marked_and_named() -> None:
    one = found([[1.0, 1.0], [40.0, 5.0], [1.0, 1.0]])
    assert [row[2] for row in cells(one)[1:]] == ["0 %", "–", "100 %"]
    assert [row[3] for row in cells(one)[1:]] == ["15.0 ± 2.0", "15.0 ± 80.0", "15.0 ± 2.0"]
    assert notes(one)[0].startswith("– centre 2 has too few points to be distinguished from noise")
    assert notes(one)[0].endswith("raise ε, or ask for fewer centres")
    two = notes(found([[40.0, 5.0], [1.0, 1.0], [40.0, 5.0]]))
    assert two[0].startswith("– centres 1, 3 have too few points")
    many = notes(found([[1.0, 1.0], *[[40.0, 5.0]] * 13]))
    assert many[0].startswith("– 13 of 14 centres have too few points")
    assert notes(found([[1.0, 1.0]]))[0].startswith("± is 2 standard deviations")


@pytest.mark.parametrize(
    ("synopsis", "why"),
    [(None, "no cells were released"), ("cells", "cells are too wide or too empty to tell it")],
)
def test_where_there_is_no_distance_it_is_said_why(synopsis: Any, why: str) -> None:
    model = found([[1.0, 1.0]], cost=np.nan, synopsis=synopsis)
    assert model.cost is None
    assert notes(model)[-1] == f"no mean square distance from the centres: {why}"
    known = found([[1.0, 1.0]], synopsis=synopsis)
    assert known.untold == ""
    assert notes(known)[-1].startswith("mean square distance from the centres 0.03, estimated")


def test_what_noise_adds_is_of_the_centres_that_are_seen() -> None:
    model = found([[40.0, 5.0], [40.0, 5.0], [4.0, 0.5]])
    model.model.guarantee_ = PureDP(epsilon=1)
    assert model.added_at(1) == pytest.approx(0.02)
    assert model.added_at(0.5) == pytest.approx(0.08)
    model.model.counts_ = np.array([1.0, 1.0, 2.0])
    assert model.added_at(1) == pytest.approx(0.01)
