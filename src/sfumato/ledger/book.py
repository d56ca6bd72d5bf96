"""A book: the account of one dataset, over everybody who asks about it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.ledger.admission import Admission
from sfumato.ledger.charge import Charge, Charges, Settled, read_request, receipt_of
from sfumato.ledger.entry import Entry, read_moment
from sfumato.ledger.standing import Standing
from sfumato.ledger.storage.statements import LAST, analysts_of, first_row, next_rows, unsettled
from sfumato.ledger.validate import read_name, read_place_after, read_wait, read_words
from sfumato.printing import drawn
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from sfumato.ledger.chain import Chain
    from sfumato.ledger.receipt import Receipt
    from sfumato.ledger.rules import Rule
    from sfumato.ledger.storage.statements import Row
    from sfumato.ledger.storage.store import Store
    from sfumato.printing import Chart
    from sfumato.privacy import Relation
    from sfumato.privacy.events import Event, HasEvent

_WAIT = 30.0


class Book:
    """The append-only account of one dataset: each analyst, event, purpose, moment and cost.

    ``Ledger.add_book`` opens one, and ``Ledger.book`` finds it again.

    Attributes
    ----------
    name
        The dataset.
    rules
        The budgets that every charge has to fit.

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
    ...     receipt = book.spend(events.Laplace(scale=4), analyst="ada", purpose="by sex")
    ...     print(book.standing()[0].remaining)
    0.75-DP (add or remove one row)
    """

    def __init__(self, store: Store, chain: Chain, name: str, *, rules: tuple[Rule, ...]) -> None:
        self.name, self.rules = name, rules
        self._store, self._chain = store, chain
        self._admission = Admission(rules, partial(events_under, self))
        self._charges = Charges(store, chain, self._admission)

    def spend(
        self, event: Event | HasEvent, *, analyst: str, purpose: str, key: str | None = None
    ) -> Receipt:
        """Charge for something that is released elsewhere, in one step.

        Parameters
        ----------
        event
            What is done, or the mechanism that does it.
        analyst
            The analyst who gets the answer.
        purpose
            The query in words.
        key
            An idempotency key: the same request with the same key is charged once.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     query = sf.privacy.events.Laplace(scale=4)
        ...     book.spend(query, analyst="ada", purpose="by sex").sequence
        2
        """
        request = read_request(event, analyst, purpose, key, self.relation)
        row, _ = self._charges.make(request, "spending")
        return receipt_of(row)

    def reserve(
        self,
        event: Event | HasEvent,
        *,
        analyst: str,
        purpose: str,
        key: str | None = None,
        wait: float = _WAIT,
    ) -> Charge | Settled:
        """Charge durably for something that is computed next.

        Parameters
        ----------
        event
            What is done, or the mechanism that does it.
        analyst
            The analyst who gets the answer.
        purpose
            The query in words.
        key
            An idempotency key: the same request with the same key is charged once, and gives what
            was released for it.
        wait
            For how many seconds to wait for an answer that somebody else computes for the key.

        Returns
        -------
        Charge or Settled
            What to commit; or what was released before for the same key.

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
        ...     charge = book.reserve(events.Laplace(scale=4), analyst="ada", purpose="by sex")
        ...     charge.commit(b"41").content
        b'41'
        """
        request = read_request(event, analyst, purpose, key, self.relation)
        seconds = read_wait(wait)
        row, is_new = self._charges.make(request, "charge")
        return Charge(row, self._charges) if is_new else self._charges.wait_for(row, seconds)

    def release(
        self,
        event: Event | HasEvent,
        compute: Callable[[], bytes],
        *,
        analyst: str,
        purpose: str,
        key: str | None = None,
        wait: float = _WAIT,
    ) -> Settled:
        """Charge, then compute, then record what was computed, then return it.

        If ``compute`` raises, or the program ends, what was charged stays spent.

        Parameters
        ----------
        event, analyst, purpose, key, wait
            As in ``reserve``.
        compute
            Returns the bytes to be released; not called if they were released before.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     query = sf.mechanisms.Laplace(epsilon=0.25, sensitivity=1)
        ...     def count():
        ...         return str(query.release(42).value).encode()
        ...     asked = {"analyst": "ada", "purpose": "number of patients", "key": "monday"}
        ...     first, again = (book.release(query, count, **asked) for _ in range(2))
        ...     first.content == again.content, again.repeated
        (True, True)
        """
        if not callable(compute):
            raise InputError(
                "E-ARGUMENT-TYPE",
                "compute must be a function that returns bytes, not {kind}",
                "write compute=lambda: answer, and nothing was charged",
                kind=type(compute).__name__,
            )
        made = self.reserve(event, analyst=analyst, purpose=purpose, key=key, wait=wait)
        return made if isinstance(made, Settled) else made.commit(_computed(compute, made))

    def close_orphan(self, receipt_id: str, *, reason: str) -> None:
        """Write that nothing will be released for a charge; it stays spent.

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
        ...     charge = book.reserve(events.Laplace(scale=4), analyst="ada", purpose="by sex")
        ...     book.close_orphan(charge.receipt_id, reason="the computer was switched off")
        ...     book.orphans()
        ()
        """
        found = [row for row in self._open() if Entry(row["body"]).body["receipt"] == receipt_id]
        if not found:
            raise InputError(
                "E-CHARGE-UNKNOWN",
                "the book {name!r} has no open charge {receipt_id!r:.40}",
                "sfumato ledger recover lists those there are",
                name=self.name,
                receipt_id=receipt_id,
            )
        self._charges.close(found[0], read_words(reason, "reason"))

    @property
    def relation(self) -> Relation:
        """Which tables are neighbours, the same for all budgets of the book.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     print(book.relation)
        add or remove one row
        """
        return self.rules[0].budget.relation

    def standing(self, analyst: str | None = None) -> tuple[Standing, ...]:
        """Return where each budget stands now: those over everyone, and an analyst's own.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     print(book.standing()[0])
        everyone together: 0 % of 1-DP (add or remove one row) is spent
        """
        who = None if analyst is None else read_name(analyst, "analyst")
        place = self._chain.look(who)
        found = []
        for number, rule in enumerate(self.rules):
            if rule.is_shared or (who is not None and rule.covers(who)):
                accounts = place.shared if rule.is_shared else place.own(who or "")
                kept = self._admission.standing(accounts, number, place.when, who or "")
                found.append(Standing.of(rule, rule.window(place.when), kept))
        return tuple(found)

    def plot(self, *, analyst: str | None = None, to: str | Path | None = None) -> Chart:
        """Draw what was spent by each charge, up to the budget; needs ``sfumato[plots]``.

        Parameters
        ----------
        analyst
            Draw this analyst beside everyone together; None for those who were charged most often.
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
        ...     book.plot().to_dict()["title"]["text"]
        ['nothing of 1-DP is spent']
        """
        return drawn("budget", self, to=to, analyst=analyst)

    def entries(self, *, after: int = 0) -> Iterator[Entry]:
        """Yield the entries of the book in order, those after a place in it.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     [entry.kind for entry in book.entries()]
        ['opening']
        """
        return self._entries(read_place_after(after))

    def count(self) -> int:
        """Return how many entries the book has.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     book.count()
        1
        """
        with self._store.reading() as connection:
            last = first_row(connection, LAST, number=self._chain.number, seen=0)
        return 0 if last is None else int(last["sequence"])

    def analysts(self) -> tuple[str, ...]:
        """Return everybody who was charged so far, in alphabetical order.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     book.analysts()
        ()
        """
        with self._store.reading() as connection:
            return tuple(analysts_of(connection, self._chain.number))

    def orphans(self) -> tuple[Entry, ...]:
        """Return the charges for which nothing was recorded: they run, or they crashed.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     book.orphans()
        ()
        """
        return tuple(Entry(row["body"]) for row in self._open())

    def __repr__(self) -> str:
        return f"<the book of {self.name!r}: {self.rules[0].budget}>"

    def _entries(self, after: int) -> Iterator[Entry]:
        """Yield entries; who stops in the middle of them holds no connection."""
        while found := self._next_rows(after):
            for row in found:
                yield Entry(row["body"], row["signature"])
            after = found[-1]["sequence"]

    def _open(self) -> Sequence[Row]:
        with self._store.reading() as connection:
            return unsettled(connection, self._chain.number)

    def _next_rows(self, after: int) -> Sequence[Row]:
        with self._store.reading() as connection:
            return next_rows(connection, self._chain.number, after=after)


def events_under(book: Book, rule: Rule, window: str, analyst: str) -> Iterator[Event]:
    """Yield what was charged under a rule in a period, in order: by everyone, or an analyst."""
    for entry in book.entries():
        if entry.event is not None and rule.window(read_moment(entry.when)) == window:
            who = str(entry.body["analyst"])
            if rule.covers(who) and (rule.is_shared or who == analyst):
                yield entry.event


def _computed(compute: Callable[[], bytes], charge: Charge) -> bytes:
    """Compute what is charged for; whatever goes wrong says that the charge stays spent."""
    try:
        content = compute()
    except Exception as error:
        stays = tr("the charge {charge} stays spent", charge=charge.receipt_id)
        error.add_note(f"sfumato: {stays}")
        raise
    if not isinstance(content, bytes):
        raise InputError(
            "E-FUNCTION-RESULT",
            "compute must return bytes, not {kind}, and the charge {charge} stays spent",
            "write json.dumps(answer).encode()",
            kind=type(content).__name__,
            charge=charge.receipt_id,
        )
    return content
