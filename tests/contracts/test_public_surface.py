"""Exported names equal the documented list; public things have examples, and no others do."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import sfumato
from tests.cases import cases
from tests.contracts.house import modules, tree

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"

#: The rooms whose names are public, and the page that lists each.
PUBLIC = {
    "sfumato": "sfumato.md",
    "sfumato.information": "information.md",
    "sfumato.information.continuous": "continuous.md",
    "sfumato.privacy": "privacy.md",
    "sfumato.privacy.events": "events.md",
    "sfumato.privacy.theorems": "theorems.md",
    "sfumato.sampling": "sampling.md",
    "sfumato.mechanisms": "mechanisms.md",
    "sfumato.mechanisms.sensitivity": "sensitivity.md",
    "sfumato.audit": "audit.md",
    "sfumato.audit.certificate": "certificates.md",
    "sfumato.ledger": "ledger.md",
    "sfumato.data": "data.md",
    "sfumato.data.policy": "policy.md",
    "sfumato.tables": "tables.md",
    "sfumato.learning": "learning.md",
    "sfumato.survey": "survey.md",
    "sfumato.risk": "risk.md",
    "sfumato.charts": "charts.md",
    "sfumato.application": "application.md",
    "sfumato.application.learning": "learning-pages.md",
    "sfumato.application.survey": "survey-pages.md",
    "sfumato.numeric": "numeric.md",
    "sfumato.errors": "errors.md",
    "sfumato.language": "language.md",
}


def documented(module: str) -> list[str]:
    """The names that the page of a module lists."""
    text = (REFERENCE / PUBLIC[module]).read_text(encoding="utf-8")
    return re.findall(rf"\{{py:obj\}}`~{re.escape(module)}\.(\w+)`", text)


@cases("module", PUBLIC)
def test_exported_names_equal_the_documented_list(module: str) -> None:
    room = importlib.import_module(module)
    exported = room.__all__
    assert exported == sorted(exported)
    wanted = [name for name in exported if name != "__version__"]
    assert sorted(documented(module)) == wanted
    if module != "sfumato":
        shown = [name for name in wanted if not inspect.ismodule(getattr(room, name))]
        assert sorted(rendered(module)) == shown


def rendered(module: str) -> list[str]:
    """The names whose docstrings the page of a module shows."""
    text = (REFERENCE / PUBLIC[module]).read_text(encoding="utf-8")
    return re.findall(r"\.\. auto(?:function|class|data):: (\w+)", text)


def public_things() -> list[tuple[str, Any]]:
    """Every public function and class, and the public methods and properties of the classes."""
    found: dict[str, Any] = {}
    for module in PUBLIC:
        room = importlib.import_module(module)
        for name in room.__all__:
            thing = getattr(room, name)
            if inspect.isfunction(thing) or inspect.isclass(thing):
                found[f"{module}.{name}"] = thing
            if inspect.isclass(thing):
                found |= {f"{module}.{name}.{key}": each for key, each in methods(thing)}
    return list(found.items())


def methods(thing: type) -> list[tuple[str, Any]]:
    return [
        (name, getattr(each, "__func__", each))
        for name, each in vars(thing).items()
        if not name.startswith("_")
        and (inspect.isfunction(each) or isinstance(each, (property, classmethod, staticmethod)))
    ]


def test_no_module_stands_in_the_place_of_a_name_that_a_room_offers() -> None:
    """A module that is loaded takes its name in its package: no room may offer another by it."""
    importable = [each for each in modules() if not each.endswith("__main__")]
    rooms = [importlib.import_module(each) for each in importable]
    offered = [(room, name) for room in rooms for name in getattr(room, "__all__", [])]
    taken = [
        f"{room.__name__}.{name}"
        for room, name in offered
        if inspect.ismodule(found := getattr(room, name, None)) and found.__name__ not in PUBLIC
    ]
    assert taken == []
    assert len(offered) > 500


def test_every_public_thing_has_a_runnable_example() -> None:
    parser = doctest.DocTestParser()
    without = [name for name, thing in public_things() if not parser.get_examples(doc_of(thing))]
    assert without == []


def doc_of(thing: Any) -> str:
    return inspect.getdoc(thing) or ""


def test_an_example_stands_where_the_reference_shows_it() -> None:
    """Elsewhere there is a test, or nothing: docs/decisions/0033-two-rings-of-tests.md says why."""
    shown = {home for _, thing in public_things() for home in homes(thing)}
    hidden = [each for each in examples() if each not in shown]
    assert hidden == []


def homes(thing: Any) -> list[tuple[str, str]]:
    """Where a function is written and what it is called there; of a class, its members too."""
    if not (inspect.isfunction(thing) or inspect.isclass(thing)):
        return []
    members = vars(thing) if inspect.isclass(thing) else []
    public = [f".{name}" for name in members if not name.startswith("_")]
    return [(thing.__module__, f"{thing.__qualname__}{member}") for member in ["", *public]]


def examples() -> list[tuple[str, str]]:
    """The home of every docstring with an example."""
    source = ROOT / "src"
    return [
        (".".join(file.relative_to(source).with_suffix("").parts).removesuffix(".__init__"), name)
        for file in sorted((source / "sfumato").rglob("*.py"))
        for name, text in docstrings(tree(file))
        if ">>> " in text
    ]


def docstrings(scope: ast.AST, inside: str = "") -> Iterator[tuple[str, str]]:
    """The docstrings of a module or of a class, by name."""
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            name = f"{inside}{node.name}"
            yield name, ast.get_docstring(node) or ""
            yield from docstrings(node, f"{name}.")
        elif isinstance(node, (ast.If, ast.Try)):
            yield from docstrings(node, inside)


def test_the_version_is_that_of_the_distribution() -> None:
    assert importlib.metadata.version("sfumato") == sfumato.__version__
    assert f"## {sfumato.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_front_door_has_at_most_forty_names() -> None:
    """The names of the first hour; whoever misses another is told in which room it is."""
    assert len(sfumato.__all__) <= 40
    with pytest.raises(AttributeError, match=r"it is sf\.mechanisms\.Laplace"):
        _ = sfumato.Laplace  # type: ignore[attr-defined]
    with pytest.raises(AttributeError) as caught:
        _ = sfumato.Laplacian  # type: ignore[attr-defined]
    assert str(caught.value).endswith("'Laplacian'")
