"""A program on a failing disk: started with the library of `faults.c`, one process for each fault.

It prints what it has counted for every fault, a line of JSON each.
"""

from __future__ import annotations

import json
import re
import secrets
import shutil
import sys
import traceback
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import InputError, PendingError, SfumatoError
from sfumato.ledger import Ledger
from tests.ledger.crash import nursery
from tests.ledger.crash.answers import CAP, DATASET, QUERY, Answer, open_log
from tests.ledger.crash.shim import Shim

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.ledger import Book

RELEASES = 4
#: Begins every content, so that it is found where it should not be.
SECRET = b"secret "
SENTENCE = re.compile(r"the ledger '[^'\n]*' failed \([\w ,]+\); nothing was released")
#: What nobody is shown of a failure: statements, what was to be released, other errors below it.
UNSEEN = ("INSERT INTO", "SELECT ", SECRET.decode(), "sqlalchemy.exc", "sqlite3.", "psycopg.")


def is_plain(message: str, shown: str) -> bool:
    """Tell whether a failure of the store is one sentence, with nothing below it."""
    return bool(SENTENCE.fullmatch(message)) and not any(each in shown for each in UNSEEN)


def compute() -> bytes:
    return SECRET + secrets.token_hex(8).encode()


def careful(book: Book, log: int, key: str) -> None:
    """Hand out what was released, and nothing if the store failed."""
    settled = book.release(QUERY, compute, analyst="ada", purpose="fault", key=key, wait=0)
    Answer.of(settled, key).note(log)


def unheeding(book: Book, log: int, key: str) -> None:
    """Wrong: hand out although the store failed."""
    content = compute()
    Answer(sha256(content).hexdigest()).note(log)
    book.release(QUERY, lambda: content, analyst="ada", purpose="fault")


CASHIERS = {each.__name__: each for each in (careful, unheeding)}


def surviving(task: Callable[[], None], failures: Path) -> None:
    """Do a task; write down how the ledger failed, as a program that ends by it would show."""
    try:
        task()
    except SfumatoError as error:
        shown = "".join(traceback.format_exception(error))
        failure = {"kind": type(error).__name__, "message": str(error), "shown": shown}
        with failures.open("a") as file:
            file.write(json.dumps(failure) + "\n")


def opened(place: Path) -> Ledger:
    """Open a ledger, and make it first where there is none."""
    try:
        return Ledger.open(place)
    except InputError:
        return Ledger.create(place)


def work(place: Path, notes: Path, cashier: str) -> None:
    """Release a few times, twice with the same keys, whatever fails meanwhile."""
    log, failures = open_log(notes / "answers.log"), notes / "failures"

    def ask(book: Book, number: int) -> None:
        with suppress(PendingError):
            CASHIERS[cashier](book, log, f"key{number}")

    def session() -> None:
        with opened(place) as ledger:
            known = DATASET in ledger.books()
            book = ledger.book(DATASET) if known else ledger.add_book(DATASET, CAP)
            for number in range(RELEASES):
                surviving(partial(ask, book, number), failures)

    for _ in range(2):
        surviving(session, failures)


@dataclass(frozen=True)
class Case:
    """A disk that fails: between which of its writes and syncs, and how."""

    name: str
    error: int
    first: int
    last: int

    def suffer(self, folder: Path, shim: Shim, cashier: str) -> list[object]:
        """Use a ledger on the disk, in a process of its own; count what failed."""
        disk, notes = folder / "disks" / self.name, folder / "notes" / self.name
        notes.mkdir(parents=True)
        disk.mkdir(parents=True)
        if (folder / "template.db").exists():
            shutil.copy(folder / "template.db", disk / "ledger.db")
        shim.arm(self.error, self.first, self.last)
        child = nursery.start(lambda: work(disk / "ledger.db", notes, cashier))
        code, counted = nursery.finished(child), shim.disarm()
        return [self.name, code, counted.calls, counted.fired]


if __name__ == "__main__":
    home, how = Path(sys.argv[1]), sys.argv[2]
    for line in sys.stdin:
        found = Case(*json.loads(line)).suffer(home, Shim(home / "control"), how)
        print(json.dumps(found), flush=True)  # noqa: T201
