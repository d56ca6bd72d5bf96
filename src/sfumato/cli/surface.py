"""Hints of a refusal as the shell writes them: options for arguments, SQL for calls."""

from __future__ import annotations

import shlex
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sfumato.refusal import SQL, Sql, Surface, said_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from sfumato.errors import SfumatoError
    from sfumato.refusal import Argument, Declaration, Ends, Setting


_DECLARED = {"weights": "--weight", "limits": "--limit", "shares": "--share"}
_TABLES = {
    each: f"--{each}"
    for each in (
        *("epsilon", "delta", "rho", "noise", "analyst", "key", "confidence", "unit", "relation"),
        *("table", "method", "rounds", "size", "ledger", "notes"),
    )
} | {each: f"--limit {each}=" for each in ("rows", "groups", "rows_per_group")}
_UNQUOTED = str.maketrans("", "", "'\"")
_ASKED = {"memory": "--memory", "person": "--person", "pairs": "--pairs"}
_DESCRIBED = {each: f"--{each}" for each in ("epsilon", "truth", "lifetime", "name", "choices")}


@dataclass(frozen=True)
class Shell(Sql):
    """How a verb writes hints.

    Attributes
    ----------
    options
        The option that each argument is given by; one that ends in = takes its value at once.
    public
        The names of the public tables that were given.
    described
        Whether options describe a survey, and no file does.
    """

    between = " "

    options: Mapping[str, str] = field(default_factory=dict)
    public: tuple[str, ...] = ()
    described: bool = False

    def for_files(self) -> Surface:
        """Return how hints about a file are written: as files have them, but for SQL."""
        return SQL

    def argument(self, hint: Argument) -> str:
        """Return an option, with its value if there is one."""
        option = self.options.get(self.said(hint.name))
        if option is None:
            return super().argument(hint)
        if hint.value is None:
            return option.rstrip("=")
        return f"{option}{'' if option.endswith('=') else ' '}{_words(hint.value)}"

    def declaration(self, hint: Declaration) -> str:
        """Return the option that declares something of a column."""
        if hint.word == "tables":
            name = shlex.quote(hint.column)
            return f"--public {name}=FILE.csv, or --with {name}=FILE.toml if it is private"
        option = _DECLARED.get(hint.word, f"--{hint.word}")
        own = f"{option} {shlex.quote(hint.column)}={_words(hint.value)}"
        if hint.word != "types":
            return own
        theirs = f"{self._only}.{shlex.quote(hint.column)}={_words(hint.value)}"
        if hint.whose == "public":
            return f"--types {theirs}"
        return f"{own} ({theirs} if it is of the public table)" if self._is_unclear(hint) else own

    def setting(self, hint: Setting, column: str) -> str:
        """Return the option that says what a file would."""
        value = hint.value.strip('"')
        if hint.name in ("bounds", "type"):
            ends = value.strip("[]").translate(_UNQUOTED).replace(", ", ":")
            option = "--bounds" if hint.name == "bounds" else "--types"
            return f"{option} {shlex.quote(column or 'COLUMN')}={ends}"
        if not self.described:
            return super().setting(hint, column)
        if hint.name == "choices":
            listed = value.strip("[]").translate(_UNQUOTED).replace(", ", ",")
            return f"--choices {listed}"
        return f"--{hint.name} {value}"

    def ends(self, hint: Ends) -> str:
        """Return both ends of what may be answered."""
        return f"--bounds {hint.low}:{hint.high}" if self.described else super().ends(hint)

    def _is_unclear(self, hint: Declaration) -> bool:
        return bool(self.public) and not hint.whose

    @property
    def _only(self) -> str:
        """The name of the public table, where there is but one that can be meant."""
        return self.public[0] if len(self.public) == 1 else "NAME"


#: How notes about the answer of a table write their hints.
SHELL = Shell(_TABLES)


@contextmanager
def options_named(*names: str, **others: str) -> Iterator[None]:
    """Say an argument that the block refuses as the option that it was given by.

    Parameters
    ----------
    names
        Arguments whose options have their names.
    others
        The options of other arguments.
    """
    options = {name: f"--{name.replace('_', '-')}" for name in names} | others
    with said_in(Shell(options)):
        yield


@contextmanager
def in_shell_words(*, public: Collection[str] = (), **others: str) -> Iterator[None]:
    """Say what the block refuses about a table in the words of the shell.

    Parameters
    ----------
    public
        The names of the public tables that were given.
    others
        The options of other arguments.
    """
    with said_in(Shell(_TABLES | others, tuple(public))):
        yield


@contextmanager
def in_survey_words(*names: str, described: bool, **others: str) -> Iterator[None]:
    """Say what the block refuses about a survey in the words of the shell.

    Parameters
    ----------
    names
        Arguments whose options have their names.
    described
        Whether options describe the survey, and no file does.
    others
        The options of other arguments.
    """
    options = _ASKED | {name: f"--{name}" for name in names} | others
    with said_in(Shell(options | (_DESCRIBED if described else {}), described=described)):
        yield


def in_words_of_the_shell(error: SfumatoError | None, **others: str) -> None:
    """Have an error that is not raised speak the words of the shell."""
    if error is not None:
        error.surface = Shell(_TABLES | others)


def _words(value: object) -> str:
    """Return a value as it is given to an option."""
    if isinstance(value, dict):
        first, *others = value.items()
        return " ".join([str(first[1]), *(f"--{name} {each}" for name, each in others)])
    if isinstance(value, tuple):
        return ":".join(map(str, value))
    if isinstance(value, list):
        each = value[0] if value and isinstance(value[0], tuple) else value
        return shlex.quote(",".join(map(str, each)))
    return shlex.quote(str(value))
