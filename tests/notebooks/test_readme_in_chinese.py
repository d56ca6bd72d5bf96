"""The Chinese README is kept in step with the English one: same parts, code, figures and links."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"(?ms)^```.*?^```$")


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def prose(text: str) -> str:
    return BLOCK.sub("", text)


def headings(text: str) -> list[int]:
    """How deep each heading is."""
    return [len(each) for each in re.findall(r"(?m)^(#+) ", prose(text))]


def links(text: str) -> list[str]:
    """Where links go; each README links to the other."""
    targets = re.findall(r"\]\(([^)]+)\)", prose(text))
    return sorted(re.sub(r"^README(\.zh-CN)?\.md$", "the other", each) for each in targets)


def rows(text: str) -> list[int]:
    """How many cells each row of a table has."""
    return [line.count(" |") for line in prose(text).splitlines() if line.startswith("|")]


def words_of_code(text: str) -> list[str]:
    """What stands in the prose as code."""
    return sorted(re.findall(r"`([^`]+)`", prose(text)))


def figures(text: str) -> list[str]:
    """Every figure of the prose."""
    return sorted(re.findall(r"\d[\d.,]*\b", prose(text)))


def test_code_is_the_same_in_the_same_order() -> None:
    english, chinese = read("README.md"), read("README.zh-CN.md")
    assert BLOCK.findall(chinese) == BLOCK.findall(english)
    assert words_of_code(chinese) == words_of_code(english)
    assert figures(chinese) == figures(english)


def test_headings_tables_and_links_are_the_same() -> None:
    english, chinese = read("README.md"), read("README.zh-CN.md")
    assert headings(chinese) == headings(english)
    assert rows(chinese) == rows(english)
    assert links(chinese) == links(english)


def test_what_is_out_of_step_is_told() -> None:
    text = "# A\n\n[b](c.md) and `d`\n\n```sh\n# no heading\nls\n```\n\n| x | y |\n"
    assert BLOCK.findall(text) == ["```sh\n# no heading\nls\n```"]
    assert (headings(text), rows(text), links(text)) == ([1], [2], ["c.md"])
    assert words_of_code(text) == ["d"]
    assert figures("from 3.11, 0.03 of 1,000.\n```sh\n7\n```\n") == ["0.03", "1,000", "3.11"]
