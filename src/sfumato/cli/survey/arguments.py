"""What the verbs about surveys share: which word names the survey's file, and a few options."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sfumato.cli.arguments import option
from sfumato.cli.survey.describing import EXAMPLE
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Confidence", "Consistent", "Files", "Pairs", "first_file", "only_file"]

Confidence = Annotated[
    str,
    typer.Option(
        metavar="NUMBER", help="The level at which all confidence intervals of a question hold."
    ),
]
Consistent = Annotated[
    bool, typer.Option("--consistent", help="Make shares 0 or more, and sum to 1.")
]
Pairs = Annotated[list[str], option("A,B", "Two questions, for a cross-table: meal,again.")]
Files = Annotated[
    list[str],
    typer.Argument(
        metavar="[SURVEY]",
        help="The survey's file, unless --question describes it.",
        show_default=False,
    ),
]


def first_file(words: Sequence[str], *, described: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the survey's file and the other words; no file where options describe the survey."""
    if described:
        _check_one_description(words)
        return "", list(words)
    if not words:
        raise InputError(
            "E-OPTION-MISSING",
            "no survey is named",
            "write the name of its file, which 'sfumato survey new' makes, or {example}, say",
            example=EXAMPLE,
        )
    return words[0], list(words[1:])


def only_file(words: Sequence[str], *, described: Mapping[str, Any]) -> str:
    """Return the survey's file where no other word is expected."""
    file, others = first_file(words, described=described)
    if others:
        raise InputError(
            "E-OPTION-VALUE",
            "there is one word too many, {others!r}",
            "see --help",
            others=others[0][:60],
        )
    return file


def _check_one_description(words: Sequence[str]) -> None:
    if words and words[0].lower().endswith(".toml") and Path(words[0]).is_file():
        raise InputError(
            "E-OPTION-CONFLICT",
            "{words!r} describes a survey, and so does --question",
            "leave one of them out",
            words=words[0],
        )
