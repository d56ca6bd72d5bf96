"""What was released, with the receipt of its charge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.ledger.receipts import Receipt

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
    >>> from sfumato.ledger.settled import Settled
    >>> Settled.__name__
    'Settled'
    """

    content: bytes
    receipt: Receipt
    repeated: bool = False
