"""A question from its description: the words of a survey's file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError, UnknownNameError
from sfumato.survey.client.choosing import choose_protocol
from sfumato.survey.client.protocols import Window
from sfumato.survey.client.questions import ChoiceQuestion, NumberQuestion
from sfumato.survey.client.ratios import loss_of_truth, read_fraction, read_loss

if TYPE_CHECKING:
    from sfumato.survey.client.questions import Question
    from sfumato.survey.client.ratios import Loss

__all__ = ["RESERVED", "read_question"]

#: Names that a report uses itself.
RESERVED = ("survey", "person", "tag")

_WORDS = {
    True: ("choices", "epsilon", "truth", "protocol", "lifetime", "text"),
    False: ("lower", "upper", "epsilon", "text"),
}
_ALL_WORDS = tuple(dict.fromkeys((*_WORDS[True], *_WORDS[False])))
_LONGEST_NAME, _LONGEST_CHOICE, _LONGEST_TEXT = 60, 200, 2000
_MOST_CHOICES = 2**20
_FARTHEST = Fraction(10**15)


def read_question(name: Any, given: Any) -> Question:
    """Return the question that a mapping describes."""
    _check_name(name)
    if isinstance(given, Mapping):
        _check_words(name, given, _ALL_WORDS)
    if not isinstance(given, Mapping) or ("choices" in given) == ("lower" in given):
        message = (
            f"question {name!r} must have either choices or bounds; write "
            'choices = ["yes", "no"], or lower = 0 and upper = 100, say'
        )
        raise InputError(message)
    chosen = "choices" in given
    _check_words(name, given, _WORDS[chosen])
    try:
        return (_choice_question if chosen else _number_question)(name, given)
    except InputError as error:
        raise InputError(_placed(name, str(error))) from None


def _check_words(name: str, given: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for word in given:
        if word not in known:
            raise UnknownNameError(
                kind="setting", name=word, known=known, where=f"question {name!r}"
            )


def _choice_question(name: str, given: Mapping[str, Any]) -> ChoiceQuestion:
    choices = _read_choices(name, given["choices"])
    lifetime = read_loss(given["lifetime"], "lifetime") if "lifetime" in given else None
    protocol = choose_protocol(
        given.get("protocol", "auto"), len(choices), _read_loss(given, len(choices)), lifetime
    )
    return ChoiceQuestion(name, _read_text(given), choices, protocol)


def _number_question(name: str, given: Mapping[str, Any]) -> NumberQuestion:
    lower, upper = _read_bound(given, "lower"), _read_bound(given, "upper")
    if not lower < upper:
        message = "lower must be below upper; write lower = 0 and upper = 100, say"
        raise InputError(message)
    if max(-lower, upper) > _FARTHEST or upper - lower < 1 / _FARTHEST:
        message = (
            "bounds must be within 1e15 of 0, and 1e-15 apart or more; "
            "write lower = 0 and upper = 100, say"
        )
        raise InputError(message)
    return NumberQuestion(name, _read_text(given), lower, upper, Window(_read_loss(given, 2)))


def _read_loss(given: Mapping[str, Any], choices: int) -> Loss:
    if ("epsilon" in given) == ("truth" in given):
        message = (
            "what a report may tell is given by either epsilon or truth; write epsilon = 1, say"
        )
        raise InputError(message)
    if "epsilon" in given:
        return read_loss(given["epsilon"])
    if given.get("protocol", "response") not in ("auto", "response"):
        message = (
            f"truth belongs to the protocol 'response', not to {given['protocol']!r}; "
            "write epsilon = 1, say, in its place"
        )
        raise InputError(message)
    return loss_of_truth(given["truth"], choices)


def _read_choices(name: str, given: Any) -> tuple[str, ...]:
    if isinstance(given, str) or not isinstance(given, (list, tuple)):
        message = 'choices must be a list; write choices = ["yes", "no"], say'
        raise InputError(message)
    choices = tuple(given)
    if len(choices) < 2:
        counted = "1 choice" if choices else "no choices"
        message = (
            f'question {name!r} has {counted}; write two or more, such as choices = ["yes", "no"]'
        )
        raise InputError(message)
    if len(choices) > _MOST_CHOICES:
        message = f"{len(choices):,} choices are too many; write at most {_MOST_CHOICES:,}"
        raise InputError(message)
    for choice in choices:
        _check_choice(choice)
    if len(set(choices)) < len(choices):
        twice = Counter(choices).most_common(1)[0][0]
        message = f"the choice {twice!r} is there twice; write each once"
        raise InputError(message)
    return choices


def _check_name(name: Any) -> None:
    if not isinstance(name, str) or not name.isidentifier() or len(name) > _LONGEST_NAME:
        message = (
            f"{str(name)[:_LONGEST_NAME]!r} cannot name a question; write letters, digits and "
            f"underscores, at most {_LONGEST_NAME}, such as has_cheated"
        )
        raise InputError(message)
    if name.casefold() in RESERVED:
        message = (
            f"a question cannot be named {name!r}, which reports use themselves; "
            f"write {name}_ in its place, say"
        )
        raise InputError(message)


def _check_choice(choice: Any) -> None:
    fine = isinstance(choice, str) and choice == choice.strip() and choice.isprintable()
    if not fine or not 0 < len(choice) <= _LONGEST_CHOICE:
        given = repr(choice[:_LONGEST_NAME]) if isinstance(choice, str) else str(choice)
        message = (
            f"{given[:_LONGEST_NAME]} cannot be a choice; write texts in quotes, of 1 to "
            f"{_LONGEST_CHOICE} characters and without blanks at either end"
        )
        raise InputError(message)


def _read_text(given: Mapping[str, Any]) -> str:
    text = given.get("text", "")
    if not isinstance(text, str) or len(text) > _LONGEST_TEXT:
        message = f"text must be a text of at most {_LONGEST_TEXT:,} characters"
        raise InputError(message)
    return text


def _read_bound(given: Mapping[str, Any], word: str) -> Fraction:
    bound = read_fraction(given.get(word))
    if bound is None:
        message = f"{word} must be a number; write {word} = {0 if word == 'lower' else 100}, say"
        raise InputError(message)
    return bound


def _placed(name: str, sentence: str) -> str:
    return sentence if repr(name) in sentence else f"question {name!r}: {sentence}"
