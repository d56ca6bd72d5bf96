"""Charging for a release and computing it: the charge is durable before a row is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import BudgetError, EngineError, InputError, SfumatoError
from sfumato.ledger.render import amount, left_in_words
from sfumato.privacy import ApproxDP, PureDP, ZeroConcentratedDP
from sfumato.refusal import Argument, Given
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.ledger.book import Book
    from sfumato.ledger.charge import Settled
    from sfumato.ledger.ledger import Ledger
    from sfumato.ledger.rules import Rule
    from sfumato.ledger.standing import Standing
    from sfumato.privacy import Guarantee, PrivacyFilter
    from sfumato.privacy.events import Event

_EXAMPLE = Argument("ledger", {"path": "ledger.db", "book": "patients"})

_NEEDS = mark("Gaussian noise needs a delta")
_INSTEAD = mark("leave delta and noise out")


@dataclass(frozen=True)
class Price:
    """What a release costs, and what to say where a book takes no δ.

    Parameters
    ----------
    event
        What will be done.
    guarantee
        What is guaranteed of it.
    needs, instead
        What needs a δ, and how to do without.
    """

    event: Event
    guarantee: Guarantee
    needs: Given = _NEEDS
    instead: Given = _INSTEAD


def settle(
    path: str | None,
    book: str | None,
    price: Price,
    *,
    purpose: str,
    analyst: str | None,
    key: str | None,
    compute: Callable[[], bytes],
) -> Settled:
    """Charge for a release, compute it, record what is released, and return it.

    Parameters
    ----------
    path, book
        The ledger, and the name of the book in it.
    price
        What is charged.
    purpose
        What is released, in words; a key is of one purpose only.
    analyst
        Who gets the answer.
    key
        The idempotency key, by which a retry is known and not charged again; None for a new charge.
    compute
        What reads the rows, once it is charged for.
    """
    if analyst is None:
        raise InputError(
            "E-ANALYST-MISSING",
            "an analyst is required with a ledger",
            "write {analyst}, or declare one",
            analyst=Argument("analyst", "ada"),
        )
    from sfumato.ledger.ledger import Ledger

    with Ledger.open(path) as ledger:
        chosen = _book(ledger, book)
        _check_fits(chosen, price)
        try:
            return chosen.release(
                price.event, _once_charged(compute), analyst=analyst, purpose=purpose, key=key
            )
        except BudgetError as error:
            said = (_too_much(price, each) for each in chosen.standing(analyst))
            raise next(filter(None, said), error) from None


def check_without_ledger(
    *, budgeted: bool, analyst: str | None, key: str | None, origin: str = ""
) -> None:
    """Refuse what only a ledger can keep, where none is declared.

    Parameters
    ----------
    budgeted
        Whether a budget is declared.
    analyst, key
        What a ledger would record.
    origin
        What errors call the policy file, if there is one.
    """
    if budgeted and origin:
        raise InputError(
            "E-LEDGER-NOT-DECLARED",
            "a budget is declared and no ledger to keep it in",
            'write path = "ledger.db" in [ledger] of {origin}, and open its book by sfumato init',
            origin=origin,
        )
    if budgeted:
        raise InputError(
            "E-LEDGER-NOT-DECLARED",
            "a budget is declared and no ledger to keep it in",
            "declare a ledger as well, as in {ledger}",
            ledger=_EXAMPLE,
        )
    if analyst is not None or key is not None:
        raise InputError(
            "E-LEDGER-NOT-DECLARED",
            "analyst and key are for a ledger, and none is declared",
            "leave them out, or declare one, as in {example}",
            example=_EXAMPLE,
        )


def objection(price: Price, book: Book, who: str | None) -> SfumatoError | None:
    """Return what a book has against a price now, if anything; nothing is charged.

    Parameters
    ----------
    price
        What would be charged.
    book
        What it would be charged to.
    who
        The analyst who would get the answer; None for the budgets over everyone alone.
    """
    try:
        _check_fits(book, price)
        said = (_does_not_fit(book, price, each, who) for each in book.standing(who))
        return next(filter(None, said), None)
    except InputError as error:
        return error


def _once_charged(compute: Callable[[], bytes]) -> Callable[[], bytes]:
    """Return what computes; where the engine fails, it is said that the charge was made."""

    def computed() -> bytes:
        try:
            return compute()
        except (InputError, EngineError) as error:
            error.refusal = error.refusal.adding(
                "the charge was made before a row was read, and stays"
            )
            raise

    return computed


def _book(ledger: Ledger, name: str | None) -> Book:
    if name is None:
        known = ", ".join(map(repr, ledger.books())) or mark("none yet")
        raise InputError(
            "E-BOOK-MISSING",
            "it is not said which book of the ledger to charge",
            "declare one ({known})",
            known=known,
        )
    return ledger.book(name)


def _check_fits(book: Book, price: Price) -> None:
    """Refuse a book whose guarantee is about other neighbours, or that takes no δ."""
    asked = price.guarantee.relation
    if book.relation != asked:
        raise InputError(
            "E-RELATION-OTHER",
            "the book {book!r} keeps a privacy budget for “{relation}”, and the table is declared "
            "for “{asked}”",
            "open a book with the table's neighbouring relation",
            book=book.name,
            relation=book.relation,
            asked=asked,
        )
    _check_takes(book, price)


def _check_takes(book: Book, price: Price) -> None:
    """Refuse a price with a δ where a budget of the book has none, before anything is charged."""
    if not isinstance(price.guarantee, ApproxDP):
        return
    for rule in book.rules:
        try:
            if not isinstance(rule.budget, ApproxDP):
                rule.filter().would_admit(price.event)
        except InputError:
            raise _no_delta(book, price, rule) from None


def _no_delta(book: Book, price: Price, rule: Rule) -> InputError:
    return InputError(
        "E-BUDGET-WITHOUT-DELTA",
        "{needs}, and the budget of the book {book!r}, {budget}, has none",
        "{instead}, or, knowing that what is spent in both adds up, open a book of another name "
        "with an epsilon and a delta{opener}",
        needs=price.needs,
        book=book.name,
        budget=amount(rule.budget),
        instead=price.instead,
        opener="",
    )


def _does_not_fit(
    book: Book, price: Price, standing: Standing, who: str | None
) -> BudgetError | None:
    """Return what is wrong with a price by the filter of a budget; None if it would fit."""
    if _kept(book, standing, who).would_admit(price.event):
        return None
    return _too_much(price, standing) or BudgetError(
        "E-BUDGET-EXCEEDED",
        "the answer would cost {cost}, and {left}",
        "nothing was spent",
        cost=amount(price.guarantee),
        left=left_in_words(standing.rule.budget, standing.remaining),
    )


def _kept(book: Book, standing: Standing, who: str | None) -> PrivacyFilter:
    """Return the filter of a budget with what was charged to it in its period."""
    from sfumato.ledger.book import events_under

    rule = standing.rule
    keeper = rule.filter()
    keeper.replay(events_under(book, rule, standing.window, who or ""))
    return keeper


def _too_much(price: Price, standing: Standing) -> BudgetError | None:
    """Return by how much a price is more than is left; None if that is not what is wrong."""
    sign, asked = _number(price.guarantee)
    other, left = _number(standing.remaining)
    if sign != other or asked <= left:
        return None
    given = {
        "sign": sign,
        "asked": asked,
        "left": left,
        "scope": standing.rule.scope,
        "more": asked - left,
    }
    if isinstance(standing.rule.budget, ApproxDP):
        return BudgetError(
            "E-BUDGET-EXCEEDED",
            "the answer would cost {sign} = {asked:.6g}, and a step of up to {sign} = {left:.6g} "
            "still fits the privacy budget of {scope}: {more:.6g} too much, and nothing was spent",
            **given,
        )
    return BudgetError(
        "E-BUDGET-EXCEEDED",
        "the answer would cost {sign} = {asked:.6g}, and {sign} = {left:.6g} is left of the "
        "privacy budget of {scope}: {more:.6g} too much, and nothing was spent",
        **given,
    )


def _number(guarantee: Guarantee) -> tuple[str, float]:
    """Return by which number guarantees of a kind are compared."""
    match guarantee:
        case ZeroConcentratedDP():
            return "ρ", float(guarantee.exact_rho)
        case PureDP() | ApproxDP():
            return "ε", float(guarantee.exact_epsilon)
    return "", 0.0
