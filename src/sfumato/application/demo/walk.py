"""A walk: steps, each with what is said, the command that anybody may repeat, and its answer."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from sfumato.printing import NOT_PRIVATE, PAGE, Printed, places, sentences, wrapped
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from sfumato.printing import NotPrivate


#: Stands where lines of an answer are left out.
CUT = "…"

#: Parts of a command that stay on one line: an option with its value, a text in quotes.
_PARTS = re.compile(r"(?:--\S+ )?(?:'[^']*'|\S+)")


@dataclass(frozen=True)
class Shown:
    """A command and what it answers, or what a table says.

    Attributes
    ----------
    command
        What to write in a shell; empty where a table is shown as it is.
    lines
        What it answers, or the most telling part of that: see ``excerpt``.
    """

    command: str
    lines: tuple[str, ...]

    def printed(self, width: int = PAGE) -> list[str]:
        """Return the command, in lines that a shell takes as one, and its answer, set in.

        Parameters
        ----------
        width
            How wide a line may be.
        """
        command = _broken(f"  $ {self.command}", width) if self.command else []
        return [*command, *sentences([f"  {line}" for line in self.lines], width)]


@dataclass(frozen=True)
class Step:
    """One step of a walk.

    Attributes
    ----------
    title
        What happens, in a sentence.
    shown
        What is seen.
    remark
        What it means.
    """

    title: str
    shown: tuple[Shown, ...]
    remark: str

    def printed(self, number: int, width: int = PAGE) -> list[str]:
        """Return the step as lines.

        Parameters
        ----------
        number
            Which step of the walk it is.
        width
            How wide a line may be.
        """
        return [*self.headline(number, width), *self.body(width)]

    def headline(self, number: int, width: int = PAGE) -> list[str]:
        """Return what happens, with its number.

        Parameters
        ----------
        number, width
            As in ``printed``.
        """
        return wrapped(f"{number}. {self.title}", width, later="   ")

    def body(self, width: int = PAGE) -> list[str]:
        """Return what is seen, and what it means.

        Parameters
        ----------
        width
            How wide a line may be.
        """
        blocks = [each.printed(width) for each in self.shown]
        seen = [line for block in blocks for line in ["", *block]]
        return [*seen, "", *wrapped(f"  {self.remark}", width, later="  ")]


@dataclass(frozen=True)
class Walk(Printed):
    """A walk through several steps; its figures are of tables that everybody may see."""

    title: str
    steps: tuple[Step, ...] = field(default=())

    def lines(self, *, width: int = PAGE) -> list[str]:
        """Return the walk as lines.

        Parameters
        ----------
        width
            How wide a line may be.
        """
        steps = [step.printed(number, width) for number, step in enumerate(self.steps, start=1)]
        return [self.title, *(line for step in steps for line in ["", *step])]

    def as_dict(self) -> dict[str, Any]:
        """Return the walk ready for JSON."""
        found = asdict(self)
        return {"title": found["title"], "steps": list(found["steps"])}


def beginning(report: NotPrivate, count: int) -> tuple[str, ...]:
    """Return the first sentences of a report, however wide they are, and that it goes on."""
    return excerpt([*report.findings(), tr(NOT_PRIVATE)], report.findings()[:count])


def excerpt(lines: Iterable[str], kept: Collection[str]) -> tuple[str, ...]:
    """Return the lines that are kept, with a mark wherever others are left out.

    Parameters
    ----------
    lines
        What a command answers.
    kept
        Those of them that are shown.
    """
    shown: list[str] = []
    for line in lines:
        if line in kept:
            shown.append(line)
        elif shown[-1:] != [CUT]:
            shown.append(CUT)
    return tuple(shown)


def _broken(command: str, width: int) -> list[str]:
    """Return a command in lines that fit, which a shell takes for one."""
    start = command[: len(command) - len(command.lstrip())]
    first, *parts = _PARTS.findall(command)
    lines = [start + first]
    for part in parts:
        if places(f"{lines[-1]} {part} \\") <= width:
            lines[-1] += f" {part}"
        else:
            lines.append(f"{start}    {part}")
    return [f"{line} \\" for line in lines[:-1]] + lines[-1:]
