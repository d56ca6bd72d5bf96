"""Doors of rooms: what a room offers is loaded when it is first asked for."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import inspect
    from collections.abc import Callable, Mapping


def door(
    room: str, homes: Mapping[str, str], hint: Callable[[str], str] = lambda _: ""
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a room whose names are loaded late.

    A name that a module of the room has itself cannot be one of them: once that is loaded, the
    name stands for it.

    Parameters
    ----------
    room
        The package.
    homes
        Its modules, each with the names that it has of them, and spaces between; ``new=old`` is
        offered by a new name.  A module with no names is offered as it is.  What another room has
        is handed on where that is named whole, as ``sfumato.charts``.
    hint
        What is said besides of a name that there is not.
    """
    modules = {
        each.partition("=")[0]: (module, each.rpartition("=")[2])
        for module, names in homes.items()
        for each in names.split()
    }
    parts = [module for module, names in homes.items() if not names]

    def load(name: str) -> Any:
        if name in parts:
            return import_module(f"{room}.{name}")
        if name not in modules:
            message = f"module {room!r} has no attribute {name!r}{hint(name)}"
            raise AttributeError(message)
        module, old = modules[name]
        home = module if module.startswith("sfumato.") else f"{room}.{module}"
        found = getattr(import_module(home), old)
        setattr(sys.modules[room], name, found)
        return found

    def offered() -> list[str]:
        return sorted({*getattr(sys.modules[room], "__all__", ()), *parts})

    return load, offered


class CallableRoom(ModuleType):
    """A package and its foremost function have one name, so the package answers for both."""

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Call the function."""
        return self._foremost()(*given, **named)

    @property
    def __signature__(self) -> inspect.Signature:
        """What the function takes."""
        from inspect import signature

        return signature(self._foremost())

    def _foremost(self) -> Callable[..., Any]:
        function: Callable[..., Any] = getattr(self, self.__name__.rpartition(".")[2])
        return function
