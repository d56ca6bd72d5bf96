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


@contextmanager
def options_named(*names: str, **others: str) -> Iterator[None]:
    """Say an argument that the block refuses as the option that it was given by.

    Parameters
    ----------
    names
        Arguments whose options have their names.
    others
        The options of other arguments.

    Examples
    --------
    >>> from sfumato.cli.option_names import options_named
    >>> from sfumato.errors import InputError
    >>> with options_named("at_least", suppression="--suppress"):
    ...     raise InputError("at_least takes a whole number of 1 or more; 0 is not")
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: --at-least takes a whole number of 1 or more; 0 is not
    """
    options = {name: f"--{name.replace('_', '-')}" for name in names} | others
    try:
        yield
    except InputError as error:
        first = _FIRST_WORD.match(str(error))
        if first and first[1] in options:
            error.args = (f"{options[first[1]]}{str(error)[first.end() :]}",)
        raise
