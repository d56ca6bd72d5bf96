"""The verdict on a ledger: sound, or what is wrong with it, in sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.privacy import ApproxDP, PureDP, compose
from sfumato.privacy.events import Composed, Repeated
from sfumato.translation import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.ledger.rules import Rule
    from sfumato.privacy import Composition, Guarantee
    from sfumato.privacy.events import Event
#: Where privacy curves are compared, for budgets that are no single point.
_EPSILON = 1.0


@dataclass(frozen=True)
class Spent:
    """What was charged to one budget, as the accountant composes it.

    Attributes
    ----------
    rule, window
        The budget, and the period of it.
    analyst
        Whose own budget it is; empty for one over everyone.
    guarantee
        What all that was charged guarantees together, had the questions been fixed in advance.
    """

    rule: Rule
    window: str
    analyst: str
    guarantee: Composition

    @property
    def is_exceeded(self) -> bool:
        """Whether the budget is certainly broken."""
        return exceeds(self.guarantee, self.rule.budget)

    def __str__(self) -> str:
        period = tr(" in {window}", window=self.window) if self.window else ""
        whose = (
            tr("analyst “{analyst}”", analyst=self.analyst)
            if self.analyst
            else f"{self.rule.scope}"
        )
        return tr(
            "{budget} of {whose}{period}", budget=self.rule.budget, whose=whose, period=period
        )


@dataclass(frozen=True)
class BookVerdict:
    """What was found in one book.

    Attributes
    ----------
    dataset
        The book.
    entries
        How many entries it has.
    head
        The hash of the last one: two ledgers that agree on it agree on the whole book.
    problems
        What is wrong, a sentence each; none if the book is sound.
    spent
        What was charged to each budget, as the accountant composes it.
    uncompared
        How many entries say sums that an older program added up in another way; those were not
        compared, and what counts is added up anew from the events.
    signers
        The fingerprints of the keys that signed, in the order in which they first did: a book that
        somebody else wrote anew is signed by a stranger.

    Examples
    --------
    >>> import tempfile
    >>> import sfumato as sf
    >>> from sfumato.ledger import Ledger
    >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
    ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
    ... ) as ledger:
    ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
    ...     ledger.verify().books[0].entries
    1
    """

    dataset: str
    entries: int
    head: str
    problems: tuple[str, ...]
    spent: tuple[Spent, ...]
    uncompared: int = 0
    signers: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Tell whether it is sound."""
        return self.is_sound

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     ledger.verify().books[0].is_sound
        True
        """
        return not self.problems


@dataclass(frozen=True)
class LedgerVerdict:
    """What was found in a ledger, and of the receipts that were shown.

    Attributes
    ----------
    books
        The verdict on every book.
    receipts
        What is wrong with the receipts, a sentence each.
    stray
        How many entries there are whose book is gone.

    Examples
    --------
    >>> import tempfile
    >>> import sfumato as sf
    >>> from sfumato.privacy import events
    >>> from sfumato.ledger import Ledger
    >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
    ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
    ... ) as ledger:
    ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
    ...     receipt = book.spend(events.Pure(epsilon=0.1), analyst="ada", purpose="by sex")
    ...     print(ledger.verify([receipt]))
    sound: 1 book, 2 entries, 1 receipt
    """

    books: tuple[BookVerdict, ...]
    shown: int
    receipts: tuple[str, ...]
    stray: int = 0

    @property
    def problems(self) -> tuple[str, ...]:
        """All that is wrong, a sentence each.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     ledger.verify().problems
        ()
        """
        found = [
            tr("book {dataset!r}: {one}", dataset=each.dataset, one=one)
            for each in self.books
            for one in each.problems
        ]
        gone = (
            [tr("the ledger has entries of books that are not listed in it")] if self.stray else []
        )
        return (*gone, *found, *self.receipts)

    def __bool__(self) -> bool:
        """Tell whether it is sound."""
        return self.is_sound

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     ledger.verify().is_sound
        True
        """
        return not self.problems

    def __str__(self) -> str:
        entries = sum(each.entries for each in self.books)
        counted = [
            tr_n("{count:,} book", "{count:,} books", len(self.books), count=len(self.books)),
            tr_n("{count:,} entry", "{count:,} entries", entries, count=entries),
        ]
        if self.shown:
            counted.append(
                tr_n("{count:,} receipt", "{count:,} receipts", self.shown, count=self.shown)
            )
        others = sum(each.uncompared for each in self.books)
        if others:
            counted.append(
                tr("{others:,} with sums of another way of adding up, not compared", others=others)
            )
        if self.is_sound:
            return tr("sound: {counted}", counted=", ".join(counted))
        return "\n".join(
            [
                tr("NOT SOUND: {counted}", counted=", ".join(counted)),
                *(f"  {each}" for each in self.problems),
            ]
        )


def spent_by_accountant(charged: Mapping[Event, int], budget: Guarantee) -> Composition:
    """Return all that was charged as one composition.

    It is tight where a filter has to allow for questions that depend on answers, so what it says
    is at most what the filter adds up.
    """
    repeated = [Repeated(event, count=times) for event, times in charged.items()]
    together = repeated[0] if len(repeated) == 1 else Composed(*repeated)
    return compose(together, relation=budget.relation)


def exceeds(spent: Composition, budget: Guarantee) -> bool:
    """Tell whether a composition certainly breaks a budget."""
    if isinstance(budget, PureDP):
        return spent.bounds(delta=0).lower > budget.epsilon(delta=0)
    epsilon = budget.exact_epsilon if isinstance(budget, ApproxDP) else _EPSILON
    return spent.bounds(epsilon=epsilon).lower > budget.delta(epsilon=epsilon)
