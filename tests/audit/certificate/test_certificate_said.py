"""What is said to be proved was derived, the rest is trusted; types and bounds are not guessed."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

import sfumato as sf
from sfumato.audit.certificate import check_certificate
from sfumato.audit.certificate.document import DocumentPart
from sfumato.audit.certificate.setting import CertifiedColumn, is_boolean
from sfumato.sampling import SeededSource
from sfumato.tables.expressions import document as expression_document
from tests.audit.certificate.lies import document, problem, told, with_content
from tests.tables.certificate.made import certificate_of, certified, table, unseeded


def columns(given: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in given["answers"]["columns"]}


def functions_alone() -> dict[str, Any]:
    """The certificate of two functions, without the count beside them."""
    given = document("functions")
    given["steps"], given["event"]["of"] = given["steps"][1:], given["event"]["of"][1:]
    given["made_of"] = {"mean": [0], "median": [1]}
    given["query"]["aggregates"] = given["query"]["aggregates"][1:]
    given["answers"]["columns"] = given["answers"]["columns"][3:]
    return with_content(given, sums=[])


def test_the_noise_of_functions_is_not_said_to_be_proved() -> None:
    verdict = check_certificate(told(functions_alone()))
    assert verdict.holds
    assert not any("noise" in each for each in verdict.proved)
    (said,) = (each for each in verdict.trusted if "digest" in each)
    assert said.startswith("that mean, median is what the function")
    assert "between its bounds, with the noise or the probabilities that are charged" in said


@pytest.mark.parametrize(
    ("case", "sentence"),
    [
        ("declared limits", "that the noise scale of each of"),
        ("functions", "that the noise scale of 1 of them"),
        ("groups found", "that the noise scale of 1 of them"),
    ],
)
def test_noise_is_proved_of_steps_that_have_some(case: str, sentence: str) -> None:
    proved = check_certificate(certified(case)).proved
    assert any(each.startswith(sentence) for each in proved)


@pytest.mark.parametrize("case", ["groups found", "gaussian", "chosen limits"])
def test_the_cost_of_choices_is_trusted(case: str) -> None:
    trusted = check_certificate(certified(case)).trusted
    assert "that choices had the probabilities of their mechanisms, at their cost" in trusted


def test_no_choice_is_trusted_where_there_is_none() -> None:
    assert not any("odds" in each for each in check_certificate(certified("rows")).trusted)


@pytest.mark.parametrize("as_written", [[0, 1], [False, 1.0], [0.0, True]])
def test_groups_that_are_true_or_false_are_not_numbers(as_written: list[Any]) -> None:
    given = document("derived")
    assert json.loads(given["content"])["keys"] == [[False], [True]]
    assert "type of its column" in problem(
        with_content(given, keys=[[each] for each in as_written])
    )
    old = columns(given)["old"]
    old["values"] = [as_written[each] for each in old["values"]]
    assert "a group that was not released" in problem(given)


def test_groups_of_numbers_hold_however_they_are_declared() -> None:
    for name, keys in {"cost": [100, 250], "age": [40, 41.5]}.items():
        asked = table(keys={name: keys}).group_by(name).agg(n=sf.count())
        release = unseeded(asked.release(epsilon=1, source=SeededSource(2)))
        assert check_certificate(certificate_of(release).to_json()).problem == ""


def test_numbers_without_bounds_are_not_measured_from_0_to_1() -> None:
    given = document("complete")
    del given["policy"]["columns"]["age"]["bounds"]
    grid = 2**24
    for step in given["steps"]:
        step["what"]["factors"][0] |= {"high": "1", "whole": False}
        step["what"] |= {"grid": "1/16777216", "most": grid}
        step |= {"sensitivity": str(grid), "noise": {**step["noise"], "scale": str(grid)}}
    answers = {"n": (600, 0, 1200), "m": (0.5, 0.0, 1.0)}
    for name, values in answers.items():
        for end, value in zip(("", "_low", "_high"), values, strict=True):
            columns(given)[name + end]["values"] = [value]
    half = [str(300 * grid)]
    said = problem(with_content(given, sums=[half, half]))
    assert "between other bounds" in said


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (sf.col("smoker"), True),
        (sf.col("age"), False),
        (sf.col("age") > 65, True),
        (sf.col("age") + 1, False),
        (sf.tables.coalesce(sf.col("smoker"), False), True),
        (sf.tables.coalesce(sf.col("smoker"), None), True),
        (sf.when(sf.col("smoker"), sf.col("age") > 1).otherwise(None), True),
        (sf.when(sf.col("smoker"), 1).otherwise(0), False),
        (sf.col("age").cast("boolean"), True),
        (sf.tables.lit(None), False),
    ],
    ids=str,
)
def test_what_is_true_or_false_is_told_from_numbers(expression: Any, *, expected: bool) -> None:
    known = {
        "smoker": CertifiedColumn("boolean"),
        "age": CertifiedColumn("integer", (Fraction(0), Fraction(1))),
    }
    assert is_boolean(DocumentPart(expression_document(expression), "of"), known) is expected
