"""A storm: workers charge and release, and a killer ends them, mostly at random moments.

The first is ended in the midst of its request, wherever the others are.

Its process has imported everything and opens nothing, so that a worker is one `fork` away.
"""

from __future__ import annotations

import fcntl
import os
import random
import secrets
import signal
import termios
import time
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING

from sfumato.errors import BudgetError, PendingError
from sfumato.ledger import Charge, Ledger
from tests.ledger.crash import nursery
from tests.ledger.crash.answers import DATASET, QUERY, Answer, open_log

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sfumato.ledger import Book

WORKERS = 8
KEYS = 40
MANY = 20_000
#: How long a worker waits for the answer that another one computes.
PATIENCE = 0.02
#: How many requests are let through between two kills: the budget outlasts the kills.
BETWEEN_KILLS = 4


def careful(book: Book, key: str | None, linger: Callable[[], None], log: int) -> None:
    """Charge, compute, record; then hand out."""

    def compute() -> bytes:
        linger()
        return secrets.token_bytes(24)

    settled = book.release(QUERY, compute, analyst="ada", purpose="storm", key=key, wait=PATIENCE)
    Answer.of(settled, key).note(log)


def before_charging(book: Book, _: str | None, linger: Callable[[], None], log: int) -> None:
    """Wrong: compute and hand out, then charge."""
    content = secrets.token_bytes(24)
    Answer(sha256(content).hexdigest()).note(log)
    linger()
    book.release(QUERY, lambda: content, analyst="ada", purpose="storm")


def before_recording(book: Book, _: str | None, linger: Callable[[], None], log: int) -> None:
    """Wrong: charge, compute and hand out, then record."""
    charge = book.reserve(QUERY, analyst="ada", purpose="storm")
    assert isinstance(charge, Charge)
    content = secrets.token_bytes(24)
    Answer(sha256(content).hexdigest(), charge.receipt_id).note(log)
    linger()
    charge.commit(content)


CASHIERS = {each.__name__: each for each in (careful, before_charging, before_recording)}


def work(place: str, turns: int, trap: Trap, log: int, cashier: str, seed: int) -> None:
    """Release until the budget is spent: every other answer for a key that all workers share.

    A byte that is read from the pipe of turns lets one request through.
    """
    dice = random.Random(seed)  # noqa: S311 a reproducible storm

    def linger() -> None:
        trap.pass_by()
        time.sleep(dice.uniform(0, 0.002))

    with Ledger.open(place) as ledger:
        book = ledger.book(DATASET)
        for turn in count():
            os.read(turns, 1)
            key = f"key{dice.randrange(KEYS)}" if turn % 2 else None
            try:
                CASHIERS[cashier](book, key, linger, log)
            except PendingError:
                continue
            except BudgetError:
                break
        repeat(book, linger, log)


def repeat(book: Book, linger: Callable[[], None], log: int) -> None:
    """Ask once more for the answers that all workers share."""
    for number in range(KEYS):
        with suppress(BudgetError, PendingError):
            careful(book, f"key{number}", linger, log)


class Trap:
    """Holds the first worker that passes in the midst of a request, and tells which one it is."""

    def __init__(self) -> None:
        self._open, self._caught = os.pipe(), os.pipe()
        os.set_blocking(self._open[0], False)
        os.write(self._open[1], b".")

    def pass_by(self) -> None:
        """Be caught, and wait for the end, unless somebody was before."""
        with suppress(BlockingIOError):
            os.read(self._open[0], 1)
            os.write(self._caught[1], b"%d" % os.getpid())
            signal.pause()

    def caught(self) -> int:
        """Wait until a worker is caught; return its number."""
        return int(os.read(self._caught[0], 20))


@dataclass
class Storm:
    """Eight workers and their killer."""

    place: str
    folder: Path
    cashier: str
    dice: random.Random
    alive: set[int] = field(default_factory=set)
    born: int = 0
    turns: tuple[int, int] = field(default_factory=os.pipe)
    trap: Trap = field(default_factory=Trap)

    def blow(self, kills: int) -> None:
        """Let the workers spend the whole budget, and kill some of them meanwhile."""
        for _ in range(WORKERS):
            self.start()
        for kill in range(kills):
            self.let_through(BETWEEN_KILLS)
            self.kill(self.at_random() if kill else self.trap.caught())
            self.start()
        self.let_through(MANY)
        for each in self.alive:
            assert nursery.finished(each) == 0

    def start(self) -> None:
        self.born += 1
        log, seed = open_log(self.folder / f"{self.born:03}.log"), self.dice.getrandbits(32)
        own = (self.turns[0], self.trap, log, self.cashier, seed)
        self.alive.add(nursery.start(lambda: work(self.place, *own)))
        os.close(log)

    def at_random(self) -> int:
        """Wait for a random moment; return a random worker."""
        self.wait_until_busy()
        time.sleep(self.dice.uniform(0, 0.005))
        return self.dice.choice(sorted(self.alive))

    def kill(self, worker: int) -> None:
        os.kill(worker, signal.SIGKILL)
        self.alive.remove(worker)
        assert nursery.finished(worker) == -signal.SIGKILL

    def let_through(self, requests: int) -> None:
        os.write(self.turns[1], bytes(requests))

    def wait_until_busy(self) -> None:
        """Wait until workers have taken all turns that there are."""
        while any(fcntl.ioctl(self.turns[0], termios.FIONREAD, bytes(4))):
            time.sleep(0.001)


def blow(place: str, folder: Path, cashier: str, seed: int, kills: int) -> None:
    """Have workers spend the budget of a ledger while some of them are killed."""
    chance = random.Random(seed)  # noqa: S311 a reproducible storm
    Storm(place, folder, cashier, chance).blow(kills)
