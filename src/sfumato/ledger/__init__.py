"""What is spent of privacy budgets: a durable account of events, shared by processes."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.ledger.book import Book
    from sfumato.ledger.budget import Budget as Budget
    from sfumato.ledger.charge import Charge, Settled
    from sfumato.ledger.entry import Entry
    from sfumato.ledger.entry import canonical as canonical
    from sfumato.ledger.entry import now as now
    from sfumato.ledger.entry import read_moment as read_moment
    from sfumato.ledger.ledger import Ledger
    from sfumato.ledger.receipt import MOST_CHARACTERS as MOST_CHARACTERS
    from sfumato.ledger.receipt import Receipt
    from sfumato.ledger.render import amount as amount
    from sfumato.ledger.render import at_most as at_most
    from sfumato.ledger.render import budgeted as budgeted
    from sfumato.ledger.render import leaves_a_step as leaves_a_step
    from sfumato.ledger.render import left as left
    from sfumato.ledger.render import left_in_words as left_in_words
    from sfumato.ledger.render import percent as percent
    from sfumato.ledger.render import spent as spent
    from sfumato.ledger.rules import SHARING as SHARING
    from sfumato.ledger.rules import OneAnalyst as OneAnalyst
    from sfumato.ledger.rules import Rule
    from sfumato.ledger.rules import read_rules as read_rules
    from sfumato.ledger.settlement import Price as Price
    from sfumato.ledger.settlement import check_without_ledger as check_without_ledger
    from sfumato.ledger.settlement import objection as objection
    from sfumato.ledger.settlement import settle as settle
    from sfumato.ledger.signer import SIGNING_KEY as SIGNING_KEY
    from sfumato.ledger.signer import Signer
    from sfumato.ledger.signer import Trusted as Trusted
    from sfumato.ledger.signer import fingerprint_of as fingerprint_of
    from sfumato.ledger.signer import key_path as key_path
    from sfumato.ledger.signer import verify_signature as verify_signature
    from sfumato.ledger.standing import Standing
    from sfumato.ledger.storage.place import read_place as read_place
    from sfumato.ledger.storage.place import shown_place as shown_place
    from sfumato.ledger.validate import read_name as read_name
    from sfumato.ledger.verdict import BookVerdict, LedgerVerdict
    from sfumato.ledger.verdict import Spent as Spent

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
