"""What the shell says when a verb fails: one sentence and an exit code, never a traceback."""

from __future__ import annotations

import errno
import os
import shutil
import sys
import textwrap
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NoReturn

import typer

from sfumato.errors import EngineError, InputError, RefusedError, SfumatoError, StoreError
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterator


_BUG, _INPUT, _REFUSED, _UNWRITTEN, _INTERRUPTED, _BROKEN_PIPE = 1, 2, 3, 4, 130, 141


@contextmanager
def explained() -> Iterator[None]:
    """Turn whatever escapes a verb into a sentence on stderr and an exit code."""
    try:
        yield
    except (KeyboardInterrupt, typer.Abort) as error:
        _end_interrupted(at_a_prompt=isinstance(error, typer.Abort))
    except (InputError, StoreError) as error:
        if error.__cause__ is not None and _is_debugging():
            raise
        _say_and_exit(str(error), _INPUT if isinstance(error, InputError) else _UNWRITTEN)
    except RefusedError as error:
        _say_and_exit(tr("refused, {error}", error=error), _REFUSED)
    except Exception as error:
        if _is_debugging():
            raise
        _say_and_exit(_apology(error), _BUG)


@contextmanager
def delivered(done: str = "") -> Iterator[None]:
    """See that what the block writes to stdout arrives; otherwise say so and exit.

    Parameters
    ----------
    done
        What was done for good before, and is said even if the answer cannot be written.
    """
    try:
        yield
        _flush()
    except OSError as error:
        _forget_what_is_unwritten()
        if isinstance(error, BrokenPipeError) and not done:
            sys.exit(_BROKEN_PIPE)
        but = tr("{done}, but ", done=done) if done else ""
        _say_and_exit(
            tr("{but}the answer cannot be written ({strerror})", but=but, strerror=error.strerror),
            _UNWRITTEN,
        )


def _end_interrupted(*, at_a_prompt: bool) -> NoReturn:
    if not at_a_prompt:
        sys.exit(_INTERRUPTED)
    with suppress(OSError):
        typer.echo(err=True)
    _say_and_exit(tr("no answer was given, and nothing was done"), _INTERRUPTED)


def _is_debugging() -> bool:
    return bool(os.environ.get("SFUMATO_DEBUG"))


def _flush() -> None:
    if sys.stdout is None:
        raise OSError(errno.EBADF, tr("standard output is closed"))
    sys.stdout.flush()


def _apology(error: Exception) -> str:
    """Name the error only by its kind, unless it is ours: another's message may quote a cell."""
    if isinstance(error, EngineError):
        return str(error)
    what = str(error) if isinstance(error, SfumatoError) else type(error).__name__
    return tr(
        "this is a bug in sfumato, not a mistake of yours ({what}); please report it, "
        "with the traceback that SFUMATO_DEBUG=1 shows once you have removed what is "
        "personal",
        what=what,
    )


def _say_and_exit(sentence: str, code: int) -> NoReturn:
    """Exit with the code, whether or not anybody can hear the sentence."""
    with suppress(OSError):
        typer.echo(_for_a_terminal(f"sfumato: {sentence}"), err=True)
    sys.exit(code)


def _for_a_terminal(sentence: str) -> str:
    """Break a sentence between words where a terminal would break it within one."""
    if sys.stderr is None or not sys.stderr.isatty():
        return sentence
    return textwrap.fill(
        sentence,
        shutil.get_terminal_size().columns,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _forget_what_is_unwritten() -> None:
    """Point stdout elsewhere, so that Python does not complain when it flushes at exit."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
