"""All code in the documentation is run by a test, or a remark above it says why not."""

from __future__ import annotations

import pytest

from tests.docs.pages import DOCS, PAGES, ROOT, Block, blocks
from tests.docs.reader import COMMANDS, ELSEWHERE, is_session

#: Why a block is run by no test; anything else that is not run is a mistake.
NOT_RUN = {
    "it installs",
    "it takes hours",
    "the cluster is yours",
    "the file is yours",
    "the files are yours",
    "the key is yours",
    "the server is yours",
}
#: The remarks in the README that tests/contracts/test_documentation.py looks for.
OF_THE_README = {"run command", "test command"}
CODE = {"", "bash", "console", "pycon", "py", "python", "shell-session", *COMMANDS}


def whose(block: Block) -> str:
    """Which test runs a block, or why none does; nothing where nobody said."""
    not_run, by = (block.remark.removeprefix(start) for start in ELSEWHERE)
    if not_run in NOT_RUN:
        return "nobody"
    if by != block.remark:
        return by if speaks_of(by, block) else ""
    if block.language == "console" or block.remark in OF_THE_README:
        return "tests/contracts/test_documentation.py"
    if block.language == "python":
        return "doctest" if block.text.startswith(">>> ") else ""
    in_docs = block.page.is_relative_to(DOCS)
    runs = block.language in COMMANDS or is_session(block)
    return "tests/docs/test_walks.py" if in_docs and runs else ""


def speaks_of(test: str, block: Block) -> bool:
    """Whether a test speaks of the page that says it is run by it."""
    file = ROOT / test
    return file.is_file() and block.page.name in file.read_text(encoding="utf-8")


def test_every_block_of_code_is_run() -> None:
    code = [
        block
        for page in PAGES
        for block in blocks(page)
        if block.language in CODE or is_session(block)
    ]
    not_run = [str(block) for block in code if not whose(block)]
    assert not_run == [], "no test runs them; see tests/docs/reader.py"


@pytest.mark.parametrize(
    ("language", "text", "remark"),
    [
        ("python", "import sfumato", ""),
        ("bash", "ls", ""),
        ("", "ls", ""),
        ("sh", "ls", "not run: it is boring"),
        ("sh", "ls", "run by tests/docs/test_walks.py"),
        ("sh", "ls", "run by tests/docs/nowhere.py"),
    ],
)
def test_code_that_nobody_runs_is_found(language: str, text: str, remark: str) -> None:
    found = whose(Block(ROOT / "CHANGELOG.md", 1, language, text, remark))
    assert not found
