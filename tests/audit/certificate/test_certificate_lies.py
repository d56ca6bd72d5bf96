"""Lies that are told throughout, with every digest and signature made anew, are derived away."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from sfumato.privacy.events.base import plain
from tests.audit.certificate.lies import document, problem

if TYPE_CHECKING:
    from collections.abc import Callable


def more_rows(given: dict[str, Any]) -> None:
    given["policy"]["limits"]["rows"] = 100


def fewer_rows(given: dict[str, Any]) -> None:
    given["policy"]["limits"]["rows"] = 1


def wider_bounds(given: dict[str, Any]) -> None:
    given["policy"]["columns"]["age"]["bounds"] = ["0", "1000"]


def substituted(given: dict[str, Any]) -> None:
    given["policy"]["relation"] = "substitute"
    given["guarantee"]["relation"]["relation"] = "substitute"


def of_a_row(given: dict[str, Any]) -> None:
    given["policy"]["unit"] = "row"
    given["guarantee"]["relation"] = {"relation": "add_remove", "count": 1, "unit": "row"}


def half_the_guarantee(given: dict[str, Any]) -> None:
    given["guarantee"]["epsilon"] = "0.75"


def half_the_event(given: dict[str, Any]) -> None:
    """Charge a step for half of its noise, and say so wherever it is said."""
    for event in (given["steps"][0]["event"], given["event"]["of"][0]):
        event["epsilon"] = "0.1"


def half_the_noise(given: dict[str, Any]) -> None:
    step = next(each for each in given["steps"] if each["what"]["measured"] == "people")
    step["noise"]["scale"] = step["event"]["scale"] = "100"
    for event in given["event"]["of"]:
        if event["event"] == "discrete_laplace" and event["sensitivity"] == 131072:
            event["scale"] = "100"


def less_sensitive(given: dict[str, Any]) -> None:
    """Claim that one change moves half as much, with half the noise, at the same cost."""
    (step,) = (each for each in given["steps"] if each["what"]["measured"] == "people")
    (event,) = (each for each in given["event"]["of"] if each == step["event"])
    half = plain(Fraction(step["noise"]["scale"]) / 2)
    assert event["sensitivity"] == 2 * 65536
    for said in (event, step["event"]):
        said |= {"scale": half, "sensitivity": 65536}
    step["noise"]["scale"], step["sensitivity"] = half, "65536"


def a_sum_called_a_count(given: dict[str, Any]) -> None:
    """Say of a sum that it counts people, so that one change would move it by one."""
    place = given["made_of"]["s"][0]
    given["steps"][place]["what"] = {"measured": "people"}


def a_count_made_of_a_sum(given: dict[str, Any]) -> None:
    given["made_of"]["p"] = given["made_of"]["n"][:1]


def one_step_less(given: dict[str, Any]) -> None:
    """Leave the last step out, with what is charged for it, and guarantee less."""
    given["steps"].pop()
    given["event"]["of"].pop()


def charged_with_another(given: dict[str, Any]) -> None:
    """Say of people that they were counted together with another measurement, for nothing."""
    place = given["made_of"]["p"][0]
    given["steps"][place] |= {"event": None, "with": 0}
    given["event"]["of"] = [
        each for each in given["event"]["of"] if each.get("sensitivity") != 131072
    ]


def another_value(given: dict[str, Any]) -> None:
    given["answers"]["columns"][1]["values"][0] += 50


def narrow_bars(given: dict[str, Any]) -> None:
    columns = {each["name"]: each["values"] for each in given["answers"]["columns"]}
    columns["p_low"][:] = columns["p_high"][:] = columns["p"]


def narrow_bars_of_parts(given: dict[str, Any]) -> None:
    columns = {each["name"]: each["values"] for each in given["answers"]["columns"]}
    columns["n_low"][:] = columns["n_high"][:] = columns["n"]


def narrow_bars_of_a_mean(given: dict[str, Any]) -> None:
    columns = {each["name"]: each["values"] for each in given["answers"]["columns"]}
    columns["age_low"][:] = [each - 0.1 for each in columns["age"]]
    columns["age_high"][:] = [each + 0.1 for each in columns["age"]]


def narrow_bars_of_a_sum(given: dict[str, Any]) -> None:
    columns = {each["name"]: each["values"] for each in given["answers"]["columns"]}
    columns["s_low"][:] = columns["s_high"][:] = columns["s"]


def another_group(given: dict[str, Any]) -> None:
    given["policy"]["columns"]["sex"]["values"] = ["F", "M", "X"]


LIES = [
    more_rows,
    fewer_rows,
    wider_bounds,
    substituted,
    of_a_row,
    half_the_guarantee,
    half_the_event,
    half_the_noise,
    less_sensitive,
    a_sum_called_a_count,
    a_count_made_of_a_sum,
    one_step_less,
    charged_with_another,
    another_value,
    narrow_bars,
    narrow_bars_of_parts,
    narrow_bars_of_a_mean,
    narrow_bars_of_a_sum,
    another_group,
]


@pytest.mark.parametrize("lie", LIES, ids=lambda each: each.__name__)
def test_a_lie_that_is_told_throughout_is_seen(lie: Callable[[dict[str, Any]], None]) -> None:
    given = copy.deepcopy(document("declared limits"))
    lie(given)
    assert given != document("declared limits")
    assert problem(given)


def test_the_truth_is_believed_when_it_is_signed_anew() -> None:
    assert problem(document("declared limits")) == ""


def test_a_limit_that_was_chosen_cannot_be_called_smaller() -> None:
    given = document("chosen limits")
    content = json.loads(given["content"])
    content["limits"]["rows"][0] = 1
    given["content"] = json.dumps(content, sort_keys=True, separators=(",", ":"))
    assert "limit" in problem(given)


def test_bounds_that_were_found_cannot_be_called_narrower() -> None:
    given = document("bounds found")
    content = json.loads(given["content"])
    content["bounds"]["age"][1] = "64"
    given["content"] = json.dumps(content, sort_keys=True, separators=(",", ":"))
    assert problem(given)


def test_groups_cannot_be_found_for_nothing() -> None:
    given = document("groups found")
    given["steps"] = [each for each in given["steps"] if each["step"] != "find_keys"]
    assert problem(given)


def test_one_row_cannot_be_joined_with_several_where_rows_are_protected() -> None:
    given = document("public join")
    given["query"]["steps"][0]["most"] = 2
    assert problem(given) == ""
    given["policy"]["unit"] = "row"
    given["guarantee"]["relation"] = {"relation": "add_remove", "count": 1, "unit": "row"}
    assert "several rows of one" in problem(given)


def test_a_step_of_another_kind_is_refused() -> None:
    given = document("rows")
    given["query"]["steps"] = [{"step": "window", "of": {"column": "age"}}]
    assert "which this program does not know" in problem(given)
    given = document("rows")
    given["steps"][0]["step"] = "snapping"
    assert "which this program does not know" in problem(given)
