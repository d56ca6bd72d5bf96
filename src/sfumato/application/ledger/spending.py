"""Charging for a release that is made elsewhere."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.application.ledger.keys import signing_key
from sfumato.application.ledger.receipts import check_spared, receipt_file
from sfumato.application.ledger.render import standing_figures
from sfumato.errors import StoreError
from sfumato.ledger import Ledger, left_in_words
from sfumato.printing import Printed, fitted
from sfumato.refusal import Command
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.application.ledger.keys import SigningKey
    from sfumato.ledger import Book, Receipt, Standing
    from sfumato.privacy.events import Event


@dataclass(frozen=True, kw_only=True)
class SpendReport(Printed):
    """A charge, with its receipt and what is left.

    Attributes
    ----------
    receipt
        The signed receipt.
    repeated
        Whether the same request had been charged before; then nothing was charged now.
    standing
        Where the budgets stand that the charge counts against.
    key
        The key of this computer, where it is known.
    """

    receipt: Receipt
    repeated: bool
    standing: tuple[Standing, ...]
    key: SigningKey | None = None

    def done(self) -> str:
        """Say that the charge is made, for where nothing else can be said."""
        return _made(self.receipt)

    def lines(self, *, width: int = 120) -> list[str]:
        """Return the receipt, and what is left.

        Parameters
        ----------
        width
            How wide a line may be; longer ones are wrapped.
        """
        before = tr(" before, with this key; nothing more was spent now")
        left = (
            f"{each}, {left_in_words(each.rule.budget, each.remaining)}" for each in self.standing
        )
        headline = tr(
            "charged to {dataset}{before}",
            dataset=self.receipt.dataset,
            before=before if self.repeated else "",
        )
        return fitted([headline, *str(self.receipt).splitlines(), *left], width)

    def as_dict(self) -> dict[str, Any]:
        """Return the charge ready for JSON."""
        return {
            "repeated": self.repeated,
            "receipt": json.loads(self.receipt.to_json()),
            "budgets": [standing_figures(each) for each in self.standing],
            "signing_key": None if self.key is None else self.key.as_dict(),
        }


def spend(
    dataset: str,
    event: Event,
    *,
    analyst: str,
    purpose: str,
    place: str | None = None,
    key: str | None = None,
    receipt: str | None = None,
    notify: Callable[[str], None],
) -> SpendReport:
    """Charge in one step for a release that is made elsewhere.

    Parameters
    ----------
    dataset
        The book.
    event
        What is done.
    analyst, purpose
        Who gets the answer, and the query in words.
    place
        The ledger; None for the default.
    key
        An idempotency key: the same request with the same key is charged once.
    receipt
        A file for the receipt; looked at before anything is charged.
    notify
        Told if there was no signing key and one was made, whatever becomes of the charge.
    """
    if receipt is not None:
        check_spared(receipt, place)
    with Ledger.open(place) as ledger:
        book = ledger.book(dataset)
        signer = signing_key()
        if signer.is_new:
            notify(signer.notice())
        before = book.count()
        with receipt_file(receipt, _asks((ledger.id, book.name, analyst, key))) as file:
            made = book.spend(event, analyst=analyst, purpose=purpose, key=key)
            file.write(made)
        return SpendReport(
            receipt=made,
            repeated=made.sequence <= before,
            standing=_standing(book, made),
            key=signer,
        )


def _asks(asked: tuple[str | None, ...]) -> Callable[[Receipt], bool]:
    """Return what tells whether a receipt is for the same request, which carries a key."""

    def is_the_same(found: Receipt) -> bool:
        request = found.entries[0].body.get("request")
        named = (found.ledger, found.dataset, found.analyst, request)
        return request is not None and asked == named

    return is_the_same


def _standing(book: Book, made: Receipt) -> tuple[Standing, ...]:
    """Return where the budgets stand; the charge is made, so a failure says that too."""
    try:
        return book.standing(made.analyst)
    except StoreError as error:
        error.refusal = error.refusal.at(
            tr("{made}, but what is left cannot be read", made=_made(made))
        )
        raise


def _made(receipt: Receipt) -> str:
    return tr(
        "the charge is made, with receipt {id} ({command} shows its entry)",
        command=Command("ledger export"),
        id=receipt.id,
    )
