"""The verdict on a ledger: sound, or what is wrong with it, in sentences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.ledger.entries import Entry
from sfumato.ledger.receipts.signing import fingerprint_of
from sfumato.ledger.rules.rule import Rule
from sfumato.ledger.storage.rows import all_rows, content_of, last_row, row_at
from sfumato.ledger.verification.accountant import exceeds, spent_by_accountant
from sfumato.ledger.verification.replay import Replay
from sfumato.ledger.verification.signatures import with_signatures
from sfumato.ledger.verification.trust import Strangers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sfumato.ledger.receipts.receipt import Receipt
    from sfumato.ledger.storage.store import Store
    from sfumato.ledger.verification.trust import Trusted
    from sfumato.privacy import Composition

    Progress = Callable[[int, int], None]

__all__ = ["BookVerdict", "LedgerVerdict", "Spent", "judge_book", "judge_receipt", "rules_of"]

_ROLLED_BACK = "an older copy of the ledger was put in its place"


@dataclass(frozen=True)
class Spent:
    """What was charged to one budget, as the accountant composes it.

    Attributes
    ----------
    rule, window
        The budget, and the period of it.
    analyst
        Whose own budget it is; empty for one over everyone.
    promise
        What all that was charged promises together, had the questions been fixed in advance.
    """

    rule: Rule
    window: str
    analyst: str
    promise: Composition

    @property
    def is_exceeded(self) -> bool:
        """Whether the budget is certainly broken."""
        return exceeds(self.promise, self.rule.budget)

    def __str__(self) -> str:
        period = f" in {self.window}" if self.window else ""
        whose = f"analyst “{self.analyst}”" if self.analyst else f"{self.rule.scope}"
        return f"{self.rule.budget} of {whose}{period}"


@dataclass(frozen=True)
class BookVerdict:
    """What was found in one book.

    Attributes
    ----------
    dataset
        The book.
    entries
        How many entries it has.
    head
        The hash of the last one: two ledgers that agree on it agree on the whole book.
    problems
        What is wrong, a sentence each; none if the book is sound.
    spent
        What was charged to each budget, as the accountant composes it.
    uncompared
        How many entries say sums that an older program added up in another way; those were not
        compared, and what counts is added up anew from the events.
    signers
        The fingerprints of the keys that signed, in the order in which they first did: a book that
        somebody else wrote anew is signed by a stranger.

    Examples
    --------
    >>> import tempfile
    >>> import sfumato as sf
    >>> from sfumato.ledger import Ledger
    >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
    ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
    ... ) as ledger:
    ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
    ...     ledger.verify().books[0].entries
    1
    """

    dataset: str
    entries: int
    head: str
    problems: tuple[str, ...]
    spent: tuple[Spent, ...]
    uncompared: int = 0
    signers: tuple[str, ...] = ()

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     ledger.verify().books[0].is_sound
        True
        """
        return not self.problems


@dataclass(frozen=True)
class LedgerVerdict:
    """What was found in a ledger, and of the receipts that were shown.

    Attributes
    ----------
    books
        The verdict on every book.
    receipts
        What is wrong with the receipts, a sentence each.
    stray
        How many entries there are whose book is gone.

    Examples
    --------
    >>> import tempfile
    >>> import sfumato as sf
    >>> from sfumato.ledger import Ledger
    >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
    ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
    ... ) as ledger:
    ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
    ...     receipt = book.spend(sf.events.Pure(epsilon=0.1), analyst="ada", purpose="by sex")
    ...     print(ledger.verify([receipt]))
    sound: 1 book, 2 entries, 1 receipt
    """

    books: tuple[BookVerdict, ...]
    shown: int
    receipts: tuple[str, ...]
    stray: int = 0

    @property
    def problems(self) -> tuple[str, ...]:
        """All that is wrong, a sentence each.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     ledger.verify().problems
        ()
        """
        found = [f"book {each.dataset!r}: {one}" for each in self.books for one in each.problems]
        gone = ["the ledger has entries of books that are not listed in it"] if self.stray else []
        return (*gone, *found, *self.receipts)

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong.

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
        return not self.problems

    def __str__(self) -> str:
        counted = [
            _counted(len(self.books), "book", "books"),
            _counted(sum(each.entries for each in self.books), "entry", "entries"),
        ]
        if self.shown:
            counted.append(_counted(self.shown, "receipt", "receipts"))
        others = sum(each.uncompared for each in self.books)
        if others:
            counted.append(f"{others:,} with sums of another way of adding up, not compared")
        if self.is_sound:
            return f"sound: {', '.join(counted)}"
        return "\n".join(
            [f"NOT SOUND: {', '.join(counted)}", *(f"  {each}" for each in self.problems)]
        )


def judge_book(
    store: Store,
    dataset: str,
    number: int,
    progress: Progress | None = None,
    trusted: Trusted | None = None,
) -> BookVerdict:
    """Read a book from its first entry to its last, and say what is wrong with it."""
    with store.reading() as connection:
        first, last = row_at(connection, number, 1), last_row(connection, number)
        try:
            rules = () if first is None else rules_of(Entry(first["body"]))
        except InputError:
            rules = ()
        if not rules or last is None:
            return BookVerdict(dataset, 0, "", ("its first entry cannot be read",), ())
        replay, strangers = Replay(store.id, dataset, rules), Strangers(trusted)
        problems: list[str] = []
        for row, is_signed in with_signatures(all_rows(connection, number)):
            kept = partial(content_of, connection, number, row["sequence"])
            problems += replay.problems(row, kept, is_signed=is_signed)
            strangers.look_at(row)
            if progress is not None:
                progress(replay.count, last["sequence"])
    spent = tuple(_spent(replay, rules))
    problems += strangers.problems()
    problems += [f"the accountant finds {each} exceeded" for each in spent if each.is_exceeded]
    return BookVerdict(
        dataset=dataset,
        entries=replay.count,
        head=replay.head,
        problems=tuple(problems),
        spent=spent,
        uncompared=replay.uncompared,
        signers=tuple(map(fingerprint_of, replay.signers)),
    )


def judge_receipt(
    store: Store, receipt: Receipt, trusted: Trusted | None = None
) -> tuple[str, ...]:
    """Return what is wrong with a receipt, by itself and against the ledger."""
    problems = receipt.problems() or (() if trusted is None else trusted.problems(receipt.signer))
    if problems:
        return problems
    if receipt.ledger != store.id:
        return ("the receipt is of another ledger",)
    number = store.books().get(receipt.dataset)
    if number is None:
        return (f"the ledger has no book {receipt.dataset!r}: {_ROLLED_BACK}",)
    with store.reading() as connection:
        row, last = row_at(connection, number, receipt.sequence), last_row(connection, number)
    if row is None:
        ends = 0 if last is None else last["sequence"]
        problem = (
            f"the receipt is for entry {receipt.sequence} of {receipt.dataset!r}, which ends with "
            f"entry {ends}: {_ROLLED_BACK}"
        )
        return (problem,)
    if row["hash"] != receipt.hash:
        problem = (
            f"entry {receipt.sequence} of {receipt.dataset!r} is not the one of the receipt: "
            f"{_ROLLED_BACK}, or the book was rewritten"
        )
        return (problem,)
    return ()


def rules_of(opening: Entry) -> tuple[Rule, ...]:
    """Return the rules of a book from its first entry."""
    opening.check()
    return tuple(Rule.from_document(each) for each in opening.body["rules"])


def _spent(replay: Replay, rules: Sequence[Rule]) -> Iterator[Spent]:
    for (number, window, analyst), charged in replay.charged.items():
        rule = rules[number]
        yield Spent(rule, window, analyst, spent_by_accountant(charged, rule.budget))


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"
