"""Charges beside their floor: a bare durable INSERT, by the bare driver, of as many bytes.

The disk is that of the temporary folder; TMPDIR names another.  PostgreSQL is measured where its
server is installed.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

import sfumato as sf
from benchmarks.charges.slower import on_a_slower_disk
from benchmarks.charges.stores import StoreAt, hurried, stores
from benchmarks.charges.turns import Turns, take_turns
from benchmarks.measure import markdown, save, timed
from sfumato.ledger.storage.schema import entries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.ledger import Book, Ledger
    from sfumato.privacy import Guarantee
    from sfumato.privacy.events import Event

SIZES = (1, 1_000, 10_000, 100_000)
ASKED: dict[str, Any] = {"analyst": "ada", "purpose": "number of patients by sex"}
NOTES = """\
The floor is one durable INSERT by the bare driver (two for a release) of as many bytes as ours
writes, in the same kind of store. Blocks of 20 calls take turns; medians over 25 blocks, of the
ratio too. Waiting while other programs have the processor is not counted, where Linux says how
long that was. The processor's time is that of the calling process, without the server's.
No peer: the privacy libraries that we know of keep what was spent in memory, if anywhere.
"""
SLOWER = """\
The same where every flush takes a millisecond longer, as it does on many a disk (`flushes.c` waits
before it). Ours and the floor flush equally often, so what ours adds weighs less there.
"""
GROWN = """\
The same at books of growing length, filled with real charges that do not wait for the disk; what
is timed does. A charge that follows one's own goes by what is remembered; before one that follows
another process's, the end of the book is looked up.
"""


@dataclass(frozen=True)
class Budgets:
    """A kind of book, and what is charged to it."""

    name: str
    event: Event
    budget: Guarantee
    each_analyst: Guarantee | None = None

    def book(self, ledger: Ledger) -> Book:
        """Open a book of this kind."""
        return ledger.add_book(self.name, self.budget, each_analyst=self.each_analyst)


PURE = Budgets("pure ε", sf.privacy.events.Laplace(scale=10), sf.PureDP(epsilon=10**6))
APPROXIMATE = Budgets(
    "(ε, δ)", sf.privacy.events.Gaussian(sigma=1000), sf.ApproxDP(epsilon=10, delta=1e-6)
)
ANALYSTS = Budgets(
    "pure ε, and each analyst's", PURE.event, PURE.budget, each_analyst=sf.PureDP(epsilon=10**5)
)


def charges(book: Book, event: Event) -> dict[str, tuple[Callable[[], Any], int]]:
    """Return the ways to charge, with how many entries each writes."""
    return {
        "reserve": (partial(book.reserve, event, **ASKED), 1),
        "spend": (partial(book.spend, event, **ASKED), 1),
        "release": (partial(book.release, event, lambda: b"42", **ASKED), 2),
    }


def race(store: StoreAt) -> Iterator[list[str]]:
    """Measure every way to charge, at every kind of budget."""
    with store.opened() as ledger:
        for kind in (PURE, APPROXIMATE, ANALYSTS):
            for name, (charge, rows) in charges(kind.book(ledger), kind.event).items():
                found = take_turns(charge, floor(store, charge, rows))
                rate = f"{1 / found.ours:,.0f}"
                yield [f"{name}, {kind.name}", store.name, *_shown(found), rate]


def floor(store: StoreAt, charge: Callable[[], Any], rows: int) -> Callable[[], Any]:
    """Return the bare INSERTs of as many bytes as a charge writes."""
    charge()
    inserts = [store.bare(size) for size in _last_sizes(store, rows)]
    return lambda: [insert() for insert in inserts]


def growth(store: StoreAt, sizes: tuple[int, ...] = SIZES) -> Iterator[list[str]]:
    """Measure charges to a book that grows, by one process and by two in turn."""
    first: dict[str, Turns] = {}
    with store.opened() as ledger:
        ANALYSTS.book(ledger)
    for size in sizes:
        fill(store, size)
        with store.opened() as one, store.opened() as other:
            mine, theirs = (each.book(ANALYSTS.name) for each in (one, other))
            for name, books in {"own": [mine], "another's": [mine, theirs]}.items():
                charge = in_turn(books)
                found = take_turns(charge, floor(store, charge, 1))
                start = first.setdefault(name, found)
                yield [
                    f"{size:,}",
                    f"after {name}",
                    store.name,
                    *_shown(found),
                    *_grown(found, start),
                ]


def in_turn(books: list[Book]) -> Callable[[], Any]:
    """Return a charge by each handle of a book in turn."""
    turn = cycle(books)

    def charge() -> None:
        next(turn).reserve(ANALYSTS.event, **ASKED)

    return charge


def fill(store: StoreAt, size: int) -> None:
    """Charge until the book has so many entries, without waiting for the disk."""
    with hurried(), store.opened() as ledger:
        book = ledger.book(ANALYSTS.name)
        while book.spend(ANALYSTS.event, **ASKED).sequence < size:
            pass


def verification(store: StoreAt) -> list[str]:
    """Measure how long it takes to read the long book again, signatures and sums."""
    with store.opened() as ledger:
        verdict, seconds = timed(lambda: ledger.verify(books=[ANALYSTS.name]))
    if not verdict.is_sound:
        raise RuntimeError(str(verdict))
    count = verdict.books[0].entries
    return [store.name, f"{count:,}", f"{seconds:.1f}", f"{count / seconds:,.0f}"]


def main() -> None:
    """Measure, print and save."""
    load = f"Processors: {os.cpu_count()}; load when the run began: {os.getloadavg()[0]:.1f}.\n"
    measured = ["store", "ours (ms)", "floor (ms)", "ours / floor", "processor (ms)"]
    with stores() as places:
        raced = [row for store in places for row in race(store)]
    with stores() as places:
        grown = [row for store in places for row in growth(store)]
        verified = [verification(store) for store in places]
    race_titles = ["charge", *measured, "charges a second"]
    growth_titles = ["entries", "charge", *measured, "ratio's growth", "processor's"]
    slow_race, slow_growth = on_a_slower_disk()
    parts = [
        NOTES + load,
        markdown([race_titles, *raced]),
        SLOWER,
        markdown([race_titles, *slow_race]),
        markdown([growth_titles, *slow_growth]),
        GROWN,
        markdown([growth_titles, *grown]),
        markdown([["verify", "entries", "seconds", "entries a second"], *verified]),
    ]
    save("ledger", "python -m benchmarks ledger", "\n".join(parts))


def _last_sizes(store: StoreAt, rows: int) -> list[int]:
    """Return how many bytes the last rows of the ledger hold."""
    texts = [each for each in entries.columns if isinstance(each.type, sa.Text)]
    size = sum((sa.func.coalesce(sa.func.length(each), 0) for each in texts), sa.literal(0))
    last = sa.select(size).order_by(entries.c.book.desc(), entries.c.sequence.desc()).limit(rows)
    engine = sa.create_engine(store.place if "://" in store.place else f"sqlite:///{store.place}")
    with engine.connect() as connection:
        found = list(connection.execute(last).scalars())
    engine.dispose()
    return found


def _shown(found: Turns) -> list[str]:
    return [
        f"{found.ours * 1e3:.3g}",
        f"{found.floor * 1e3:.3g}",
        f"{found.ratio:.2f}",
        f"{found.processor * 1e3:.2f}",
    ]


def _grown(found: Turns, start: Turns) -> list[str]:
    return [f"{found.ratio / start.ratio:.2f}", f"{found.processor / start.processor:.2f}"]
