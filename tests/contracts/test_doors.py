"""Nothing stands in the way of what a room offers: a module of the name would, once loaded."""

from __future__ import annotations

import pkgutil
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

import sfumato

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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


def in_the_way(room: ModuleType) -> Iterator[str]:
    """Names that a room offers, and that would be its modules from some import on."""
    load = vars(room)["__getattr__"]
    modules = {each.name for each in pkgutil.iter_modules(room.__path__)}
    for name in sorted(modules.intersection(room.__all__)):
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
