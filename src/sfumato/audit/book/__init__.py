"""The theorem book: every numbered statement of the source as a check that runs, and can fail."""

from sfumato.audit.book.contents import STATEMENTS
from sfumato.audit.book.report import BookReport, BookRow
from sfumato.audit.book.run import run_book
from sfumato.audit.book.statement import Finding, Statement

__all__ = ["STATEMENTS", "BookReport", "BookRow", "Finding", "Statement", "run_book"]
