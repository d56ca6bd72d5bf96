"""Every figure that the sources print, beside ours, as ``docs/audit/figures.md``.

``python -m tests.docs.textbook`` writes the page anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.application.auditing import check_theorems

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.audit import BookReport, BookRow

PAGE = Path(__file__).parents[2] / "docs" / "audit" / "figures.md"
_HEAD = """\
# The textbook's figures

The sources of this project are a chapter on differential privacy with a part on composition, and \
two notes, on entropy and on information theory. Every figure that they print, or that what they \
define comes to, is computed here on each run and held beside it: what is printed or follows, \
what we find, and a twin, the same with something deliberately wrong, which must come out \
otherwise. The numbered statements, of which most have no figure, are in [the theorem \
book](theorem-book.md).

```sh
sfumato theorems --all
```

{answer}.

This page is made by that check (`python -m tests.docs.textbook`), and a test holds the two \
together.
"""
_TITLES = ("statement", "where", "what is computed", "expected", "ours", "the twin that fails")


def written(report: BookReport) -> str:
    """Return the page: a table with a row for each figure, and the numbered statements below."""
    figures = [row for row in report.rows if row.printed]
    others = [row for row in report.rows if not row.printed]
    answer = report.lines()[0].partition(" (")[0].capitalize()
    return "\n".join(
        [
            _HEAD.replace("{answer}", answer).rstrip(),
            "",
            "## Figures",
            "",
            *_table(_TITLES, map(_figure, figures)),
            "",
            "## Statements",
            "",
            *_table(
                ("statement", "where", "what it says", "the twin that fails"), map(_said, others)
            ),
            "",
        ]
    )


def _figure(row: BookRow) -> tuple[str, ...]:
    return row.name, _where(row), row.text, f"`{row.printed}`", f"`{row.ours}`", row.wrong


def _said(row: BookRow) -> tuple[str, ...]:
    return row.name, _where(row), row.text, row.wrong.partition(": ")[0]


def _where(row: BookRow) -> str:
    cited = f"{{cite:p}}`{row.citation}`" if row.citation else ""
    return ", ".join(filter(None, (row.where, cited)))


def _table(titles: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    return [_line(titles), _line(("---",) * len(titles)), *map(_line, rows)]


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    PAGE.write_text(written(check_theorems(figures=True)), encoding="utf-8")
