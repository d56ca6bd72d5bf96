"""What is said of a command that cannot be read: beside what is wrong, what to write."""

from __future__ import annotations

from typing import Any

from sfumato.cli.completion import OneWayToComplete
from sfumato.cli.spelling import nearest_option
from sfumato.cli.synonyms import meant_option

__all__ = ["SaysWhatToWrite"]

_NAMES = "NAMES"


class SaysWhatToWrite(OneWayToComplete):
    """A command that says what to write where one of its verbs cannot be read."""

    def invoke(self, ctx: Any) -> Any:
        """Run a verb; what it refuses of the command line is said with what to write."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            if getattr(error, "ctx", None) is not None:
                _advise(error)
            raise


def _advise(error: Any) -> None:
    """Add what to write to an error of the command line, if it is one of three."""
    options = error.ctx.command.get_params(error.ctx)
    if hasattr(error, "possibilities"):
        given, known = error.option_name, [name for each in options for name in each.opts]
        meant = meant_option(given, known) or nearest_option(given, known)
        error.possibilities = [meant] if meant else []
    elif getattr(error, "param", None) is not None and not error.message:
        error.message = getattr(error.param, "help", None) or ""
    elif "unexpected extra argument" in str(error):
        lists = [each.opts[0] for each in options if each.metavar == _NAMES]
        if lists:
            error.message += f"; several names are written with commas between: {lists[0]} age,sex"
