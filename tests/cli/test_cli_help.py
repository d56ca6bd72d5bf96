"""Help pages: an example on each, which runs; lines that fit; no colour where none is wanted."""

from __future__ import annotations

import os
import pty
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.commands import examples, foot, help_pages, the_command
from tests.cli.test_cli_commands import all_that_comes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.conftest import Shell

TABLES = Path(__file__).parents[2] / "examples"
PAGES = dict(help_pages(the_command()))
EXAMPLES = list(dict.fromkeys(each for page in PAGES.values() for each in examples(page)))
#: These take seconds, and tests of their own run them.
SLOW = ("sfumato demo", "sfumato theorems")
#: What typer never goes below, however narrow the terminal; an example may take a little more.
NARROWEST, EXAMPLE = 52, 60


def test_every_verb_is_seen() -> None:
    assert {"sfumato", "sfumato query", "sfumato ledger spend", "sfumato completion"} <= set(PAGES)


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_help_shows_an_example_on_lines_that_fit(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for command, page in help_pages(the_command()):
        shown = foot(page)
        assert shown, f"{command} has no example"
        above = page.removesuffix(shown)
        assert max(map(len, above.splitlines())) <= max(columns, NARROWEST), command
        assert max(map(len, shown.splitlines())) <= max(columns, EXAMPLE), command
        assert "\x1b" not in page


def test_every_verb_s_own_page_has_an_example_of_it() -> None:
    groups = {"sfumato", "sfumato survey", "sfumato ledger", "sfumato attack", "sfumato demo"}
    own = {
        command: f"{command} " in f"{page.partition('Example')[2]} ".replace("\n", " ")
        for command, page in PAGES.items()
        if command not in groups
    }
    assert all(own.values()), own


def test_every_example_can_be_read_by_the_shell() -> None:
    command = the_command()
    for each in walk(command):
        each.callback = lambda **_: None
    for example in EXAMPLES:
        command(shlex.split(example)[1:], prog_name="sfumato", standalone_mode=False)


def walk(command: Any) -> Iterator[Any]:
    """A command of the shell and all that are under it."""
    yield command
    for each in getattr(command, "commands", {}).values():
        yield from walk(each)


def test_an_example_that_cannot_be_read_would_be_seen() -> None:
    """The twin: an example on a help page with an option that is not there."""
    (found,) = examples("Example:\n\n  sfumato entropy a.csv \\\n    --colums age\n")
    with pytest.raises(Exception, match="colums"):
        the_command()(shlex.split(found)[1:], prog_name="sfumato", standalone_mode=False)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of examples as it comes, in which the test is."""
    place = Path(shutil.copytree(TABLES, tmp_path / "examples"))
    monkeypatch.chdir(place)
    monkeypatch.syspath_prepend(str(place))
    monkeypatch.setenv("SFUMATO_LEDGER", str(tmp_path / "own.db"))
    monkeypatch.setenv("SFUMATO_SIGNING_KEY", str(tmp_path / "key.pem"))
    return place


@pytest.mark.full
@pytest.mark.no_cover
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_shows_runs_in_the_folder_of_examples(page: str, shell: Shell) -> None:
    """In the order of the page, and with nothing else in the folder than what comes with it."""
    shown = [each for each in examples(PAGES[page]) if not each.startswith(SLOW)]
    ended = {example: shell(*shlex.split(example)[1:]) for example in shown}
    assert {example: done for example, done in ended.items() if done.code} == {}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", [page for page in PAGES if "First, once" in PAGES[page]])
def test_what_is_to_be_done_first_is_needed(page: str, shell: Shell) -> None:
    """The twin: without it the last example fails, and in one sentence."""
    done = shell(*shlex.split(examples(PAGES[page])[-1])[1:])
    assert (done.code, done.err.count("\n")) == (2, 1)


def test_some_pages_show_what_to_do_first() -> None:
    needing = {page for page in PAGES if "First, once" in PAGES[page]}
    assert {"sfumato plan", "sfumato check", "sfumato ledger show"} <= needing


@pytest.mark.parametrize("setting", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_escape_code_reaches_a_terminal_that_wants_none(setting: dict[str, str]) -> None:
    controller, terminal = pty.openpty()
    words = [sys.executable, "-m", "sfumato", "calibrate", "laplace", "--epsilon", "1"]
    environment = {**os.environ, "TERM": "xterm", **setting}
    with subprocess.Popen(words, stdout=terminal, stderr=terminal, env=environment) as running:
        os.close(terminal)
        shown = all_that_comes(controller)
    assert running.returncode == 0
    assert "scale" in shown
    assert "\x1b[1m" not in shown
    assert "\x1b[3" not in shown
