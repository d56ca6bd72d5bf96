"""The pages about the shell tell stories of a ledger, and the shell tells the same."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
#: What stands on the page for a number, a moment or a folder that differs each time.
ANYTHING = "…"


def story(page: str) -> list[tuple[str, str]]:
    """Every `$ command` of a page's sessions in order, with the output shown below it."""
    text = (DOCS / page).read_text(encoding="utf-8")
    blocks = re.findall(r"```shell-session\n(.*?)```", text, re.DOTALL)
    examples = [each for block in blocks for each in re.split(r"(?m)^\$ ", block)[1:]]
    return [(command, shown) for command, _, shown in (each.partition("\n") for each in examples)]


@pytest.mark.parametrize(
    ("page", "length"), [("command-line.md", 8), ("ledger/first-ledger.md", 4)]
)
def test_the_story_of_a_ledger_is_true(tmp_path: Path, page: str, length: int) -> None:
    own = {"SFUMATO_LEDGER": "ledger.db", "SFUMATO_SIGNING_KEY": "key.pem", "COLUMNS": "120"}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, **own, "PATH": path, "PYTHONUTF8": "1"}
    assert len(story(page)) == length
    for command, shown in story(page):
        done = subprocess.run(
            ["bash", "-c", f"{command} 2>&1"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        pattern = ".*".join(re.escape(part) for part in shown.split(ANYTHING))
        assert re.fullmatch(pattern, done.stdout), f"{command} prints\n{done.stdout}"
