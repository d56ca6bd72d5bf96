"""Every page of proofs has its form, its works, its tests, and something that links to it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.proofs.pages import PAGES, ROOT, SECTIONS, checks_of, cited, labels, linked, referred

if TYPE_CHECKING:
    from pathlib import Path

REFERENCES = ROOT / "docs" / "references.bib"
#: What a test of a formula calls, each with a twin.
DECIDES = {"prove", "prove_equal"}
#: What every page builds on, and no docstring needs to link to.
SHARED = {"definitions"}

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


def deciding(path: Path) -> set[str]:
    """The tests of a file that decide a formula and its twin."""
    code = ast.parse(path.read_text(encoding="utf-8"))
    return {
        function.name
        for function in code.body
        if isinstance(function, ast.FunctionDef) and DECIDES & called(function)
    }


def called(function: ast.FunctionDef) -> set[str]:
    calls = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    return {call.id for call in calls if isinstance(call, ast.Name)}


def check_name(label: str) -> str:
    return f"test_{label.replace('-', '_')}"


@each_page
def test_a_page_has_its_sections_and_names_a_work(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert re.findall(r"(?m)^## (.+)$", text) == SECTIONS
    known = set(re.findall(r"@\w+\{(\w+),", REFERENCES.read_text(encoding="utf-8")))
    assert cited(text)
    assert cited(text) <= known
    assert f"`{checks_of(page).relative_to(ROOT).as_posix()}`" in text


@each_page
def test_every_labelled_formula_has_a_test_with_a_twin(page: Path) -> None:
    found = labels(page.read_text(encoding="utf-8"))
    assert found
    tests = deciding(checks_of(page))
    assert [label for label in found if check_name(label) not in tests] == []
    assert tests == {check_name(label) for label in found}


def test_no_label_is_used_twice_and_none_is_missing() -> None:
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    counted = Counter(label for text in texts for label in labels(text))
    assert [label for label, times in counted.items() if times > 1] == []
    assert set().union(*(referred(text) for text in texts)) <= set(counted)


def test_every_page_is_linked_from_a_docstring() -> None:
    sources = (ROOT / "src").rglob("*.py")
    found = set().union(*(linked(path.read_text(encoding="utf-8")) for path in sources))
    assert found == {page.stem for page in PAGES} - SHARED


def test_a_formula_without_a_test_is_found(tmp_path: Path) -> None:
    tests = tmp_path / "test_page.py"
    tests.write_text("def test_one():\n    prove([], f, g, twin=h)\n\ndef test_two():\n    pass\n")
    assert deciding(tests) == {"test_one"}
    assert labels("$$a \\le b. $$ (one)\n$$b = c. $$ (two-three)\n") == ["one", "two-three"]
    assert linked(":doc:`/proofs/laplace` and :doc:`this <noise>`") == {"laplace"}
