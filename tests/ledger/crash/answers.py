"""Answers that were handed out, noted outside the ledger, and the judge who compares the two."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.ledger import Ledger
from sfumato.privacy import PureDP
from sfumato.privacy.events import Pure
from tests.ledger.crash.fresh import in_a_fresh_process

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sfumato.ledger import Book, Entry, Settled

ROOT = Path(__file__).parents[3]
DATASET = "patients"
CAP = PureDP(epsilon=10)
QUERY = Pure(epsilon=0.05)
#: Divides a page of memory, so that a line is written whole or not at all by one who is killed.
LINE = 128


@dataclass(frozen=True)
class Answer:
    """Something that was handed out: its digest, the receipt if there was one, the key if any."""

    digest: str
    receipt: str = "-"
    key: str = "-"

    @classmethod
    def of(cls, settled: Settled, key: str | None = None) -> Answer:
        return cls(sha256(settled.content).hexdigest(), settled.receipt.id, key or "-")

    def note(self, log: int) -> None:
        """Write the answer at the end of an open file, by one system call."""
        line = f"{self.digest} {self.receipt} {self.key}".ljust(LINE - 1) + "\n"
        assert os.write(log, line.encode()) == LINE


def open_log(path: Path) -> int:
    return os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)


def noted(folder: Path) -> list[Answer]:
    """All answers that were handed out, as the files of a folder have them."""
    files = sorted(folder.glob("*.log"))
    return [Answer(*line.split()) for each in files for line in each.read_text().splitlines()]


@dataclass(frozen=True)
class Reading:
    """What a book says after the fact, and how many of its charges were never settled."""

    spent: Fraction
    charges: int
    orphans: int
    problems: tuple[str, ...]


def make_ledger(place: str, cap: PureDP = CAP) -> None:
    with Ledger.create(place) as ledger:
        ledger.add_book(DATASET, cap)


def judge(place: str, answers: Sequence[Answer] = (), dataset: str = DATASET) -> Reading:
    """Read a book and say all that is wrong with it, given the answers that were handed out."""
    with Ledger.open(place) as ledger:
        book = ledger.book(dataset)
        entries = list(book.entries())
        charges = [each for each in entries if each.kind == "charge"]
        spent = sum((_cost(each) for each in charges), Fraction())
        problems = (
            *ledger.verify().problems,
            *_sum_problems(book, spent, answers),
            *_answer_problems(entries, answers),
            *_key_problems(charges, answers),
        )
        return Reading(spent, len(charges), len(book.orphans()), problems)


def sums_of_a_fresh_process(place: str) -> tuple[Fraction, int, int]:
    """What another process, which has charged nothing, reads: spent, charges, orphans."""
    read = in_a_fresh_process(judge, place)
    return read.spent, read.charges, read.orphans


def _cost(charge: Entry) -> Fraction:
    assert isinstance(charge.event, Pure)
    return exact(charge.event.epsilon)


def exact(number: object) -> Fraction:
    """A number that has to be a fraction; no float comes between the book and the judge."""
    assert isinstance(number, Fraction)
    return number


def _sum_problems(book: Book, spent: Fraction, answers: Iterable[Answer]) -> Iterator[str]:
    (standing,) = book.standing()
    assert isinstance(standing.rule.budget, PureDP)
    cap = exact(standing.rule.budget.exact_epsilon)
    released = len({each.digest for each in answers}) * exact(QUERY.epsilon)
    if not released <= spent <= cap:
        yield f"released {released}, spent {spent}, cap {cap}"
    if standing.used * cap != spent:
        yield f"the charges are {spent} of {cap}, the book says {standing.used} of it"


def _answer_problems(entries: Sequence[Entry], answers: Iterable[Answer]) -> Iterator[str]:
    releases = {each.body["digest"]: each for each in entries if each.kind == "release"}
    charges = {each.sequence: each for each in entries if each.kind == "charge"}
    for answer in answers:
        release = releases.get(answer.digest)
        if release is None:
            yield f"the answer {answer.digest} was handed out and is not in the book"
        elif release.body["settles"] not in charges:
            yield f"the answer {answer.digest} was not charged"
        elif answer.receipt not in ("-", release.body["receipt"]):
            yield f"the answer {answer.digest} has the receipt of another"


def _key_problems(charges: Iterable[Entry], answers: Iterable[Answer]) -> Iterator[str]:
    charged = Counter(each.body["request"] for each in charges if each.body["request"])
    yield from (f"{key} was charged {times} times" for key, times in charged.items() if times > 1)
    told: dict[str, Answer] = {}
    for answer in answers:
        if answer.key != "-" and told.setdefault(answer.key, answer) != answer:
            yield f"{answer.key} was answered in two ways"
