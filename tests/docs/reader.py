"""A reader who does what a page says, block by block, in a folder of their own."""

from __future__ import annotations

import doctest
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING

from tests.docs.terminal import printed_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.docs.pages import Block

__all__ = ["COMMANDS", "ELSEWHERE", "FILE", "NOISY", "Reader", "is_session", "same"]

#: What stands on a page for a moment, a key or a folder that differs each time.
ANYTHING = "…"
#: The languages of blocks that hold commands alone.
COMMANDS = ("sh", "shell")
#: The remark above a block that is the text of a file: ``file patients.toml``.
FILE = "file "
#: How the remark begins above a block that nobody can run here, or that another test runs.
ELSEWHERE = ("not run: ", "run by ")
#: The remark above a block in which numbers, and bars made of them, differ each time.
NOISY = "noisy"
NOISE = re.compile(r"-?\d+(,\d{3})*(\.\d+)?(e-?\d+)?|[█▒┃·]+")
#: A bar with unlike sides; which figures have one hangs on the noise.
UNEVEN = "(#to#)"
LAYOUT = re.compile(r"[\s│├└─]+")


def same(shown: str, printed: str, *, noisy: bool) -> bool:
    """Whether a page shows what was printed, apart from how it is laid out and from noise."""
    parts = [re.escape(_letters(part, noisy=noisy)) for part in shown.split(ANYTHING)]
    return re.fullmatch(".*".join(parts), _letters(printed, noisy=noisy)) is not None


def _letters(text: str, *, noisy: bool) -> str:
    if not noisy:
        return LAYOUT.sub("", text)
    return LAYOUT.sub("", NOISE.sub("#", text)).replace(UNEVEN, "±#")


def is_session(block: Block) -> bool:
    """Whether a block shows commands after ``$``, each with its output below it."""
    plain = block.language == "text" and block.text.startswith("$ ")
    return plain or block.language == "shell-session"


class Reader:
    """Follows the blocks of one page, all in the same place.

    Commands stand in a block of ``sh``, and the block of ``text`` after it shows what they print;
    or both stand in one block, with ``$`` before each command.
    """

    def __init__(self) -> None:
        self._names: dict[str, object] = {}

    def follow(self, page: Sequence[Block], *, python: bool) -> None:
        """Do what each block says, and assert that it comes out as the page shows."""
        for block, after in zip(page, [*page[1:], None], strict=True):
            if block.remark.startswith(ELSEWHERE):
                continue
            if block.remark.startswith(FILE):
                Path(block.remark.removeprefix(FILE)).write_text(block.text, encoding="utf-8")
            elif block.language in COMMANDS:
                self._run_commands(block, after)
            elif is_session(block):
                self._run_session(block)
            elif block.language == "python" and python:
                self._run_python(block)

    def _run_commands(self, block: Block, after: Block | None) -> None:
        lines = block.text.replace("\\\n", " ").splitlines()
        printed = [printed_by(line) for line in lines if line.strip() and not line.startswith("#")]
        if after is not None and after.language == "text" and not is_session(after):
            assert_shown(after, after.text, "".join(printed), noisy=after.remark == NOISY)

    def _run_session(self, block: Block) -> None:
        for example in re.split(r"(?m)^\$ ", block.text)[1:]:
            command, _, shown = example.partition("\n")
            assert_shown(block, shown, printed_by(command), noisy=block.language == "text")

    def _run_python(self, block: Block) -> None:
        parser, problems = doctest.DocTestParser(), io.StringIO()
        test = parser.get_doctest(block.text, {}, str(block), str(block.page), block.line)
        test.globs = self._names
        checker = Alike() if block.remark == NOISY else None
        runner = doctest.DocTestRunner(checker=checker, optionflags=doctest.ELLIPSIS)
        runner.run(test, out=problems.write, clear_globs=False)
        assert not problems.getvalue(), problems.getvalue()


class Alike(doctest.OutputChecker):
    """Takes any number for any other."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return super().check_output(want, got, optionflags) or same(want, got, noisy=True)


def assert_shown(block: Block, shown: str, printed: str, *, noisy: bool) -> None:
    assert same(shown, printed, noisy=noisy), f"{block}: what is printed is\n{printed}"
