"""Every page of proofs has its form, its works, its tests, and something that links to it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from inspect import isfunction
from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf
from sfumato.data.policy import Limits
from sfumato.mechanisms import Mechanism
from sfumato.privacy.filters import PrivacyFilter
from tests.proofs.pages import (
    FOLDER,
    PAGES,
    ROOT,
    SECTIONS,
    checks_of,
    cited,
    labels,
    linked,
    referred,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

REFERENCES = ROOT / "docs" / "references.bib"
#: What a test of a formula calls, each with a twin.
DECIDES = {"prove", "prove_equal"}
#: What every page builds on, and no docstring needs to link to.
SHARED = {"definitions"}
#: The statistics whose sensitivity is derived.
STATISTICS = {
    *("clipped_covariance", "clipped_mean", "clipped_sum", "clipped_variance"),
    *("clipped_vector_sum", "histogram", "linear_queries", "row_count"),
}

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


def test_no_label_is_used_twice_and_none_is_missing() -> None:
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    counted = Counter(label for text in texts for label in labels(text))
    assert [label for label, times in counted.items() if times > 1] == []
    assert set().union(*(referred(text) for text in texts)) <= set(counted)


def public_mechanisms() -> Iterator[type[Any]]:
    """The mechanisms of the room, but for what they have in common."""
    for name in sf.mechanisms.__all__:
        each = getattr(sf.mechanisms, name)
        if isinstance(each, type) and issubclass(each, Mechanism) and each is not Mechanism:
            yield each


def accounted() -> Iterator[Any]:
    """The theorems of privacy, what is converted and composed, and what keeps a budget."""
    for name in sf.privacy.theorems.__all__:
        if isfunction(each := getattr(sf.privacy.theorems, name)):
            yield each
    kinds = "PrivacyProfile GaussianDP RenyiDP ZeroConcentratedDP convert"
    yield from (getattr(sf.privacy.guarantees, name) for name in kinds.split())
    kinds = "Composed Parallel Subsampled FixedSizeSubsampled Shuffled Laplace Exponential"
    yield from (getattr(sf.privacy.events, name) for name in kinds.split())
    for name in sf.privacy.filters.__all__:
        each = getattr(sf.privacy.filters, name)
        if (name.endswith("Filter") and each is not PrivacyFilter) or name == "Odometer":
            yield each
    bounds = "bounded_neighbour bounded_pair kl_bounds epsilon_bounds"
    yield from (getattr(sf.information, name) for name in bounds.split())
    yield from (sf.compose, sf.privacy.posterior, sf.privacy.best_true_positive_rate)


def proved() -> list[Any]:
    """What makes a claim of its own: mechanisms, sensitivities, questions, limits, k-means."""
    room = sf.mechanisms.sensitivity
    statistics = [getattr(room, name) for name in room.__all__ if name in STATISTICS]
    asked = [sf.survey.ChoiceQuestion, sf.survey.NumberQuestion, sf.Survey]
    session = sf.mechanisms.SparseVectorSession
    return [*public_mechanisms(), session, *statistics, *asked, Limits, sf.KMeans, *accounted()]


@pytest.mark.parametrize("claims", proved(), ids=lambda each: each.__name__)
def test_what_makes_a_claim_links_its_proof(claims: Any) -> None:
    found = linked(claims.__doc__)
    assert found
    assert found <= {page.stem for page in PAGES}


@pytest.mark.parametrize("mechanism", list(public_mechanisms()), ids=lambda each: each.__name__)
def test_the_proof_of_a_mechanism_names_a_work_that_the_mechanism_names(mechanism: Any) -> None:
    (page,) = linked(mechanism.__doc__)
    text = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
    assert cited(text) & set(mechanism.citations)
    assert f"`~sfumato.mechanisms.{mechanism.__name__}`" in text


def test_every_statistic_of_derived_sensitivity_is_among_them() -> None:
    room = sf.mechanisms.sensitivity
    functions = {name for name in room.__all__ if isfunction(getattr(room, name))}
    assert functions - STATISTICS == {"check_sensitivity", "plain_sensitivity"}


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
