"""What golden documents mean to the code that reads them now, ready for JSON."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sfumato as sf
from sfumato.data.policy import digest, document, read_policy
from sfumato.ledger import Ledger, Receipt
from sfumato.privacy import (
    AddRemove,
    Substitute,
    events,
    guarantee_from_document,
    guarantee_to_document,
)
from sfumato.survey import collect, read_survey
from tests.golden.versions import (
    CERTIFICATES,
    EVENTS,
    GUARANTEES,
    LEDGER,
    POLICIES,
    RECEIPTS,
    SURVEYS,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.ledger import Book
    from sfumato.privacy import Guarantee
    from sfumato.survey import Survey

DELTA = 1e-6
#: Events that hold where one row is replaced.
SUBSTITUTED = (events.FixedSizeSubsampled, events.Shuffled)
#: What of the report about a certificate is kept.
JUDGED = ("holds", "problem", "guarantee_in_words", "proved", "answer")
#: A figure of an accountant is the same on another machine in so many digits.
DIGITS = 9


def _rounded(value: float) -> str:
    return f"{value:.{DIGITS}g}"


def _events(folder: Path) -> list[Any]:
    """Each event written again, and what ε it costs."""
    read = events.from_json((folder / EVENTS).read_text(encoding="utf-8"))
    return [[json.loads(events.to_json(each)), _epsilon(each)] for each in read]


def _epsilon(event: events.Event) -> str:
    holds_for = Substitute() if isinstance(event, SUBSTITUTED) else AddRemove()
    delta = 0 if isinstance(event, events.Composed) else DELTA  # the sum is known at once
    return _rounded(float(sf.compose(event, relation=holds_for).epsilon(delta=delta)))


def _guarantees(folder: Path) -> list[Any]:
    kept = json.loads((folder / GUARANTEES).read_text(encoding="utf-8"))
    read = [guarantee_from_document(each) for each in kept]
    return [[guarantee_to_document(each), str(each), _rounded(_of(each))] for each in read]


def _of(guarantee: Guarantee) -> float:
    return float(guarantee.epsilon(delta=DELTA))


def _policies(folder: Path) -> dict[str, Any]:
    paths = sorted((folder / POLICIES).glob("*.toml"))
    read = {path.name: read_policy(path) for path in paths}
    public = {name: sorted(each.public) for name, each in read.items()}
    return {name: [digest(each), document(each), public[name]] for name, each in read.items()}


def _ledger(folder: Path) -> dict[str, Any]:
    """The verdict about each book, its entries and where its budgets stand."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((folder / RECEIPTS).iterdir())]
    receipts = [Receipt.from_json(text) for text in texts]
    with (
        tempfile.TemporaryDirectory() as room,
        Ledger.open(shutil.copy(folder / LEDGER, room), key=f"{room}/key.pem") as ledger,
    ):
        verdict = ledger.verify(receipts)
        books = {name: _book(ledger.book(name)) for name in ledger.books()}
    return {
        "verdict": str(verdict).splitlines(),
        "problems": verdict.problems,
        "heads": {each.dataset: each.head for each in verdict.books},
        "spent": [str(spent) for each in verdict.books for spent in each.spent],
        "books": books,
        "receipts": [[each.id, str(each.event), each.digest] for each in receipts],
    }


def _book(book: Book) -> dict[str, Any]:
    """What does not change with the day on which it is asked."""
    entries = [[each.body["kind"], each.body["when"], each.hash] for each in book.entries()]
    return {"rules": [each.sentence() for each in book.rules], "entries": entries}


def _certificates(folder: Path) -> dict[str, Any]:
    """What ``sfumato check`` says of each."""
    paths = sorted((folder / CERTIFICATES).iterdir())
    said = {path.stem: sf.check(path).as_dict() for path in paths}
    return {name: {key: each[key] for key in JUDGED} for name, each in said.items()}


def _survey(folder: Path) -> dict[str, Any]:
    survey = read_survey(folder / SURVEYS / "survey.toml")
    results = collect(survey, str(folder / SURVEYS / "reports.csv")).estimate()
    return {
        "digest": survey.digest,
        "guarantee": str(survey.guarantee),
        "questions": {name: each.describe() for name, each in survey.questions.items()},
        "results": str(results).splitlines(),
        "remembered": _remembered(survey, folder / SURVEYS / "memory.db"),
    }


def _remembered(survey: Survey, memory: Path) -> str:
    """Whether a person who answered before reports again of the same bits."""
    with tempfile.TemporaryDirectory() as room:
        path = Path(shutil.copy(memory, room))
        answers = {name: "a" for name in survey.questions if name != "hours"} | {"hours": 3}
        survey.answer(answers, person="p0", memory=path)
        return "as before" if path.read_bytes() == memory.read_bytes() else "drawn anew"


#: What is read, part by part.
FIGURES: dict[str, Callable[[Path], Any]] = {
    "events": _events,
    "guarantees": _guarantees,
    "policies": _policies,
    "ledger": _ledger,
    "certificates": _certificates,
    "survey": _survey,
}
