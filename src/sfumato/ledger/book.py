"""A book: the account of one dataset, over everybody who asks about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.ledger.cashier import Cashier
from sfumato.ledger.charges import Charge
from sfumato.ledger.charging import read_request, read_wait, read_words
from sfumato.ledger.entries import Entry
from sfumato.ledger.pages import Pages
from sfumato.ledger.requests import receipt_of
from sfumato.ledger.settled import Settled
from sfumato.ledger.storage.statements import unsettled
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.ledger.chain import Chain
    from sfumato.ledger.receipts.receipt import Receipt
    from sfumato.ledger.receipts.signing import Signer
    from sfumato.ledger.rules.rule import Rule
    from sfumato.ledger.storage.store import Store
    from sfumato.privacy.events import Event
    from sfumato.privacy.events.base import HasEvent

__all__ = ["Book"]

_WAIT = 30.0


class Book(Pages):
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

    def __init__(
        self,
        store: Store,
        chain: Chain,
        name: str,
        *,
        rules: tuple[Rule, ...],
        signer: Callable[[], Signer],
    ) -> None:
        super().__init__(store, chain, name, rules=rules)
        self._cashier = Cashier(store, chain, self._admission, signer)

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
        with self._store.reading() as connection:
            rows = unsettled(connection, self._chain.number)
        found = [row for row in rows if Entry(row["body"]).body["receipt"] == receipt_id]
        if not found:
            raise InputError(
                "E-CHARGE-UNKNOWN",
                "the book {name!r} has no open charge {receipt_id!r:.40}",
                "sfumato ledger recover lists those there are",
                name=self.name,
                receipt_id=receipt_id,
            )
        self._cashier.close(found[0], read_words(reason, "reason"))


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
