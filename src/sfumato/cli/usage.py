"""How the command is used: examples to copy, and what to write where it cannot be read.

An option that there is not is meant for one that there is: by another name, or almost its own.
"""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from typer.core import TyperGroup

from sfumato.cli.localization import OPTION, said_in_its_language, say_it_goes_before, speaking
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence


_WIDTH = 56
_WORD = re.compile(r"(?:'[^']*'|\"[^\"]*\"|\S)+")
_NAMES = "NAMES"
#: What a verb of its own does.
_REPLACED = {"install_completion", "show_completion"}
#: Of so many letters one may be wrong.
_LETTERS = 3

#: Other words for options; a verb is offered only what it has.
_WORDS = {
    "--k": "clusters n-clusters num-clusters centres centers n",
    "--epsilon": "e eps budget privacy-budget",
    "--delta": "d",
    "--unit": "u id person person-id user user-id privacy-unit key-column",
    "--person": "id user unit",
    "--keys": "groups group group-by by values categories",
    "--bounds": "b range ranges clip min max lower upper",
    "--limit": "limits rows max-rows contribution max-contributions",
    "--types": "type dtype dtypes schema",
    "--columns": "column features cols variables",
    "--column": "columns sensitive target",
    "--quasi": "q qi identifiers quasi-identifiers on columns known",
    "--on": "quasi columns by keys",
    "--sensitive": "s secret target column confidential",
    "--publish": "columns group-by by tables",
    "--given": "known conditional",
    "--output": "o out save to file csv",
    "--plot": "p chart figure picture image draw png svg",
    "--html": "page report",
    "--replace": "f force overwrite",
    "--confidence": "level alpha ci",
    "--analyst": "user name who",
    "--purpose": "why reason",
    "--rounds": "iterations max-iter n-iter",
    "--at-least": "k threshold min",
    "--suppression": "suppress drop",
    "--bands": "bins width widths",
    "--remove": "drop names",
    "--samples": "n draws runs",
    "--truth": "probability p q",
    "--within": "error margin precision",
    "--choices": "answers options values",
    "--question": "q name",
}


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


class SaysWhatToWrite(TyperGroup):
    """A command that says what to write where one of its verbs cannot be read."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return what the command takes, without typer's two options for completion."""
        return [each for each in super().get_params(ctx) if each.name not in _REPLACED]

    def main(self, args: Sequence[str] | None = None, *given: Any, **others: Any) -> Any:
        """Run the command, in the language that it is asked to speak."""
        with speaking(sys.argv[1:] if args is None else args):
            return super().main(args, *given, **others)

    def make_context(self, *given: Any, **others: Any) -> Any:
        """Read what stands before the verb; what is refused is said in the language spoken."""
        with _said_in_its_language():
            return super().make_context(*given, **others)

    def invoke(self, ctx: Any) -> Any:
        """Run a verb; what it refuses of the command line is said with what to write."""
        with _said_in_its_language():
            try:
                return super().invoke(ctx)
            except Exception as error:
                if getattr(error, "ctx", None) is not None:
                    _advise(error)
                raise


@contextmanager
def _said_in_its_language() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        said_in_its_language(error)
        raise


def _advise(error: Any) -> None:
    """Add what to write to an error of the command line, if it is one of three."""
    options = error.ctx.command.get_params(error.ctx)
    if hasattr(error, "possibilities"):
        given, known = error.option_name, [name for each in options for name in each.opts]
        meant = meant_option(given, known)
        error.possibilities = [meant] if meant and given != OPTION else []
        if given == OPTION:
            say_it_goes_before(error)
    elif getattr(error, "param", None) is not None and not error.message:
        error.message = getattr(error.param, "help", None) or ""
    elif "unexpected extra argument" in str(error):
        lists = [each.opts[0] for each in options if each.metavar == _NAMES]
        if lists:
            error.message += f"; several names are written with commas between: {lists[0]} age,sex"


def meant_option(given: str, options: Collection[str]) -> str | None:
    """Return which of some options is meant: by another name for it, or one spelt almost so."""
    word = _letters(given)
    if f"--{word}" in options:
        return f"--{word}"
    known = (name for name, words in _WORDS.items() if name in options and word in words.split())
    return next(known, None) or _nearest(word, options)


def _nearest(word: str, options: Collection[str]) -> str | None:
    """Return the option that is spelt almost as a word, if any is.

    An option may be cut short where no other begins so; else a third of its letters may be
    missing, too many, wrong, or swapped with the next.
    """
    longer = [name for name in options if len(word) > 1 and _letters(name).startswith(word)]
    if len(longer) == 1:
        return longer[0]
    apart = {name: _edits(word, _letters(name)) for name in options}
    near = [
        name
        for name, each in apart.items()
        if _LETTERS * each <= max(len(word), len(_letters(name)))
    ]
    return min(near, key=lambda name: (apart[name], name), default=None)


def _edits(first: str, second: str) -> int:
    """Return how many letters to add, drop, change or swap with the next make one the other."""
    before: list[int] = []
    last = list(range(len(second) + 1))
    for i, letter in enumerate(first, 1):
        row = [i]
        for j, other in enumerate(second, 1):
            changed = last[j - 1] + (letter != other)
            row.append(min(row[-1] + 1, last[j] + 1, changed))
            if first[i - 2 : i] == second[j - 2 : j][::-1] and min(i, j) > 1:
                row[-1] = min(row[-1], before[j - 2] + 1)
        before, last = last, row
    return last[-1]


def _letters(option: str) -> str:
    return option.lstrip("-").replace("_", "-").lower()
