"""The cashier of a book: takes charges, and settles each of them once."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from sfumato.errors import BudgetError, InternalError, RefusedError
from sfumato.ledger.chain import Draft
from sfumato.ledger.entries import Entry, digest_of
from sfumato.ledger.requests import Requests, receipt_of
from sfumato.ledger.settled import Settled

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.ledger.admission import Admission
    from sfumato.ledger.chain import Chain, Place
    from sfumato.ledger.charging import Request
    from sfumato.ledger.receipts.signing import Signer
    from sfumato.ledger.storage.statements import Row
    from sfumato.ledger.storage.store import Store

__all__ = ["Cashier"]


class Cashier:
    """Charges requests against the budgets of a book, and records what was released for them.

    Parameters
    ----------
    store, chain
        Where the book is.
    admission
        Decides which charges fit.
    signer
        Gives the key that signs receipts.
    """

    def __init__(
        self, store: Store, chain: Chain, admission: Admission, signer: Callable[[], Signer]
    ) -> None:
        self._chain, self._admission, self._signer = chain, admission, signer
        self._requests = Requests(store, chain.number)
        self._has_own_rules = any(not rule.is_shared for rule in admission.rules)

    def charge(self, request: Request, kind: str) -> tuple[Row, bool]:
        """Return the charge of a request, and whether it was made just now.

        A request that carries a key is looked up first, and again where it was not admitted:
        somebody else may have charged the same one in the meantime.
        """
        row = self._requests.charged(request, kind)
        if row is not None:
            return row, False
        try:
            made = self._chain.append(self._drafted(request, kind))
        except BudgetError:
            row = self._requests.charged(request, kind)
            if row is None:
                raise
            return row, False
        if made is not None:
            return made, True
        row = self._requests.charged(request, kind)
        if row is None:
            raise InternalError(
                "E-LEDGER-NOT-STORED", "the store did not take a charge that follows the last one"
            )
        return row, False

    def wait_for(self, charge: Row, seconds: float) -> Settled:
        """Return what was released for a charge, once somebody has recorded it."""
        return self._requests.settled(charge, wait=seconds)

    def settle(self, charge: Row, content: bytes) -> Settled:
        """Record durably what is released for a charge; refuse a second time."""
        details = {
            "kind": "release",
            **_reference(charge),
            "digest": digest_of(content),
            "size": len(content),
            "signer": self._signer().public,
        }
        kept = content if charge["request"] is not None else None
        row = self._settled(Draft(details, content=kept))
        return Settled(content, receipt_of(charge, row))

    def close(self, charge: Row, reason: str) -> None:
        """Record that nothing is released for a charge, which stays spent."""
        self._settled(Draft({"kind": "closing", **_reference(charge), "reason": reason}))

    def _drafted(self, request: Request, kind: str) -> Callable[[Place], Draft]:
        details = {"kind": kind, "receipt": secrets.token_hex(16), **request.details()}
        if kind == "spending":
            details["signer"] = self._signer().public
        event, analyst = request.event, request.analyst

        def draft(place: Place) -> Draft:
            when = place.when
            shared = self._admission.charged(place.shared, event, analyst, when, shared=True)
            own = None
            if self._has_own_rules:
                before = place.own(analyst)
                own = self._admission.charged(before, event, analyst, when, shared=False)
            return Draft(details, shared, own)

        return draft

    def _settled(self, draft: Draft) -> Row:
        row = self._chain.append(lambda _: draft)
        if row is not None:
            return row
        self._requests.check_settled(draft.details["settles"])
        raise RefusedError(
            "E-CHARGE-SETTLED",
            "the charge {details} was settled before, and is settled only once",
            "nothing was released",
            details=draft.details["receipt"],
        )


def _reference(charge: Row) -> dict[str, Any]:
    """Return the fields by which what settles a charge refers to it."""
    return {
        "settles": charge["sequence"],
        "charge": charge["hash"],
        "receipt": Entry(charge["body"]).body["receipt"],
    }
