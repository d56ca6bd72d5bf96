"""Running the book."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from sfumato.audit.book.contents import STATEMENTS
from sfumato.audit.book.report import BookReport, BookRow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sfumato.audit.book.statement import Statement

__all__ = ["run_book"]


def run_book(
    statements: Iterable[Statement] | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> BookReport:
    """Check every statement of the source on concrete instances, and its twin on a wrong one.

    A check that passes is no proof of a theorem; it shows that the statement, as it is used here,
    is the one that holds, and that the check can tell.

    Parameters
    ----------
    statements
        Those to check; all of them unless told.
    progress
        Called with how many are done and how many there are.

    Examples
    --------
    >>> from sfumato.audit.book import STATEMENTS, run_book
    >>> report = run_book(STATEMENTS[:1])
    >>> print(report.rows[0].name, report.rows[0].result, sep=": ")
    Proposition 5.1: holds; variant caught
    """
    chosen = list(STATEMENTS if statements is None else statements)
    rows = []
    for done, statement in enumerate(chosen, start=1):
        rows.append(_row(statement))
        if progress is not None:
            progress(done, len(chosen))
    return BookReport(tuple(rows))


def _row(statement: Statement) -> BookRow:
    start = perf_counter()
    found, twin = statement.confirm(), statement.challenge()
    return BookRow(
        name=statement.name,
        title=statement.title,
        text=statement.text,
        instances=found.instances,
        figures=found.figures,
        wrong=f"{statement.wrong}: {twin.figures}",
        holds=found.holds,
        caught=not twin.holds,
        seconds=perf_counter() - start,
    )
