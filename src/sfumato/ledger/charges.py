"""A charge that is made before anything is computed, and settled once it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.ledger.charging import read_content
from sfumato.ledger.entries import Entry

if TYPE_CHECKING:
    from sfumato.ledger.cashier import Cashier
    from sfumato.ledger.settled import Settled
    from sfumato.ledger.storage.statements import Row

__all__ = ["Charge"]


@dataclass(frozen=True, repr=False)
class Charge:
    """A charge that is durably in the ledger, for something that may now be computed.

    It is spent, whatever happens next.  ``commit`` it with what is to be released, and release
    that only when ``commit`` has returned; a charge that nobody commits is an orphan.

    Parameters
    ----------
    row
        The row of the charge.
    cashier
        Who settles it.

    Examples
    --------
    >>> import tempfile
    >>> import sfumato as sf
    >>> from sfumato.ledger import Ledger
    >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
    ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
    ... ) as ledger:
    ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
    ...     query = sf.mechanisms.Laplace(epsilon=0.1, sensitivity=1)
    ...     charge = book.reserve(query, analyst="ada", purpose="number of patients")
    ...     settled = charge.commit(str(query.release(42).value).encode())
    ...     settled.receipt.digest is not None
    True
    """

    row: Row
    cashier: Cashier

    @property
    def entry(self) -> Entry:
        """The entry in the book.

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
        ...     charge.entry.kind
        'charge'
        """
        return Entry(self.row["body"])

    @property
    def receipt_id(self) -> str:
        """What the charge is called in the book and on its receipt.

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
        ...     len(charge.receipt_id)
        32
        """
        return str(self.entry.body["receipt"])

    def commit(self, content: bytes) -> Settled:
        """Record durably what is to be released; release it when this has returned.

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
        return self.cashier.settle(self.row, read_content(content))
