"""Whoever follows a page from top to bottom sees what it shows."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.docs.pages import DOCS, PAGES, ROOT, Block, blocks, name_of
from tests.docs.reader import COMMANDS, Reader, is_session, same

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.full


def is_walked(page: Path) -> bool:
    """Whether a page has commands that go on from one another."""
    return page.is_relative_to(DOCS) and any(
        block.language in COMMANDS or is_session(block) for block in blocks(page)
    )


def is_tutorial(page: Path) -> bool:
    """Whether the Python of a page goes on from its commands, too."""
    return page.parent == DOCS / "tutorials"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the examples, and a home without a ledger or a key, for one reader."""
    unwanted = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=unwanted)
    monkeypatch.chdir(tmp_path)
    before = dict(os.environ)
    for name in [name for name in os.environ if name.startswith(("SFUMATO_", "XDG_"))]:
        del os.environ[name]
    os.environ.update(HOME=str(tmp_path / "home"), COLUMNS="80", NO_COLOR="1", PYTHONUTF8="1")
    yield tmp_path
    os.environ.clear()
    os.environ.update(before)


@pytest.mark.parametrize("page", [*filter(is_walked, PAGES)], ids=name_of)
def test_a_page_can_be_followed(page: Path, desk: Path) -> None:
    Reader().follow(blocks(page), python=is_tutorial(page))


def made(language: str, text: str, remark: str = "") -> Block:
    return Block(DOCS / "made-up.md", 1, language, text, remark)


@pytest.mark.parametrize(
    "page",
    [
        [made("sh", "sfumato --version"), made("text", "sfumato 99.0\n")],
        [made("text", "$ sfumato --version\nsfumatissimo 0.1.0\n")],
        [made("python", ">>> 1 + 1\n3\n")],
        [made("python", ">>> print('2 rows')\n3 lines\n", "noisy")],
    ],
    ids=["commands", "session", "python", "noisy python"],
)
def test_a_page_that_shows_something_else_is_found_out(page: list[Block], desk: Path) -> None:
    with pytest.raises(AssertionError):
        Reader().follow(page, python=True)


def test_noise_apart_two_answers_are_the_same() -> None:
    assert same("n\n741 ± 12 ██┃·\n", "n\n1,005 ± 9.5  █▒┃·", noisy=True)
    assert same("n\n741 ± 12\n", "n\n741 (730 to 760)\n", noisy=True)
    assert same("in …/ledger.db\n", "in elsewhere/ledger.db", noisy=False)
    assert not same("n\n741 ± 12\n", "n\n742 ± 12\n", noisy=False)
    assert not same("n\n741 ± 12\n", "m\n741 ± 12\n", noisy=True)
