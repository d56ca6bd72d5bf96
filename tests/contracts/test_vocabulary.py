"""Pages and program say what the glossary says: a word that a term replaced is gone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.contracts.house import PACKAGE

ROOT = Path(__file__).parents[2]
GLOSSARY = ROOT / "docs" / "glossary.md"


@dataclass(frozen=True)
class Replaced:
    """A word of our own that terms of the field have replaced.

    Attributes
    ----------
    word
        The word, alone or within a name.
    terms
        What the glossary calls the thing instead.
    kept
        Where the word means something else and stays.
    """

    word: str
    terms: tuple[str, ...]
    kept: tuple[str, ...] = ()

    def uses(self, text: str) -> list[str]:
        """Return the lines of a text that use the word for the thing."""
        alone = rf"(?<![a-z]){self.word}s?(?![a-z])"
        within = rf"(?<=[a-z]){self.word.capitalize()}s?(?![a-z])"
        found = re.compile(f"(?i:{alone})|{within}")
        for phrase in self.kept:
            text = re.sub(re.escape(phrase), "", text, flags=re.IGNORECASE)
        return [line.strip() for line in text.splitlines() if found.search(line)]


REPLACED = [
    Replaced(
        "law",
        terms=("output distribution", "noise distribution", "privacy loss distribution"),
        kept=(
            "test_accounting_laws",
            *("law of large numbers", "law of cosines", "Zipf's law", "law of Zipf"),
            *("associative law", "distributive law", "commutative law"),
        ),
    ),
]


def written() -> list[Path]:
    """What people read: pages and notebooks, and the program with its docstrings and messages."""
    docs = ROOT / "docs"
    pages = [ROOT / "README.md", *docs.rglob("*.md"), *(docs / "notebooks").glob("*.ipynb")]
    return sorted(each for each in (*pages, *PACKAGE.rglob("*.py")) if "_build" not in each.parts)


@pytest.mark.parametrize("each", REPLACED, ids=lambda each: each.word)
def test_a_word_that_was_replaced_is_gone(each: Replaced) -> None:
    left = {
        path.relative_to(ROOT).as_posix(): lines
        for path in written()
        if (lines := each.uses(path.read_text("utf-8")))
    }
    assert left == {}


@pytest.mark.parametrize("each", REPLACED, ids=lambda each: each.word)
def test_what_replaces_a_word_is_in_the_glossary(each: Replaced) -> None:
    defined = re.findall(r"(?m)^\| ([^|]+) \|", GLOSSARY.read_text("utf-8"))
    assert set(each.terms) <= set(defined)


@pytest.mark.parametrize(
    ("text", "uses"),
    [
        ("the law of the noise", 1),
        ("Laws are formulas", 1),
        ("row_law = mechanism.law(5)", 1),
        ("FiniteLaw, _LAWS", 1),
        ("popularity as in the law of Zipf", 0),
        ("by the law of large numbers", 0),
        ("a lawful flaw in a lawyer's lawn", 0),
    ],
)
def test_a_word_is_told_from_others_that_hold_it(text: str, uses: int) -> None:
    assert len(REPLACED[0].uses(text)) == uses
