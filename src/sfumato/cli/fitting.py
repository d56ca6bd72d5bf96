"""Answers written so that they fit the terminal."""

from __future__ import annotations

from sfumato.cli.ledger.arguments import terminal_width
from sfumato.cli.output import write_lines

__all__ = ["write_fitted"]


def write_fitted(*lines: str, done: str = "") -> None:
    """Write an answer for a person, its sentences wrapped and its tables whole.

    Parameters
    ----------
    lines
        The answer.
    done
        As in ``write_lines``.
    """
    from sfumato.application.narrow import fitted_lines

    write_lines(*fitted_lines(lines, terminal_width()), done=done)
