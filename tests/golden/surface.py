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
#: Classes of which one is given another, and never makes one: what makes them may change.
MADE_FOR_YOU = {"Book", "Charge", "GroupedTable", "Plan", "PrivateTable", "Query"}


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


def missed(before: str, today: str) -> list[tuple[str, ...]]:
    """What there was and is no more; what takes more than it did, if it can be left out, is."""
    now = {tuple(map(_name, path)): path for path in unfolded(today)}
    return sorted(path for path in unfolded(before) if not _is_kept(path, now))


def _is_kept(path: tuple[str, ...], now: dict[tuple[str, ...], tuple[str, ...]]) -> bool:
    found = now.get(tuple(map(_name, path)))
    if found is None:
        return False
    if path[-1:] == path[1:2] and _name(path[-1]) in MADE_FOR_YOU:
        return True
    old, new = _parameters(path[-1]), _parameters(found[-1])
    return [each for each in new if each in old] == old and all(
        "=" in each or each in old for each in new
    )


def _name(line: str) -> str:
    return line.partition("(")[0]


def _parameters(line: str) -> list[str]:
    inside = line.partition("(")[2].removesuffix(")")
    return [
        each for each in re.split(r", (?=\*{0,2}\w+(?:=|,|$)|[*/])", inside) if each not in "*/"
    ]


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
