"""Rivals: eight processes ask for the same keys at once.

Each notes what it was told.  `heirs` were forked while a ledger was open, and `orphans` while a
thread was charging.
"""

from __future__ import annotations

import os
import secrets
import signal
import time
from contextlib import suppress
from functools import partial
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from sfumato.errors import StoreError
from sfumato.ledger import Ledger
from tests.ledger.crash import nursery
from tests.ledger.crash.answers import DATASET, QUERY, Answer, open_log
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.ledger import Book

PROCESSES = 8
KEYS = 20
#: After how many seconds a child that waits for ever is ended.
LONG = 4


def ask(book: Book, log: int, key: str | None) -> None:
    asked: dict[str, Any] = {"analyst": "ada", "purpose": "race", "key": key, "wait": PATIENCE}
    settled = book.release(QUERY, lambda: secrets.token_bytes(24), **asked)
    Answer.of(settled, key).note(log)


def rival(place: str, log: int) -> None:
    with Ledger.open(place) as ledger:
        for number in range(KEYS):
            ask(ledger.book(DATASET), log, f"key{number}")


def rivals(place: str, folder: Path) -> None:
    """Race for every key, each process with a ledger of its own."""
    logs = [open_log(folder / f"{number}.log") for number in range(PROCESSES)]
    children = [nursery.start(partial(rival, place, each)) for each in logs]
    assert [nursery.finished(each) for each in children] == [0] * PROCESSES


def heirs(place: str, folder: Path) -> None:
    """Charge before and after forking, with the same ledger and with one opened anew."""
    logs = [open_log(folder / f"{number}.log") for number in range(3)]
    closed = os.pipe()
    with Ledger.open(place) as ledger:
        book = ledger.book(DATASET)
        ask(book, logs[0], None)

        def heir(log: int) -> None:
            inherit(book if log == logs[1] else Ledger.open(place).book(DATASET), log, closed)

        children = [nursery.start(partial(heir, each)) for each in logs[1:]]
        ask(book, logs[0], None)
    os.close(closed[1])
    assert [nursery.finished(each) for each in children] == [0, 0]


def inherit(book: Book, log: int, closed: tuple[int, int]) -> None:
    """Charge beside the parent, wait until it has closed its ledger, and charge again."""
    os.close(closed[1])
    for _ in range(3):
        ask(book, log, None)
    os.read(closed[0], 1)
    for _ in range(20):
        ask(book, log, None)


def orphans(place: str, folder: Path) -> None:
    """Fork while a thread charges.

    A child may be refused, or wait for ever for that thread, which it does not have: Python
    guarantees nothing else.  What it was told has to be in the book.
    """
    logs = [open_log(folder / f"{number}.log") for number in range(5)]
    closed, stopped = os.pipe(), Event()
    with Ledger.open(place) as ledger:
        book = ledger.book(DATASET)

        def charge() -> None:
            while not stopped.is_set():
                ask(book, logs[0], None)

        def orphan(log: int) -> None:
            signal.alarm(LONG)
            with suppress(StoreError):
                inherit(Ledger.open(place).book(DATASET), log, closed)

        thread = Thread(target=charge)
        thread.start()
        children = []
        for each in logs[1:]:
            time.sleep(0.02)
            children.append(nursery.start(partial(orphan, each)))
        stopped.set()
        thread.join()
    os.close(closed[1])
    assert {nursery.finished(each) for each in children} <= {0, -signal.SIGALRM}
