"""A certificate that holds is shown with its question and its figures, whatever was asked."""

from __future__ import annotations

import io
import json

import pandas as pd
import pytest

import sfumato as sf
from sfumato.application.certificates.answers import answer_lines, question_in_words
from sfumato.application.certificates.checking import CertificateReport, check
from tests.refusing import raises_code
from tests.tables.certificate.made import certified, signed

ASKED = {
    "declared limits": "n = count(*), a = count(age), p = people(*), age = mean(age), "
    "s = sum(age), v = variance(age), d = std(cost), cv = covariance(age, cost) by sex",
    "public rows": "m = mean(age) over 600 rows",
    "gaussian by groups": "n = count(*), age = mean(age), t = top_k(ward, 2) by sex",
    "functions": "n = count(*), mean = sample_aggregate(age), median = sample_aggregate(age)",
    "derived": "n = count(*), share = mean(old), cost = sum(cost * 2) by old where age > 18 with "
    "old = age >= 65, not below 0, order by n, greatest first, having n >= 3, the first 5",
    "public join": "n = count(*), b = mean(beds) by region joined with public rows on ward",
    "people joined": "h = mean(height) by sex joined with the rows of the same person in another "
    "table",
    "one row a person": "n = mean(n), m = quantiles(most, 0.5) for each person n = count(*), "
    "most = maximum(cost)",
    "by day": "n = count(*) by day, order by day, greatest first",
}


def checked(text: str) -> CertificateReport:
    return check(io.TextIOWrapper(io.BytesIO(text.encode())))


@pytest.mark.full
@pytest.mark.parametrize("name", ASKED)
def test_the_question_is_shown_with_all_its_figures(name: str) -> None:
    report = checked(certified(name))
    headline, heading, question, *rest = report.lines(width=1000)
    assert report
    assert report.verdict
    assert headline.startswith("HOLDS: ")
    assert heading == "THE ANSWER THAT WAS CERTIFIED"
    assert question == f"  {ASKED[name]}"
    answer = report.as_dict()["answer"]
    assert answer["query"] == ASKED[name]
    shown = rest[1 : rest.index("  95 % confidence intervals, for the noise")]
    assert len(shown) == len(answer["rows"]) > 0
    assert [*answer["rows"][0]] == answer["columns"]
    json.dumps(answer, allow_nan=False)


def test_what_does_not_hold_is_shown_without_figures() -> None:
    report = checked(certified("public rows").replace("600 rows", "700 rows"))
    assert not report
    assert not report.verdict
    assert len(report.lines()) == 1
    assert report.as_dict()["answer"] is None


def test_a_formula_that_is_signed_but_that_nobody_can_ask_is_shown_as_it_stands() -> None:
    document = json.loads(certified("derived"))
    step = document["query"]["steps"][0]
    for _ in range(120):
        step["condition"] = {"call": "not", "arguments": [step["condition"]]}
    report = checked(signed(document))
    assert report.is_sound
    assert "where {" in report.as_dict()["answer"]["query"]


def test_joined_rows_say_what_was_done_to_them() -> None:
    old = {"call": "greater", "arguments": [{"column": "age"}, {"value": 60}]}
    steps = [
        {"step": "declare", "columns": [{"name": "age"}]},
        {"step": "join_public", "how": "left", "on": [["ward", "id"]]},
        {
            "step": "join_people",
            "how": "inner",
            "steps": [{"step": "filter", "condition": old}],
        },
    ]
    query = {"aggregates": [], "keys": [], "steps": steps, "after": []}
    assert question_in_words(query) == (
        " declaring age left joined with public rows on ward = id joined with the rows of the "
        "same person in another table (where age > 60)"
    )


def test_a_figure_of_any_size_is_shown() -> None:
    document = json.loads(certified("public rows"))
    far = {"": 10**399, "_low": 0, "_high": 10**400}
    columns = [{"name": f"m{end}", "values": [value]} for end, value in far.items()]
    document["answers"]["columns"] = columns
    assert "(0 to 10,000,000" in answer_lines(document, width=80)[2]


def test_a_certificate_at_hand_is_checked_as_its_file_is() -> None:
    table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
    release = table.agg(n=sf.count()).release(epsilon=1)
    assert check(release.certificate)
    assert check(io.StringIO(release.certificate.to_json()))
    for other in (release, table, 1):
        with raises_code("E-CERTIFICATE-FORM", match=r"write check\(release.certificate\), or"):
            check(other)  # type: ignore[arg-type]
