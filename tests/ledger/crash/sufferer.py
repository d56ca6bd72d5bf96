"""A program on a failing disk: started with the library of `faults.c`, one process for each fault.

It prints what it has counted for every fault, a line of JSON each.
"""

from __future__ import annotations

import json
import secrets
import shutil
import sys
import traceback
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import PendingError, StoreError
from sfumato.ledger import Charge, Ledger
from tests.ledger.crash import nursery
from tests.ledger.crash.answers import DATASET, QUERY, Answer, open_log
from tests.ledger.crash.shim import Shim

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.ledger import Book

RELEASES = 5
#: Begins every content, so that it is found where it should not be.
SECRET = b"secret "


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
    charge = book.reserve(QUERY, analyst="ada", purpose="fault", key=key)
    assert isinstance(charge, Charge)
    charge.commit(content)


CASHIERS = {each.__name__: each for each in (careful, unheeding)}


def surviving(task: Callable[[], None], failures: Path) -> None:
    """Do a task, and write down how the store failed, as a program that ends by it would show."""
    try:
        task()
    except StoreError as error:
        shown = "".join(traceback.format_exception(error))
        with failures.open("a") as file:
            file.write(json.dumps({"message": str(error), "shown": shown}) + "\n")


def work(case: Path, cashier: str) -> None:
    """Release a few times; where the store fails, ask once more with the same key."""
    log, failures = open_log(case / "answers.log"), case / "failures"

    def ask(book: Book, number: int) -> None:
        with suppress(PendingError):
            CASHIERS[cashier](book, log, f"key{number}")

    def session() -> None:
        with Ledger.open(case / "disk" / "ledger.db") as ledger:
            book = ledger.book(DATASET)
            for number in range(RELEASES):
                surviving(lambda number=number: ask(book, number), failures)

    surviving(session, failures)
    surviving(session, failures)


def suffer(template: Path, case: Path, shim: Shim, fault: tuple[int, int, int], how: str) -> None:
    """Copy a ledger, and use it while a fault strikes."""
    (case / "disk").mkdir(parents=True)
    shutil.copy(template, case / "disk" / "ledger.db")
    shim.arm(*fault)
    code = nursery.finished(nursery.start(lambda: work(case, how)))
    counted = shim.disarm()
    print(json.dumps([case.name, code, counted.count, counted.fired]), flush=True)  # noqa: T201


if __name__ == "__main__":
    template, folder, control, cashier = sys.argv[1:]
    for line in sys.stdin:
        name, error, first, last = json.loads(line)
        fault = (error, first, last)
        suffer(Path(template), Path(folder) / name, Shim(Path(control)), fault, cashier)
