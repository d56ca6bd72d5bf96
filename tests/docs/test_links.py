"""Every link between pages leads to a file that is there, and to a heading that is in it."""

from __future__ import annotations

import functools
import json
import re
from typing import TYPE_CHECKING

from tests.docs.pages import DOCS, FENCED, PAGES, ROOT, name_of

if TYPE_CHECKING:
    from pathlib import Path

NOTEBOOKS = [page for page in sorted(DOCS.rglob("*.ipynb")) if "_build" not in page.parts]
LINK = re.compile(r"\]\((?!\w+:)(?P<path>[^)#\s]*)(?:#(?P<heading>[^)\s]*))?\)")
DOC = re.compile(r"\{doc\}`(?:[^`<]*<)?([^`>]+)>?`")
TEST = re.compile(r"`(tests/[\w/]+\.py)`")
CODE = re.compile(r"`[^`\n]*`")


@functools.cache
def prose(page: Path) -> str:
    """The text of a page or a notebook, without its blocks of code."""
    text = page.read_text(encoding="utf-8")
    if page.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    return FENCED.sub("", text)


@functools.cache
def anchors(page: Path) -> set[str]:
    """What the headings of a page are called in an address."""
    headings = re.findall(r"(?m)^#+ +(.*?)\s*$", prose(page))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(page: Path) -> list[str]:
    """The links of a page that lead nowhere."""
    text = prose(page)
    links = [(link["path"], link["heading"]) for link in LINK.finditer(CODE.sub("", text))]
    links += [(f"{named}.md", None) for named in DOC.findall(text)]
    links += [(str(ROOT / test), None) for test in TEST.findall(text)]
    return [f"{path}#{heading}" for path, heading in links if not leads(page, path, heading)]


def leads(page: Path, path: str, heading: str | None) -> bool:
    """Whether a path seen from a page is there, and has the heading."""
    target = page.parent / path if path else page
    if target.suffix == ".md" and not target.exists():
        target = target.with_suffix(".ipynb")
    return target.exists() and (not heading or heading in anchors(target))


def test_links_lead_somewhere() -> None:
    nowhere = {name_of(page): broken(page) for page in [*PAGES, *NOTEBOOKS]}
    assert {page: links for page, links in nowhere.items() if links} == {}


def test_links_that_lead_nowhere_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# One heading, here\n[a](#one-heading-here) [b](#another) [c](page.md) [d](gone.md)"
        " {doc}`gone` {doc}`page` `tests/gone.py` [e](https://example.org) ![f](gone.svg)\n"
        "```sh\n[g](gone.md)\n```\n",
        encoding="utf-8",
    )
    gone = ["#another", "gone.md#None", "gone.svg#None", "gone.md#None"]
    assert broken(page) == [*gone, f"{ROOT / 'tests/gone.py'}#None"]
