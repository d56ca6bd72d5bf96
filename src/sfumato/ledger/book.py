"""A book: the account of one dataset, over everybody who asks about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.ledger.admission import Admission
from sfumato.ledger.cashier import Cashier
from sfumato.ledger.charges import Charge
from sfumato.ledger.charging import read_place_after, read_request, read_wait, read_words
from sfumato.ledger.entries import Entry
from sfumato.ledger.moments import read_moment
from sfumato.ledger.names import read_name
from sfumato.ledger.requests import receipt_of
from sfumato.ledger.settled import Settled
from sfumato.ledger.standing import Standing
from sfumato.ledger.storage.rows import analysts_of, last_row, next_rows, unsettled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sfumato.ledger.chain import Chain
    from sfumato.ledger.receipts.receipt import Receipt
    from sfumato.ledger.receipts.signing import Signer
    from sfumato.ledger.rules.rule import Rule
    from sfumato.ledger.storage.rows import Row
    from sfumato.ledger.storage.store import Store
    from sfumato.privacy import Relation
    from sfumato.privacy.events import Event
    from sfumato.privacy.events.base import HasEvent

__all__ = ["Book"]

_WAIT = 30.0


class Book:
    """The append-only account of one dataset: who was told what, when, why, and what it cost.

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
    >>> from sfumato.ledger import Ledger
    >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
    ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
    ... ) as ledger:
    ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
    ...     receipt = book.spend(sf.events.Laplace(scale=4), analyst="ada", purpose="by sex")
    ...     print(book.standing()[0].remaining)
    0.75-DP (add or remove one row)
    """

    def __init__(
        self,
        store: Store,
        chain: Chain,
        name: str,
        *,
        rules: tuple[Rule, ...],
        signer: Callable[[], Signer],
    ) -> None:
        self.name, self.rules = name, rules
        self._store, self._chain = store, chain
        self._admission = Admission(rules, self._events_under)
        self._cashier = Cashier(store, chain, self._admission, signer)

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
        ...     print(ledger.add_book("patients", sf.PureDP(epsilon=1)).relation)
        add or remove one row
        """
        return self.rules[0].budget.relation

    def spend(
        self, event: Event | HasEvent, *, analyst: str, purpose: str, key: str | None = None
    ) -> Receipt:
        """Charge for something that is released elsewhere, in one step.

        Parameters
        ----------
        event
            What is done, or the mechanism that does it.
        analyst
            Who is told.
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
        ...     query = sf.events.Laplace(scale=4)
        ...     book.spend(query, analyst="ada", purpose="by sex").sequence
        2
        """
        request = read_request(event, analyst, purpose, key, self.relation)
        row, _ = self._cashier.charge(request, "spending")
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
            Who is told.
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
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     charge = book.reserve(sf.events.Laplace(scale=4), analyst="ada", purpose="by sex")
        ...     charge.commit(b"41").content
        b'41'
        """
        request = read_request(event, analyst, purpose, key, self.relation)
        seconds = read_wait(wait)
        row, is_new = self._cashier.charge(request, "charge")
        return Charge(row, self._cashier) if is_new else self._cashier.wait_for(row, seconds)

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
        ...     query = sf.Laplace(epsilon=0.25, sensitivity=1)
        ...     def count():
        ...         return str(query.release(42).value).encode()
        ...     asked = {"analyst": "ada", "purpose": "number of patients", "key": "monday"}
        ...     first, again = (book.release(query, count, **asked) for _ in range(2))
        ...     first.content == again.content, again.repeated
        (True, True)
        """
        if not callable(compute):
            message = (
                f"compute must be a function that returns bytes, not {type(compute).__name__}; "
                "write compute=lambda: answer, and nothing was charged"
            )
            raise InputError(message)
        made = self.reserve(event, analyst=analyst, purpose=purpose, key=key, wait=wait)
        return made if isinstance(made, Settled) else made.commit(_computed(compute, made))

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
        ...     book = ledger.add_book(
        ...         "patients", sf.PureDP(epsilon=1), each_analyst=sf.PureDP(epsilon=0.5)
        ...     )
        ...     for each in book.standing("ada"):
        ...         print(each.rule.scope, each.remaining)
        everyone together 1-DP (add or remove one row)
        each analyst 0.5-DP (add or remove one row)
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

    def __repr__(self) -> str:
        return f"<the book of {self.name!r}: {self.rules[0].budget}>"

    def _entries(self, after: int) -> Iterator[Entry]:
        """Yield entries; who stops in the middle of them holds no connection."""
        while found := self._next_rows(after):
            for row in found:
                yield Entry(row["body"], row["signature"])
            after = found[-1]["sequence"]

    def _next_rows(self, after: int) -> Sequence[Row]:
        with self._store.reading() as connection:
            return next_rows(connection, self._chain.number, after=after)

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
        ...     ledger.add_book("patients", sf.PureDP(epsilon=1)).count()
        1
        """
        with self._store.reading() as connection:
            last = last_row(connection, self._chain.number)
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
        ...     receipt = book.spend(sf.events.Laplace(scale=4), analyst="ada", purpose="by sex")
        ...     book.analysts()
        ('ada',)
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
        ...     charge = book.reserve(sf.events.Laplace(scale=4), analyst="ada", purpose="by sex")
        ...     [orphan.sequence for orphan in book.orphans()]
        [2]
        """
        with self._store.reading() as connection:
            rows = unsettled(connection, self._chain.number)
        return tuple(Entry(row["body"]) for row in rows)

    def close_orphan(self, receipt_id: str, *, reason: str) -> None:
        """Write that nothing will be released for a charge; it stays spent.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     charge = book.reserve(sf.events.Laplace(scale=4), analyst="ada", purpose="by sex")
        ...     book.close_orphan(charge.receipt_id, reason="the computer was switched off")
        ...     book.orphans()
        ()
        """
        with self._store.reading() as connection:
            rows = unsettled(connection, self._chain.number)
        found = [row for row in rows if Entry(row["body"]).body["receipt"] == receipt_id]
        if not found:
            message = (
                f"the book {self.name!r} has no open charge {receipt_id!r:.40}; "
                "sfumato ledger recover lists those there are"
            )
            raise InputError(message)
        self._cashier.close(found[0], read_words(reason, "reason"))

    def _events_under(self, rule: Rule, window: str, analyst: str) -> Iterator[Event]:
        """Yield what was charged under a rule in a period, in order."""
        for entry in self.entries():
            if entry.event is not None and rule.window(read_moment(entry.when)) == window:
                who = str(entry.body["analyst"])
                if rule.covers(who) and (rule.is_shared or who == analyst):
                    yield entry.event


def _computed(compute: Callable[[], bytes], charge: Charge) -> bytes:
    """Compute what is charged for; whatever goes wrong says that the charge stays spent."""
    stays = f"the charge {charge.receipt_id} stays spent"
    try:
        content = compute()
    except Exception as error:
        error.add_note(f"sfumato: {stays}")
        raise
    if not isinstance(content, bytes):
        message = (
            f"compute must return bytes, not {type(content).__name__}, and {stays}; "
            "write json.dumps(answer).encode()"
        )
        raise InputError(message)
    return content
