"""Columns of numbers, dates or codes with a few cells that are none: the rest is not lost."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pandas as pd
import pytest

from sfumato.errors import InputError
from sfumato.risk import Hierarchy, anonymize, bands, date_bands
from sfumato.risk.generalising.ladders import suited_hierarchy
from tests.refusing import raises_code


def people(odd: list[Any], column: list[Any]) -> pd.DataFrame:
    return pd.DataFrame({"col": [*column, *odd]})


def test_a_few_words_among_numbers_become_stars_and_the_rest_bands() -> None:
    frame = people(["unknown", "n/a", "unknown", "unknown"], [str(20 + i % 40) for i in range(200)])
    found = anonymize(frame, quasi="col", k=4)
    assert found.changes[0].how == "bands of 5"
    assert Counter(found.to_pandas()["col"])["*"] == 4
    (odd,) = found.odd
    assert (odd.column, odd.cells, odd.kind) == ("col", 4, "numbers")
    told = (
        "col: 4 of 204 cells are no numbers: such cells say * where it is generalised; leave them "
        "empty, or give a hierarchy with them"
    )
    assert told in found.findings()
    assert found.figures()["odd"] == [{"column": "col", "kind": "numbers", "cells": 4}]


@pytest.mark.parametrize(
    ("column", "odd", "kind", "first"),
    [
        (["2024-03-05", "2023-01-01"], "06/05/2024", "dates", "day"),
        (["190146", "190118"], "unknown", "codes of 6 characters", "first 5 characters"),
        ([1.5, 2.5], float("inf"), "numbers", "bands of 0.05"),
    ],
)
def test_dates_codes_and_numbers_that_never_end(
    column: list[Any], odd: Any, kind: str, first: str
) -> None:
    values = [*column, odd]
    hierarchy = suited_hierarchy(values, [50, 50, 1])
    levels = hierarchy.levels(values)
    assert levels[0].name == first
    assert {level.labels[-1] for level in levels} == {"*"}
    frame = people([odd], column * 50)
    found = anonymize(frame, quasi="col", k=1)
    assert [(each.kind, each.cells) for each in found.odd] == [(kind, 1)]
    one = kind.replace("s", "", 1)
    assert f"col: 1 of 101 cells is no {one}: such cells say *" in str(found)


def test_cells_count_and_not_values() -> None:
    """Two ages that all have outweigh ten words that one person has each."""
    frame = people([f"word {each}" for each in range(10)], ["31", "47"] * 100)
    assert [each.cells for each in anonymize(frame, quasi="col", k=2).odd] == [10]
    many = people([f"word {each}" for each in range(30)], ["31", "47"] * 100)
    assert anonymize(many, quasi="col", k=2).odd == ()


def test_a_column_without_odd_cells_says_nothing() -> None:
    found = anonymize("examples/hospital-a.csv", quasi=["age", "sex", "zip"], k=2)
    assert found.odd == ()
    assert "cells are no" not in str(found)


def test_a_band_that_holds_all_is_a_star() -> None:
    frame = pd.DataFrame({"age": [1, 70, 159]})
    found = anonymize(frame, quasi="age", k=3, hierarchies={"age": bands(10)})
    assert found.changes[0].how == "suppressed"
    assert set(found.to_pandas()["age"]) == {"*"}


def test_a_hierarchy_is_no_number() -> None:
    wrong: Any = {"age": 10}
    with raises_code("E-HIERARCHY-FORM"):
        anonymize("examples/hospital-a.csv", quasi="age", k=2, hierarchies=wrong)
    listed: Any = ["age"]
    with raises_code("E-HIERARCHY-FORM", "hierarchies"):
        anonymize("examples/hospital-a.csv", quasi="age", k=2, hierarchies=listed)


@pytest.mark.parametrize(
    ("column", "given", "kind"),
    [
        ([str(each) for each in range(31, 41)], bands(10), "numbers"),
        ([f"2024-03-{each}" for each in range(11, 21)], date_bands("month"), "dates"),
    ],
)
def test_bands_and_dates_that_are_asked_for_spare_a_few_odd_cells(
    column: list[str], given: Hierarchy, kind: str
) -> None:
    frame = people(["unknown", "n/a"] * 2, column * 5)
    found = anonymize(frame, quasi="col", k=4, hierarchies={"col": given})
    assert Counter(found.to_pandas()["col"])["*"] == 4
    assert [(each.kind, each.cells) for each in found.odd] == [(kind, 4)]
    assert not found.changes[0].made
    assert f"col: 4 of 54 cells are no {kind}: such cells say *" in str(found)


def test_bands_that_are_asked_for_count_words_and_quote_none() -> None:
    frame = people(["Ms Smith"], ["31", "47"])
    with raises_code("E-CELLS-UNREADABLE") as said:
        anonymize(frame, quasi="col", k=2, hierarchies={"col": bands(10)})
    assert "Smith" not in str(said.value)


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ({"suppression": "0.1"}, "suppression is the share of rows"),
        ({"l": "2", "sensitive": "diagnosis"}, "l counts different sensitive values"),
        ({"t": "0.3", "sensitive": "diagnosis"}, "t is a distance from 0 to 1"),
        ({"t": True, "sensitive": "diagnosis"}, "t is a distance from 0 to 1"),
    ],
)
def test_texts_are_no_numbers(wish: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        anonymize("examples/hospital-a.csv", quasi="age", k=2, **wish)
