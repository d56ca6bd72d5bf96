"""A mean over a public number of rows is another question than one over a secret number."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from tests.refusing import raises_code
from tests.tables.audits.families import spending
from tests.tables.test_tables_statistics import (
    answers,
    covers_enough,
    covers_no_more,
    is_unbiased,
    told_error,
)

if TYPE_CHECKING:
    from sfumato.tables import PrivateTable

ROWS = pd.DataFrame({"age": np.random.default_rng(3).integers(20, 90, 200)})
#: Enough to tell half the noise, and twice the noise, from the right one.
DRAWS = 1000
TRUTH = np.array([ROWS["age"].mean()])


def people(**declared: Any) -> PrivateTable:
    return sf.table(ROWS, **{"unit": "row", "bounds": {"age": (0, 110)}, **declared})


def asked(**declared: Any) -> Any:
    return people(**declared).agg(v=sf.mean("age", rows=len(ROWS))).plan(epsilon=1)


@pytest.mark.parametrize(("relation", "moved"), [("add-remove", 55), ("substitute", 110)])
def test_only_the_sum_is_measured_and_a_row_moves_it_by_what_it_can(
    relation: str, moved: int
) -> None:
    plan = asked(relation=relation)
    (step,) = plan.measures
    assert str(step.measurement) == "the sum of (age - 55)"
    assert plan.contribution.sensitivity(step.measurement) == moved


def test_it_is_unbiased_and_as_far_off_as_its_bars_say() -> None:
    found = answers(asked(), draws=DRAWS)
    assert is_unbiased(found, TRUTH)
    assert covers_enough(found, TRUTH)
    assert covers_no_more(found, TRUTH)


@pytest.mark.parametrize("times", [Fraction(1, 2), Fraction(2)], ids=["twice", "half"])
def test_twin_noise_of_another_scale_is_seen(times: Fraction) -> None:
    found = answers(asked(), spending(asked(), times), draws=DRAWS)
    assert covers_enough(found, TRUTH) == (times > 1)
    assert covers_no_more(found, TRUTH) == (times < 1)


def test_half_the_error_of_a_mean_that_counts_its_rows() -> None:
    means = sf.mean("age", rows=1000), sf.mean("age")
    public, counted = (told_error(people().agg(v=each).plan(epsilon=1), 0) for each in means)
    assert public == pytest.approx(counted / 2, rel=0.02)


def test_a_wrong_number_costs_the_same_and_is_said() -> None:
    plan = people().agg(v=sf.mean("age", rows=7)).plan(epsilon=1)
    assert plan.event == asked().event
    assert "that 7 rows have age was declared, and not counted" in str(plan)


def test_it_stands_beside_a_mean_that_counts() -> None:
    query = people().agg(a=sf.mean("age", rows=200), b=sf.mean("age"))
    assert [str(each.measurement) for each in query.plan(epsilon=3).measures] == [
        "the sum of (age - 55)",
        "the sum of age",
        "the sum of (110 - age)",
    ]
    release = query.release(epsilon=3000)
    assert release["a"] == pytest.approx(TRUTH[0], abs=0.1)
    assert release["b"] == pytest.approx(TRUTH[0], abs=0.1)


@pytest.mark.parametrize("rows", [0, -1, 2.5, "all", True])
def test_a_number_that_is_none_is_refused(rows: Any) -> None:
    with raises_code("E-ARGUMENT-RANGE", "rows"):
        sf.mean("age", rows=rows)


def test_groups_and_people_count_their_rows() -> None:
    asked = sf.mean("age", rows=200)
    for query in (people().group_by("age").agg(v=asked), people(unit="age").agg(v=asked)):
        with raises_code("E-AGGREGATE-NOT-HERE", "unit"):
            query.plan(epsilon=1)
