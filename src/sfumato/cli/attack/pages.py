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
    """Write a report for a person or for a program, and its page where one is asked for.

    Examples
    --------
    >>> from sfumato.application.risk.reconstructing import attack_bits
    >>> from sfumato.cli.attack.pages import write_pictured
    >>> write_pictured(attack_bits([0] * 20, epsilons=[]), json=False, html="/dev/null")
    from exact answers 20 of 20 values of the column are found again
    that is no more than guessing without any answer finds
    40 questions about random halves of 20 of 20 rows
    ε of all answers  noise  found again  allowed on average
    none, exact           0       100.0%              100.0%
    always guessing the commoner value: 100.0%
    not private: exact figures, for the data owner
    """
    write_report(report, json=json)
    if html:
        write_page(html, report.to_html())
