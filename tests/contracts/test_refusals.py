"""Errors are data: each has a code that is listed, templates that fit, and nobody reads them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from sfumato.causes import CAUSES
from tests.contracts.house import PACKAGE, tree
from tests.contracts.refusals import PAGE, Site, page, sites

SITES = list(sites())
TESTS = Path(__file__).parents[1]


def test_every_refusal_has_a_code_that_is_listed() -> None:
    assert [each.where for each in SITES if not each.code] == []
    assert {code for each in SITES for code in each.code} == set(CAUSES)
    assert list(CAUSES) == sorted(CAUSES)


def test_the_fields_of_templates_are_those_that_are_given() -> None:
    assert misfits(SITES) == []


def test_twin_a_field_that_is_not_given_is_found() -> None:
    wrong = Site("somewhere", ("E-INTERNAL",), ("{this} is wrong",), frozenset({"that"}))
    assert misfits([wrong]) == ["somewhere"]


def misfits(found: list[Site]) -> list[str]:
    read = [each for each in found if each.parts is not None and each.fields is not None]
    assert len(read) > 0.9 * len(found)
    return [each.where for each in read if each.wanted != (each.fields or set()) - {"conflict"}]


def test_the_page_is_that_of_the_code() -> None:
    shown = PAGE.read_text(encoding="utf-8")
    assert shown == page(), "run: python -m tests.contracts.refusals"


def test_every_code_is_raised_by_a_test() -> None:
    told = "\n".join(each.read_text(encoding="utf-8") for each in TESTS.rglob("test_*.py"))
    assert [code for code in CAUSES if f'"{code}"' not in told] == []


#: Where the errors of other libraries are read, which have nothing but their sentence.
FOREIGN = {
    "cli/usage.py": "Typer",
    "data/engines/duck.py": "DuckDB",
    "data/engines/postgres/session.py": "psycopg",
    "documents.py": "tomllib",
    "learning/kmeans/labelling.py": "scikit-learn",
}
SENTENCE = re.compile(r"str\((error|caught|failure|refused|reason)(\.value)?\)")


def test_nothing_reads_a_sentence_back() -> None:
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        name = str(path.relative_to(PACKAGE))
        if name not in FOREIGN:
            found += [f"{name}:{line}" for line in reading(tree(path))]
    assert found == []


@pytest.mark.parametrize(
    "wrong",
    [
        "if str(error).startswith('there is no'):\n    pass",
        "if 'exponent' in str(error):\n    pass",
        "error.args = (f'{error}; more',)",
        "re.search('a', str(error))",
        "if str(error) == 'x':\n    pass",
    ],
)
def test_twin_reading_a_sentence_is_found(wrong: str) -> None:
    assert reading(ast.parse(wrong)) == [1]


def reading(code: ast.Module) -> list[int]:
    """The lines where the sentence of an error is compared, searched or replaced."""
    lines = []
    for node in ast.walk(code):
        if isinstance(node, ast.Compare):
            lines += [node.lineno] * any(map(is_sentence, [node.left, *node.comparators]))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            searched = node.func.attr in {"match", "search", "fullmatch", "sub", "findall"}
            asked = is_sentence(node.func.value)
            lines += [node.lineno] * (asked or (searched and any(map(is_sentence, node.args))))
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
            replaced = ast.unparse(node.targets[0]).endswith("error.args")
            lines += [node.lineno] * (replaced and not isinstance(node.value, ast.Name))
    return lines


def is_sentence(node: ast.AST) -> bool:
    return SENTENCE.fullmatch(ast.unparse(node)) is not None
