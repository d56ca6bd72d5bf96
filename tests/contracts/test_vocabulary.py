"""Pages and program say what the glossary says: a word that a term replaced is gone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sfumato.causes import CAUSES
from tests.cli.commands import help_pages, the_command
from tests.contracts.house import PACKAGE
from tests.contracts.refusals import sites
from tests.docs.pages import FENCED

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GLOSSARY = DOCS / "glossary.md"


@cache
def written() -> dict[str, str]:
    """What people read: pages and notebooks, and the program with its docstrings and messages."""
    pages = [ROOT / "README.md", *DOCS.rglob("*.md"), *(DOCS / "notebooks").glob("*.ipynb")]
    paths = [each for each in (*pages, *PACKAGE.rglob("*.py")) if "_build" not in each.parts]
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in sorted(paths)}


@cache
def today() -> dict[str, str]:
    """What people read, but for decisions, which keep the words of their day; each in a line."""
    return {
        where: " ".join(text.split())
        for where, text in written().items()
        if not where.startswith("docs/decisions/")
    }


@cache
def said() -> dict[str, str]:
    """What is said to people: pages but for code and decisions, help, messages; each in a line."""
    pages = {
        name: FENCED.sub("", text)
        for name, text in written().items()
        if name.endswith(".md") and not name.startswith("docs/decisions/")
    }
    messages = {each.where: ". ".join(each.parts or ()) for each in sites()}
    every = {**pages, **dict(help_pages(the_command())), **messages, **CAUSES}
    return {where: " ".join(text.split()) for where, text in every.items()}


@cache
def risk() -> dict[str, str]:
    """What people read of the risk of re-identification, where rows are suppressed."""
    return {where: text for where, text in today().items() if "risk/" in where}


@dataclass(frozen=True)
class Replaced:
    """A word or a phrase of our own that terms of the field have replaced.

    Attributes
    ----------
    phrase
        What is not written: a regular expression.
    terms
        What the glossary calls the thing instead.
    kept
        Where the word means something else and stays.
    where
        Which texts are searched.
    """

    phrase: str
    terms: tuple[str, ...]
    kept: tuple[str, ...] = ()
    where: Callable[[], dict[str, str]] = said

    def uses(self, text: str) -> list[str]:
        """Return what is used of it in a text, with what stands beside it."""
        for phrase in self.kept:
            text = re.sub(re.escape(phrase), "", text, flags=re.IGNORECASE)
        return [
            text[max(0, each.start() - 40) : each.end() + 40]
            for each in re.finditer(self.phrase, text)
        ]


def word(alone: str) -> str:
    """Return a regular expression for a word, alone or within a name."""
    within = rf"(?<=[a-z]){alone.capitalize()}s?(?![a-z])"
    return rf"(?i:(?<![a-z]){alone}s?(?![a-z]))|{within}"


LAW = Replaced(
    word("law"),
    terms=("output distribution", "noise distribution", "privacy loss distribution"),
    kept=(
        "test_accounting_laws",
        *("law of large numbers", "law of cosines", "Zipf's law", "law of Zipf"),
        *("associative law", "distributive law", "commutative law"),
    ),
    where=written,
)
BOUND = Replaced("counts? as the (nearest )?bound", terms=("clamping",))
REPLACED = [
    LAW,
    BOUND,
    Replaced("between which (its|the) values are taken", terms=("clamping",)),
    Replaced("weigh(s|ed)? (them |it )?down|busy people", terms=("contribution bounding",)),
    Replaced("how much of one person counts", terms=("contribution limit",)),
    Replaced("(says|said|declared) whose (\\w+ )?row|units? of privacy", terms=("privacy unit",)),
    Replaced(
        "who (is|was|would be) told|analysts? (alone )?(was|were|who were|may be) told",
        terms=("analyst",),
        where=today,
    ),
    Replaced("fits? what is left(?! of it)", terms=("privacy budget",)),
    Replaced("protects? against (different|the same) change", terms=("neighbouring relation",)),
    Replaced(
        "classes? (of (people|rows) )?(who|that) look alike|(?<!equivalence )classes below"
        "|the smallest class",
        terms=("equivalence class",),
    ),
    Replaced("found with chance|chance of finding", terms=("re-identification risk",)),
    Replaced("set of outputs would make that hold", terms=("δ (delta)",)),
    Replaced("[Ss]urveys? without trust", terms=("local differential privacy",)),
    Replaced("[Gg]roups that nobody listed|[Nn]ames that nobody", terms=("partition selection",)),
    Replaced("no low bits? (leak|gives?)", terms=("floating-point-safe noise",)),
    Replaced("(?i:error[- ]?bars?)", terms=("confidence interval",), where=today),
    Replaced(
        "looks? like (no|nobody|everybody|fewer|them|(other )?people|k )|like no other",
        terms=("equivalence class",),
        kept=("a missing value is like no other",),
    ),
    Replaced(
        "(?i:made coarser|coarsen(s|ed)?\\b|(?<!finer, )coarser (table|one by one))",
        terms=("generalisation",),
        where=today,
    ),
    Replaced(
        "rows? (is |are |were )?(that )?left out(?! of)",
        terms=("suppression",),
        kept=("such rows are left out", "such rows were left out"),
        where=risk,
    ),
    Replaced("(?i:(values?|column|is|are) found again)", terms=("reconstruction attack",)),
    Replaced("k-anonymity does not add up", terms=("composition",)),
    Replaced("tells? who somebody is", terms=("entropy",), where=today),
    Replaced("told from noise|as far as noisy cells", terms=("discrete noise",)),
    Replaced("scales? of the noise", terms=("noise scale",), where=today),
    Replaced("what somebody knows", terms=("background knowledge",), where=today),
    Replaced("blind guessing", terms=("trade-off function",), where=today),
    Replaced("(?i:unclipped)", terms=("clamping",)),
    Replaced("(?i:false alarms?)", terms=("trade-off function",), where=today),
    Replaced("without bias", terms=("estimate",), where=today),
    Replaced("ε-private", terms=("pure DP, ε-DP",)),
]
NAMES = [each.terms[0] for each in REPLACED]


@pytest.mark.parametrize("each", REPLACED, ids=NAMES)
def test_a_word_that_was_replaced_is_gone(each: Replaced) -> None:
    found = {where: each.uses(text) for where, text in each.where().items()}
    assert {where: lines for where, lines in found.items() if lines} == {}


@pytest.mark.parametrize("each", REPLACED, ids=NAMES)
def test_what_replaces_a_word_is_in_the_glossary(each: Replaced) -> None:
    defined = re.findall(r"(?m)^\| ([^|]+) \|", GLOSSARY.read_text("utf-8"))
    assert set(each.terms) <= set(defined)


@pytest.mark.parametrize(
    ("text", "uses"),
    [
        ("the law of the noise", 1),
        ("Laws are formulas", 1),
        ("row_law = mechanism.law(5)", 2),
        ("FiniteLaw, _LAWS", 2),
        ("popularity as in the law of Zipf", 0),
        ("by the law of large numbers", 0),
        ("a lawful flaw in a lawyer's lawn", 0),
    ],
)
def test_a_word_is_told_from_others_that_hold_it(text: str, uses: int) -> None:
    assert len(LAW.uses(text)) == uses


def test_a_phrase_is_found_and_others_are_not() -> None:
    assert BOUND.uses("a value beyond counts as the nearest bound") != []
    assert BOUND.uses("a value beyond is clamped to the nearest bound") == []
