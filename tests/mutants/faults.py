"""Deliberate faults in what privacy depends on, each beside the tests that are nearest to it."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = Path(__file__).parent / "rooms"


@dataclass(frozen=True)
class Fault:
    """One fault: a text of a file, found once, and what stands there instead.

    Attributes
    ----------
    name
        What is wrong, in a few words.
    room
        The room it is in.
    file
        The file, from the folder of the package.
    old, new
        The text, and the text in its place.
    tests
        Where it must be caught: files, folders or tests, from the root.
    """

    name: str
    room: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    @property
    def path(self) -> Path:
        return Path("src/sfumato") / self.file

    @property
    def digest(self) -> str:
        return hashlib.sha256(repr(astuple(self)).encode()).hexdigest()[:16]

    def put_into(self, root: Path) -> None:
        """Put the fault into a copy of the project."""
        path = root / self.path
        text = path.read_text("utf-8")
        found = text.count(self.old)
        if found != 1:
            raise LookupError(f"{self.file} has the text of {self.name!r} {found} times, not once")
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")


@cache
def faults() -> tuple[Fault, ...]:
    """All faults, room by room."""
    return tuple(
        Fault(room=path.stem, tests=tuple(each.pop("tests")), **each)
        for path in sorted(FILES.glob("*.toml"))
        for each in tomllib.loads(path.read_text("utf-8"))["fault"]
    )
