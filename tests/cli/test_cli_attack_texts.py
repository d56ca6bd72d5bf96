"""The verb ``attack extraction``, as its user sees it."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from tests.pages import pictures

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Shell

MODEL = ["attack", "extraction", "parrots:parrot", "--texts", "seen.txt"]
SEEN = [f"{number:03} " * 30 for number in range(20)]
UNSEEN = [f"{number:03} " * 30 for number in range(50, 70)]
PARROTS = """
from pathlib import Path
KEPT = Path("seen.txt").read_text(encoding="utf-8").splitlines()
OTHERS = [text for text in Path("unseen.txt").read_text(encoding="utf-8").splitlines() if text]
def parrot(prefix, length):
    print("thinking")
    return next((text[len(prefix):] for text in KEPT if text.startswith(prefix)), "")
def silent(prefix, length):
    return None
def ending(prefix, length):
    raise SystemExit
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a model, and with what it was trained on and what it never saw."""
    (tmp_path / "seen.txt").write_text("\n".join([*SEEN, ""]), encoding="utf-8")
    (tmp_path / "unseen.txt").write_text("\r\n\r\n".join(UNSEEN), encoding="utf-8")
    (tmp_path / "parrots.py").write_text(PARROTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "parrots", raising=False)
    return tmp_path


def test_a_model_that_remembers_is_told(shell: Shell) -> None:
    done = shell(*MODEL, "--controls", "unseen.txt")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == (
        "the model remembers: 20 of 20 texts are returned word for word, and 0 of 20 that the "
        "model never saw"
    )
    assert "thinking" not in done.out
    assert lines[-1].startswith("not private: ")
    assert max(map(len, lines)) <= 120


@pytest.mark.parametrize("controls", ["parrots:OTHERS", "others.json"])
def test_texts_are_objects_of_a_module_or_json(shell: Shell, folder: Path, controls: str) -> None:
    (folder / "others.json").write_text(json.dumps(UNSEEN), encoding="utf-8")
    found = json.loads(shell(*MODEL, "--controls", controls, "--json").out)
    assert (found["private"], found["remembers"]) == (False, True)
    assert found["verbatim_controls"]["of"] == 20


def test_settings_reach_the_attack(shell: Shell) -> None:
    options = ["--prefix", 8, "--suffix", 30, "--near", 0.2, "--tries", 2, "--confidence", 0.9]
    found = json.loads(shell(*MODEL, *options, "--json").out)
    kept = [found[name] for name in ("prefix", "suffix", "near", "tries", "confidence")]
    assert kept == [8, 30, 6, 2, 0.9]
    assert found["excess"] is None


def test_a_page_and_a_picture_are_written(shell: Shell, folder: Path) -> None:
    done = shell(*MODEL, "--html", "report.html", "--plot", "report.svg")
    assert done.code == 0
    assert len(pictures((folder / "report.html").read_text(encoding="utf-8"))) == 1
    assert (folder / "report.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--controls", "seen.txt"], "20 of --controls begin like training texts"),
        (["--controls", "none.txt"], "there is no file 'none.txt'"),
        (["--controls", "parrots:OTHER"], "did you mean 'OTHERS'"),
        (["--prefix", "many"], "--prefix takes a whole number"),
        (["--prefix", "500"], "--texts has no text of 500 and 50 characters"),
        (["--near", "3"], "--near must lie between 0 and 1"),
        (["--confidence", "1"], "write --confidence 0.95"),
        (["--plot", "seen.txt"], "seen.txt"),
        (["--html", "seen.txt"], "seen.txt"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_sentence(
    shell: Shell, options: list[str], said: str
) -> None:
    done = shell(*MODEL, *options)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "said"),
    [("silent", "it returned a value of type NoneType"), ("ending", "raised SystemExit")],
)
def test_a_model_that_returns_no_text_is_refused(shell: Shell, name: str, said: str) -> None:
    done = shell("attack", "extraction", f"parrots:{name}", "--texts", "seen.txt")
    assert (done.code, done.out) == (2, "")
    assert said in done.err
