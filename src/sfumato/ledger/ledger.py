"""The ledger: books in one place, shared by processes, that outlive them all."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self

from sfumato.errors import InputError, RolledBackError, UnknownNameError
from sfumato.ledger.book import Book
from sfumato.ledger.chain import Chain, Draft
from sfumato.ledger.entry import Entry, now
from sfumato.ledger.receipt import Receipt
from sfumato.ledger.rules import read_rules, rules_of
from sfumato.ledger.signer import Signer, Trusted
from sfumato.ledger.storage.place import read_place
from sfumato.ledger.storage.statements import AT, first_row, new_book
from sfumato.ledger.storage.store import Store
from sfumato.ledger.validate import read_name
from sfumato.ledger.verify import judge_ledger
from sfumato.printing import drawn
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from sfumato.ledger.verdict import LedgerVerdict
    from sfumato.printing import Chart
    from sfumato.privacy import Guarantee
    from sfumato.privacy.theorems import NumberLike


class Ledger:
    """A durable account of what was spent on each dataset, shared by processes.

    ``Ledger.create`` makes one, ``Ledger.open`` opens it again.  Charges are durable when they
    return; nothing is ever changed or removed.

    Examples
    --------
    >>> import tempfile
    >>> import sfumato as sf
    >>> from sfumato.privacy import events
    >>> from sfumato.ledger import Ledger
    >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
    ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
    ... ) as ledger:
    ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
    ...     for _ in range(10):
    ...         receipt = book.spend(events.Pure(epsilon=0.1), analyst="ada", purpose="by sex")
    ...     book.standing()[0].used
    Fraction(1, 1)
    """

    def __init__(
        self, store: Store, *, key: Path | str | None, clock: Callable[[], datetime]
    ) -> None:
        if not callable(clock):
            raise InputError(
                "E-ARGUMENT-TYPE",
                "clock must be a function that says what time it is",
                "leave it out",
            )
        self._store, self._clock = store, clock
        self._signer = lru_cache(maxsize=1)(lambda: Signer.at(key))
        self._books: dict[str, Book] = {}

    @classmethod
    def create(
        cls,
        place: Path | str | None = None,
        *,
        key: Path | str | None = None,
        clock: Callable[[], datetime] = now,
    ) -> Ledger:
        """Make a new ledger, without any book, and open it.

        Parameters
        ----------
        place
            The path of a file, or ``postgresql://user@host/database``; None for the one that the
            variable SFUMATO_LEDGER names, or ``ledger.db`` in the user's own data folder.
        key
            The file of the key that signs receipts, made on first use; None for the one that the
            variable SFUMATO_SIGNING_KEY names, or one in the user's own configuration folder.
        clock
            Says what time it is.

        Examples
        --------
        >>> import tempfile
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Ledger.create(f"{folder}/ledger.db").close()
        ...     Ledger.create(f"{folder}/ledger.db")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        sfumato.errors.InputError: there is a ledger already at ...
        """
        return cls(Store.create(read_place(place)), key=key, clock=clock)

    @classmethod
    def open(
        cls,
        place: Path | str | None = None,
        *,
        key: Path | str | None = None,
        clock: Callable[[], datetime] = now,
    ) -> Ledger:
        """Open a ledger that was made before.

        Parameters
        ----------
        place, key, clock
            As in ``create``.

        Examples
        --------
        >>> from sfumato.ledger import Ledger
        >>> Ledger.open("/no-such-folder/ledger.db")
        Traceback (most recent call last):
            ...
        sfumato.errors.InputError: there is no ledger at '/no-such-folder/ledger.db'; \
make one with Ledger.create, or: sfumato ledger init DATASET --epsilon 1 --ledger \
/no-such-folder/ledger.db
        """
        return cls(Store(read_place(place)), key=key, clock=clock)

    @classmethod
    def at(
        cls,
        place: Path | str | None = None,
        *,
        key: Path | str | None = None,
        clock: Callable[[], datetime] = now,
    ) -> Ledger:
        """Open a ledger, or make it where there is none.

        Parameters
        ----------
        place, key, clock
            As in ``create``.

        Examples
        --------
        >>> import tempfile
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with Ledger.at(f"{folder}/ledger.db") as first:
        ...         pass
        ...     with Ledger.at(f"{folder}/ledger.db") as second:
        ...         first.id == second.id
        True
        """
        return cls(Store.at(read_place(place)), key=key, clock=clock)

    @property
    def place(self) -> str:
        """Where the ledger is, without a password.

        Examples
        --------
        >>> import tempfile
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db"
        ... ) as ledger:
        ...     ledger.place.endswith("ledger.db")
        True
        """
        return self._store.place

    @property
    def id(self) -> str:
        """The random number by which every entry and receipt names the ledger.

        Examples
        --------
        >>> import tempfile
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db"
        ... ) as ledger:
        ...     len(ledger.id)
        32
        """
        return self._store.id

    def books(self) -> tuple[str, ...]:
        """Return the names of the books, in the order in which they were opened.

        Examples
        --------
        >>> import tempfile
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db"
        ... ) as ledger:
        ...     ledger.books()
        ()
        """
        return tuple(self._store.books())

    def add_book(
        self,
        name: str,
        budget: Guarantee,
        *,
        reserve: NumberLike = 0,
        per: str | None = None,
        total: Guarantee | None = None,
        each_analyst: Guarantee | None = None,
        analysts: Mapping[str, Guarantee] | None = None,
    ) -> Book:
        """Open the book of a dataset, with budgets that never change.

        Parameters
        ----------
        name
            The dataset.
        budget
            What is guaranteed to the people in it, over everybody who asks.
        reserve
            The share of δ that is kept for events with a δ of their own.
        per
            "year", "quarter", "month", "week" or "day": the budgets are given anew in each, and
            the guarantee adds up over them.
        total
            A budget over all periods, where there are any.
        each_analyst
            The privacy budget of each analyst.
        analysts
            The privacy budgets of analysts who have another, by name.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1), per="year")
        ...     print(book.rules[0].sentence())
        everyone together: 1-DP (add or remove one row) per calendar year; the guarantee adds up \
over years: 2 years 2-DP, 10 years 10-DP
        """
        dataset = read_name(name, "dataset")
        rules = read_rules(
            budget,
            reserve=reserve,
            per=per,
            total=total,
            each_analyst=each_analyst,
            analysts=analysts,
        )
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
        return self._found(dataset)

    def book(self, name: str) -> Book:
        """Return the book of a dataset.

        Examples
        --------
        >>> import tempfile
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db"
        ... ) as ledger:
        ...     ledger.book("patients")
        Traceback (most recent call last):
            ...
        sfumato.errors.InputError: the ledger has no book yet; open one with add_book, or: \
sfumato ledger init DATASET --epsilon 1
        """
        return self._found(read_name(name, "dataset"))

    def verify(
        self,
        receipts: Sequence[Receipt] = (),
        *,
        books: Sequence[str] | None = None,
        signers: Sequence[str] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> LedgerVerdict:
        """Read every entry again: the chain of hashes, the signatures, and the sums.

        Parameters
        ----------
        receipts
            Receipts to hold against the ledger; one from after the old copy was made shows a
            roll-back.
        books
            Which books to read; None for all.
        signers
            The public keys that are trusted, ``Signer.public`` or ``Signer.fingerprint`` of each:
            what another key signed is then a problem.  None to take the entries' word for it.
        progress
            Told, for each book, how many entries were read and how many there are.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     ledger.verify().is_sound
        True
        """
        _check_lists(receipts, books)
        if progress is not None and not callable(progress):
            raise InputError(
                "E-ARGUMENT-TYPE",
                "progress must be a function of two numbers, or None",
                "write progress=print",
            )
        trusted = Trusted.named(signers)
        names = self.books() if books is None else [self.book(each).name for each in books]
        return judge_ledger(self._store, names, receipts, progress=progress, trusted=trusted)

    def plot(
        self,
        book: str | None = None,
        *,
        analyst: str | None = None,
        to: str | Path | None = None,
    ) -> Chart:
        """Draw what was spent: of one book charge by charge, or of all side by side.

        Parameters
        ----------
        book
            The dataset; None for all books, or for the only one.
        analyst
            Of one book: draw this analyst beside everyone together.
        to
            Also write it into a file ending in ``.html``, ``.png`` or ``.svg``.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     chart = ledger.plot("patients")
        >>> chart.to_dict()["title"]["text"]
        ['nothing of 1-DP is spent']
        """
        names = self.books()
        if book is not None or len(names) == 1:
            return self.book(book or names[0]).plot(analyst=analyst, to=to)
        if analyst is not None:
            raise InputError(
                "E-ARGUMENT-CONFLICT",
                "{analyst} is drawn for one book",
                "write plot('patients', {example}), say",
                analyst=Argument("analyst"),
                example=Argument("analyst", "ada"),
            )
        return drawn("budgets", self, to=to)

    def close(self) -> None:
        """Give the connections back; what was charged is durable long before.

        Examples
        --------
        >>> import tempfile
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Ledger.create(f"{folder}/ledger.db").close()
        """
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Ledger at {self.place!r}>"

    def _found(self, dataset: str) -> Book:
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
            opening = first_row(connection, AT, number=numbers[dataset], place=1)
        if opening is None:
            raise RolledBackError(
                "E-LEDGER-DAMAGED",
                "the book {dataset!r} lacks its first entry",
                "the ledger is damaged",
                dataset=dataset,
            )
        chain = self._chain(dataset, numbers[dataset])
        rules = rules_of(Entry(opening["body"]))
        return Book(self._store, chain, dataset, rules=rules)

    def _chain(self, dataset: str, number: int) -> Chain:
        return Chain(self._store, dataset, number, clock=self._clock, signer=self._signer)


def _check_lists(receipts: Any, books: Any) -> None:
    if not isinstance(receipts, (list, tuple)) or not all(
        isinstance(each, Receipt) for each in receipts
    ):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "receipts must be a list of receipts",
            "write [Receipt.from_json(text)], say",
        )
    if books is not None and not isinstance(books, (list, tuple)):
        raise InputError(
            "E-ARGUMENT-TYPE", "books must be a list of names", "write books=['patients'], say"
        )
