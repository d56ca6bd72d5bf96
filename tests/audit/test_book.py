"""The theorem book: every statement holds, every false variant is caught, nothing is missing."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from sfumato.audit.book import STATEMENTS, BookReport, BookStatement, Finding, run_book

REFERENCES = Path(__file__).parents[2] / "docs" / "references.bib"

#: The numbered statements of the two sources that the book runs, then those of others.
WANTED = [
    *(f"Proposition 5.{number}" for number in range(1, 8)),
    *(f"Theorem 5.{number}" for number in range(1, 4)),
    "Remark 3.1",
    *(f"Lemma 3.{number}" for number in range(17, 20)),
    "Theorem 3.20",
    *("Theorem A.1", "Theorem 8", "Theorem 6", "Bounded range", "Corollary 3.12"),
    "Sparse vector",
    *("Proposition 1", "Proposition 3"),
    *("Poisson sample", "Sample of m"),
]
#: Those that are others' theorems.
CITED = WANTED[WANTED.index("Theorem A.1") :]

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
    "Theorem A.1": "the least ε at δ = 1e-09 is 0.833799317195",
    "Theorem 8": "the least ε at δ = 1e-09 is 10",
    "Theorem 6": "4-DP holds on all 81 pairs",
    "Bounded range": "e^ε = 4; greatest ratio over the least 4,",
    "Corollary 3.12": "16 below the best with probability 0.032143 where e^-t = 0.049787",
    "Sparse vector": "ln(625/128)-DP holds on all 2 pairs",
    "Proposition 1": "(2, ln(637/48))-Rényi DP holds",
    "Proposition 3": "the least ε at δ = 1e-09 is 1.39561571386",
    "Poisson sample": "(ln(14/5), 0.09)-DP holds on all 12 pairs",
    "Sample of m": "the least ε at δ = 0.075 is ln(5/2)",
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


#: What refutes the twin: two neighbouring tables, and an event where ε and δ are claimed.
WITNESSES = {
    "Theorem A.1": "(0, 0) and (0, 1); the output at most -0.46566274746 has probability",
    "Theorem 8": "(0, 0) and (0, 1); the output at most -8.58643861292 has probability",
    "Theorem 6": "between the inputs ('a', 'a', 'b') and ('a', 'a', 'a'); the output 'b'",
    "Bounded range": "the least 16, between the votes ccc and ccb",
    "Corollary 3.12": "8 below the best with probability 0.644539 where e^-t = 0.049787",
    "Sparse vector": "('a', 'a'); the output ('below', 'below', 'above', 'above') has probability",
    "Proposition 1": "the least ε at order 2 is ln(59/18)",
    "Proposition 3": "(0, 0) and (0, 1); the output at most -0.25 has probability",
    "Poisson sample": "between the inputs (-1,) and (1,); the output -1 has probability 17/100",
    "Sample of m": "(0, 0, 0, 1) and (0, 0, 0, 0); the output 1 has probability 1/4",
}


@pytest.mark.parametrize("name", CITED)
def test_a_theorem_of_others_is_named_and_its_twin_refuted_by_a_witness(name: str) -> None:
    statement = next(each for each in STATEMENTS if each.name == name)
    (row,) = run_book([statement]).rows
    assert row.holds, row.figures
    assert row.caught, row.wrong
    assert FIGURES[name] in row.figures
    assert WITNESSES[name] in row.wrong
    assert f"{{{statement.citation}," in REFERENCES.read_text(encoding="utf-8")
    cited = f"    theorem of {statement.citation}; neighbours: {statement.relation}"
    assert cited in row.lines()
    assert row.as_dict()["citation"] == statement.citation
    assert row.as_dict()["neighbours"] == str(statement.relation)


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
