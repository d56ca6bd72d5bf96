"""What the shell says when a verb fails: one sentence and an exit code, never a traceback."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from sfumato.errors import InputError, RefusedError, SfumatoError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["explained"]

_BUG, _INPUT, _REFUSED, _INTERRUPTED, _BROKEN_PIPE = 1, 2, 3, 130, 141


@contextmanager
def explained() -> Iterator[None]:
    """Turn whatever escapes a verb into a sentence on stderr and an exit code.

    Examples
    --------
    >>> from sfumato.cli.failures import explained
    >>> from sfumato.errors import InputError
    >>> try:
    ...     with explained():
    ...         raise InputError("there is no such column")
    ... except SystemExit as end:
    ...     print("exit code", end.code)
    exit code 2
    """
    try:
        yield
        sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    except BrokenPipeError:
        _leave_the_pipe()
    except InputError as error:
        _say_and_exit(str(error), _INPUT)
    except RefusedError as error:
        _say_and_exit(f"refused, {error}", _REFUSED)
    except Exception as error:
        if os.environ.get("SFUMATO_DEBUG"):
            raise
        _say_and_exit(_apology(error), _BUG)


def _apology(error: Exception) -> str:
    """Name the error only by its kind, unless it is ours: another's message may quote a cell."""
    what = str(error) if isinstance(error, SfumatoError) else type(error).__name__
    return (
        f"this is a bug in sfumato, not a mistake of yours ({what}); please report it, "
        "with the traceback that SFUMATO_DEBUG=1 shows once you have removed what is personal"
    )


def _say_and_exit(sentence: str, code: int) -> NoReturn:
    sys.stderr.write(f"sfumato: {sentence}\n")
    sys.exit(code)


def _leave_the_pipe() -> NoReturn:
    """Point stdout elsewhere, so that Python does not complain when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(_BROKEN_PIPE)
