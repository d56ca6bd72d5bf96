"""Help pages and errors of the command line in the language that is spoken.

Click and Typer say them in English, and are left alone where that is spoken.
"""

from __future__ import annotations

import re
from contextlib import contextmanager, nullcontext
from copy import copy
from typing import TYPE_CHECKING, Any

import typer

from sfumato.language import using
from sfumato.translation import ENGLISH, LANGUAGES, current, tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sfumato.translation import Sentences


OPTION = "--lang"
#: What stands before lines of a help page that are not joined.
_AS_IT_IS = "\b"
#: What Typer puts behind the help of an option.
_BEHIND = re.compile(r"  \[((?:required|default: |env var: )[^\]]*)\]$")

#: What is said on a help page by Click and Typer.
_WORDS: Sentences = {
    "usage": "Usage: ",
    "arguments": "Arguments",
    "options": "Options",
    "commands": "Commands",
    "help": "Show this message and exit.",
    "required": "required",
}
#: What they say behind the help of an option, or of a command line that cannot be read.
_SAID: Sentences = {
    "default": "default: {value}",
    "variable": "env var: {value}",
    "no command": "Missing command.",
    "command, nearly": "No such command {name}. Did you mean {near}?",
    "command": "No such command {name}.",
    "option before": "No such option: {name}; it goes before the verb: sfumato --lang zh",
    "option, nearly": "No such option: {name} (Possible options: {near})",
    "option": "No such option: {name}",
    "argument missing, explained": "Missing argument {name}. {help}",
    "argument missing": "Missing argument {name}.",
    "option missing, explained": "Missing option {name}. {help}",
    "option missing": "Missing option {name}.",
    "value": "Invalid value for {name}: {help}",
    "valueless": "Option {name} does not take a value.",
    "value missing": "Option {name} requires an argument.",
    "too much, advised": "Got unexpected extra argument(s) ({name}); {help}",
    "advice": "several names are written with commas between: {name} age,sex",
    "too much": "Got unexpected extra argument(s) ({name})",
}


@contextmanager
def speaking(words: Sequence[str]) -> Iterator[None]:
    """Speak the language that a command line asks for before its verb, if it asks for one."""
    asked = _asked(words)
    with using(asked) if asked in LANGUAGES else nullcontext():
        yield


def say_it_goes_before(error: Any) -> None:
    """Have an error about the option of the language, behind a verb, say where it goes."""
    error.message = _SAID["option before"].format(name=OPTION)


def said_in_its_language(error: Any) -> None:
    """Have an error of the command line said in the language that is spoken."""
    if current() != ENGLISH and hasattr(error, "show") and error.ctx is not None:
        said = error.format_message()
        is_help = type(error).__name__ == "NoArgsIsHelpError"
        whole = said if is_help else _complaint(error, error.ctx.get_usage(), _translated(said))
        error.show = lambda: typer.echo(whole, err=True)


def folded(text: str) -> str:
    """Return a text of a help page as catalogues have it: each paragraph on one line."""
    paragraphs = text.split("\n\n")
    return "\n\n".join(
        each if each.startswith(_AS_IT_IS) else " ".join(each.split()) for each in paragraphs
    )


def _asked(words: Sequence[str]) -> str:
    """Return the language that is asked for before the verb: the last, if there are several."""
    asked, left = "", iter(words)
    for word in left:
        if word == OPTION:
            asked = next(left, "")
        elif word.startswith(f"{OPTION}="):
            asked = word.partition("=")[2]
        elif not word.startswith("-"):
            break
    return asked


def _complaint(error: Any, usage: str, said: str) -> str:
    command, option = error.ctx.command_path, error.ctx.help_option_names[0]
    hint = tr("Try '{command} {option}' for help.", command=command, option=option)
    return "\n".join([usage, hint, "", tr("Error: {message}", message=said)])


def _translated(said: str) -> str:
    """Return what Click or Typer said, translated as far as it is known."""
    for template in _SAID.values():
        found = re.fullmatch(_pattern(template), said, re.DOTALL)
        if found is not None:
            given = found.groupdict()
            return tr(template, **given | {"help": _translated(given.get("help", ""))})
    return tr(folded(said))


def _pattern(template: str) -> str:
    """Return a regular expression for what a template says."""
    return re.sub(r"\\{(\w+)\\}", r"(?P<\1>.*?)", re.escape(template))


class Speaking(typer.Context):
    """What a command is run in: its help page is made in the language that is spoken."""

    def get_help(self) -> str:
        """Return the help page."""
        return str(_spoken(self.command).get_help(self))

    def make_formatter(self) -> Any:
        """Return what lays a help page out."""
        if current() == ENGLISH:
            return super().make_formatter()
        return _Formatter(width=self.terminal_width, max_width=self.max_content_width)


def _spoken(command: Any) -> Any:
    """Return a command that says what it says in the language that is spoken."""
    if current() == ENGLISH:
        return command
    shown = copy(command)
    shown.help, shown.short_help = _page(command.help), _page(command.short_help)
    shown.epilog = _page(command.epilog, paragraphs=True)
    shown.get_params = lambda context: list(map(_explained, command.get_params(context)))
    if hasattr(command, "commands"):
        shown.commands = {name: _spoken(each) for name, each in command.commands.items()}
    return shown


def _explained(param: Any) -> Any:
    shown = copy(param)
    shown.help = _page(param.help)
    return shown


def _page(text: str | None, *, paragraphs: bool = False) -> str | None:
    if not text:
        return text
    return "\n\n".join(map(tr, text.split("\n\n"))) if paragraphs else tr(folded(text))


_Plain: Any = typer.Context.formatter_class


class _Formatter(_Plain):  # type: ignore[misc]
    """A help page in another language, whose lines may end between wide characters."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write how a command is written."""
        super().write_usage(prog, args, tr("Usage: ") if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        """Write what stands above a part."""
        self.write(f"{'':>{self.current_indent}}{tr(heading)}{tr(':')}\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        paragraphs = (self._paragraph(each) for each in text.split("\n\n"))
        self.write("\n\n".join(paragraphs) + "\n")

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Write options, or verbs, with what is said of each."""
        translated = [(first, _BEHIND.sub(_behind, second)) for first, second in rows]
        start = min(max(len(first) for first, _ in translated), col_max) + col_spacing
        for first, second in translated:
            self._write_entry(first, second, start)

    def _write_entry(self, first: str, second: str, start: int) -> None:
        indent = " " * self.current_indent
        lines = self._wrapped(second, self.width - start - self.current_indent)
        beside = len(first) + 1 < start and bool(lines)
        head = f"{first:<{start}}{lines.pop(0)}" if beside else first
        below = [f"{'':{start}}{line}" for line in lines]
        self.write("".join(f"{indent}{line}\n" for line in [head, *below]))

    def _paragraph(self, text: str) -> str:
        indent = " " * self.current_indent
        if text.startswith(_AS_IT_IS):
            lines = text.removeprefix(_AS_IT_IS).strip("\n").split("\n")
        else:
            lines = self._wrapped(text, self.width - self.current_indent)
        return "\n".join(indent + line for line in lines)

    def _wrapped(self, text: str, width: int) -> list[str]:
        from sfumato.printing import wrapped

        return wrapped(" ".join(text.split()), width, later="")


def _behind(found: re.Match[str]) -> str:
    return f"  [{'; '.join(map(_translated, found[1].split('; ')))}]"
