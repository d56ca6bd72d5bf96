"""How far a long audit is: told to the caller, or shown on a terminal."""

from __future__ import annotations

import sys
from time import perf_counter
from typing import TYPE_CHECKING, Self

from sfumato.errors import InputError
from sfumato.numeric import shown

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Meter", "show_bar"]

_PATIENCE = 2.0
_WIDTH = 30


class Meter:
    """Counts draws and tells how many of all are done.

    Parameters
    ----------
    total
        How many there will be.
    report
        What is told (done, total); None for a bar on a terminal, once it takes a while.
    """

    def __init__(self, total: int, report: Callable[[int, int], None] | None = None) -> None:
        if report is not None and not callable(report):
            raise InputError(
                "E-ARGUMENT-TYPE",
                "progress must be a function of two numbers, not {report}",
                "write lambda done, total: print(done, total)",
                report=shown(report),
            )
        self._total = total
        self._done = 0
        self._begun = perf_counter()
        self._bar = report is None
        self._report = report or show_bar
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar and self._shown:
            print(file=sys.stderr)  # noqa: T201 - ends the line of the bar

    def advance(self, count: int) -> None:
        """Count draws that were made."""
        self._done = min(self._done + count, self._total)
        if not self._bar or (_on_terminal() and perf_counter() - self._begun > _PATIENCE):
            self._shown = True
            self._report(self._done, self._total)


def show_bar(done: int, total: int) -> None:
    """Draw a bar on the error stream, over the one before."""
    filled = _WIDTH * done // total
    bar = "#" * filled + "." * (_WIDTH - filled)
    print(f"\rauditing [{bar}] {100 * done // total} %", end="", file=sys.stderr, flush=True)  # noqa: T201


def _on_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()
