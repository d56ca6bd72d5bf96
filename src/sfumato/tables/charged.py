"""The book that answers about a table are charged to."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.data.policy import Policy
    from sfumato.ledger import Book
    from sfumato.privacy import Guarantee


@contextmanager
def book_of(policy: Policy) -> Iterator[Book | None]:
    """Give the book that a table would be charged to; None if it is not open yet."""
    place = policy.ledger
    with ExitStack() as opened:
        book = None
        if place is not None and place.book is not None:
            from sfumato.ledger import Ledger

            with suppress(InputError):
                book = opened.enter_context(Ledger.open(place.path)).book(place.book)
        yield book


def budgets_of(policy: Policy) -> list[Guarantee]:
    """Return the budgets that hold for a table: those of its book, or the one it declares."""
    with book_of(policy) as book:
        if book is not None:
            return [rule.budget for rule in book.rules]
    return [] if policy.budget is None else [policy.budget]
