"""Every figure that the sources print: ours is the same, and the twin's is not."""

from __future__ import annotations

import json

import pytest

from sfumato.application.auditing import check_theorems
from sfumato.application.textbook.definition import DEFINITION
from sfumato.application.textbook.information import INFORMATION
from sfumato.application.textbook.mechanisms import MECHANISMS
from sfumato.application.textbook.problem import PROBLEM
from sfumato.audit import STATEMENTS, BookReport, BookStatement, run_book
from tests.docs.textbook import PAGE, written

FIGURES = (*PROBLEM, *DEFINITION, *MECHANISMS, *INFORMATION)


#: Those that take seconds.
_SLOW = {"Netflix prize", "Estimate of p", "Tables 5.1, 5.2", "Table 5.3", "Totals"}


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param(each, id=each.name, marks=[pytest.mark.full] if each.name in _SLOW else [])
        for each in FIGURES
    ],
)
def test_a_figure_is_ours_and_not_its_twin_s(statement: BookStatement) -> None:
    found = statement.check(statement.instance)
    assert found.holds, found.ours
    assert found.ours
    assert not statement.check(statement.twin).holds


def test_figures_have_names_of_their_own_and_say_where_they_stand() -> None:
    assert len({each.name for each in FIGURES}) == len(FIGURES)
    assert all(each.where and each.printed and each.text.endswith((".", ".)")) for each in FIGURES)


def test_a_figure_that_is_off_is_shown_beside_the_one_that_is_printed() -> None:
    (statement,) = (each for each in FIGURES if each.name == "Example 5.1")
    wrong = run_book([BookStatement(**{**vars(statement), "instance": statement.twin})])
    assert not wrong
    assert wrong.lines()[-1].startswith(
        "Example 5.1  1/9       1     DOES NOT HOLD; variant caught"
    )


@pytest.fixture(scope="module")
def report() -> BookReport:
    return check_theorems(figures=True)


@pytest.mark.full
def test_all_of_them_hold_and_are_printed(report: BookReport) -> None:
    assert report.holds
    assert len(report.rows) == len(STATEMENTS) + len(FIGURES)
    assert all(len(line) <= 96 for line in report.lines())
    rows = json.loads(json.dumps(report.as_dict()))["statements"]
    assert all(row["ours"] and row["where"] for row in rows if row["printed"])
    assert report._repr_html_().count("<tr>") == len(report.rows) + 1


@pytest.mark.full
def test_the_page_has_them(report: BookReport) -> None:
    assert PAGE.read_text(encoding="utf-8") == written(report)
