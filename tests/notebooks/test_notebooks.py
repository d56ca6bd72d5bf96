"""The chapter's notebooks run, are stored without outputs, and say the same in both languages."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

pytestmark = pytest.mark.full

DOCS = Path(__file__).parents[2] / "docs"
ENGLISH = sorted((DOCS / "notebooks").glob("*.ipynb"))
CHINESE = sorted((DOCS / "zh").glob("*.ipynb"))


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=nbformat.NO_CONVERT)  # type: ignore[no-untyped-call]


def code_of(notebook: Any) -> list[str]:
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


class WithoutTexts(ast.NodeTransformer):
    """Makes every text alike; of one with figures in it, the figures are left, in any order."""

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant("") if isinstance(node.value, str) else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.JoinedStr:
        figures = [self.visit(each) for each in node.values if isinstance(each, ast.FormattedValue)]
        return ast.JoinedStr(sorted(figures, key=ast.dump))


def without_texts(source: str) -> str:
    """The program of a cell, with every text alike and no remarks."""
    return ast.dump(WithoutTexts().visit(ast.parse(source)))


def test_each_notebook_is_there_in_both_languages() -> None:
    assert [path.name for path in ENGLISH] == [path.name for path in CHINESE]
    assert len(ENGLISH) == 4


@pytest.mark.parametrize(
    "path", [*ENGLISH, *CHINESE], ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_a_notebook_is_stored_clean(path: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    for cell in notebook.cells:
        assert not cell.metadata
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None


@pytest.mark.parametrize("name", [path.name for path in ENGLISH])
def test_both_languages_have_the_same_program(name: str) -> None:
    english, chinese = (read(DOCS / folder / name) for folder in ("notebooks", "zh"))
    assert [(each.id, each.cell_type) for each in english.cells] == [
        (each.id, each.cell_type) for each in chinese.cells
    ]
    programs = zip(code_of(english), code_of(chinese), strict=True)
    assert all(without_texts(one) == without_texts(other) for one, other in programs)


def test_a_program_that_differs_by_more_than_its_words_is_told() -> None:
    first = 'sf.risk(table, quasi=["age"])  # whose age is known'
    assert without_texts(first) == without_texts('sf.risk(table, quasi=["年龄"])')
    assert without_texts(first) != without_texts('sf.risk(table, quasi=["age"], k=2)')
    assert without_texts("a = 1") != without_texts("a = 2")


@pytest.mark.parametrize("path", CHINESE, ids=lambda path: path.stem)
def test_a_notebook_runs_from_wherever_it_is_saved(path: Path, tmp_path: Path) -> None:
    """The Chinese ones: their programs are those of the English ones, which the site runs."""
    notebook = read(path)
    NotebookClient(notebook, timeout=180, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [each for cell in notebook.cells for each in cell.get("outputs", [])]
    assert outputs
    assert not [each.text for each in outputs if each.get("name") == "stderr"]
    assert not [*tmp_path.iterdir()]
