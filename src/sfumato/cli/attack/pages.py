"""Reports that are also written as a page, with a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.cli.attack.arguments import write_report
from sfumato.cli.writing import write_page

if TYPE_CHECKING:
    from typing import Any, Protocol

    class _Pictured(Protocol):
        def lines(self) -> list[str]: ...

        def as_dict(self) -> dict[str, Any]: ...

        def to_html(self) -> str: ...


__all__ = ["write_pictured"]


def write_pictured(report: _Pictured, *, json: bool, html: str) -> None:
    """Write a report for a person or for a program, and its page where one is asked for."""
    write_report(report, json=json)
    if html:
        write_page(html, report.to_html())
