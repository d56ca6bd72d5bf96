"""The theorem book: every numbered statement of the source as a check that runs, and can fail."""

from sfumato.audit.book.report import STATEMENTS, BookReport, BookRow, run_book
from sfumato.audit.book.statement import BookStatement, Finding

__all__ = ["STATEMENTS", "BookReport", "BookRow", "BookStatement", "Finding", "run_book"]
