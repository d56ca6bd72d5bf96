"""What the library refuses, in the words of the shell."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["naming_options"]

_MUST_BE = " must "


@contextmanager
def naming_options(**called: str) -> Iterator[None]:
    """Begin a refusal of a parameter with the option that it was given by.

    Parameters
    ----------
    called
        Options whose names are not those of their parameters, without dashes.

    Examples
    --------
    >>> from sfumato.cli.attack.refusals import naming_options
    >>> from sfumato.errors import InputError
    >>> with naming_options():
    ...     raise InputError("day_scale must be a number above 0")
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: --day-scale must be a number above 0
    """
    try:
        yield
    except InputError as error:
        name, must, rest = str(error).partition(_MUST_BE)
        if not must or not name.isidentifier():
            raise
        option = called.get(name, name).replace("_", "-")
        message = f"--{option}{must}{rest}"
        raise InputError(message) from error.__cause__
