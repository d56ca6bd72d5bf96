"""M-RISK-5: facts, tables and settings that the Scoreboard cannot use."""

from __future__ import annotations

import math
from datetime import date, time
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from sfumato.errors import InputError, UnknownNameError
from sfumato.risk import scoreboard, sparse_ratings
from tests.refusing import raises_code

COLUMNS: dict[str, Any] = {"person": "user", "item": "film", "rating": "stars", "day": "date"}
RECORDS = pd.DataFrame(
    {
        "user": [1, 1, 2],
        "film": ["a", "b", "a"],
        "stars": ["3", "4", "2"],
        "date": ["2026-01-02"] * 3,
    }
)


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (
            {"film": ["a", "a"], "stars": [3, 4], "date": ["2026-01-02"] * 2},
            "^who names no .*twice",
        ),
        ({"film": ["z"], "stars": [3], "date": ["2026-01-02"]}, "none of the known items occurs"),
        ({"film": ["a"], "stars": ["good"], "date": ["2026-01-02"]}, "1 cell of the column"),
        ({"film": ["a"], "stars": [3], "date": ["02.01.2026"]}, "YYYY-MM-DD"),
        ({"film": ["a"], "stars": [3], "date": ["2026-01-02 at noon"]}, "YYYY-MM-DD"),
        ({"film": ["a"], "stars": [3], "date": ["17"]}, "as dates in the table and as numbers"),
        ({"film": ["a", "b"], "stars": [3, 3], "date": ["17", "2026-01-02"]}, "in one way"),
        ({"film": [None], "stars": [3], "date": ["2026-01-02"]}, "name no item"),
        ({"film": ["a"], "stars": [3, 4], "date": ["2026-01-02"]}, "lists of one length"),
    ],
)
def test_facts_that_cannot_be_used_are_refused(facts: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        scoreboard(RECORDS, facts, **COLUMNS)


def test_one_person_of_several_may_name_an_item_once() -> None:
    facts = {"film": ["a", "a"], "stars": [3, 4], "date": ["2026-01-02"] * 2, "by": ["x", "x"]}
    with raises_code("E-VALUE-TWICE"):
        scoreboard(RECORDS, facts, **COLUMNS, who="by")
    both = scoreboard(RECORDS, {**facts, "by": ["x", "y"]}, **COLUMNS, who="by")
    assert len(both.matches) == 2


def test_a_column_that_is_not_there_is_named_with_the_nearest() -> None:
    with raises_code("E-NAME-UNKNOWN", match="did you mean 'stars'", kind=UnknownNameError):
        scoreboard(RECORDS, {"film": ["a"]}, **{**COLUMNS, "rating": "star"})
    with raises_code("E-NAME-UNKNOWN", match="the known facts", kind=UnknownNameError):
        scoreboard(RECORDS, {"film": ["a"], "date": ["2026-01-02"]}, **COLUMNS)


@pytest.mark.parametrize(
    "option",
    [
        {"threshold": -1},
        {"threshold": "high"},
        {"threshold": math.inf},
        {"rating_scale": 0},
        {"day_scale": math.inf},
        {"agreement": 1.5},
        {"agreement": True},
        {"candidates": 0},
        {"candidates": True},
    ],
)
def test_settings_out_of_range_are_refused(option: dict[str, Any]) -> None:
    with raises_code("E-ARGUMENT-RANGE", match="must be"):
        scoreboard(RECORDS, {"film": ["a"]}, person="user", item="film", **option)


def test_a_table_of_one_person_has_nobody_to_stand_out_from() -> None:
    one = pd.DataFrame({"user": [1], "film": ["a"]})
    with raises_code("E-TABLE-EMPTY"):
        scoreboard(one, {"film": ["a"]}, person="user", item="film")


def test_asking_one_match_of_several_says_where_they_are() -> None:
    facts = {"film": ["a", "b"], "of": ["x", "y"]}
    report = scoreboard(RECORDS, facts, person="user", item="film", who="of")
    with raises_code("E-RELEASE-NOT-A-NUMBER"):
        _ = report.match


@pytest.mark.parametrize("whose", [["x", None], ["x", " "], [None, None]])
def test_facts_of_nobody_are_not_left_out_in_silence(whose: list[Any]) -> None:
    facts = {"film": ["a", "b"], "of": whose}
    with raises_code("E-CELLS-MISSING"):
        scoreboard(RECORDS, facts, person="user", item="film", who="of")


@pytest.mark.parametrize("option", [{"people": 0}, {"items": 3}, {"average": 0}, {"seed": -1}])
def test_a_table_of_nothing_cannot_be_made_up(option: dict[str, Any]) -> None:
    with raises_code("E-ARGUMENT-RANGE", match="whole number"):
        sparse_ratings(**option)


@pytest.mark.parametrize("option", [{"people": 10**15}, {"items": 10**12}, {"people": 10**8}])
def test_a_table_that_no_memory_holds_is_not_begun(option: dict[str, Any]) -> None:
    with raises_code("E-TOO-LARGE", match="keep people times average below 50,000,000"):
        sparse_ratings(**option)


@pytest.mark.parametrize(
    ("role", "cells"),
    [("day", [time(12), time(13)]), ("rating", [date(2026, 1, 2)] * 2), ("rating", [[1], [2]])],
)
def test_a_column_of_another_type_is_refused_by_its_name(role: str, cells: list[Any]) -> None:
    records = pa.table({"user": [1, 2], "film": ["a", "b"], "odd": cells})
    columns: dict[str, Any] = {"person": "user", "item": "film", role: "odd"}
    with raises_code(
        "E-COLUMN-TYPE", match=r"'odd' of the table is of the type .*; each cell should"
    ):
        scoreboard(records, {"film": ["a"], "odd": [None]}, **columns)


def test_a_moment_is_read_as_its_day() -> None:
    facts = {"film": ["b"], "date": ["2026-01-02T10:11:12.5+02:00"]}
    found = scoreboard(RECORDS, facts, person="user", item="film", day="date").match
    assert (found.person, found.agreement) == (1, 1.0)
