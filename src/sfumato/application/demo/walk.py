"""A walk: steps, each with what is said, the command that anybody may repeat, and its answer."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field
from typing import Any

from sfumato.printing.layout import fitted, places, wrapped
from sfumato.printing.printed import Printed

__all__ = ["Shown", "Step", "Walk"]

_WIDTH = 80
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
        What it answers, or the most telling part of that.

    Examples
    --------
    >>> from sfumato.application.demo.walk import Shown
    >>> Shown("sfumato risk people.csv --quasi age", ("k = 1",)).printed()
    ['  $ sfumato risk people.csv --quasi age', '  k = 1']
    """

    command: str
    lines: tuple[str, ...]

    def printed(self) -> list[str]:
        r"""Return the command, in lines that a shell takes as one, and its answer, set in.

        Examples
        --------
        >>> from sfumato.application.demo.walk import Shown
        >>> Shown("", ("name  age",)).printed()
        ['  name  age']
        """
        command = _broken(f"  $ {self.command}") if self.command else []
        return [*command, *fitted((f"  {line}" for line in self.lines), _WIDTH)]


@dataclass(frozen=True)
class Step:
    r"""One step of a walk.

    Attributes
    ----------
    title
        What happens, in a sentence.
    shown
        What is seen.
    remark
        What it means.

    Examples
    --------
    >>> from sfumato.application.demo.walk import Shown, Step
    >>> print("\n".join(Step("A table.", (Shown("", ("age", "56")),), "She is 56.").printed(1)))
    1. A table.
    <BLANKLINE>
      age
      56
    <BLANKLINE>
      She is 56.
    """

    title: str
    shown: tuple[Shown, ...]
    remark: str

    def printed(self, number: int) -> list[str]:
        """Return the step as lines.

        Examples
        --------
        >>> from sfumato.application.demo.walk import Step
        >>> Step("A table.", (), "She is 56.").printed(2)
        ['2. A table.', '', '  She is 56.']
        """
        blocks = [each.printed() for each in self.shown]
        seen = [line for block in blocks for line in ["", *block]]
        said = wrapped(f"  {self.remark}", _WIDTH, later="  ")
        return [*wrapped(f"{number}. {self.title}", _WIDTH, later="   "), *seen, "", *said]


@dataclass(frozen=True)
class Walk(Printed):
    """A walk through several steps; its figures are of tables that everybody may see.

    Examples
    --------
    >>> from sfumato.application.demo.walk import Step, Walk
    >>> print(Walk("Two hospitals", (Step("A table.", (), "She is 56."),)))
    Two hospitals
    <BLANKLINE>
    1. A table.
    <BLANKLINE>
      She is 56.
    """

    title: str
    steps: tuple[Step, ...] = field(default=())

    def lines(self) -> list[str]:
        """Return the walk as lines, for a terminal of 80 places.

        Examples
        --------
        >>> from sfumato.application.demo.walk import Walk
        >>> Walk("Two hospitals").lines()
        ['Two hospitals']
        """
        steps = [step.printed(number) for number, step in enumerate(self.steps, start=1)]
        return [self.title, *(line for step in steps for line in ["", *step])]

    def as_dict(self) -> dict[str, Any]:
        """Return the walk ready for JSON.

        Examples
        --------
        >>> from sfumato.application.demo.walk import Walk
        >>> Walk("Two hospitals").as_dict()
        {'title': 'Two hospitals', 'steps': []}
        """
        found = asdict(self)
        return {"title": found["title"], "steps": list(found["steps"])}


def _broken(command: str) -> list[str]:
    """Return a command in lines that fit, which a shell takes for one."""
    start = command[: len(command) - len(command.lstrip())]
    first, *parts = _PARTS.findall(command)
    lines = [start + first]
    for part in parts:
        if places(f"{lines[-1]} {part} \\") <= _WIDTH:
            lines[-1] += f" {part}"
        else:
            lines.append(f"{start}    {part}")
    return [f"{line} \\" for line in lines[:-1]] + lines[-1:]
