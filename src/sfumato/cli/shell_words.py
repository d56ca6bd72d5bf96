"""Hints that speak of Python arguments, said in the words of the shell."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sfumato.cli.shell_forms import LEFT_ALONE, OPTIONS, SQL, bounds_of
from sfumato.errors import SfumatoError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from sfumato.cli.shell_forms import Form

__all__ = ["in_shell_words", "shell_words"]

_IN_A_POLICY = re.compile(r"\.toml'( \[|$|[,;])")


def shell_words(sentence: str, *, public: Collection[str] = ()) -> str:
    """Return a sentence in which Python arguments are written as options of the shell.

    It is read once from left to right: what was said in the words of the shell, what stands in
    quotes and what is an option already is not read again.  One that says what to write in a
    policy file keeps that.

    Parameters
    ----------
    sentence
        What is refused, and what to write instead.
    public
        The names of the public tables that were given.
    """
    options = () if _IN_A_POLICY.search(sentence) else (*bounds_of(sentence), *OPTIONS)
    return "".join(_read(sentence, (*SQL, *options, *LEFT_ALONE), public))


@contextmanager
def in_shell_words(*, public: Collection[str] = ()) -> Iterator[None]:
    """Say what the block refuses in the words of the shell.

    Parameters
    ----------
    public
        The names of the public tables that were given.
    """
    try:
        yield
    except SfumatoError as error:
        error.args = (shell_words(str(error), public=public),)
        raise


def _read(sentence: str, forms: Sequence[Form], public: Collection[str]) -> Iterator[str]:
    """Yield the parts of a sentence; of forms that begin at one place, the first counts."""
    place = 0
    while found := _next(sentence, place, forms):
        match, form = found
        yield sentence[place : match.start()]
        yield form.said(match, tuple(public))
        place = match.end()
    yield sentence[place:]


def _next(sentence: str, place: int, forms: Sequence[Form]) -> tuple[re.Match[str], Form] | None:
    searched = ((form.pattern.search(sentence, place), form) for form in forms)
    found = [(match, form) for match, form in searched if match is not None]
    return min(found, key=lambda each: each[0].start(), default=None)
