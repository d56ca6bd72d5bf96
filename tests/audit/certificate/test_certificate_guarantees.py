"""Lies about whose rows are whose, about functions of other rows, and about what is charged."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from sfumato.audit.certificate import certificate_schema
from sfumato.audit.certificate.setting import CASTS, FUNCTIONS
from sfumato.privacy.events.base import plain
from sfumato.tables.expressions.functions import FUNCTIONS as FUNCTIONS_OF_THE_LANGUAGE
from sfumato.tables.expressions.guards import CASTS as CASTS_OF_THE_LANGUAGE
from tests.audit.certificate.lies import document, problem

if TYPE_CHECKING:
    from collections.abc import Callable

    Document = dict[str, Any]

EVERYBODY = {"call": "row_number_over_all_rows", "arguments": []}


def derived(name: str, value: Document) -> Document:
    column = {"name": name, "type": "text", "value": value}
    return {"step": "derive", "columns": [column]}


def a_person_a_ward(given: Document) -> None:
    both = [{"column": "id"}, {"column": "ward"}]
    given["query"]["steps"] = [derived("id", {"call": "add", "arguments": both})]


def a_count_for_an_id(given: Document) -> None:
    counted = {"name": "id", "aggregate": "count", "of": None, "type": "integer"}
    given["query"]["steps"][0]["columns"].append(counted)


def joined_by_ward(given: Document) -> None:
    given["query"]["steps"].insert(0, derived("id", {"column": "ward"}))


def joined_with_no_id(given: Document) -> None:
    del given["query"]["steps"][0]["columns"]["id"]


def joined_with_everybody(given: Document) -> None:
    given["query"]["steps"][0]["steps"] = [derived("id", {"value": "x"})]


def joined_with_another_book(given: Document) -> None:
    given["policy"]["book"] = "patients"
    given["query"]["steps"][0]["policy"]["book"] = "cards"


def one_column_twice(given: Document) -> None:
    step = derived("other", {"column": "ward"})
    given["query"]["steps"] = [{**step, "columns": step["columns"] * 2}]


def filtered_by_others(given: Document) -> None:
    condition = {"call": "less", "arguments": [EVERYBODY, {"value": 100}]}
    given["query"]["steps"] = [{"step": "filter", "condition": condition}]


def cast_to_others(given: Document) -> None:
    condition = {"cast": {"column": "age"}, "type": "rank"}
    given["query"]["steps"] = [{"step": "filter", "condition": condition}]


def summed_of_others(given: Document) -> None:
    for part in (given["query"]["aggregates"][-1], given["steps"][-1]["what"]["factors"][0]):
        part["of"] = EVERYBODY
    given["steps"][-1]["what"]["present"] = [EVERYBODY]
    given["query"]["aggregates"][-1]["bounds"] = ["0", "1000"]


def one_charge_for_two_sums(given: Document) -> None:
    for step in given["steps"]:
        step["limit"] |= {"name": "x", "weighing": "value"}


def found_for(given: Document, **cost: str) -> None:
    assert given["steps"][0]["step"] == "find_keys"
    for event in (given["steps"][0]["event"], given["event"]["of"][0]):
        event.update(cost)


def found_without_a_delta(given: Document) -> None:
    found_for(given, delta="0")
    del given["guarantee"]["delta"]
    given["guarantee"]["guarantee"] = "pure"


def found_without_an_epsilon(given: Document) -> None:
    found_for(given, epsilon="0", delta="1e-300")


def a_step_charged_for_half(given: Document) -> None:
    """A person moves it half as far by what is charged, under the same noise."""
    step = next(each for each in given["steps"] if each["what"]["measured"] == "people")
    (event,) = (each for each in given["event"]["of"] if each == step["event"])
    event["sensitivity"] = step["event"]["sensitivity"] = 65536


def less_gaussian_noise(given: Document) -> None:
    noise = given["steps"][0]["noise"]
    steps = int(Fraction(noise["sigma"]) * 2**20 * 3 / 4)
    noise["sigma"] = plain(Fraction(steps, 2**20))


def a_smaller_delta(given: Document) -> None:
    given["guarantee"]["delta"] = plain(Fraction(1, 10**9))


def guaranteed_for_a_substitution(given: Document) -> None:
    given["guarantee"]["relation"]["relation"] = "substitute"


def two_columns_for_one_charge(given: Document) -> None:
    step = [each for each in given["steps"] if each["what"]["measured"] == "sum"][-1]
    given["event"]["of"].remove(step["event"])
    step |= {"event": None, "with": 0}


LIES = [
    ("declared limits", a_step_charged_for_half, "its event says something else"),
    ("gaussian", less_gaussian_noise, "its event says something else"),
    ("gaussian by groups", a_smaller_delta, "do not keep (1, 1e-09)-DP"),
    ("declared limits", guaranteed_for_a_substitution, "another change than the policy declares"),
    ("declared limits", two_columns_for_one_charge, "what it does not share a charge with"),
    ("declared limits", a_person_a_ward, "replaces the column of the person's id"),
    ("one row a person", a_count_for_an_id, "replaces the column of the person's id"),
    ("people joined", joined_by_ward, "replaces the column of the person's id"),
    ("people joined", joined_with_no_id, "the column of the person's id is not in"),
    ("people joined", joined_with_everybody, "replaces the column of the person's id"),
    ("people joined", joined_with_another_book, "charged to different books"),
    ("declared limits", one_column_twice, "made in the same step"),
    ("declared limits", filtered_by_others, "no function of one row"),
    ("declared limits", cast_to_others, "is 'rank', and not"),
    ("rows", summed_of_others, "no function of one row"),
    ("people joined", one_charge_for_two_sums, "each sum has a limit on its own values"),
    ("groups found", found_without_a_delta, "above 0"),
    ("groups found", found_without_an_epsilon, "above 0"),
]


@pytest.mark.parametrize(
    ("case", "lie", "sentence"), LIES, ids=lambda each: getattr(each, "__name__", None)
)
def test_a_lie_that_breaks_the_guarantee_is_seen(
    case: str, lie: Callable[[Document], None], sentence: str
) -> None:
    given = document(case)
    lie(given)
    assert sentence in problem(given)


@pytest.mark.parametrize("case", sorted({case for case, _, _ in LIES}))
def test_the_same_certificates_hold_without_a_lie(case: str) -> None:
    assert problem(document(case)) == ""


def test_the_checker_knows_the_functions_of_the_language_and_no_others() -> None:
    assert set(FUNCTIONS_OF_THE_LANGUAGE) == FUNCTIONS
    assert {kind for _, kind in CASTS_OF_THE_LANGUAGE} == set(CASTS)


def test_the_published_form_has_the_same_functions() -> None:
    forms = certificate_schema()["$defs"]["expression"]["anyOf"]
    fields = {name: part for form in forms for name, part in form["properties"].items()}
    assert set(fields["call"]["enum"]) == FUNCTIONS
    assert tuple(fields["type"]["enum"]) == CASTS
    given = document("declared limits")
    filtered_by_others(given)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(certificate_schema()).validate(given)
