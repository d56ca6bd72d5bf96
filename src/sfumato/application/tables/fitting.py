"""Whether an answer would fit the book that it would be charged to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.ledger import amount, objection
from sfumato.tables.charged import book_of
from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.data.policy import Policy
    from sfumato.errors import SfumatoError
    from sfumato.ledger import Book, Price, Standing


@dataclass(frozen=True, kw_only=True)
class Fit:
    """How a plan and a book go together.

    Attributes
    ----------
    standing
        Where the budgets stand that the plan would be charged to.
    refused
        Why the charge would be refused; None if it would not be.
    warning
        That the policy declares another budget than the book keeps; empty if it does not.
    """

    standing: tuple[Standing, ...] = ()
    refused: SfumatoError | None = None
    warning: str = ""


def fit_of(policy: Policy, price: Price, analyst: str | None) -> Fit:
    """Return how a plan goes together with its book, as the book itself sees it.

    Parameters
    ----------
    policy
        Of the table, with the place of the book.
    price
        What would be charged.
    analyst
        Who asks, if it is not the policy's own analyst.
    """
    with book_of(policy) as book:
        if book is None:
            return Fit()
        who = analyst or getattr(policy.ledger, "analyst", None)
        refused = objection(price, book, who)
        return Fit(standing=book.standing(who), refused=refused, warning=_warning(policy, book))


def other_budget(policy: Policy) -> str:
    """Return that a policy declares another budget than its book keeps, if so."""
    if policy.allowance is None:
        return ""
    with book_of(policy) as book:
        return "" if book is None else _warning(policy, book)


def _warning(policy: Policy, book: Book) -> str:
    """Return that the policy declares another budget than the book has, which holds."""
    declared = policy.budget
    kept = [rule.budget for rule in book.rules]
    if declared is None or declared in kept or declared.relation != book.relation:
        return ""
    return tr(
        "the policy declares a budget of {declared}, and the book {name!r} keeps {kept}, "
        "which holds: budgets never change once a book is open",
        declared=amount(declared),
        name=book.name,
        kept=amount(kept[0]),
    )
