"""What a room offers is what its door says, to type checkers and readers alike.

Nothing stands in its way: a module of the name would, once loaded.
"""

from __future__ import annotations

import ast
import pkgutil
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import sfumato
from tests.contracts.house import tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

ROOM = """
from sfumato.doors import door
__all__ = ["choice", "thing"]
__getattr__, __dir__ = door(__name__, {"choice": "", "thing": "thing"})
"""


def rooms() -> Iterator[ModuleType]:
    """Every package whose names are loaded late."""
    for found in pkgutil.walk_packages(sfumato.__path__, "sfumato."):
        if found.ispkg:
            room = import_module(found.name)
            if getattr(vars(room).get("__getattr__"), "__module__", "") == "sfumato.doors":
                yield room


def door(path: Path) -> dict[str, tuple[str, str]]:
    """The names that the door of a room offers, with the module and the name of each."""
    (call,) = (
        node
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "door"
    )
    homes: dict[str, str] = ast.literal_eval(call.args[1])
    offered: dict[str, tuple[str, str]] = {}
    for home, names in homes.items():
        offered |= {
            each.partition("=")[0]: (home, each.rpartition("=")[2]) for each in names.split()
        }
        if not names:
            offered[home] = ("", home)
    return offered


def imported(path: Path, room: str) -> dict[str, tuple[str, str]]:
    """The names that a room has for type checkers, with the module and the name of each."""
    found: dict[str, tuple[str, str]] = {}
    for block in tree(path).body:
        if isinstance(block, ast.If) and getattr(block.test, "id", "") == "TYPE_CHECKING":
            for node in block.body:
                assert isinstance(node, ast.ImportFrom)
                home = (node.module or "").removeprefix(room).removeprefix(".")
                found |= {each.asname or each.name: (home, each.name) for each in node.names}
    return found


def file(room: ModuleType) -> Path:
    assert room.__file__
    return Path(room.__file__)


def test_a_door_offers_what_type_checkers_see() -> None:
    for room in rooms():
        offered, seen = door(file(room)), imported(file(room), room.__name__)
        assert offered == seen, room.__name__
        there = offered.keys() | vars(room)
        assert [each for each in getattr(room, "__all__", ()) if each not in there] == []


def test_what_a_door_offers_is_there() -> None:
    for room in rooms():
        for name in door(file(room)):
            assert getattr(room, name) is not None, name


def test_twin_a_name_that_only_one_of_both_has_is_seen(tmp_path: Path) -> None:
    room = tmp_path / "__init__.py"
    room.write_text(
        "from typing import TYPE_CHECKING\nfrom sfumato.doors import door\n"
        "if TYPE_CHECKING:\n    from here.thing import other as thing\n"
        "door(__name__, {'thing': 'thing=other more'})\n",
        encoding="utf-8",
    )
    assert door(room) == {"thing": ("thing", "other"), "more": ("thing", "more")}
    assert imported(room, "here") == {"thing": ("thing", "other")}


def in_the_way(room: ModuleType) -> Iterator[str]:
    """Names that a room offers, and that would be its modules from some import on."""
    load = vars(room)["__getattr__"]
    modules = {each.name for each in pkgutil.iter_modules(room.__path__)}
    for name in sorted(modules.intersection(door(file(room)))):
        with suppress(AttributeError):  # what is loaded with the room is there before any module
            if not isinstance(load(name), ModuleType):
                yield f"{room.__name__}.{name}"


def test_no_module_has_the_name_of_what_its_room_offers() -> None:
    found = list(rooms())
    assert len(found) > 9
    assert [name for room in found for name in in_the_way(room)] == []


def test_twin_a_module_in_the_way_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "in_the_way"
    folder.mkdir()
    (folder / "__init__.py").write_text(ROOM, encoding="utf-8")
    (folder / "choice.py").write_text("", encoding="utf-8")
    (folder / "thing.py").write_text("def thing(): ...\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert list(in_the_way(import_module("in_the_way"))) == ["in_the_way.thing"]
