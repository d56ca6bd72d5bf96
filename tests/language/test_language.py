"""Sentences in two languages: which is spoken where, and what stays as it is."""

from __future__ import annotations

import json
import subprocess
import sys
from contextvars import copy_context
from gettext import NullTranslations
from threading import Thread
from typing import TYPE_CHECKING

import pytest

import sfumato as sf
from sfumato import translation
from sfumato.errors import InputError, UnknownNameError
from sfumato.language import spoken, use, using
from sfumato.refusal import text
from sfumato.tables.notes import note
from sfumato.translation import EVERYWHERE, VARIABLE, Marked, mark, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ENGLISH = "there is no column 'agee'; did you mean 'age'? (known: 'name', 'age')"


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.delitem(EVERYWHERE, VARIABLE, raising=False)
    yield
    EVERYWHERE.pop(VARIABLE, None)


def wrong() -> UnknownNameError:
    return UnknownNameError("column", "agee", ["name", "age"])


def is_chinese(sentence: str) -> bool:
    return any("一" <= each <= "鿿" for each in sentence)


def test_english_is_spoken_unless_somebody_asks_for_another_language() -> None:
    assert spoken() == "en"
    assert str(wrong()) == ENGLISH


def test_one_error_is_written_in_either_language() -> None:
    error = wrong()
    with using("zh"):
        said = str(error)
    assert is_chinese(said)
    assert "'agee'" in said
    assert "column" not in said
    assert str(error) == ENGLISH


def test_a_problem_document_has_its_code_and_its_names_in_every_language() -> None:
    error = wrong()
    english = error.as_dict()
    with using("zh"):
        chinese = error.as_dict()
    assert is_chinese(chinese["detail"])
    assert is_chinese(chinese["title"])
    same = ("type", "code", "places", "column", "given", "hints")
    assert json.dumps([chinese[each] for each in same]) == json.dumps(
        [english[each] for each in same]
    )


def test_a_note_is_written_in_either_language() -> None:
    said = note("N-GROUPS-DECLARED")
    assert str(said) == "rows of groups that are not declared are left out"
    with using("zh"):
        assert is_chinese(str(said))
        assert said.as_dict()["code"] == "N-GROUPS-DECLARED"


def test_a_block_goes_before_the_process_and_the_process_before_its_surroundings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(VARIABLE, "zh")
    assert spoken() == "zh"
    use("en")
    assert spoken() == "en"
    with using("zh"):
        assert spoken() == "zh"
        with using("en"):
            assert spoken() == "en"
    assert spoken() == "en"


def test_a_thread_speaks_the_language_of_the_process() -> None:
    heard = []
    with using("zh"):
        thread = Thread(target=lambda: heard.append(spoken()))
        thread.start()
        thread.join()
    use("zh")
    thread = Thread(target=lambda: heard.append(spoken()))
    thread.start()
    thread.join()
    assert heard == ["en", "zh"]


@pytest.mark.parametrize("asked", [use, lambda language: using(language).__enter__()])
def test_another_language_is_refused(asked: object) -> None:
    with pytest.raises(InputError) as caught:
        asked("fr")  # type: ignore[operator]
    assert caught.value.code == "E-LANGUAGE-UNKNOWN"
    assert str(caught.value) == (
        "there are no sentences in the language 'fr'; write en (English) or zh (Chinese)"
    )
    assert spoken() == "en"


def test_an_unknown_language_of_the_surroundings_is_said_where_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(VARIABLE, "fr")
    assert str(wrong()) == ENGLISH
    with pytest.raises(InputError, match="'fr'"):
        spoken()


def test_formats_are_kept_and_marked_words_are_translated() -> None:
    assert tr("{share:.1f} of {whole}", share=0.25, whole=mark("table")) == "0.2 of table"
    with using("zh"):
        assert (
            tr("{share:.1f} of {whole}", share=0.25, whole=mark("table")) == f"0.2 of {tr('table')}"
        )
        assert tr("a sentence that no catalogue has") == "a sentence that no catalogue has"
        assert tr("") == ""
        assert tr_n("{n} thing", "{n} things", 2, n=2) == "2 things"
        assert is_chinese(tr("table"))


def test_a_marked_word_in_a_message_is_translated_where_it_is_written() -> None:
    part = text("{word} and {word!r}", word=mark("table"))
    assert isinstance(part.given["word"], str)
    assert not isinstance(text("{word!r}", word=mark("table")).given["word"], Marked)


def test_english_loads_no_catalogue() -> None:
    code = (
        "import sys, sfumato as sf\n"
        "before = 'gettext' in sys.modules\n"
        "try:\n    sf.information.entropy([0.5, 0.6])\n"
        "except sf.SfumatoError as error:\n    print(error.as_dict()['title'])\n"
        "print(before, 'gettext' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False False"


def test_the_room_is_at_the_top() -> None:
    assert sf.language.spoken is spoken


def test_a_block_of_a_generator_may_end_in_another_context() -> None:
    def chinese() -> Iterator[str]:
        with using("zh"):
            yield spoken()

    begun = chinese()
    assert copy_context().run(next, begun) == "zh"
    begun.close()  # type: ignore[attr-defined]
    assert spoken() == "en"


@pytest.mark.parametrize("content", [b"", b"no catalogue", b"\xde\x12\x04\x95" + b"\xff" * 40])
def test_a_catalogue_that_cannot_be_read_leaves_english(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "zh" / "LC_MESSAGES" / "sfumato.mo"
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    monkeypatch.setattr(translation, "CATALOGUES", tmp_path)
    monkeypatch.setattr(translation, "_catalogue", translation._catalogue.__wrapped__)  # noqa: SLF001
    with using("zh"):
        assert str(wrong()) == ENGLISH
        assert tr_n("one {unit}", "{number} units", 2, number=2) == "2 units"


def test_a_translation_whose_fields_are_damaged_leaves_english(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    damaged = NullTranslations()
    monkeypatch.setattr(damaged, "gettext", lambda sentence: sentence.replace("{k", "{q"))
    monkeypatch.setattr(translation, "_catalogue", lambda _: damaged)
    with using("zh"):
        assert str(wrong()) == ENGLISH
        assert tr("a {kind} of {name}", kind="sort", name="age") == "a sort of age"


def test_no_space_parts_chinese_from_chinese() -> None:
    sentence = "{file} is not in UTF-8"
    with using("zh"):
        assert tr(sentence, file="表") == tr(sentence, file="t.csv").replace("t.csv ", "表")
        assert tr(sentence, file="t.csv").startswith("t.csv ")


@pytest.mark.parametrize(
    ("relation", "said"),
    [
        (sf.privacy.AddRemove(), "增删一行"),
        (sf.privacy.AddRemove(2), "增删两行"),
        (sf.privacy.Substitute(unit=sf.privacy.Person()), "替换一人"),
        (sf.privacy.AddRemove(unit=sf.privacy.Person("patient_id")), "增删一个 patient_id"),
    ],
)
def test_a_relation_is_counted_as_chinese_counts(relation: object, said: str) -> None:
    with using("zh"):
        assert str(relation) == said
