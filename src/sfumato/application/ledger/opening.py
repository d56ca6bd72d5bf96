"""Opening the book of a dataset: budgets as they are typed, and what they guarantee."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.application.accounting import read_events
from sfumato.application.ledger.keys import signing_key
from sfumato.application.ledger.render import guarantees
from sfumato.application.relations import named_relation
from sfumato.errors import InputError, SfumatoError
from sfumato.ledger import Ledger, read_name, read_place, read_rules
from sfumato.printing import Printed
from sfumato.privacy import AddRemove, ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP, read_delta
from sfumato.privacy.events import Approximate, Composed, Pure, ZeroConcentrated
from sfumato.refusal import Argument, Command, all_of
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TextIO

    from sfumato.application.ledger.keys import SigningKey
    from sfumato.ledger import Budget, Rule
    from sfumato.privacy import Guarantee, Relation
    from sfumato.privacy.events import Event


@dataclass(frozen=True, kw_only=True)
class OpeningReport(Printed):
    """A book that was opened.

    Attributes
    ----------
    dataset
        What the book is about.
    rules
        The budgets, which never change.
    place
        Where the ledger is, without a password.
    key
        The key that signs receipts.
    is_new
        Whether the ledger was made just now, because there was none.
    alike
        Other books whose names differ from this one in capitals alone.
    notes
        What else to know about the book.
    """

    dataset: str
    rules: tuple[Rule, ...]
    place: str
    key: SigningKey
    is_new: bool = False
    alike: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def done(self) -> str:
        """Say that the book is open, for where nothing else can be said."""
        return tr(
            "the book of {dataset} is open ({command} shows it)",
            dataset=self.dataset,
            command=Command("ledger show"),
        )

    def lines(self, *, width: int = 120) -> list[str]:
        """Return what is guaranteed, and where it is kept.

        Parameters
        ----------
        width
            How wide a line may be; guarantees are wrapped.
        """
        return [
            tr("the book of {dataset} is open; its budgets never change", dataset=self.dataset),
            *guarantees(self.rules, width=width),
            *self.notes,
            tr(
                "ledger       {place}{word}",
                place=self.place,
                word=tr(", made now") if self.is_new else "",
            ),
            tr("signing key  {key}", key=self.key),
            *(tr("mind that there is another book, {each!r}", each=each) for each in self.alike),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the report ready for JSON."""
        return {
            "dataset": self.dataset,
            "rules": [rule.document() for rule in self.rules],
            "guarantees": [rule.sentence() for rule in self.rules],
            "ledger": self.place,
            "new": self.is_new,
            "signing_key": self.key.as_dict(),
        }


def open_book(
    dataset: str,
    kind: Kind,
    *,
    place: str | None = None,
    reserve: str = "0",
    per: str | None = None,
    total: Budget | None = None,
    each_analyst: Budget | None = None,
    analysts: Mapping[str, Budget] | None = None,
    notify: Callable[[str], None],
) -> OpeningReport:
    """Open the book of a dataset, in a ledger that is made where there is none.

    Nothing is made unless every budget can be kept.

    Parameters
    ----------
    dataset
        The name.
    kind
        What the budgets are made of, and how much everyone may spend together.
    place
        The ledger; None for the default.
    reserve, per
        As in ``Ledger.add_book``.
    total
        With a period: how much over all periods.
    each_analyst, analysts
        The budget of each analyst, and of some by name.
    notify
        Told that a signing key was made where the book could not be opened after that.
    """
    below: dict[str, Any] = {
        "reserve": reserve,
        "per": per,
        "total": total,
        "each_analyst": each_analyst,
        "analysts": dict(analysts or {}),
    }
    read_name(dataset, "dataset")
    read_rules(kind.budget(), **below)
    is_new, key = not _is_there(place), signing_key()
    try:
        return _opened(dataset, kind.budget(), below, place=place, key=key, is_new=is_new)
    except SfumatoError:
        if key.is_new:
            notify(key.notice())
        raise


def _opened(
    dataset: str,
    budget: Guarantee,
    below: Mapping[str, Any],
    *,
    place: str | None,
    key: SigningKey,
    is_new: bool,
) -> OpeningReport:
    with Ledger.at(place) as ledger:
        book = ledger.add_book(dataset, budget, **below)
        return OpeningReport(
            dataset=book.name,
            rules=book.rules,
            place=ledger.place,
            key=key,
            is_new=is_new,
            alike=_alike(book.name, ledger.books()),
        )


def _is_there(place: str | None) -> bool:
    """Tell whether there is a ledger; a server that does not answer fails here."""
    read_place(place)
    try:
        Ledger.open(place).close()
    except InputError:
        return False
    return True


def _alike(dataset: str, books: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        each for each in books if each != dataset and each.casefold() == dataset.casefold()
    )


@dataclass(frozen=True)
class Kind:
    """A kind of budget, of which there may be several in a book.

    Attributes
    ----------
    sign
        "epsilon", "rho" or "mu".
    amount
        How much of it everyone may spend together.
    delta
        With "epsilon": the δ of every budget.
    relation
        Which tables are neighbours.
    """

    sign: str
    amount: str
    delta: str | None
    relation: Relation

    def budget(
        self, amount: str | None = None, delta: str | None = None, *, option: str = ""
    ) -> Budget:
        """Return a budget of this kind; by default the one of everyone together.

        Parameters
        ----------
        amount, delta
            How much of it, and its δ if it has another one.
        option
            Where the numbers were written, for the head of a refusal.
        """
        try:
            return self._budget(
                self.amount if amount is None else amount, self.delta if delta is None else delta
            )
        except InputError as error:
            if option:
                error.refusal = error.refusal.at(option, in_file=True)
            raise

    def _budget(self, given: Any, failure: Any) -> Budget:
        match self.sign:
            case "rho":
                return ZeroConcentratedDP(rho=given, relation=self.relation)
            case "mu":
                return GaussianDP(mu=given, relation=self.relation)
        if _is_nothing(failure):
            return PureDP(epsilon=given, relation=self.relation)
        return ApproxDP(epsilon=given, delta=failure, relation=self.relation)


def read_kind(
    *,
    epsilon: str | None = None,
    delta: str | None = None,
    rho: str | None = None,
    mu: str | None = None,
    relation: str | None = None,
) -> Kind:
    """Return the kind of budget that numbers say; exactly one of ε, ρ and μ."""
    given = {"epsilon": epsilon, "rho": rho, "mu": mu}
    sign, value = _only(given, delta)
    return Kind(sign, value, delta, named_relation(relation) or AddRemove())


def read_cost(
    *,
    event: str | TextIO | None = None,
    epsilon: str | None = None,
    delta: str | None = None,
    rho: str | None = None,
) -> Event:
    """Return what was done: the events of a file together, or a step by its guarantee alone."""
    given: dict[str, Any] = {"event": event, "epsilon": epsilon, "rho": rho}
    sign, value = _only(given, delta)
    number: Any = value
    failure: Any = delta
    match sign:
        case "event":
            done = read_events(value)
            return done[0] if len(done) == 1 else Composed(*done)
        case "rho":
            return ZeroConcentrated(rho=number)
    if _is_nothing(failure):
        return Pure(epsilon=number)
    return Approximate(epsilon=number, delta=failure)


def _only(given: Mapping[str, Any], delta: str | None) -> tuple[str, Any]:
    """Return the one number that was given, by its name."""
    found = [(sign, value) for sign, value in given.items() if value is not None]
    if len(found) != 1:
        raise InputError(
            "E-OPTION-CONFLICT" if found else "E-OPTION-MISSING",
            "give one of {names}",
            names=all_of(list(map(Argument, given))),
        )
    if delta is not None and found[0][0] != "epsilon":
        raise InputError(
            "E-OPTION-CONFLICT",
            "{delta} goes with {epsilon}, not with {found}",
            "leave it out",
            delta=Argument("delta"),
            epsilon=Argument("epsilon"),
            found=Argument(found[0][0]),
        )
    return found[0]


def _is_nothing(delta: Any) -> bool:
    return delta is None or read_delta(delta) == 0
