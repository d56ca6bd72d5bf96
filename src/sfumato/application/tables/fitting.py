"""Whether an answer would fit the book that it would be charged to."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.ledger import Ledger
from sfumato.ledger.rules.amounts import amount
from sfumato.tables.release.releasing import objection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.ledger import Book, Standing
    from sfumato.tables.plan.plan import Plan

__all__ = ["Fit", "fit_of", "other_budget"]


@dataclass(frozen=True, kw_only=True)
class Fit:
    """How a plan and a book go together.

    Attributes
    ----------
    standing
        Where the budgets stand that the plan would be charged to.
    refused
        Why the charge would be refused; empty if it would not be.
    warning
        That the policy declares another budget than the book keeps; empty if it does not.

    Examples
    --------
    >>> from sfumato.application.tables.fitting import Fit
    >>> Fit().refused
    ''
    """

    standing: tuple[Standing, ...] = ()
    refused: str = ""
    warning: str = ""


def fit_of(plan: Plan, analyst: str | None) -> Fit:
    """Return how a plan goes together with its book, as the book itself sees it.

    Parameters
    ----------
    plan
        What would be charged; it is not.
    analyst
        Who asks, if it is not the policy's own analyst.

    Examples
    --------
    >>> from sfumato.application.tables.asking import plan_question
    >>> from sfumato.application.tables.fitting import fit_of
    >>> sql = "SELECT COUNT(*) AS n FROM patients"
    >>> report = plan_question("examples/patients.csv", sql, {"unit": "row"}, epsilon="1")
    >>> fit_of(report.plan, "ada").standing
    ()
    """
    with _book_of(plan) as book:
        if book is None:
            return Fit()
        place = plan.query.table.policy.ledger
        who = analyst or getattr(place, "analyst", None)
        against = objection(plan, book, who)
        refused = "" if against is None else str(against)
        return Fit(standing=book.standing(who), refused=refused, warning=_warning(plan, book))


def other_budget(plan: Plan) -> str:
    """Return that a plan's policy declares another budget than its book keeps, if so.

    Examples
    --------
    >>> from sfumato.application.tables.asking import plan_question
    >>> from sfumato.application.tables.fitting import other_budget
    >>> sql = "SELECT COUNT(*) AS n FROM patients"
    >>> report = plan_question("examples/patients.csv", sql, {"unit": "row"}, epsilon="1")
    >>> other_budget(report.plan)
    ''
    """
    if plan.query.table.policy.allowance is None:
        return ""
    with _book_of(plan) as book:
        return "" if book is None else _warning(plan, book)


@contextmanager
def _book_of(plan: Plan) -> Iterator[Book | None]:
    """Give the book that a plan would be charged to; None if it is not open yet."""
    place = plan.query.table.policy.ledger
    with ExitStack() as opened:
        book = None
        if place is not None and place.book is not None:
            with suppress(InputError):
                book = opened.enter_context(Ledger.open(place.path)).book(place.book)
        yield book


def _warning(plan: Plan, book: Book) -> str:
    """Return that the policy declares another budget than the book has, which holds."""
    declared = plan.query.table.policy.budget
    kept = [rule.budget for rule in book.rules]
    if declared is None or declared in kept or declared.relation != book.relation:
        return ""
    return (
        f"the policy declares a budget of {amount(declared)}, and the book {book.name!r} keeps "
        f"{amount(kept[0])}, which holds: budgets never change once a book is open"
    )
