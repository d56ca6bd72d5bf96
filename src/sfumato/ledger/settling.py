"""Charging for a release and computing it: the charge is durable before a row is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import BudgetError, EngineError, InputError
from sfumato.ledger.moments import read_moment
from sfumato.ledger.rules.amounts import amount, left_in_words
from sfumato.privacy import ApproxDP, PureDP, ZeroConcentratedDP

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.errors import SfumatoError
    from sfumato.ledger.book import Book
    from sfumato.ledger.ledger import Ledger
    from sfumato.ledger.rules.rule import Rule
    from sfumato.ledger.settled import Settled
    from sfumato.ledger.standing import Standing
    from sfumato.privacy import Guarantee, PrivacyFilter
    from sfumato.privacy.events import Event

__all__ = ["OTHER_BOOK", "Price", "check_without_ledger", "objection", "settle"]

#: The end of a sentence about a book that takes no δ, for whoever knows how to open another.
OTHER_BOOK = "open a book of another name with an epsilon and a delta"

_EXAMPLE = "ledger={'path': 'ledger.db', 'book': 'patients'}"


@dataclass(frozen=True)
class Price:
    """What a release costs, and what to say where a book takes no δ.

    Parameters
    ----------
    event
        What will be done.
    guarantee
        What is promised of it.
    needs, instead
        Why there is a δ, as in "Gaussian noise needs", and how to do without.
    """

    event: Event
    guarantee: Guarantee
    needs: str = "Gaussian noise needs"
    instead: str = "leave delta and noise out"


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
        Who is told.
    key
        By which a retry is known and not charged again; None for a new charge.
    compute
        What reads the rows, once it is charged for.
    """
    if analyst is None:
        message = "the ledger records who is told; write analyst='ada', or declare one"
        raise InputError(message)
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
            raise BudgetError(next(filter(None, said), str(error))) from None


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
    if budgeted:
        in_file = (
            f'write path = "ledger.db" in [ledger] of {origin}, and open its book by sfumato init'
        )
        inline = f"declare a ledger as well, as in {_EXAMPLE}"
        message = (
            f"a budget is declared and no ledger to keep it in; {in_file if origin else inline}"
        )
        raise InputError(message)
    if analyst is not None or key is not None:
        message = (
            "analyst and key are for a ledger, and none is declared; leave them out, or declare "
            f"one, as in {_EXAMPLE}"
        )
        raise InputError(message)


def objection(price: Price, book: Book, who: str | None) -> SfumatoError | None:
    """Return what a book has against a price now, if anything; nothing is charged.

    Parameters
    ----------
    price
        What would be charged.
    book
        What it would be charged to.
    who
        Who would be told; None for the budgets over everyone alone.
    """
    try:
        _check_fits(book, price)
        said = (_does_not_fit(book, price, each, who) for each in book.standing(who))
        first = next(filter(None, said), "")
    except InputError as error:
        return error
    return BudgetError(first) if first else None


def _once_charged(compute: Callable[[], bytes]) -> Callable[[], bytes]:
    """Return what computes; where the engine fails, it is said that the charge was made."""

    def computed() -> bytes:
        try:
            return compute()
        except InputError as error:
            failure: Exception = InputError(
                f"{error}; the charge was made before a row was read, and stays"
            )
        except EngineError as error:
            failure = EngineError(error.engine, charged=True)
        raise failure

    return computed


def _book(ledger: Ledger, name: str | None) -> Book:
    if name is None:
        known = ", ".join(map(repr, ledger.books())) or "none yet"
        message = f"it is not said which book of the ledger to charge; declare one ({known})"
        raise InputError(message)
    return ledger.book(name)


def _check_fits(book: Book, price: Price) -> None:
    """Refuse a book whose promise is about other neighbours, or that takes no δ."""
    asked = price.guarantee.relation
    if book.relation != asked:
        message = (
            f"the book {book.name!r} keeps a budget for “{book.relation}”, and the table is "
            f"declared for “{asked}”; open a book for the table's own"
        )
        raise InputError(message)
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
            raise InputError(_no_delta(book, price, rule)) from None


def _no_delta(book: Book, price: Price, rule: Rule) -> str:
    return (
        f"{price.needs} a delta, and the budget of the book {book.name!r}, {amount(rule.budget)}, "
        f"has none; {price.instead}, or, knowing that what is spent in both adds up, {OTHER_BOOK}"
    )


def _does_not_fit(book: Book, price: Price, standing: Standing, who: str | None) -> str:
    """Return what is wrong with a price by the filter of a budget; nothing if it would fit."""
    if _kept(book, standing, who).would_admit(price.event):
        return ""
    left = left_in_words(standing.rule.budget, standing.remaining)
    other = f"the answer would cost {amount(price.guarantee)}, and {left}; nothing was spent"
    return _too_much(price, standing) or other


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


def _too_much(price: Price, standing: Standing) -> str:
    """Return by how much a price is more than is left; nothing if that is not what is wrong."""
    sign, asked = _number(price.guarantee)
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
