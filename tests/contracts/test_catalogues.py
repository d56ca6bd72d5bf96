"""Catalogues have the sentences of the code: each, no other, and each with the same fields."""

from __future__ import annotations

import ast
import gettext
import io
from typing import TYPE_CHECKING

import pytest

from tests.contracts.catalogues import (
    TRANSLATED,
    Sentence,
    catalogue,
    compiled,
    fields,
    file_of,
    lacking,
    messages,
    renewed,
    translations,
    written,
)
from tests.contracts.prose import bare, bare_fields

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

AGAIN = "run: python -m tests.contracts.catalogues"
LANGUAGES = pytest.mark.parametrize("language", TRANSLATED)


@LANGUAGES
def test_a_catalogue_has_the_sentences_of_the_code(language: str) -> None:
    assert file_of(language).read_bytes() == written(renewed(language)), AGAIN


@LANGUAGES
def test_what_programs_read_is_compiled_from_what_people_write(language: str) -> None:
    assert file_of(language, "mo").read_bytes() == compiled(renewed(language)), AGAIN


@LANGUAGES
def test_no_translation_is_in_doubt(language: str) -> None:
    assert [each.id for each in catalogue(language) if each.id and each.fuzzy] == []


@LANGUAGES
def test_a_translation_has_the_fields_of_its_sentence(language: str) -> None:
    assert misfits(catalogue(language)) == []


def misfits(found: Catalog) -> list[str]:
    """The sentences whose translations have other fields, or other spaces at their ends."""
    wrong = []
    for each in found:
        sentence = messages().get(each.id if isinstance(each.id, str) else each.id[0])
        said = [text for text in translations(each) if text]
        if sentence is not None and any(not fits(text, sentence) for text in said):
            wrong.append(sentence.one)
    return wrong


def fits(said: str, sentence: Sentence) -> bool:
    ends = (said.startswith("\n"), said.endswith("\n"))
    return fields(said) == sentence.fields and ends == (
        sentence.one.startswith("\n"),
        sentence.one.endswith("\n"),
    )


def test_twin_a_translation_that_lost_a_field_is_found() -> None:
    sentence = Sentence("{name} holds {kind}, not numbers")
    assert fits("{name} 中是{kind}，不是数", sentence)
    assert not fits("{name} 中不是数", sentence)
    assert not fits("{name} 中是{kinds}，不是数", sentence)


def test_what_is_not_translated_is_said_in_english() -> None:
    made = renewed("zh")
    made.add(("{number} swan", "{number} swans"), "")
    read = gettext.GNUTranslations(io.BytesIO(compiled(made)))
    assert read.ngettext("{number} swan", "{number} swans", 2) == "{number} swans"


def test_no_field_of_a_refusal_is_bare_prose() -> None:
    assert list(bare_fields()) == []


REFUSALS = """
NEEDS = "needs to be closed"

def kind(value):
    return f"a value of {type(value)}"

def refuse(value, *, name, known):
    given = kind(value)
    raise InputError(
        "E-ARGUMENT-TYPE",
        "{name} {needs}, not {given}{known}{write}",
        name=name,
        needs=NEEDS,
        given=given,
        known=" or none" if known else mark("as it was"),
        write=text(" by {command}", command="sfumato ledger close NAME"),
        example="bounds={'age': (0, 110)}",
    )
"""


def test_twin_a_field_of_bare_prose_is_found() -> None:
    assert list(bare(ast.parse(REFUSALS))) == [
        ("needs", "needs to be closed"),
        ("given", "a value of {}"),
        ("known", " or none"),
    ]


@LANGUAGES
def test_no_sentence_lacks_a_translation(language: str) -> None:
    assert lacking(renewed(language)) == [], "translate them: CONTRIBUTING.md says how"


def test_twin_a_sentence_without_a_translation_is_found() -> None:
    made = renewed(TRANSLATED[0])
    before = lacking(made)
    made.add("nobody says this")
    assert lacking(made) == [*before, "nobody says this"]
