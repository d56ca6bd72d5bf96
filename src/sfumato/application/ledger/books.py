"""Which books of a ledger a verb is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.ledger import Book, Ledger

__all__ = ["books_of"]


def books_of(ledger: Ledger, dataset: str | None = None) -> tuple[Book, ...]:
    """Return all books of a ledger, or the one of a dataset."""
    names = ledger.books() if dataset is None else (dataset,)
    return tuple(ledger.book(name) for name in names)
