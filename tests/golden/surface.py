"""The public names of every room, with the parameters of what can be called.

Types are left out: they have names of their own, which are nobody's to write.
"""

from __future__ import annotations

import importlib
import inspect
import re
from typing import TYPE_CHECKING, Any

from tests.contracts.test_public_surface import PUBLIC

if TYPE_CHECKING:
    from collections.abc import Iterator

ADDRESS = re.compile(r" at 0x[0-9a-f]+")
INSIDE = " "


def surface() -> str:
    """A room a line, below it its names, and below a class its public members."""
    return "\n".join(line for module in PUBLIC for line in (module, *names(module))) + "\n"


def unfolded(text: str) -> set[tuple[str, ...]]:
    """Each line with those that it stands below."""
    found: set[tuple[str, ...]] = set()
    above: list[str] = []
    for line in text.splitlines():
        name = line.lstrip()
        above[(len(line) - len(name)) // len(INSIDE) :] = [name]
        found.add(tuple(above))
    return found


def names(module: str) -> Iterator[str]:
    """The names of a room; the top has its own from rooms that list their members."""
    room = importlib.import_module(module)
    for name in room.__all__:
        thing = getattr(room, name)
        yield f"{INSIDE}{name}{parameters(thing)}"
        if inspect.isclass(thing) and module != "sfumato":
            yield from (f"{INSIDE}{INSIDE}{member}" for member in members(thing))


def members(thing: type) -> Iterator[str]:
    """The public members of a class that are its own or of another class of ours."""
    for name in dir(thing):
        homes = [base for base in thing.__mro__ if name in vars(base)]
        if not name.startswith("_") and homes and homes[0].__module__.startswith("sfumato"):
            yield f"{name}{parameters(inspect.getattr_static(thing, name))}"


def parameters(thing: Any) -> str:
    """The parameters of what can be called, with their defaults; nothing of anything else."""
    called = getattr(thing, "__func__", thing)
    if not callable(called):
        return ""
    try:
        signature = inspect.signature(called)
    except (TypeError, ValueError):
        return "(…)"
    bare = [each.replace(annotation=each.empty) for each in signature.parameters.values()]
    plain = signature.replace(parameters=bare, return_annotation=signature.empty)
    return ADDRESS.sub("", str(plain))
