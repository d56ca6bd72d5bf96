"""Imports go down the stairs only, function-level imports included."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

import pytest

from tests.contracts.house import FOR_ALL, MAY_IMPORT, ONLY_IN, imports, modules, room, tree

if TYPE_CHECKING:
    from pathlib import Path

KNOWN = modules()


@pytest.mark.full
def test_imports_go_down_the_stairs() -> None:
    wrong = [
        f"{module} may not import {name}"
        for module, path in KNOWN.items()
        for name in imports(module, path, KNOWN)
        if name.split(".")[0] == "sfumato"
        and room(name) not in {*FOR_ALL, room(module), *MAY_IMPORT[room(module)]}
    ]
    assert not wrong


def test_engines_and_front_ends_stay_in_their_rooms() -> None:
    wrong = [
        f"{module} may not import {name}"
        for module, path in KNOWN.items()
        for name in imports(module, path, KNOWN)
        if room(module) not in ONLY_IN.get(name.split(".")[0], {room(module)})
    ]
    assert not wrong


def test_a_room_is_entered_by_its_door() -> None:
    wrong = [
        f"{module} imports {name}"
        for module, path in KNOWN.items()
        for name in past_a_door(module, path)
    ]
    assert not wrong


def test_twin_who_goes_past_a_door_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(
        "from sfumato.ledger import Book\nfrom sfumato.privacy.events import Laplace\n"
        "def late():\n    from sfumato.ledger.book import Book\n"
    )
    assert past_a_door("sfumato.tables.render", file) == ["sfumato.ledger.book"]
    assert past_a_door("sfumato.ledger.ledger", file) == []


def past_a_door(module: str, path: Path) -> list[str]:
    """The modules that a file imports from although they are within another room."""
    return [
        node.module
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom)
        and node.module in KNOWN
        and node.module.count(".") > 1
        and KNOWN[node.module].name != "__init__.py"
        and room(node.module) != room(module)
    ]


def test_no_library_is_used_by_its_private_names() -> None:
    wrong = [
        f"{module} imports the private {private}"
        for module, path in KNOWN.items()
        for private in private_names(path)
    ]
    assert not wrong


def test_each_of_these_would_be_seen(tmp_path: Path) -> None:
    """The twins: a file that imports upstairs, an engine, and a private name of a library."""
    file = tmp_path / "wrong.py"
    file.write_text(
        "import duckdb\nfrom numpy import _core\n\ndef late():\n    import sfumato.cli\n"
    )
    found = imports("sfumato.privacy.wrong", file, KNOWN)
    assert {"duckdb", "sfumato.cli"} <= found
    assert "cli" not in MAY_IMPORT["privacy"]
    assert "privacy" not in ONLY_IN["duckdb"]
    assert private_names(file) == ["_core"]


def private_names(path: Path) -> list[str]:
    """The private names of other libraries that a file imports."""
    found: list[str] = []
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] != "sfumato":
            parts = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
            found += [part for part in parts if part.startswith("_") and part != "__future__"]
    return found


def graph(known: dict[str, Path]) -> dict[str, set[str]]:
    return {
        module: {name for name in imports(module, path, known) if name in known and name != module}
        for module, path in known.items()
    }


def test_there_are_no_cycles() -> None:
    list(TopologicalSorter(graph(KNOWN)).static_order())


def test_a_cycle_through_a_function_would_be_seen(tmp_path: Path) -> None:
    """The twin: two modules that import each other, one of them inside a function."""
    (tmp_path / "a.py").write_text("import sfumato.b\n")
    (tmp_path / "b.py").write_text("def late():\n    from sfumato import a\n")
    known = {"sfumato.a": tmp_path / "a.py", "sfumato.b": tmp_path / "b.py"}
    with pytest.raises(CycleError):
        list(TopologicalSorter(graph(known)).static_order())


def test_every_room_has_its_rule() -> None:
    assert {room(module) for module in KNOWN} == set(MAY_IMPORT)
