"""What is spent of privacy budgets: a durable account of events, shared by processes."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.ledger.book import Book
    from sfumato.ledger.budget import Budget
    from sfumato.ledger.charge import Charge, Settled
    from sfumato.ledger.entry import Entry, canonical, now, read_moment
    from sfumato.ledger.ledger import Ledger
    from sfumato.ledger.receipt import MOST_CHARACTERS, Receipt
    from sfumato.ledger.render import (
        amount,
        at_most,
        budgeted,
        leaves_a_step,
        left,
        left_in_words,
        percent,
        spent,
    )
    from sfumato.ledger.rules import SHARING, OneAnalyst, Rule, read_rules
    from sfumato.ledger.settlement import Price, check_without_ledger, objection, settle
    from sfumato.ledger.signer import (
        SIGNING_KEY,
        Signer,
        Trusted,
        fingerprint_of,
        key_path,
        verify_signature,
    )
    from sfumato.ledger.standing import Standing
    from sfumato.ledger.storage.place import read_place, shown_place
    from sfumato.ledger.validate import read_name
    from sfumato.ledger.verdict import BookVerdict, LedgerVerdict, Spent

#: What is meant for everybody; the other rooms use what else the door gives.
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

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "book": "Book",
            "budget": "Budget",
            "charge": "Charge Settled",
            "entry": "Entry canonical now read_moment",
            "ledger": "Ledger",
            "receipt": "MOST_CHARACTERS Receipt",
            "render": "amount at_most budgeted leaves_a_step left left_in_words percent spent",
            "rules": "OneAnalyst Rule SHARING read_rules",
            "settlement": "Price check_without_ledger objection settle",
            "signer": "SIGNING_KEY Signer Trusted fingerprint_of key_path verify_signature",
            "standing": "Standing",
            "storage.place": "read_place shown_place",
            "validate": "read_name",
            "verdict": "BookVerdict LedgerVerdict Spent",
        },
    )
