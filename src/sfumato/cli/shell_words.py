"""Hints that speak of Python arguments, said in the words of the shell."""

from __future__ import annotations

import re
import shlex
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sfumato.errors import SfumatoError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["in_shell_words", "shell_words"]

_IN_A_POLICY = re.compile(r"\.toml'( \[|$|[,;])")
_NAME = r"['\"](?P<name>[^'\"]*)['\"]"
_IN_SQL = re.compile(r"sf\.\w+\(…, [^()]*\([^()]*\)\), in SQL (?P<said>.*), or 'auto' .*$")
_QUOTED = r"(?P<quote>['\"]?)(?P<value>[\w.-]+)(?P=quote)"
_BOUNDS_OF = re.compile(r"the column '(?P<name>[^']*)': .*\bbounds\b")
_ENDS = re.compile(r"(?P<write>bounds = |write )?\['?(?P<low>[^',\]]*)'?, '?(?P<high>[^',\]]*)'?\]")
_PLAIN = "epsilon|delta|rho|noise|analyst|key|confidence|unit|relation|table"


def shell_words(sentence: str) -> str:
    """Return a sentence in which Python arguments are written as options of the shell.

    One that says what to write in a policy file is left as it is.

    Examples
    --------
    >>> from sfumato.cli.shell_words import shell_words
    >>> shell_words("no bounds are declared; write bounds={'age': (0, 110)}")
    'no bounds are declared; write --bounds age=0:110'
    >>> shell_words("write epsilon=1, delta=1e-6")
    'write --epsilon 1 --delta 1e-6'
    """
    if _IN_A_POLICY.search(sentence):
        return sentence
    sentence = _with_bounds(sentence)
    for pattern, said in _FORMS:
        sentence = pattern.sub(said, sentence)
    return sentence


@contextmanager
def in_shell_words() -> Iterator[None]:
    """Say what the block refuses in the words of the shell.

    Examples
    --------
    >>> from sfumato.cli.shell_words import in_shell_words
    >>> from sfumato.errors import InputError
    >>> with in_shell_words():
    ...     raise InputError("write keys={'sex': ['F', 'M']}")
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: write --keys sex=F,M
    """
    try:
        yield
    except SfumatoError as error:
        error.args = (shell_words(str(error)),)
        raise


def _with_bounds(sentence: str) -> str:
    """Return a sentence about the bounds of a column with both ends as the shell writes them."""
    column = _BOUNDS_OF.match(sentence)
    if column is None:
        return sentence
    option = f"--bounds {shlex.quote(column['name'])}="
    starts = {"bounds = ": option, "write ": f"write {option}", None: ""}
    return _ENDS.sub(
        lambda found: f"{starts[found['write']]}{found['low']}:{found['high']}", sentence
    )


def _bounds(found: re.Match[str]) -> str:
    low, _, high = found["value"].partition(", ")
    return f"--bounds {shlex.quote(found['name'])}={low}:{high}"


def _keys(found: re.Match[str]) -> str:
    values = ",".join(re.findall(r"'([^']*)'", found["value"]))
    return f"--keys {shlex.quote(found['name'])}={values}"


def _pair(option: str) -> Callable[[re.Match[str]], str]:
    return lambda found: f"{option} {shlex.quote(found['name'])}={found['value']}"


def _plain(found: re.Match[str]) -> str:
    return f"--{found['name']} {found['value']}"


#: What Python and a policy would write, and how the shell says it; the longer forms come first.
_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str] | str], ...] = (
    (_IN_SQL, r"\g<said>"),
    (re.compile(rf"bounds=\{{{_NAME}: \((?P<value>[^()]*)\)\}}"), _bounds),
    (re.compile(r"(bounds = )?\[0, 110\]"), "--bounds age=0:110"),
    (re.compile(rf"keys=\{{{_NAME}: \[(?P<value>[^\]]*)\]\}}"), _keys),
    (re.compile(rf"limits=\{{{_NAME}: (?P<value>\w+)\}}"), _pair("--limit")),
    (re.compile(rf"types=\{{{_NAME}: {_NAME.replace('name', 'value')}\}}"), _pair("--types")),
    (re.compile(rf"(weights=)?\{{{_NAME}: (?P<value>[\d.]+)\}}"), _pair("--weight")),
    (
        re.compile(r"ledger=\{'path': '(?P<path>[^']*)', 'book': '(?P<book>[^']*)'\}"),
        r"--ledger \g<path> --book \g<book>",
    ),
    (
        re.compile(rf"\b(?P<name>{_PLAIN}) ?= ?{_QUOTED}"),
        _plain,
    ),
    (re.compile(r"(?P<before>--epsilon [\w.-]+), (?=--delta)"), r"\g<before> "),
    (re.compile(r"\bone of epsilon and rho\b"), "one of --epsilon and --rho"),
)
