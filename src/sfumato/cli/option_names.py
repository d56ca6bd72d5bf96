"""Arguments that a sentence begins with, written as options of the shell."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["options_named"]

_FIRST_WORD = re.compile(r"(\w+)(?= [a-z])")
_HINT = re.compile(r"(?<=; write )(\w+)=")


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
    try:
        yield
    except InputError as error:
        first = _FIRST_WORD.match(str(error))
        if first and first[1] in options:
            said = f"{options[first[1]]}{str(error)[first.end() :]}"
            error.args = (_HINT.sub(lambda hint: _written(hint, options), said),)
        raise


def _written(hint: re.Match[str], options: dict[str, str]) -> str:
    """Return the start of what to write: an option, if the argument is given by one."""
    return f"{options[hint[1]]} " if hint[1] in options else hint[0]
