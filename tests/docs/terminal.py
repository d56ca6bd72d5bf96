"""A terminal: a line is typed, and what it prints is read.

What ``sfumato`` is asked is asked in this process, where all is imported already; everything else
is a shell's.
"""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import subprocess
import sys
from pathlib import Path

from sfumato.cli import main

__all__ = ["printed_by", "printed_by_a_shell"]

#: What makes a line more than one program and its arguments.
SHELL_SIGNS = {"|", ">", ">>", "<", "<<", "2>", "2>&1", "&&", "||", ";", "&"}


def printed_by(command: str) -> str:
    """What a command prints, errors too."""
    words = shlex.split(command, comments=True)
    if words[0] == "cd":
        os.chdir(words[1])
        return ""
    if words[0] == "export":
        given = (word.partition("=") for word in words[1:])
        os.environ.update(
            {name: value.replace("$PWD", str(Path.cwd())) for name, _, value in given}
        )
        return ""
    own, _, others = command.partition(" | ")
    words = shlex.split(own, comments=True)
    if words[0] == "sfumato" and not SHELL_SIGNS & set(words):
        printed = _sfumato(words[1:])
        return printed_by_a_shell(others, printed) if others else printed
    return printed_by_a_shell(command)


def _sfumato(arguments: list[str]) -> str:
    printed = io.StringIO()
    before, sys.argv = sys.argv, ["sfumato", *arguments]
    try:
        with (
            contextlib.redirect_stdout(printed),
            contextlib.redirect_stderr(printed),
            contextlib.suppress(SystemExit),
        ):
            main()
    finally:
        sys.argv = before
    return printed.getvalue()


def printed_by_a_shell(command: str, given: str = "") -> str:
    """What a script prints, errors too."""
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", f"exec 2>&1\n{command}"],
        input=given,
        env={**os.environ, "PATH": programs},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout
