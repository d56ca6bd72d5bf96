"""The theorem book: every statement holds, every false variant is caught, nothing is missing."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest

from sfumato.audit.book import STATEMENTS, BookReport, BookStatement, Finding, run_book

#: The numbered statements of the two sources that the book runs.
WANTED = [
    *(f"Proposition 5.{number}" for number in range(1, 8)),
    *(f"Theorem 5.{number}" for number in range(1, 4)),
    "Remark 3.1",
    *(f"Lemma 3.{number}" for number in range(17, 20)),
    "Theorem 3.20",
]

#: What a reader of the source would look for in the figures of a check.
FIGURES = {
    "Proposition 5.1": "e^ε = 3, least ratio 1/3",
    "Proposition 5.4": "ln 6 = 1.791759",
    "Proposition 5.5": "ln 18 = 2.890372",
    "Proposition 5.7": "0.693147, 1.386294, 2.079442",
    "Theorem 5.1": "19,922,945 pairs of tables; least ε ln 2 = 0.693147",
    "Theorem 5.2": "1 at sensitivity 1/4",
    "Theorem 5.3": "at most 1/5 where ε/T = 1/5, 5 rounds 1",
    "Lemma 3.18": "D(Y‖Z) = 0.231049, ε(e^ε - 1) = 0.693147",
    "Theorem 3.20": "basic 10, this theorem 6.308231",
}


@pytest.fixture(scope="module")
def report() -> BookReport:
    return run_book()


def test_the_book_is_complete_and_in_order() -> None:
    assert [statement.name for statement in STATEMENTS] == WANTED


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda each: each.name)
def test_a_statement_says_something(statement: BookStatement) -> None:
    assert statement.title
    assert statement.text.endswith((".", ".)"))


@pytest.mark.full
@pytest.mark.parametrize("name", WANTED)
def test_a_statement_holds_and_its_twin_is_caught(report: BookReport, name: str) -> None:
    row = next(each for each in report.rows if each.name == name)
    assert row.holds, row.figures
    assert row.caught, row.wrong
    assert row.instances > 0
    assert FIGURES.get(name, "") in row.figures


@pytest.mark.full
def test_the_book_prints_everywhere(report: BookReport) -> None:
    assert report
    assert str(report).count("variant caught") == len(WANTED)
    assert all(len(line) <= 96 for line in report.lines())
    assert all(len(line) <= 100 for line in report.lines(details=True))
    assert not re.search(
        r"mission|\bM-[A-Z]", "\n".join(report.lines() + report.lines(details=True))
    )
    found = json.loads(json.dumps(report.as_dict()))
    assert [each["id"] for each in found["statements"]] == WANTED
    html = report._repr_html_()
    assert html.count("<tr>") == len(WANTED) + 1
    assert "ε" in html


def claim(limit: Fraction) -> Finding:
    return Finding(holds=limit >= 1, instances=1, figures=f"limit {limit}")


def made(*, instance: Fraction, twin: Fraction) -> BookStatement:
    return BookStatement(
        name="Claim <1>",
        title="limits",
        text="A limit is 1 or more.",
        check=claim,
        instance=instance,
        twin=twin,
        wrong="a small limit",
    )


def test_a_false_statement_is_reported() -> None:
    report = run_book([made(instance=Fraction(1, 2), twin=Fraction(1, 2))])
    assert not report
    assert report.rows[0].result == "DOES NOT HOLD; variant caught"
    assert report.lines()[0].startswith("0 of 1 statements hold, 1 of 1 false variants are caught")


def test_a_twin_that_passes_is_reported() -> None:
    report = run_book([made(instance=Fraction(1), twin=Fraction(1))])
    assert not report.holds
    assert report.rows[0].result == "holds; VARIANT NOT CAUGHT"
    assert "Claim &lt;1&gt;" in report._repr_html_()


def test_progress_is_told() -> None:
    seen: list[tuple[int, int]] = []
    statement = made(instance=Fraction(1), twin=Fraction(0))
    run_book([statement, statement], progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]
