"""The examples at the foot of a help page, on short lines that can be copied as they stand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


_WIDTH = 56
_WORD = re.compile(r"(?:'[^']*'|\"[^\"]*\"|\S)+")


def examples(*commands: str, first: Sequence[str] = ()) -> str:
    """Return the foot of a help page: each command on lines that a shell joins again.

    Parameters
    ----------
    commands
        The examples, which run in the folder ``examples``.
    first
        The commands that make what these read, where that is not in the folder.
    """
    before = _paragraphs(mark("First, once:"), first) if first else ""
    title = mark("Example:") if len(commands) == 1 else mark("Examples:")
    return before + _paragraphs(title, commands).rstrip()


def _paragraphs(title: str, commands: Iterable[str]) -> str:
    lines = "\n".join(line for command in commands for line in _broken(command))
    return f"{title}\n\n\b\n{lines}\n\n"


def _broken(command: str) -> list[str]:
    first, *others = _units(command)
    lines = [f"  {first}"]
    for unit in others:
        if len(f"{lines[-1]} {unit}") <= _WIDTH:
            lines[-1] += f" {unit}"
        else:
            lines[-1] += " \\"
            lines.append(f"    {unit}")
    return lines


def _units(command: str) -> list[str]:
    """Split where a line may end: an option stays with its value."""
    units: list[str] = []
    for word in _WORD.findall(command):
        if units and units[-1].startswith("--") and " " not in units[-1] and word[0] != "-":
            units[-1] += f" {word}"
        else:
            units.append(word)
    return units
