"""A PostgreSQL server whose disk fails at the k-th write or sync, and which recovers by itself."""

from __future__ import annotations

import errno
import shutil
import time
import traceback
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from sfumato.errors import PendingError, StoreError
from sfumato.ledger import Ledger
from sfumato.privacy import PureDP
from tests.ledger.crash.answers import DATASET, QUERY, Answer, judge, make_ledger
from tests.ledger.crash.shim import Shim
from tests.ledger.crash.sufferer import compute, is_plain
from tests.patience import PATIENCE
from tests.postgres import hand_over

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.ledger import Book
    from tests.postgres import Cluster

pytestmark = pytest.mark.full

FAULTS = range(1, 51)
#: So that a recovery takes a fraction of a second.
QUICK = {"recovery_init_sync_method": "syncfs", "autovacuum": "off"}


@dataclass
class Client:
    """Asks a server that fails now and then, and writes down what it was told."""

    book: Book
    shim: Shim
    answers: list[Answer] = field(default_factory=list)
    plain: list[bool] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    asked: int = 0

    def endure(self, error: int, k: int) -> int:
        """Ask until the k-th write or sync of the server has failed, and until it is back."""
        self.shim.arm(error, k)
        while self.shim.counted().fired == 0:
            self.ask()
        fired = self.shim.disarm().fired
        self.ask()
        return fired

    def ask(self) -> None:
        """Ask for one answer, with the same key until there is one."""
        self.asked += 1
        end = time.monotonic() + PATIENCE
        while not self._is_told(f"key{self.asked}"):
            assert time.monotonic() < end
            time.sleep(0.02)

    def ask_again(self) -> None:
        """Ask once more for what was pending: a dying server may have written it all the same."""
        keys, self.pending = self.pending, []
        assert all(self._is_told(each) for each in keys)

    def _is_told(self, key: str) -> bool:
        try:
            settled = self.book.release(
                QUERY, compute, analyst="ada", purpose="fault", key=key, wait=0
            )
        except PendingError:
            self.pending.append(key)
        except StoreError as error:
            self.plain.append(is_plain(str(error), "".join(traceback.format_exception(error))))
            return False
        else:
            self.answers.append(Answer.of(settled, key))
        return True


class UnheedingClient(Client):
    """Wrong: hands out although the server failed."""

    def ask(self) -> None:
        content = compute()
        self.answers.append(Answer(sha256(content).hexdigest()))
        try:
            self.book.release(QUERY, lambda: content, analyst="ada", purpose="fault")
        except StoreError:
            time.sleep(0.05)


@pytest.fixture
def failing(own_postgres: Cluster, library: Path) -> tuple[str, Shim]:
    """A ledger on a server whose disk fails when it is told to."""
    place = own_postgres.database()
    make_ledger(place, PureDP(epsilon=100))
    own = own_postgres.home / library.name
    shutil.copy(library, own)
    shim = Shim(own_postgres.home / "control")
    for each in (own, shim.control):
        hand_over(each)
    own_postgres.stop()
    own_postgres.start(shim.environment(own, own_postgres.data), QUICK)
    return place, shim


def test_a_failing_server_releases_nothing_that_is_not_charged(
    failing: tuple[str, Shim], own_postgres: Cluster
) -> None:
    """For k from 1 to 50 and both errors; what was charged and not released is pending."""
    place, shim = failing
    with Ledger.open(place) as ledger:
        client = Client(ledger.book(DATASET), shim)
        fired = [client.endure(each, k) for k in FAULTS for each in (errno.EIO, errno.ENOSPC)]
        client.ask_again()
    assert fired == [1] * 100
    assert all(client.plain)
    read = judge(place, client.answers)
    assert (read.problems, read.orphans) == ((), len(client.pending))
    assert own_postgres.log.read_text().count("PANIC") > 20


def test_a_client_who_does_not_heed_the_server_is_caught(failing: tuple[str, Shim]) -> None:
    """The twin: whatever the server says, the answer is handed out.

    Which write fails, and whether an answer is lost by it, is the server's affair; each of the
    first 25 lost one or two when that was counted, and one of fifty is enough.
    """
    place, shim = failing
    with Ledger.open(place) as ledger:
        book = ledger.book(DATASET)
        client, patient = UnheedingClient(book, shim), Client(book, shim)

        def loses_an_answer(k: int) -> bool:
            client.endure(errno.EIO, k)
            patient.ask()  # returns when the server is back
            problems = judge(place, client.answers).problems
            return any("is not in the book" in each for each in problems)

        assert any(map(loses_an_answer, FAULTS))
