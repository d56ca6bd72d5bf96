"""A ledger that is open, with a look at the rows behind its books."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.ledger import Ledger
from sfumato.ledger.moments import now
from sfumato.ledger.places import read_place
from sfumato.ledger.rows import all_rows, last_row
from sfumato.ledger.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import URL

    from sfumato.ledger import Book
    from sfumato.ledger.rows import Row

__all__ = ["Shelf", "made_or_opened", "opened"]


class Shelf:
    """A ledger that is open, and how long each of its books is.

    Attributes
    ----------
    ledger
        The ledger.

    Examples
    --------
    >>> import tempfile
    >>> from sfumato.application.ledger_places import made_or_opened
    >>> with tempfile.TemporaryDirectory() as folder, made_or_opened(f"{folder}/l.db") as shelf:
    ...     shelf.books()
    ()
    """

    def __init__(self, store: Store) -> None:
        self.ledger = Ledger(store, key=None, clock=now)
        self._store = store

    def books(self, dataset: str | None = None) -> tuple[Book, ...]:
        """Return all books, or the one of a dataset.

        Examples
        --------
        >>> import tempfile
        >>> from sfumato.application.ledger_places import made_or_opened
        >>> with tempfile.TemporaryDirectory() as folder, made_or_opened(f"{folder}/l.db") as shelf:
        ...     len(shelf.books())
        0
        """
        names = self.ledger.books() if dataset is None else (dataset,)
        return tuple(self.ledger.book(name) for name in names)

    def last(self, book: Book) -> Row:
        """Return the last row of a book; its sequence says how many entries there are.

        Examples
        --------
        >>> from sfumato.application.ledger_places import Shelf
        >>> Shelf.last.__name__
        'last'
        """
        with self._store.reading() as connection:
            row = last_row(connection, self._store.books()[book.name])
        if row is None:
            message = f"the book {book.name!r} has no entries; see what sfumato ledger verify says"
            raise InputError(message)
        return row

    def rows(self, book: Book) -> Iterator[Row]:
        """Yield the rows of a book in order, with hashes and signatures.

        Examples
        --------
        >>> from sfumato.application.ledger_places import Shelf
        >>> Shelf.rows.__name__
        'rows'
        """
        with self._store.reading() as connection:
            yield from all_rows(connection, self._store.books()[book.name])


@contextmanager
def opened(place: str | None = None) -> Iterator[Shelf]:
    """Open a ledger that was made before.

    Parameters
    ----------
    place
        The path of a file, or ``postgresql://…``; None for the default.

    Examples
    --------
    >>> from sfumato.application.ledger_places import opened
    >>> with opened("no-such-folder/ledger.db") as shelf:  # doctest: +ELLIPSIS
    ...     pass
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: there is no ledger at '...'; make one with: sfumato ledger init
    """
    shelf = Shelf(Store(read_place(place)))
    with shelf.ledger:
        yield shelf


@contextmanager
def made_or_opened(place: str | None = None) -> Iterator[Shelf]:
    """Open a ledger, which is made where there is none.

    Examples
    --------
    >>> import tempfile
    >>> from sfumato.application.ledger_places import made_or_opened
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     place = f"{folder}/ledger.db"
    ...     with made_or_opened(place) as first, made_or_opened(place) as again:
    ...         first.ledger.id == again.ledger.id
    True
    """
    url = read_place(place)
    shelf = Shelf(_of_file(url) if url.get_backend_name() == "sqlite" else _of_server(url))
    with shelf.ledger:
        yield shelf


def _of_file(url: URL) -> Store:
    """Make a ledger where there is no file, or an empty one; leave another program's alone."""
    file = Path(str(url.database))
    is_free = not file.exists() or (file.is_file() and file.stat().st_size == 0)
    return Store.create(url) if is_free else Store(url)


def _of_server(url: URL) -> Store:
    try:
        return Store.create(url)
    except InputError:
        return Store(url)
