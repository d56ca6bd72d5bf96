"""The pages of the documentation, and the blocks of code in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["DOCS", "PAGES", "ROOT", "Block", "blocks", "name_of"]

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted(page for page in DOCS.rglob("*.md") if "_build" not in page.parts),
]

FENCED = re.compile(
    r"(?:^<!-- (?P<remark>[^\n]*?) -->\n+)?"
    r"^(?P<fence>`{3,})(?P<language>[^\n`]*)\n(?P<text>.*?)^(?P=fence)$",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True)
class Block:
    """A block of code: its language, its text, and the comment right above it."""

    page: Path
    line: int
    language: str
    text: str
    remark: str

    def __str__(self) -> str:
        return f"{name_of(self.page)}, line {self.line}"


def blocks(page: Path) -> list[Block]:
    """The blocks of code of a page, from top to bottom."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(
            page,
            text.count("\n", 0, found.start("fence")) + 1,
            found["language"].strip(),
            found["text"],
            found["remark"] or "",
        )
        for found in FENCED.finditer(text)
    ]


def name_of(page: Path) -> str:
    """How a page is called: its path in the repository."""
    return page.relative_to(ROOT).as_posix()
