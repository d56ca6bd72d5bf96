"""Writing to a terminal or a pipe: lines, JSON, and a spinner while work goes on."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from sfumato.cli.failures import delivered

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["working", "write_json", "write_lines"]


@contextmanager
def working(on: str) -> Iterator[None]:
    """Show a spinner on stderr while the block runs; nothing where stderr is no terminal.

    Examples
    --------
    >>> from sfumato.cli.output import working
    >>> with working("patients.csv"):
    ...     print("done")
    done
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text(f"counting {_printable(on)}")):
        yield


def write_lines(headline: str, *lines: str) -> None:
    """Write an answer for a person: the headline stands out on a terminal.

    Examples
    --------
    >>> from sfumato.cli.output import write_lines
    >>> write_lines("entropy of coin: 1.000000 bits", "2 rows")
    entropy of coin: 1.000000 bits
    2 rows
    """
    with delivered():
        typer.secho(_printable(headline), bold=True)
        for line in lines:
            typer.echo(_printable(line))


def write_json(answer: dict[str, Any]) -> None:
    """Write an answer for a program: one object, plain ASCII, no infinities.

    Examples
    --------
    >>> from sfumato.cli.output import write_json
    >>> write_json({"private": False})
    {
      "private": false
    }
    """
    with delivered():
        typer.echo(json.dumps(answer, indent=2, allow_nan=False))


def _printable(text: str) -> str:
    """Escape what could move the cursor or change colours; column names are not ours."""
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)
