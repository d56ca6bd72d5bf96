"""The shelf of a ledger: where books are opened, and found again."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from sfumato.errors import InputError, RolledBackError, UnknownNameError
from sfumato.ledger.book import Book
from sfumato.ledger.chain import Chain, Draft
from sfumato.ledger.entries import Entry
from sfumato.ledger.receipts.receipt import signed_message
from sfumato.ledger.receipts.signing import Signer
from sfumato.ledger.storage.statements import AT, first, new_book
from sfumato.ledger.verification.judging import rules_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from sfumato.ledger.rules.rule import Rule
    from sfumato.ledger.storage.store import Store

__all__ = ["Shelf"]

_SIGNED = {"opening", "release", "spending"}


class Shelf:
    """The books of one store, signed with one key, dated by one clock."""

    def __init__(
        self, store: Store, *, key: Path | str | None, clock: Callable[[], datetime]
    ) -> None:
        self._store, self._clock = store, clock
        self._signer = lru_cache(maxsize=1)(lambda: Signer.at(key))
        self._books: dict[str, Book] = {}

    def add(self, dataset: str, rules: tuple[Rule, ...]) -> Book:
        """Open the book of a dataset, which has none yet."""
        details = {
            "kind": "opening",
            "rules": [rule.document() for rule in rules],
            "signer": self._signer().public,
        }
        with self._store.writing() as connection:
            number = new_book(connection, dataset)
            if number is None:
                raise InputError(
                    "E-BOOK-EXISTS",
                    "there is a book {dataset!r} already",
                    "its budgets never change",
                    dataset=dataset,
                )
            self._chain(dataset, number).start(connection, Draft(details))
        return self.find(dataset)

    def find(self, dataset: str) -> Book:
        """Return the book of a dataset: the same object each time."""
        if dataset not in self._books:
            self._books[dataset] = self._read(dataset)
        return self._books[dataset]

    def _read(self, dataset: str) -> Book:
        numbers = self._store.books()
        if not numbers:
            raise InputError(
                "E-BOOK-MISSING",
                "the ledger has no book yet",
                "open one with add_book, or: sfumato ledger init DATASET --epsilon 1",
            )
        if dataset not in numbers:
            raise UnknownNameError(kind="book", name=dataset, known=numbers)
        with self._store.reading() as connection:
            opening = first(connection, AT, number=numbers[dataset], place=1)
        if opening is None:
            raise RolledBackError(
                "E-LEDGER-DAMAGED",
                "the book {dataset!r} lacks its first entry",
                "the ledger is damaged",
                dataset=dataset,
            )
        chain = self._chain(dataset, numbers[dataset])
        rules = rules_of(Entry(opening["body"]))
        return Book(self._store, chain, dataset, rules=rules, signer=self._signer)

    def _chain(self, dataset: str, number: int) -> Chain:
        return Chain(self._store, dataset, number, clock=self._clock, sign=self._signature)

    def _signature(self, kind: str, entry_hash: str) -> str | None:
        if kind not in _SIGNED:
            return None
        return self._signer().sign(signed_message(entry_hash))
