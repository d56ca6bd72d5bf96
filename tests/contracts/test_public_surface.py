"""Exported names equal the documented list; every public thing has a runnable example."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import sfumato

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
}


def documented(module: str) -> list[str]:
    """The names that the page of a module lists."""
    text = (REFERENCE / PUBLIC[module]).read_text(encoding="utf-8")
    return re.findall(rf"\{{py:obj\}}`~{re.escape(module)}\.(\w+)`", text)


@pytest.mark.parametrize("module", PUBLIC)
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


@pytest.mark.parametrize(("name", "thing"), public_things())
def test_every_public_thing_has_a_runnable_example(name: str, thing: Any) -> None:
    text = inspect.getdoc(thing)
    assert text, f"{name} has no docstring"
    assert doctest.DocTestParser().get_examples(text), f"{name} has no runnable example"


def test_the_version_is_that_of_the_distribution() -> None:
    assert importlib.metadata.version("sfumato") == sfumato.__version__
    assert f"## {sfumato.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
