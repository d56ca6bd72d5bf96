"""Charging for a release that is made elsewhere."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.application.ledger.receipts import receipt_file
from sfumato.application.ledger.wording import amount, standing_figures
from sfumato.application.printed import Printed
from sfumato.ledger import Ledger

if TYPE_CHECKING:
    from sfumato.ledger import Receipt, Standing
    from sfumato.privacy.events import Event

__all__ = ["SpendReport", "spend"]


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

    Examples
    --------
    >>> from sfumato.application.ledger.spending import SpendReport
    >>> SpendReport.__name__
    'SpendReport'
    """

    receipt: Receipt
    repeated: bool
    standing: tuple[Standing, ...]

    def lines(self) -> list[str]:
        """Return the receipt, and what is left.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.application.ledger.spending import SpendReport
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     receipt = book.spend(sf.events.Pure(epsilon=0.1), analyst="ada", purpose="by sex")
        ...     report = SpendReport(receipt=receipt, repeated=False, standing=book.standing())
        >>> print(report.lines()[0], report.lines()[-1], sep="; ")
        charged to patients; everyone together: 10 % of 1-DP (add or remove one row) is spent, \
0.9-DP is left
        """
        before = "; it was before, with this key, and nothing more was spent now"
        return [
            f"charged to {self.receipt.dataset}{before if self.repeated else ''}",
            *str(self.receipt).splitlines(),
            *(f"{each}, {amount(each.remaining)} is left" for each in self.standing),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the charge ready for JSON.

        Examples
        --------
        >>> from sfumato.application.ledger.spending import SpendReport
        >>> from sfumato.ledger import Receipt
        >>> receipt = Receipt((), signer="00" * 32, signature="51")
        >>> sorted(SpendReport(receipt=receipt, repeated=False, standing=()).as_dict())
        ['budgets', 'receipt', 'repeated']
        """
        return {
            "repeated": self.repeated,
            "receipt": json.loads(self.receipt.to_json()),
            "budgets": [standing_figures(each) for each in self.standing],
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
) -> SpendReport:
    """Charge in one step for a release that is made elsewhere.

    Parameters
    ----------
    dataset
        The book.
    event
        What is done.
    analyst, purpose
        Who is told, and the query in words.
    place
        The ledger; None for the default.
    key
        An idempotency key: the same request with the same key is charged once.
    receipt
        A file for the receipt; looked at before anything is charged.

    Examples
    --------
    >>> import os, tempfile
    >>> from unittest.mock import patch
    >>> import sfumato as sf
    >>> from sfumato.application.ledger.spending import spend
    >>> from sfumato.ledger import Ledger
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with patch.dict(os.environ, {"SFUMATO_SIGNING_KEY": f"{folder}/key.pem"}):
    ...         with Ledger.create(f"{folder}/ledger.db") as ledger:
    ...             book = ledger.add_book("patients", sf.PureDP(epsilon=1))
    ...         report = spend("patients", sf.events.Pure(epsilon=0.1), analyst="ada",
    ...                        purpose="by sex", place=f"{folder}/ledger.db")
    >>> report.receipt.sequence, report.repeated
    (2, False)
    """
    with Ledger.open(place) as ledger:
        book = ledger.book(dataset)
        before = book.count()
        asked = (ledger.id, book.name, analyst, key)

        def is_the_same(found: Receipt) -> bool:
            request = found.entries[0].body.get("request")
            return request is not None and asked == (
                found.ledger,
                found.dataset,
                found.analyst,
                request,
            )

        with receipt_file(receipt, is_the_same) as file:
            made = book.spend(event, analyst=analyst, purpose=purpose, key=key)
            file.write(made)
        return SpendReport(
            receipt=made,
            repeated=made.sequence <= before,
            standing=book.standing(made.analyst),
        )
