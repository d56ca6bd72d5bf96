"""What the pages of docs/proofs display, cite and prove, as they are written."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "proofs"
#: The pages that prove something.
PAGES = [page for page in sorted(FOLDER.glob("*.md")) if page.stem != "index"]
SECTIONS = ["Statement", "Proof", "What is checked"]

_LABEL = re.compile(r"\$\$ \(([\w-]+)\)$", re.MULTILINE)
_ANY_LABEL = re.compile(r"\$\$\s*\(")
_REFERRED = re.compile(r"\{eq\}`([^`]*)`")
_CITED = re.compile(r"\{cite:\w+\}`([\w, ]+)`")
_LINKED = re.compile(r":doc:`(?:[^`<]*<)?/proofs/([\w-]+)>?`")


def labels(text: str) -> list[str]:
    """The labels of the formulas that a page displays, each with a test of its own."""
    found = _LABEL.findall(text)
    assert len(found) == len(_ANY_LABEL.findall(text)), (
        "a label is written as $$ (label), at the end"
    )
    return found


def referred(text: str) -> set[str]:
    """The labels that a page refers to, on whatever page they stand."""
    return set(_REFERRED.findall(text))


def cited(text: str) -> set[str]:
    """The works that a page names."""
    return {key for keys in _CITED.findall(text) for key in keys.replace(" ", "").split(",")}


def linked(docstring: str) -> set[str]:
    """The proofs that a docstring links to."""
    return set(_LINKED.findall(docstring))


def checks_of(page: Path) -> Path:
    """The file with the tests of a page."""
    return ROOT / "tests" / "proofs" / f"test_{page.stem.replace('-', '_')}.py"
