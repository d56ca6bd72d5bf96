"""The pairs of questions that are asked for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError, UnknownNameError
from sfumato.refusal import Argument
from sfumato.survey.client.questions import ChoiceQuestion
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.survey.client.survey import Survey

__all__ = ["read_pairs"]


def read_pairs(survey: Survey, pairs: Any) -> tuple[tuple[str, str], ...]:
    """Return pairs of questions with choices, each pair once."""
    given = list(pairs) if isinstance(pairs, Iterable) and not isinstance(pairs, str) else [pairs]
    return tuple(dict.fromkeys(_read_pair(survey, each) for each in given))


def _read_pair(survey: Survey, pair: Any) -> tuple[str, str]:
    are_names = isinstance(pair, (list, tuple)) and all(isinstance(each, str) for each in pair)
    names = tuple(pair) if are_names else ()
    for name in names:
        if name not in survey.questions:
            raise UnknownNameError(kind="question", name=name, known=survey.questions)
    known = [name for name, each in survey.questions.items() if isinstance(each, ChoiceQuestion)]
    if len(names) != 2 or len({*names} & {*known}) != 2:
        raise _refusal(names, known)
    return names[0], names[1]


def _refusal(names: tuple[str, ...], known: list[str]) -> InputError:
    number = next((name for name in names if name not in known), None)
    have = ", ".join(map(repr, known)) or mark("none")
    if number is None:
        error = InputError(
            "E-QUESTION-KIND",
            "a pair is of two questions with choices, of which this survey has {have}",
            have=have,
        )
    else:
        error = InputError(
            "E-QUESTION-KIND",
            "{number!r} is a number, and a pair is of two questions with choices, of which this "
            "survey has {have}",
            number=number,
            have=have,
        )
    if len(known) > 1:
        error.refusal = error.refusal.adding(
            "write {pairs}, say", pairs=Argument("pairs", [tuple(known[:2])])
        )
    return error
