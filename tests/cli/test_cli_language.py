"""The shell in another language: help, what cannot be read, and what is refused."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sfumato.application.demo.tour.stop import copy_files
from sfumato.printing.layout import places
from sfumato.translation import VARIABLE

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

EVENTS = Path(__file__).parents[2] / "examples" / "events.json"
#: Three ways to ask for Chinese: what stands before the verb, and what the variable says.
CHINESE = pytest.mark.parametrize(
    ("asked", "variable"), [(["--lang", "zh"], ""), (["--lang=zh"], "fr"), ([], "zh")]
)


@CHINESE
def test_the_words_of_a_help_page_are_translated(
    asked: list[str], variable: str, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, variable)
    said = shell(*asked, "risk", "--help").out
    assert said.startswith("用法：sfumato risk [OPTIONS]")
    assert "显示本帮助并退出。" in said
    assert "[默认值：3]" in "".join(said.split())
    assert "[必填]" in said
    assert "Options" not in said


def test_help_may_be_asked_for_before_the_language(shell: Shell) -> None:
    assert shell("--help", "--lang", "zh").out.startswith("用法：")


def test_a_group_of_verbs_alone_shows_its_help_page_as_it_stands(shell: Shell) -> None:
    shown = shell("--lang", "zh", "attack")
    assert (shown.out or shown.err) == shell("--lang", "zh", "attack", "--help").out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["nonsense"], "没有命令 'nonsense'。"),
        (["risk", "--nonsense"], "没有选项 --nonsense"),
        (["risk"], "缺少参数 'FILE'。"),
        (["--nonsense"], "没有选项 --nonsense"),
        (["risk", "a.csv", "b.csv", "--quasi", "age"], "多余的参数（b.csv）"),
    ],
)
@CHINESE
def test_what_cannot_be_read_is_said_in_its_language(
    words: list[str],
    asked: list[str],
    variable: str,
    expected: str,
    shell: Shell,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(VARIABLE, variable)
    said = shell(*asked, *words)
    assert said.code == 2
    assert said.err.startswith("用法：sfumato")
    assert "帮助见 'sfumato " in said.err
    assert "错误：" in said.err
    assert expected in said.err


def test_another_language_is_refused(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = "there are no sentences in the language 'fr'; write en (English) or zh (Chinese)"
    said = shell("--lang", "fr", "risk")
    assert (said.code, said.err) == (2, f"sfumato: {expected}\n")
    monkeypatch.setenv(VARIABLE, "fr")
    said = shell("risk")
    assert (said.code, said.err) == (2, f"sfumato: {expected}\n")


@pytest.mark.parametrize("words", [["--help"], [], ["risk", "--help"]])
def test_help_in_another_language_is_refused_too(
    words: list[str], shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "fr")
    said = shell(*words)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("sfumato: there are no sentences in the language 'fr'")


@pytest.mark.parametrize(
    ("asked", "begins"),
    [
        (["--lang", "zh", "--lang", "en"], "Usage: "),
        (["--lang=zh", "--lang=en"], "Usage: "),
        (["--lang", "en", "--lang=zh"], "用法："),
    ],
)
def test_the_last_language_that_is_asked_for_is_spoken(
    asked: list[str], begins: str, shell: Shell
) -> None:
    assert shell(*asked, "risk", "--help").out.startswith(begins)


def test_a_language_behind_the_verb_is_told_where_it_goes(shell: Shell) -> None:
    for words in (["risk", "--lang", "zh"], ["survey", "new", "--lang=zh"]):
        said = shell(*words)
        assert said.code == 2
        assert "--lang; it goes before the verb: sfumato --lang zh" in said.err
    said = shell("--lang", "zh", "risk", "--lang", "en")
    assert "sfumato --lang zh" in said.err
    assert "verb" not in said.err


def test_english_is_spoken_again_after_a_verb(shell: Shell) -> None:
    assert VARIABLE not in os.environ
    shell("--lang", "zh", "risk", "--help")
    assert shell("risk", "--help").out.startswith("Usage: sfumato risk")


def test_a_help_page_in_wide_letters_fits_its_width(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    said = shell("--lang", "zh", "--help").out
    assert max(places(line) for line in said.splitlines()) <= 60


@pytest.fixture
def chinese(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Speak Chinese, in a folder with the files of the tour, and return the folder."""
    copy_files(str(tmp_path))
    monkeypatch.setenv(VARIABLE, "zh")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_tour_is_told_to_its_end(chinese: Path, shell: Shell) -> None:
    said = shell("demo", "--no-pause")
    assert (said.code, said.err) == (0, "")
    assert "\n7. " in said.out
    assert "已证明" in said.out
    assert "时按比例缩小" in "".join(said.out.split())
    assert (chinese / "sfumato-demo.html").exists()


@pytest.mark.parametrize(
    "words",
    [
        ["demo", "hospital"],
        ["risk", "patients.csv", "--quasi", "age,sex", "--sensitive", "department"],
        ["risk", "patients.csv", "--quasi", "age,sex", "--plot", "exposure.svg"],
        ["anonymize", "patients.csv", "--quasi", "age,sex", "--k", "2", "--output", "safe.csv"],
        ["attack", "homogeneity", "patients.csv", "--quasi", "age", "--sensitive", "department"],
        ["account", str(EVENTS), "--delta", "1e-6", "--explain"],
        ["inspect", "patients.csv", "--unit", "patient_id"],
    ],
)
@pytest.mark.usefixtures("chinese")
def test_verbs_answer(words: list[str], shell: Shell) -> None:
    said = shell(*words)
    assert said.code == 0
    assert any("\u4e00" <= each <= "\u9fff" for each in said.out)
