"""What is said of a command that cannot be read: beside what is wrong, what to write."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sfumato.cli.completion import OneWayToComplete
from sfumato.cli.options import meant_option
from sfumato.cli.speaking import OPTION, said_in_its_language, say_it_goes_before, speaking

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_NAMES = "NAMES"


class SaysWhatToWrite(OneWayToComplete):
    """A command that says what to write where one of its verbs cannot be read."""

    def main(self, args: Sequence[str] | None = None, *given: Any, **others: Any) -> Any:
        """Run the command, in the language that it is asked to speak."""
        with speaking(sys.argv[1:] if args is None else args):
            return super().main(args, *given, **others)

    def make_context(self, *given: Any, **others: Any) -> Any:
        """Read what stands before the verb; what is refused is said in the language spoken."""
        with _said_in_its_language():
            return super().make_context(*given, **others)

    def invoke(self, ctx: Any) -> Any:
        """Run a verb; what it refuses of the command line is said with what to write."""
        with _said_in_its_language():
            try:
                return super().invoke(ctx)
            except Exception as error:
                if getattr(error, "ctx", None) is not None:
                    _advise(error)
                raise


@contextmanager
def _said_in_its_language() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        said_in_its_language(error)
        raise


def _advise(error: Any) -> None:
    """Add what to write to an error of the command line, if it is one of three."""
    options = error.ctx.command.get_params(error.ctx)
    if hasattr(error, "possibilities"):
        given, known = error.option_name, [name for each in options for name in each.opts]
        meant = meant_option(given, known)
        error.possibilities = [meant] if meant and given != OPTION else []
        if given == OPTION:
            say_it_goes_before(error)
    elif getattr(error, "param", None) is not None and not error.message:
        error.message = getattr(error.param, "help", None) or ""
    elif "unexpected extra argument" in str(error):
        lists = [each.opts[0] for each in options if each.metavar == _NAMES]
        if lists:
            error.message += f"; several names are written with commas between: {lists[0]} age,sex"
