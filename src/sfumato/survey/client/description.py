"""A question from its description: the words of a survey's file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.documents import check_known
from sfumato.errors import InputError
from sfumato.refusal import Argument, Ends, Setting, all_of, text
from sfumato.survey.client.draws import Loss, loss_of_truth, read_fraction, read_loss
from sfumato.survey.client.protocols import Window
from sfumato.survey.client.questions import ChoiceQuestion, NumberQuestion, choose_protocol
from sfumato.translation import mark, written

if TYPE_CHECKING:
    from sfumato.survey.client.questions import Question


#: Names that a report uses itself.
RESERVED = ("survey", "person", "tag")

_WORDS = {
    True: ("choices", "epsilon", "truth", "protocol", "lifetime", "text"),
    False: ("bounds", "epsilon", "text"),
}
_ALL_WORDS = tuple(dict.fromkeys((*_WORDS[True], *_WORDS[False])))
_FORMER = ("lower", "upper")
_CHOICES = Setting("choices", '["yes", "no"]')
_EPSILON = Setting("epsilon", "1")
_LONGEST_NAME, _LONGEST_CHOICE, _LONGEST_TEXT = 60, 200, 2000
_MOST_CHOICES = 2**20
_FARTHEST = Fraction(10**15)


def read_question(name: Any, given: Any) -> Question:
    """Return the question that a mapping describes."""
    _check_name(name)
    if isinstance(given, Mapping):
        _check_no_former_word(name, given)
        _check_words(name, given, _ALL_WORDS)
    if not isinstance(given, Mapping) or ("choices" in given) == ("bounds" in given):
        raise InputError(
            "E-QUESTION-FORM",
            "question {name!r} must have either choices or bounds",
            "write {choices}, or {ends}, say",
            name=name,
            choices=_CHOICES,
            ends=Ends(),
        )
    chosen = "choices" in given
    _check_words(name, given, _WORDS[chosen])
    try:
        return (_choice_question if chosen else _number_question)(name, given)
    except InputError as error:
        if repr(name) not in error.refusal.given.values():
            error.refusal = error.refusal.at(text("question {name!r}", name=name))
        raise


def _check_no_former_word(name: str, given: Mapping[str, Any]) -> None:
    former = [word for word in _FORMER if word in given]
    if former:
        raise InputError(
            "E-QUESTION-FORM",
            "question {name!r} has {former}, whose place bounds has taken",
            "write {ends}, say",
            name=name,
            former=all_of(former),
            ends=Ends(),
        )


def _check_words(name: str, given: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for word in given:
        if word in _WORDS[True] and word not in known:
            raise InputError(
                "E-QUESTION-KIND",
                "{setting} is not for {question!r}, which is answered by a number",
                "write {epsilon}, say, in its place",
                setting=Argument(word),
                question=name,
                epsilon=_EPSILON,
            )
    check_known(given, known, "setting", text("question {name!r}", name=name))


def _choice_question(name: str, given: Mapping[str, Any]) -> ChoiceQuestion:
    choices = _read_choices(name, given["choices"])
    lifetime = read_loss(given["lifetime"], "lifetime") if "lifetime" in given else None
    protocol = choose_protocol(
        given.get("protocol", "auto"), len(choices), _read_loss(given, len(choices)), lifetime
    )
    return ChoiceQuestion(name, _read_text(given), choices, protocol)


def _number_question(name: str, given: Mapping[str, Any]) -> NumberQuestion:
    lower, upper = _ends_of(given["bounds"])
    if not lower < upper:
        raise InputError(
            "E-BOUNDS-ORDER",
            "the lower bound must be below the upper one",
            "write {ends}, say",
            ends=Ends(),
        )
    if max(-lower, upper) > _FARTHEST or upper - lower < 1 / _FARTHEST:
        raise InputError(
            "E-BOUNDS-WIDTH",
            "bounds must be within 1e15 of 0, and 1e-15 apart or more",
            "write {ends}, say",
            ends=Ends(),
        )
    return NumberQuestion(name, _read_text(given), (lower, upper), Window(_read_loss(given, 2)))


def _read_loss(given: Mapping[str, Any], choices: int) -> Loss:
    if ("epsilon" in given) == ("truth" in given):
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "what a report may tell is given by either {epsilon} or {truth}",
            "write {example}, say",
            epsilon=Argument("epsilon"),
            truth=Argument("truth"),
            example=_EPSILON,
        )
    if "epsilon" in given:
        return read_loss(given["epsilon"])
    if given.get("protocol", "response") not in ("auto", "response"):
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "{truth} belongs to the protocol 'response', not to {given!r}",
            "write {epsilon}, say, in its place",
            given=given["protocol"],
            epsilon=_EPSILON,
            truth=Argument("truth"),
        )
    return loss_of_truth(given["truth"], choices)


def _read_choices(name: str, given: Any) -> tuple[str, ...]:
    if isinstance(given, str) or not isinstance(given, (list, tuple)):
        raise InputError(
            "E-QUESTION-FORM", "choices must be a list", "write {choices}, say", choices=_CHOICES
        )
    choices = tuple(given)
    if len(choices) < 2:
        counted = mark("1 choice") if choices else mark("no choices")
        raise InputError(
            "E-QUESTION-FORM",
            "question {name!r} has {counted}",
            "write two or more, such as {choices}",
            name=name,
            choices=_CHOICES,
            counted=counted,
        )
    if len(choices) > _MOST_CHOICES:
        raise InputError(
            "E-TOO-LARGE",
            "{count:,} choices are too many",
            "write at most {most_choices:,}",
            count=len(choices),
            most_choices=_MOST_CHOICES,
        )
    for choice in choices:
        _check_choice(choice)
    if len(set(choices)) < len(choices):
        twice = Counter(choices).most_common(1)[0][0]
        raise InputError(
            "E-VALUE-TWICE", "the choice {twice!r} is there twice", "write each once", twice=twice
        )
    return choices


def _check_name(name: Any) -> None:
    if not isinstance(name, str) or not name.isidentifier() or len(name) > _LONGEST_NAME:
        raise InputError(
            "E-QUESTION-NAME",
            "{name!r} cannot name a question",
            "write letters, digits and underscores, at most {longest_name}, such as has_cheated",
            name=written(name)[:_LONGEST_NAME],
            longest_name=_LONGEST_NAME,
        )
    if name.casefold() in RESERVED:
        raise InputError(
            "E-QUESTION-NAME",
            "a question cannot be named {name!r}, which reports use themselves",
            "write {name}_ in its place, say",
            name=name,
        )


def _check_choice(choice: Any) -> None:
    fine = isinstance(choice, str) and choice == choice.strip() and choice.isprintable()
    if not fine or not 0 < len(choice) <= _LONGEST_CHOICE:
        given = repr(choice[:_LONGEST_NAME]) if isinstance(choice, str) else written(choice)
        raise InputError(
            "E-QUESTION-FORM",
            "{given} cannot be a choice",
            "write texts in quotes, of 1 to {longest_choice} characters and without blanks "
            "at either end",
            given=given[:_LONGEST_NAME],
            longest_choice=_LONGEST_CHOICE,
        )


def _read_text(given: Mapping[str, Any]) -> str:
    text = given.get("text", "")
    if not isinstance(text, str) or len(text) > _LONGEST_TEXT:
        raise InputError(
            "E-QUESTION-FORM",
            "text must be a text of at most {longest_text:,} characters",
            longest_text=_LONGEST_TEXT,
        )
    return text


def _ends_of(given: Any) -> tuple[Fraction, Fraction]:
    match [read_fraction(each) for each in given] if isinstance(given, list | tuple) else []:
        case [Fraction() as lower, Fraction() as upper]:
            return lower, upper
    raise InputError("E-BOUNDS-FORM", "bounds are two numbers", "write {ends}, say", ends=Ends())
