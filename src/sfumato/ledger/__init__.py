"""What is spent of privacy budgets: a durable account of events, shared by processes."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.ledger.book import Book
    from sfumato.ledger.charges import Charge
    from sfumato.ledger.entries import Entry
    from sfumato.ledger.ledger import Ledger
    from sfumato.ledger.receipts.receipt import Receipt
    from sfumato.ledger.receipts.signing import Signer
    from sfumato.ledger.rules.rule import Rule
    from sfumato.ledger.settled import Settled
    from sfumato.ledger.standing import Standing
    from sfumato.ledger.verification.verdict import BookVerdict, LedgerVerdict

__all__ = [
    "Book",
    "BookVerdict",
    "Charge",
    "Entry",
    "Ledger",
    "LedgerVerdict",
    "Receipt",
    "Rule",
    "Settled",
    "Signer",
    "Standing",
]

__getattr__, __dir__ = door(
    __name__,
    {
        "book": "Book",
        "charges": "Charge",
        "entries": "Entry",
        "ledger": "Ledger",
        "receipts.receipt": "Receipt",
        "receipts.signing": "Signer",
        "rules.rule": "Rule",
        "settled": "Settled",
        "standing": "Standing",
        "verification.verdict": "BookVerdict LedgerVerdict",
    },
)
