"""The book of a policy: where what is spent on its table is kept."""

from __future__ import annotations

import shlex
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato import ledger
from sfumato.data import is_address, read_address
from sfumato.data.policy import LedgerPlace, read_policy
from sfumato.errors import InputError
from sfumato.printing import named
from sfumato.privacy.events import plain
from sfumato.refusal import text
from sfumato.tables import book_of
from sfumato.translation import mark, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sfumato.application.ledger.opening import OpeningReport
    from sfumato.data.policy import Policy
    from sfumato.errors import SfumatoError
    from sfumato.ledger import Book, Price, Standing
    from sfumato.refusal import Given, Part


#: The share of a budget's δ for answers that have a δ of their own, as groups that are found have.
_RESERVE = "1/2"
_SHOWN_BOOKS = 3
_NO_DELTA = mark("this budget has no δ, so it is for answers whose groups are declared")


def named_after(file: str, table: str | None) -> str:
    """Return the name that a table has where no other is given, in a file or in a database."""
    if table:
        return table.rpartition(".")[2]
    return file.replace("\\", "/").rpartition("/")[2].partition(".")[0]


def name_of_table(policy: Policy, file: str) -> str:
    """Return the name that the table of a policy has where no other is given.

    It is that of the table, so that a policy may be renamed or copied and goes with the same book;
    the policy's own where it names no table.

    Parameters
    ----------
    policy, file
        What is declared, and the file that declares it.
    """
    return named_after(str(policy.source or file), policy.table)


def is_open(policy: Policy, name: str) -> bool:
    """Tell whether the book of a policy was opened before, with the same budget.

    Parameters
    ----------
    policy, name
        As in ``open_the_book``.
    """
    from sfumato.ledger import Ledger

    place = policy.ledger or LedgerPlace()
    try:
        ledger = Ledger.open(place.path)
    except InputError:
        return False
    with ledger:
        book = place.book or name
        return book in ledger.books() and ledger.book(book).rules[0].budget == policy.budget


def open_the_book(policy: Policy, name: str, *, notify: Callable[[str], None]) -> OpeningReport:
    """Open the book of a policy, with its budget and its unit of privacy.

    Parameters
    ----------
    policy
        What is declared: a unit, a budget and a ledger.
    name
        The name of the book, if the policy has none.
    notify
        As in ``open_book``.
    """
    parts = {"unit": policy.unit, "budget": policy.allowance, "ledger": policy.ledger}
    blank = [each for each, declared in parts.items() if declared is None]
    if policy.allowance is None or policy.ledger is None or blank:
        raise InputError(
            "E-POLICY-INCOMPLETE",
            "a book needs a unit, a budget and a ledger, and the policy does not declare: {blank}",
            "declare that, too",
            blank=", ".join(blank),
        )
    from sfumato.application.ledger.opening import Kind, open_book

    allowance, place = policy.allowance, policy.ledger
    amounts: dict[str, Any] = {"epsilon": allowance.epsilon, "rho": allowance.rho}
    delta: Any = allowance.delta
    ((sign, amount),) = ((name, each) for name, each in amounts.items() if each is not None)
    kind = Kind(sign, amount, delta, policy.relation)
    has_delta = delta is not None
    reserve = _RESERVE if has_delta else "0"
    name = place.book or name
    notes = (*(() if has_delta else (tr(_NO_DELTA),)), *_said_of_others(place, name))
    opened = open_book(name, kind, place=place.path, reserve=reserve, notify=notify)
    return replace(opened, notes=notes)


def _books(place: str | None) -> list[str] | None:
    """Return the names of the books of a ledger; None if it cannot be opened."""
    from sfumato.ledger import Ledger

    try:
        with Ledger.open(place) as ledger:
            return list(ledger.books())
    except InputError:
        return None


def _said_of_others(place: LedgerPlace, name: str) -> Iterator[str]:
    """Yield what to know of the other books of a ledger, if there are any."""
    others = [each for each in _books(place.path) or () if each != name]
    if others:
        more = len(others) - _SHOWN_BOOKS
        names = named(others[:_SHOWN_BOOKS]) + (
            tr(" and {more:,} more", more=more) if more > 0 else ""
        )
        yield tr_n(
            "the ledger has another book ({names}): if it is about the same people, what is "
            "spent of both adds up",
            "the ledger has other books ({names}): if one is about the same people, what is "
            "spent of both adds up",
            len(others),
            names=names,
        )


@contextmanager
def naming_the_opener(policy: Policy, opener: Given) -> Iterator[None]:
    """Say of a book that the block finds missing how to open it.

    Parameters
    ----------
    policy
        What names the book, and its ledger.
    opener
        The command that opens it.
    """
    try:
        yield
    except InputError:
        missing = None if policy.ledger is None else _missing(policy.ledger)
        if missing is None:
            raise
        raise InputError(
            "E-LEDGER-MISSING",
            "{missing}",
            "make it and open the table's book by: {opener}",
            missing=missing,
            opener=opener,
        ) from None


def _missing(place: LedgerPlace) -> Part | None:
    """Return what is not there, if it is the ledger's file or the book in it."""
    url = ledger.read_place(place.path)
    if url.get_backend_name() == "sqlite" and not Path(str(url.database)).exists():
        return text("there is no ledger {ledger!r} yet", ledger=ledger.shown_place(url))
    known = _books(place.path)
    if known is None or place.book is None or place.book in known:
        return None
    return text(
        "there is no book {book!r} in {ledger!r} yet",
        book=place.book,
        ledger=ledger.shown_place(url),
    )


def open_policy_book(file: str, *, notify: Callable[[str], None]) -> OpeningReport:
    """Open the book that a policy file declares."""
    policy = read_policy(file)
    return open_the_book(policy, name_of_table(policy, file), notify=notify)


@dataclass(frozen=True, kw_only=True)
class IntendedCharge:
    """What was to be charged; None where it is not said so."""

    epsilon: Fraction | float | None = None
    delta: Fraction | float | None = None

    def room(self) -> dict[str, str]:
        """Return a budget in which it has room, some five times over by its δ."""
        epsilon, delta = Fraction(self.epsilon or 1), float(self.delta or 0)
        return {"epsilon": plain(max(epsilon, Fraction(3))), "delta": f"{min(10 * delta, 0.5):g}"}


def opener(file: str, declared: Mapping[str, Any], policy: Policy) -> Given:
    """Return the command that opens the book of a table."""
    given: Mapping[str, str] = declared.get("ledger") or {}
    if file.lower().endswith(".toml"):
        lines = [f'{name} = "{given[name]}"' for name in ("path", "book") if given.get(name)]
        command = f"sfumato init {shlex.quote(file)}"
        if not lines:
            return command
        return text(
            "{command}, once its [ledger] has {lines}", command=command, lines=", ".join(lines)
        )
    place = policy.ledger or LedgerPlace()
    return _command(policy, {"epsilon": "3"}, place.book)


def name_another_book(error: SfumatoError | None, policy: Policy, cost: IntendedCharge) -> None:
    """Have an error say how to open a book with a δ, where that is what it says to do.

    Parameters
    ----------
    error
        What a book has against a charge, if anything.
    policy
        Of the table, with the place of the book that takes none.
    cost
        What was to be charged.
    """
    if error is None or error.code != "E-BUDGET-WITHOUT-DELTA":
        return
    name = f"{(policy.ledger or LedgerPlace()).book}-delta"
    command = _command(policy, cost.room(), name)
    opener = text(" by: {command}", command=f"{command} --output {shlex.quote(name)}.toml")
    error.refusal = error.refusal.filled(opener=opener)


@contextmanager
def naming_another_book(policy: Policy, cost: IntendedCharge) -> Iterator[None]:
    """Say how to open a book with a δ, where the block says to do so."""
    try:
        yield
    except InputError as error:
        name_another_book(error, policy, cost)
        raise


def _command(policy: Policy, amounts: Mapping[str, str], book: str | None) -> str:
    given = {
        "table": policy.table,
        **amounts,
        "unit": getattr(policy.unit, "column", "row"),
        "ledger": None if policy.ledger is None else policy.ledger.path,
        "book": book,
    }
    options = (f"--{name} {shlex.quote(each)}" for name, each in given.items() if each)
    return " ".join(["sfumato init", shlex.quote(_shown(policy.source)), *options])


def _shown(source: Any) -> str:
    """Return where a table is, without what an address says of the user."""
    return str(read_address(source)) if is_address(source) else str(source)


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

    def as_dict(self) -> dict[str, Any]:
        """Return what the book says ready for JSON."""
        from sfumato.application.ledger.render import standing_figures

        return {
            "budgets": [standing_figures(each) for each in self.standing],
            "refused": None if self.refused is None else str(self.refused),
            "warning": self.warning or None,
        }


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
        refused = ledger.objection(price, book, who)
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
        declared=ledger.amount(declared),
        name=book.name,
        kept=ledger.amount(kept[0]),
    )
