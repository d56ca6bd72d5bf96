"""Charging for centres: where a private table declares a ledger, before a row is read."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.learning.kmeans.model import Centres
from sfumato.ledger import Price, check_without_ledger, settle

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.data.measured import Measured
    from sfumato.learning.kmeans.opening import Opened
    from sfumato.learning.kmeans.plan.plan import Plan
    from sfumato.ledger import Receipt

__all__ = ["charged"]

#: How much of what is released is written into a ledger in words.
_LONGEST = 9000
_DIGITS = 16


def charged(
    opened: Opened,
    plan: Plan,
    compute: Callable[[], Centres],
    *,
    analyst: str | None,
    key: str | None,
) -> tuple[Centres, Receipt | None]:
    """Return what is computed, once it is charged for, and the receipt where there is a ledger.

    Parameters
    ----------
    opened, plan
        Of what, and what it costs.
    compute
        What reads the rows.
    analyst, key
        Who gets the answer, and by what a retry is known.
    """
    measured = opened.measured
    if measured is None:
        if analyst is not None or key is not None:
            raise InputError(
                "E-LEDGER-NOT-DECLARED",
                "analyst and key are for the ledger of a private table, and points in memory "
                "have none",
                "leave them out, or charge model.plan().event to a book",
            )
        return compute(), None
    measured.source.check_process()
    return _of_table(measured, plan, compute, analyst, key)


def _of_table(
    measured: Measured,
    plan: Plan,
    compute: Callable[[], Centres],
    analyst: str | None,
    key: str | None,
) -> tuple[Centres, Receipt | None]:
    def computed() -> Centres:
        with measured.source.engine.reading():
            return compute()

    place = measured.ledger
    if place is None:
        check_without_ledger(
            budgeted=measured.budgeted, analyst=analyst, key=key, origin=measured.origin
        )
        return computed(), None
    settled = settle(
        place.path,
        place.book,
        Price(plan.event, plan.guarantee),
        purpose=_purpose(measured, plan),
        analyst=analyst if analyst is not None else place.analyst,
        key=key,
        compute=lambda: computed().to_bytes(),
    )
    return Centres.from_bytes(settled.content), settled.receipt


def _purpose(measured: Measured, plan: Plan) -> str:
    """Return what is released, in words that differ wherever the centres would."""
    ranges = ", ".join(
        f"{name} {low!r}:{high!r}"
        for name, low, high in zip(measured.names, measured.low, measured.high, strict=True)
    )
    how = f"{plan.synopsis!r} {plan.rounds!r} {plan.printed!r} {plan.change.weight}"
    told = f"{plan.clusters} {plan.method} {how} {ranges} {measured.digest}"
    digest = sha256(told.encode()).hexdigest()[:_DIGITS]
    said = f"{plan.clusters} centres of {ranges} by {plan.method}"[:_LONGEST]
    return f"{said} (plan {digest})"
