"""Charging for a plan and running it: the charge is durable before a row is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import BudgetError, InputError
from sfumato.ledger import Ledger
from sfumato.ledger.moments import read_moment
from sfumato.ledger.rules.amounts import amount, left_in_words
from sfumato.privacy import ApproxDP, PureDP, ZeroConcentratedDP
from sfumato.tables.release.fingerprint import fingerprint
from sfumato.tables.release.release import Release
from sfumato.tables.run.runner import run_plan

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.data.policy import LedgerPlace
    from sfumato.errors import SfumatoError
    from sfumato.ledger import Book, Rule, Settled, Standing
    from sfumato.privacy import Guarantee, PrivacyFilter
    from sfumato.tables.plan.plan import Plan

__all__ = ["OTHER_BOOK", "objection", "release_plan"]

#: The end of a sentence about a book that takes no δ, for whoever knows how to open another.
OTHER_BOOK = "open a book of another name with an epsilon and a delta"

#: How much of a query is written into a ledger in words.
_LONGEST = 9000


def release_plan(
    plan: Plan, *, analyst: str | None = None, key: str | None = None, source: Any = None
) -> Release:
    """Charge for a plan, run it, record what is released, and return it."""
    plan.query.table.source.check_process()
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
        _check_takes(book, plan)
        settled = _charged(book, plan, who, key, lambda: _run_once_charged(plan, source))
    return Release(plan, settled.content, settled.receipt)


def _run_once_charged(plan: Plan, source: Any) -> bytes:
    """Return what is released; where the engine fails, it is said that the charge was made."""
    try:
        return run_plan(plan, source=source).to_bytes()
    except InputError as error:
        failure = InputError(f"{error}; the charge was made before a row was read, and stays")
    raise failure


def objection(plan: Plan, book: Book, who: str | None) -> SfumatoError | None:
    """Return what a book has against a plan now, if anything; nothing is charged.

    Parameters
    ----------
    plan
        What would be charged.
    book
        What it would be charged to.
    who
        Who would be told; None for the budgets over everyone alone.
    """
    try:
        _check_relation(book, plan)
        _check_takes(book, plan)
        said = (_does_not_fit(book, plan, each, who) for each in book.standing(who))
        first = next(filter(None, said), "")
    except InputError as error:
        return error
    return BudgetError(first) if first else None


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
        said = (_too_much(plan, each) for each in book.standing(who))
        raise BudgetError(next(filter(None, said), str(error))) from error


def _purpose(plan: Plan) -> str:
    """Return the query in words, and a fingerprint of all that its answer depends on.

    So a key that was used for one plan is not taken for a retry of another that reads alike.
    """
    said = str(plan.query)
    return f"{said[:_LONGEST]} (plan {fingerprint(plan)})"


def _does_not_fit(book: Book, plan: Plan, standing: Standing, who: str | None) -> str:
    """Return what is wrong with a plan by the filter of a budget; nothing if it would fit."""
    if _kept(book, standing, who).would_admit(plan.event):
        return ""
    left = left_in_words(standing.rule.budget, standing.remaining)
    other = f"the answer would cost {amount(plan.guarantee)}, and {left}; nothing was spent"
    return _too_much(plan, standing) or other


def _kept(book: Book, standing: Standing, who: str | None) -> PrivacyFilter:
    """Return the filter of a budget with what was charged to it in its period."""
    rule = standing.rule
    keeper = rule.filter()
    keeper.replay(
        entry.event
        for entry in book.entries()
        if entry.event is not None
        and rule.window(read_moment(entry.when)) == standing.window
        and (rule.is_shared or entry.body["analyst"] == who)
    )
    return keeper


def _too_much(plan: Plan, standing: Standing) -> str:
    """Return by how much a plan costs more than is left; nothing if that is not what is wrong."""
    sign, asked = _number(plan.guarantee)
    other, left = _number(standing.remaining)
    if sign != other or asked <= left:
        return ""
    budget = f"the budget of {standing.rule.scope}"
    rest = f"{sign} = {left:.6g} is left of"
    if isinstance(standing.rule.budget, ApproxDP):
        rest = f"a step of up to {sign} = {left:.6g} still fits"
    return (
        f"the answer would cost {sign} = {asked:.6g}, and {rest} {budget}: {asked - left:.6g} too "
        "much, and nothing was spent"
    )


def _number(promise: Guarantee) -> tuple[str, float]:
    """Return by which number promises of a kind are compared."""
    match promise:
        case ZeroConcentratedDP():
            return "ρ", float(promise.exact_rho)
        case PureDP() | ApproxDP():
            return "ε", float(promise.exact_epsilon)
    return "", 0.0


def _check_takes(book: Book, plan: Plan) -> None:
    """Refuse a plan with a δ where a budget of the book has none, before anything is charged."""
    if not isinstance(plan.guarantee, ApproxDP):
        return
    for rule in book.rules:
        try:
            if not isinstance(rule.budget, ApproxDP):
                rule.filter().would_admit(plan.event)
        except InputError:
            raise InputError(_no_delta(book, plan, rule)) from None


def _no_delta(book: Book, plan: Plan, rule: Rule) -> str:
    needs, instead = "Gaussian noise needs", "leave delta and noise out"
    if not plan.keys.are_known:
        name = plan.keys.names[0]
        needs = "groups that are not declared need"
        instead = f"declare the groups, as in keys={{{name!r}: ['a', 'b']}}"
    return (
        f"{needs} a delta, and the budget of the book {book.name!r}, {amount(rule.budget)}, has "
        f"none; {instead}, or, knowing that what is spent in both adds up, {OTHER_BOOK}"
    )


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
