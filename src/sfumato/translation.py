"""How a sentence is said in another language: English is what the code says, a catalogue the rest.

``tr`` says a sentence at once; ``mark`` leaves a template of a table as it is, to be said where it
is written.  Both are read from the code by ``python -m tests.contracts.catalogues``.
"""

from __future__ import annotations

import os
import unicodedata
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from gettext import NullTranslations

ENGLISH = "en"
LANGUAGES = (ENGLISH, "zh")
#: What names the language that a process begins with.
VARIABLE = "SFUMATO_LANG"
#: Where catalogues are, in folders as gettext has them, and what they are called there.
CATALOGUES = Path(__file__).parent / "locale"
DOMAIN = "sfumato"
#: The language of a block, which goes before that of the process.
HERE: ContextVar[str | None] = ContextVar("HERE", default=None)
#: The language of the process, by ``VARIABLE``, where somebody chose one.
EVERYWHERE: dict[str, str] = {}

#: A table of sentences or templates, for catalogues to have them: its annotation marks it.
Sentences: TypeAlias = "Mapping[Any, str]"
Field: TypeAlias = tuple[str, str | None, str | None, str | None]


class Marked(str):
    """A sentence that catalogues have, in English: it is translated where it is written."""

    __slots__ = ()


def mark(sentence: str) -> Marked:
    """Return a sentence or a template as it is, for catalogues to have it."""
    return Marked(sentence)


#: What is said of a number that Python itself would not write.
TOO_LONG = mark("a number of thousands of digits")


def tr(sentence: str, /, **given: Any) -> str:
    """Return a sentence in the language that is spoken.

    Parameters
    ----------
    sentence
        In English; a template, if anything is given.
    given
        What the template is filled with.
    """
    if (language := current()) == ENGLISH:
        return sentence.format_map(given) if given else sentence
    return _translated(language, sentence, given)


def tr_n(one: str, several: str, number: int, /, **given: Any) -> str:
    """Return one of two sentences by a number, in the language that is spoken.

    Parameters
    ----------
    one, several
        In English, of one and of any other number; templates, if anything is given.
    number
        How many there are.
    given
        What the template is filled with.
    """
    sentence = one if number == 1 else several
    if (language := current()) == ENGLISH:
        return sentence.format_map(given) if given else sentence
    found = _catalogue(language).ngettext(plain(one), plain(several), number)
    given_to = _filled_in(several + one, given)
    return fitted(found, plain(sentence), given_to) if given else found


@contextmanager
def in_english() -> Iterator[None]:
    """Say in English what the block says: what is signed, hashed or kept is not translated."""
    with speaking(ENGLISH):
        yield


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say what the block says in a language that is spoken.

    A generator may be closed in another context than its block began in, where nothing was set.
    """
    token = HERE.set(language)
    try:
        yield
    finally:
        with suppress(ValueError):
            HERE.reset(token)


def said(text: str) -> str:
    """Return a text as it is, or a marked sentence in the language that is spoken."""
    return tr(text) if isinstance(text, Marked) else text


def fitted(translated: str, english: str, given: Mapping[str, str]) -> str:
    """Return a translated template with its fields filled; the English one where they differ."""
    try:
        return _poured(translated, given)
    except (LookupError, ValueError, AttributeError):
        return english.format_map(given)


def _poured(template: str, given: Mapping[str, str]) -> str:
    """Return a template with its fields filled, with no space where Chinese meets Chinese."""
    made = ""
    for before, name, _, _ in fields_of(template):
        for piece in (before, "" if name is None else given[name]):
            made = _beside(made, piece)
    return made


def _beside(one: str, other: str) -> str:
    if one.endswith(" ") and _is_chinese(one[-2:-1]) and _is_chinese(other[:1]):
        return one[:-1] + other
    if other.startswith(" ") and _is_chinese(one[-1:]) and _is_chinese(other[1:2]):
        return one + other[1:]
    return one + other


def _is_chinese(letter: str) -> bool:
    return bool(letter) and unicodedata.east_asian_width(letter) in "WF"


def asked() -> str:
    """Return the language that is asked for here: by the block, the process, or its environment."""
    return HERE.get() or EVERYWHERE.get(VARIABLE) or os.environ.get(VARIABLE) or ENGLISH


def current() -> str:
    """Return the language that is spoken here; English, where another one is asked for."""
    language = asked()
    return language if language in LANGUAGES else ENGLISH


def plain(template: str) -> str:
    """Return a template as catalogues have it: fields without their formats."""
    return "".join(map(_plain, fields_of(template)))


def fields_of(template: str) -> list[Field]:
    """Return what stands before each field of a template, its name, format and conversion."""
    return list(Formatter().parse(template))


def filled(field: Field, given: Mapping[str, Any]) -> str:
    """Return what fills a field, formatted as it asks; a marked sentence stays one."""
    _, name, spec, conversion = field
    value = given[str(name)]
    if isinstance(value, Marked) and not spec and not conversion:
        return value
    formatter = Formatter()
    try:
        return str(formatter.format_field(formatter.convert_field(value, conversion), spec or ""))
    except ValueError:
        return TOO_LONG


def written(value: object) -> str:
    """Return a value as a text, or say that it has more digits than Python writes."""
    return filled(("", "value", "", None), {"value": value})


def _translated(language: str, sentence: str, given: Mapping[str, Any]) -> str:
    if not sentence:
        return sentence
    if not given:
        return _catalogue(language).gettext(sentence)
    return fitted(tr(plain(sentence)), plain(sentence), _filled_in(sentence, given))


def _filled_in(template: str, given: Mapping[str, Any]) -> dict[str, str]:
    """Return what fills a template, marked sentences translated."""
    fields = [each for each in fields_of(template) if each[1] in given]
    return {str(each[1]): said(filled(each, given)) for each in fields}


def _plain(field: Field) -> str:
    """Return what a template says up to the end of a field, whose format is dropped."""
    before, name, _, _ = field
    escaped = before.replace("{", "{{").replace("}", "}}")
    return escaped if name is None else f"{escaped}{{{name}}}"


@cache
def _catalogue(language: str) -> NullTranslations:
    """Return a catalogue; one that cannot be read is empty, so that no answer is lost with it."""
    from gettext import NullTranslations, translation

    try:
        return translation(DOMAIN, CATALOGUES, [language], fallback=True)
    except Exception:  # noqa: BLE001, since a damaged file may raise anything
        return NullTranslations()
