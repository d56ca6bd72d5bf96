"""The command ``sfumato`` and its verbs."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from sfumato.cli.failures import delivered, explained
from sfumato.cli.localization import OPTION, Speaking
from sfumato.cli.usage import SaysWhatToWrite
from sfumato.cli.verbs import FIRST_STEPS, VERBS
from sfumato.language import spoken, using
from sfumato.translation import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator


class _Verbs(Mapping[str, Any]):
    """The commands of some verbs, each made when it is first asked for."""

    def __init__(self, said: Mapping[str, Mapping[str, Any]], home: str) -> None:
        self._said, self._home = said, home
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = _made(name, self._said[name], f"{self._home}.{name}")
            self._made[name].context_class = Speaking
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._said)

    def __len__(self) -> int:
        return len(self._said)


def _made(name: str, said: Mapping[str, Any], home: str) -> Any:
    """Return the command of a verb, or of a group of them."""
    if "verbs" in said:
        return _group(name, home, **said)
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command(name, **said)(getattr(import_module(home), name))
    return typer.main.get_command(alone)


def _group(name: str, home: str, *, verbs: Mapping[str, Any], alone: str = "", **said: Any) -> Any:
    """Return a group of verbs; ``alone`` is what its name does with none of them behind it."""
    typed = typer.Typer(
        name=name,
        cls=_VerbGroup,
        no_args_is_help=not alone,
        invoke_without_command=bool(alone),
        rich_markup_mode=None,
        **said,
    )
    if alone:
        typed.callback()(getattr(import_module(f"{home}.{alone}"), alone))
    group = typer.main.get_group(typed)
    group.commands = _Verbs(verbs, home)  # type: ignore[assignment]
    return group


class _VerbGroup(TyperGroup):
    """Verbs that are made one by one."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Return the names of the verbs."""
        return list(self.commands)


class _Sfumato(_VerbGroup, SaysWhatToWrite):
    """The command, whose verbs are made one by one."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**{**given, "commands": _Verbs(VERBS, "sfumato.cli")})

    def make_context(self, *given: Any, **others: Any) -> Any:
        """Read what stands before the verb, unless the variable names no language we speak."""
        if not others.get("resilient_parsing"):
            _check_language("")
        return super().make_context(*given, **others)


_app = typer.Typer(
    name="sfumato",
    cls=_Sfumato,
    epilog=FIRST_STEPS,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@explained()
def _check_language(asked: str) -> str:
    """Refuse a language that is not spoken, be it asked for here or by the variable."""
    with using(asked or spoken()):
        return asked


_LANGUAGE = typer.Option(
    OPTION,
    metavar="CODE",
    help="The language of messages, help and reports: en or zh. Without it the one that the "
    "variable SFUMATO_LANG names, or English.",
    show_default=False,
    callback=_check_language,
    is_eager=True,
    autocompletion=lambda: list(LANGUAGES),
)


def _say_version(asked: bool) -> None:  # noqa: FBT001
    if asked:
        from importlib.metadata import version

        typer.echo(f"sfumato {version('sfumato')}")
        raise typer.Exit


@_app.callback()
def _start(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_say_version, is_eager=True, help="Show the version."),
    ] = False,
    lang: Annotated[str, _LANGUAGE] = "",
) -> None:
    """Answer queries about a table of people under differential privacy.

    Measure re-identification risk, generalise a table, keep a privacy budget in a ledger, survey
    people under local differential privacy, and check whether a guarantee is kept. Tables are
    CSV and Parquet files, events are JSON. Nothing leaves this computer.

    Each verb has its own help, with an example that runs in the folder examples:
    sfumato query --help
    """


def command() -> None:
    """Be the command ``sfumato``: run it with the arguments of this process, which then ends."""
    ending: list[int] = []
    atexit.register(_end, ending)
    try:
        main()
    except SystemExit as asked:
        ending += [asked.code] if isinstance(asked.code, int) else []
        raise


def _end(ending: list[int]) -> None:
    """End a process whose work is done: to take all that it loaded apart takes a tenth of it.

    It is called when all that a verb registered is done, being registered before any of that.
    A terminal may lose what it has not read when its first process ends: there, nobody hurries.
    """
    streams = [each for each in (sys.stdout, sys.stderr) if each is not None]
    with suppress(OSError, ValueError):
        if ending and not any(each.isatty() for each in streams):
            for each in streams:
                each.flush()
            os._exit(ending[0])


def main() -> None:
    """Run the command with the arguments of this process, and exit."""
    _search_less_for_garbage()
    with delivered():
        _command()(prog_name="sfumato")


@cache
def _search_less_for_garbage() -> None:
    """Most verbs end before there is any."""
    gc.set_threshold(500_000, 20, 20)


@cache
def _command() -> Any:
    """All verbs, read once a process: reading them takes longer than most of them do."""
    command = typer.main.get_command(_app)
    command.context_class = Speaking
    return command
