"""Names in the house: a class has a name that no other class has."""

from __future__ import annotations

import ast
from collections import defaultdict
from importlib import import_module
from typing import TYPE_CHECKING

from tests.contracts.house import modules, tree
from tests.contracts.test_public_surface import PUBLIC

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def classes(known: Mapping[str, Path]) -> dict[str, list[str]]:
    """Every class with the modules that define one of its name, those inside blocks too."""
    found = defaultdict(list)
    for module, path in known.items():
        tops = [node for each in tree(path).body for node in (each, *getattr(each, "body", []))]
        for name in {node.name for node in tops if isinstance(node, ast.ClassDef)}:
            found[name].append(module)
    return found


def public() -> set[tuple[str, str]]:
    """The classes that users know, by module and name."""
    rooms = [import_module(each) for each in PUBLIC]
    named = [(getattr(room, name), name) for room in rooms for name in room.__all__]
    return {(thing.__module__, name) for thing, name in named if isinstance(thing, type)}


def shared(known: Mapping[str, Path], spared: set[tuple[str, str]]) -> list[str]:
    """The names of several classes of which more than those that users know bear it."""
    return [
        f"{name}: {', '.join(homes)}"
        for name, homes in sorted(classes(known).items())
        if len(homes) > 1 and any((home, name) not in spared for home in homes)
    ]


def test_a_class_has_a_name_of_its_own() -> None:
    assert shared(modules(), public()) == []


def test_twin_two_classes_of_one_name_are_seen(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).write_text("class Cells: ...\n", encoding="utf-8")
    known = {name: tmp_path / name for name in ("one", "two")}
    assert shared(known, set()) == ["Cells: one, two"]
    assert shared(known, {("one", "Cells"), ("two", "Cells")}) == []
