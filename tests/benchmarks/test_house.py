"""The house is measured: lines by what they are, and what a job loads and passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks import house
from benchmarks.house import SIZES, kept, passed, size, sizes, tables

if TYPE_CHECKING:
    from pathlib import Path

WRITTEN = '''\
"""A module.

With a second paragraph.
"""

import json  # noqa
from typing import (
    Any,
)

__all__ = ["add", "Box"]

# a comment
TEXT = """one

two"""


def add(a: int) -> int:
    """Add one."""
    return a + 1


class Box:
    """A box."""

    async def open(self) -> None: ...
'''
PACKAGE = {
    "__init__.py": "def outside():\n    return [each for each in 'ab']\n",
    "room/__init__.py": "",
    "room/work.py": (
        "import threading\n\ndef alone(): ...\ndef unasked(): ...\n"
        "def work():\n    one = threading.Thread(target=alone)\n    one.start()\n    one.join()\n"
    ),
    "room/quiet.py": "class Quiet:\n    a = 1\n",
}
JOB = "from sfumato.room.work import work; import sfumato.room.quiet; work(); work()"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A small house of two rooms."""
    for name, text in PACKAGE.items():
        path = tmp_path / "sfumato" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_lines_are_counted_by_what_they_are() -> None:
    # code: 1 + 3 of imports, __all__, 2 of TEXT, 2 of add, 2 of Box
    assert size(WRITTEN) == dict(zip(SIZES, (1, 11, 6, 4, 2, 2), strict=True))


def test_a_comment_or_an_empty_line_more_changes_nothing() -> None:
    assert size(f"{WRITTEN}\n\n# more\n") == size(WRITTEN)


def test_twin_a_line_of_code_more_is_counted() -> None:
    assert size(f"{WRITTEN}MORE = 1\n")["code lines"] == size(WRITTEN)["code lines"] + 1


def test_rooms_are_told_apart(source: Path) -> None:
    found = sizes(source)
    assert {room: each["files"] for room, each in found.items()} == {"room": 3, "the top": 1}
    printed = tables({"rooms": found, "jobs": {}})
    assert f"| all | 4 | {2 + 7 + 2} | 0 | 1 | 4 | 0 |" in printed


def test_a_job_passes_functions_and_their_files_in_every_thread(source: Path) -> None:
    """Bodies of modules and of classes are no functions; a function counts once."""
    assert list(passed(source, JOB).values()) == [4, 1, 2]


def test_twin_what_is_called_in_another_file_is_seen(source: Path) -> None:
    more = f"{JOB}; import sfumato; sfumato.outside()"
    assert list(passed(source, more).values()) == [4, 2, 3]


def test_a_job_that_fails_is_not_measured(source: Path) -> None:
    with pytest.raises(SystemExit, match=r"(?s)ended with 1:.*ZeroDivisionError"):
        passed(source, "1 / 0")


def test_what_was_before_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "RESULTS", tmp_path)
    monkeypatch.setattr("benchmarks.measure.RESULTS", tmp_path)
    found = iter(("first\n", "second\n", "third\n"))
    monkeypatch.setattr(house, "measured", lambda _: {})
    monkeypatch.setattr(house, "tables", lambda _: next(found))
    assert kept() == ""
    for _ in range(3):
        house.main()
    text = (tmp_path / "house.md").read_text(encoding="utf-8")
    assert text.endswith("## before\n\nfirst\n\n## now\n\nthird\n")
