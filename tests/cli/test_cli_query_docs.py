"""Pages ask a table of people by the shell, and it answers the same, noise apart."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.test_cli_ledger_docs import ANYTHING, page_text

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

EXAMPLES = Path(__file__).parents[2] / "examples"
NUMBER = re.compile(r"-?\d[\d,]*(\.\d+)?")


def story(page: str) -> list[tuple[str, str]]:
    """Every `$ command` in the page's blocks of plain text, with the output shown below it."""
    blocks = re.findall(r"```text\n(\$ .*?)```", page_text(page), re.DOTALL)
    examples = [each for block in blocks for each in re.split(r"(?m)^\$ ", block)[1:]]
    return [(command, shown) for command, _, shown in (each.partition("\n") for each in examples)]


def without_numbers(text: str) -> str:
    """The words of a text; how wide a column is depends on the numbers in it."""
    return " ".join(NUMBER.sub("#", text).split())


@pytest.mark.parametrize(
    ("page", "commands"),
    [("command-line.md", 7), ("learning/kmeans.md", 5), ("survey/survey.md", 7)],
)
def test_the_story_of_a_table_is_true(
    shell: Shell, place: Path, monkeypatch: pytest.MonkeyPatch, page: str, commands: int
) -> None:
    shutil.copytree(EXAMPLES, place.parent / "examples")
    monkeypatch.chdir(place.parent)
    assert len(story(page)) == commands
    for command, shown in story(page):
        program, *arguments = shlex.split(command)
        done = shell(*arguments)
        printed = without_numbers(done.out + done.err)
        parts = map(re.escape, without_numbers(shown).split(ANYTHING))
        assert program == "sfumato"
        assert re.fullmatch(".*".join(parts), printed), f"{command} prints\n{printed}"
