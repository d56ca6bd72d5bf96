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
def naming_options(*names: str, **called: str) -> Iterator[None]:
    """Begin a refusal of a parameter with the option that it was given by.

    Parameters
    ----------
    names
        The parameters whose options have their names.
    called
        The names of options, without dashes, that are not those of their parameters.

    Examples
    --------
    >>> from sfumato.cli.attack.refusals import naming_options
    >>> from sfumato.errors import InputError
    >>> with naming_options("day_scale"):
    ...     raise InputError("day_scale must be a number above 0")
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: --day-scale must be a number above 0
    """
    try:
        yield
    except InputError as error:
        name, must, rest = str(error).partition(_MUST_BE)
        option = called.get(name, name if name in names else "").replace("_", "-")
        if not option:
            raise
        message = f"--{option}{must}{rest}"
        raise InputError(message) from error.__cause__
