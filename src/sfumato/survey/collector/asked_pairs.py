"""The pairs of questions that are asked for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError, UnknownNameError
from sfumato.survey.client.questions import ChoiceQuestion

if TYPE_CHECKING:
    from sfumato.survey.client.survey import Survey

__all__ = ["read_pairs"]


def read_pairs(survey: Survey, pairs: Any) -> tuple[tuple[str, str], ...]:
    """Return pairs of questions with choices, each pair once.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.survey.collector.asked_pairs import read_pairs
    >>> asked = {"choices": ["yes", "no"], "epsilon": 1}
    >>> survey = sf.Survey({"cheated": asked, "copied": asked})
    >>> read_pairs(survey, [("cheated", "copied")])
    (('cheated', 'copied'),)
    >>> read_pairs(survey, [("cheated", "cheated")])
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: a pair is of two questions with choices; write \
pairs=[("cheated", "copied")], say
    """
    given = list(pairs) if isinstance(pairs, Iterable) and not isinstance(pairs, str) else [pairs]
    return tuple(dict.fromkeys(_read_pair(survey, each) for each in given))


def _read_pair(survey: Survey, pair: Any) -> tuple[str, str]:
    names = tuple(pair) if isinstance(pair, (list, tuple)) else ()
    for name in names:
        if name not in survey.questions:
            raise UnknownNameError(kind="question", name=name, known=survey.questions)
    chosen = [name for name in names if isinstance(survey.questions[name], ChoiceQuestion)]
    if len(names) != 2 or len(set(chosen)) != 2:
        message = (
            'a pair is of two questions with choices; write pairs=[("cheated", "copied")], say'
        )
        raise InputError(message)
    return names[0], names[1]
