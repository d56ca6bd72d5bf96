"""Charging for a plan and running it: the charge is durable before a row is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import BudgetError, InputError
from sfumato.ledger import Ledger
from sfumato.privacy import PureDP
from sfumato.tables.release.fingerprint import fingerprint
from sfumato.tables.release.release import Release
from sfumato.tables.run.runner import run_plan

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.data.policy import LedgerPlace
    from sfumato.ledger import Book, Settled
    from sfumato.tables.plan.plan import Plan

__all__ = ["release_plan"]

#: How much of a query is written into a ledger in words.
_LONGEST = 9000


def release_plan(
    plan: Plan, *, analyst: str | None = None, key: str | None = None, source: Any = None
) -> Release:
    """Charge for a plan, run it, record what is released, and return it."""
    place = plan.query.table.policy.ledger
    if place is None:
        _check_no_ledger(plan, analyst, key)
        return Release(plan, run_plan(plan, source=source).to_bytes())
    who = analyst if analyst is not None else place.analyst
    if who is None:
        message = "the ledger records who is told; write analyst='ada', or declare one"
        raise InputError(message)
    with Ledger.open(place.path) as ledger:
        book = _book(ledger, place)
        _check_relation(book, plan)
        settled = _charged(book, plan, who, key, lambda: run_plan(plan, source=source).to_bytes())
    return Release(plan, settled.content, settled.receipt)


def _book(ledger: Ledger, place: LedgerPlace) -> Book:
    if place.book is None:
        known = ", ".join(map(repr, ledger.books())) or "none yet"
        message = f"it is not said which book of the ledger to charge; declare one ({known})"
        raise InputError(message)
    return ledger.book(place.book)


def _check_relation(book: Book, plan: Plan) -> None:
    """Refuse a book whose promise is about other neighbours than the table's."""
    asked = plan.guarantee.relation
    if book.relation != asked:
        message = (
            f"the book {book.name!r} keeps a budget for “{book.relation}”, and the table is "
            f"declared for “{asked}”; open a book for the table's own"
        )
        raise InputError(message)


def _charged(
    book: Book, plan: Plan, who: str, key: str | None, compute: Callable[[], bytes]
) -> Settled:
    try:
        return book.release(plan.event, compute, analyst=who, purpose=_purpose(plan), key=key)
    except BudgetError as error:
        said = _too_much(book, plan, who)
        if said is None:
            raise
        raise BudgetError(said) from error


def _purpose(plan: Plan) -> str:
    """Return the query in words, and a fingerprint of all that its answer depends on.

    So a key that was used for one plan is not taken for a retry of another that reads alike.
    """
    said = str(plan.query)
    return f"{said[:_LONGEST]} (plan {fingerprint(plan)})"


def _too_much(book: Book, plan: Plan, who: str) -> str | None:
    """Return by how much a plan costs more than is left, where both are an ε."""
    asked = plan.guarantee
    for standing in book.standing(who):
        left = standing.remaining
        if isinstance(asked, PureDP) and isinstance(left, PureDP):
            over = float(asked.exact_epsilon) - float(left.exact_epsilon)
            if over > 0:
                return (
                    f"the answer would cost ε = {_said(asked)}, and ε = {_said(left)} is left of "
                    f"the budget of {standing.rule.scope}: {over:.6g} too much, and "
                    "nothing was spent"
                )
    return None


def _said(promise: PureDP) -> str:
    return f"{float(promise.exact_epsilon):.6g}"


def _check_no_ledger(plan: Plan, analyst: str | None, key: str | None) -> None:
    if plan.query.table.policy.allowance is not None:
        message = (
            "a budget is declared and no ledger to keep it in; declare a ledger as well, as in "
            "ledger={'path': 'ledger.db', 'book': 'patients'}"
        )
        raise InputError(message)
    if analyst is not None or key is not None:
        message = (
            "analyst and key are for a ledger, and none is declared; leave them out, or declare "
            "one, as in ledger={'path': 'ledger.db', 'book': 'patients'}"
        )
        raise InputError(message)
