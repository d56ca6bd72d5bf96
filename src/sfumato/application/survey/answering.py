"""One person's answers, randomised: light, for it runs once for each of many people."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.refusal import Argument
from sfumato.survey import ChoiceQuestion, Memory, Survey, read_survey
from sfumato.survey.client.protocols import Permanent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.survey import NumberQuestion


def open_survey(file: str, described: Mapping[str, Any]) -> Survey:
    """Return the survey of a file, or the one that is described in its place.

    Parameters
    ----------
    file
        A survey's file (.toml).
    described
        As in ``sf.Survey``; nothing where the file is to be read.
    """
    return Survey(**described) if described else read_survey(file)


#: Puts a question to a person until a check of the answer passes, and returns the answer.
Ask = Callable[[str, Callable[[str], Any]], str]

_FEW = 12


def answer_survey(
    file: str,
    described: Mapping[str, Any],
    words: Sequence[str],
    *,
    person: str | None = None,
    memory: str | None = None,
    ask: Ask | None = None,
) -> dict[str, int | str]:
    """Return a person's report, from answers as they are written.

    Parameters
    ----------
    file, described
        As in ``open_survey``.
    words
        The answers: ``yes`` where there is one question, else ``cheated=yes``, ``hours=3``.
    person
        The person's id, in a survey with ids.
    memory
        The person's own file of permanent answers.
    ask
        Asks the person, where no answer is given.
    """
    survey = open_survey(file, described)
    _check_kept(survey, memory)
    asked = ask is not None and not words
    answers = _asked(survey, ask) if ask and asked else read_answers(survey, words)
    kept = None if memory is None else Memory(memory)
    return survey.answer(answers, person=person, memory=kept)


def _check_kept(survey: Survey, memory: str | None) -> None:
    """Refuse a memory where nothing would be kept: people would think that repeats are free."""
    kept = (isinstance(each.protocol, Permanent) for each in survey.questions.values())
    if memory is not None and not any(kept):
        raise InputError(
            "E-SURVEY-MEMORY",
            "no question of this survey has a permanent answer, so that each report spends anew",
            "leave {memory} out",
            memory=Argument("memory"),
        )


def read_answers(survey: Survey, words: Sequence[str]) -> dict[str, str]:
    """Return the answer to each question, from texts such as ``cheated=yes``.

    Where there is one question, its name may be left out.
    """
    answers: dict[str, str] = {}
    for word in words:
        name, answer = _split(survey, word)
        if name in answers:
            raise InputError(
                "E-ARGUMENT-TWICE",
                "{name!r} is answered twice",
                "answer each question once",
                name=name,
            )
        answers[name] = answer
    return answers


def _split(survey: Survey, word: str) -> tuple[str, str]:
    first, *others = survey.questions
    name, equals, answer = word.partition("=")
    if not others and (name != first or not equals or _is_choice(survey, word)):
        return first, word
    if not equals:
        each = " ".join(f"{name}=…" for name in (first, *others))
        raise InputError(
            "E-ANSWER-MISSING",
            "this survey has {given} questions",
            "write each answer with its question, as in {each}",
            given=1 + len(others),
            each=each,
        )
    return name, answer


def _is_choice(survey: Survey, word: str) -> bool:
    return any(word in getattr(each, "choices", ()) for each in survey.questions.values())


def _asked(survey: Survey, ask: Ask) -> dict[str, str]:
    return {name: ask(_wording(each), each.read) for name, each in survey.questions.items()}


def _wording(question: ChoiceQuestion | NumberQuestion) -> str:
    if not isinstance(question, ChoiceQuestion):
        allowed = "{:g} to {:g}".format(*map(float, question.bounds))
    else:
        more = ", …" if len(question.choices) > _FEW else ""
        allowed = ", ".join(question.choices[:_FEW]) + more
    return f"{question.text or question.name} ({allowed})"
