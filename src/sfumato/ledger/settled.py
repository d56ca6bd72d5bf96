"""What was released, with the receipt of its charge."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.ledger.receipts.receipt import Receipt

__all__ = ["Settled"]


@dataclass(frozen=True)
class Settled:
    """What was released, with the receipt of its charge.

    Attributes
    ----------
    content
        The bytes that were released.
    receipt
        The signed receipt.
    repeated
        Whether it was charged and released before, and is given again.

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
    ...     book.release(query, lambda: b"41", analyst="ada", purpose="by sex").content
    b'41'
    """

    content: bytes = field(repr=False)
    receipt: Receipt
    repeated: bool = False
