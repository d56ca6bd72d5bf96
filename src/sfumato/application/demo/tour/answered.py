"""Stops in the middle: private answers beside the truth, and a budget that runs out."""

from __future__ import annotations

import csv
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from sfumato.application.demo.tour.files import PATIENTS
from sfumato.application.demo.tour.stop import Picture, Seen, Stop
from sfumato.application.demo.walk import Shown, excerpt
from sfumato.charts import to_svg
from sfumato.errors import BudgetError
from sfumato.printing.layout import aligned, places
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.application.tables.answers import AnswerReport

__all__ = ["ANSWERED", "CERTIFICATE", "LEDGER", "REFUSED"]

LEDGER, CERTIFICATE = "ledger.db", "release.json"

_POLICY = "patients.toml"
_BUDGET = "2"
_LIMIT = 12
_SEXES, _SMOKERS = ("F", "M"), ("yes", "no")
_DEPARTMENTS = ("cardiology", "dermatology", "emergency", "oncology", "orthopaedics")
_WHY = mark("shown since nobody in this table exists")
_BY_SEX = "SELECT sex, COUNT(*) AS n, AVG(age) AS age FROM patients GROUP BY sex"
_FIGURES = 1 + len(_SEXES)
#: How much is shown of what opens a book, and of the book: what happened, and the guarantee.
_OPENED, _BOOK = 3, 3


def _answered() -> Seen:
    from sfumato.application.certificates.files import certificate_file
    from sfumato.application.tables.drafting import draft_to_file
    from sfumato.application.tables.told import Told

    told = Told(unit="patient_id", epsilon=_BUDGET, ledger=LEDGER)
    opened = draft_to_file(PATIENTS, _POLICY, told, notify=_hush)
    bounds = {"bounds": {"age": (0, 110)}}
    with certificate_file(CERTIFICATE, LEDGER) as file:
        answer = _ask(_BY_SEX, "1", keys={"sex": _SEXES}, certified=True, **bounds)
        file.write(answer)
    truth = _truth()
    asked = _question(
        _BY_SEX, "sex", _SEXES, "1", f"--bounds age=0:110 --certificate {CERTIFICATE}"
    )
    return Seen(
        (
            Shown(
                f"sfumato init {PATIENTS} --unit patient_id --epsilon {_BUDGET} --ledger {LEDGER}",
                _beginning(opened.lines(width=200), _OPENED),
            ),
            Shown(asked, (*_with_the_truth(answer, truth), *_guarantee(answer))),
        ),
        tr(
            "The command does not print what is right of the | sign: the truth is shown here "
            "because nobody in the table exists; of yours, only the noisy figures leave. What "
            "stands after ± covers the noise nineteen times out of twenty. Whatever somebody "
            "knows, these figures are at most 2.72 times as likely with any one patient in "
            "the table as without: a guess at even odds who was there is right 73.2 % of the "
            "time at most."
        ),
        (
            Picture(
                tr(
                    "The private answers with their intervals, and the truth as diamonds, which "
                    "is here because nobody in this table exists; answer.plot() draws none"
                ),
                lambda: _drawn(answer, truth),
            ),
        ),
    )


def _refused() -> Seen:
    from sfumato.application.ledger.drawing import draw_ledger
    from sfumato.application.ledger.showing import show_book

    by_department = "SELECT department, COUNT(*) AS n FROM patients GROUP BY department"
    by_smoker = "SELECT smoker, COUNT(*) AS n FROM patients GROUP BY smoker"
    second = _ask(by_department, "0.5", keys={"department": _DEPARTMENTS})
    try:
        _ask(by_smoker, "1", keys={"smoker": _SMOKERS})
    except BudgetError as refusal:
        sentence = f"sfumato: {tr('refused, {error}', error=refusal)}"
    place = str(Path(LEDGER).absolute())
    book = show_book("patients", place=place).lines(width=200)
    return Seen(
        (
            Shown(
                _question(by_department, "department", _DEPARTMENTS, "0.5"),
                _beginning(second.lines(), len(_DEPARTMENTS) + 1),
            ),
            Shown(_question(by_smoker, "smoker", _SMOKERS, "1"), (sentence,)),
            Shown(
                f"sfumato ledger show patients --ledger {LEDGER}",
                _beginning(book, _BOOK),
            ),
        ),
        tr(
            "What answers cost adds up, and the ledger keeps it on the disk: the charge is "
            "there before an answer is computed, and a crash leaves it spent. A question that "
            "does not fit is refused before a row is read, whoever asks, in whatever program."
        ),
        (
            Picture(
                tr(
                    "Each step is what an answer cost; the one that was refused would have "
                    "gone above the dashed line"
                ),
                lambda: to_svg(draw_ledger("patients", place=place)),
            ),
        ),
    )


def _ask(sql: str, epsilon: str, **given: Any) -> AnswerReport:
    from sfumato.application.tables.asking import answer_question

    certified = given.pop("certified", False)
    keys = {name: list(values) for name, values in given.pop("keys").items()}
    declared = {**given, "keys": keys, "limits": {"rows": _LIMIT}}
    return answer_question(
        _POLICY,
        sql,
        declared,
        epsilon=epsilon,
        analyst="you",
        certified=certified,
        notify=_hush,
    )


def _question(sql: str, column: str, values: Sequence[str], epsilon: str, more: str = "") -> str:
    """Return what to write in a shell for a question."""
    parts = [
        f"sfumato query {_POLICY} '{sql}'",
        f"--keys {column}={','.join(values)} --limit rows={_LIMIT}",
        more,
        f"--epsilon {epsilon} --analyst you",
    ]
    return " ".join(filter(None, parts))


def _beginning(lines: list[str], count: int) -> tuple[str, ...]:
    """Return so many lines, and that there are more."""
    return excerpt(lines, lines[:count])


def _truth() -> dict[str, list[float]]:
    """Return what is so: how many visits of each sex there are, and the mean age."""
    with Path(PATIENTS).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    ages = [[int(row["age"]) for row in rows if row["sex"] == sex] for sex in _SEXES]
    return {"n": [len(each) for each in ages], "age": [fmean(each) for each in ages]}


def _with_the_truth(answer: AnswerReport, truth: dict[str, list[float]]) -> list[str]:
    """Return the figures as the command prints them, and right of a bar what is so."""
    printed = answer.lines()[:_FIGURES]
    wide = max(map(places, printed))
    figures = zip(truth["n"], truth["age"], strict=True)
    so = aligned([("n", "age"), *((f"{n:,}", f"{age:.1f}") for n, age in figures)], right={0, 1})
    truly = tr("truth:")
    names = (truly, *[" " * places(truly)] * len(_SEXES))
    return [
        f"{line}{' ' * (wide - places(line))}  |  {name} {beside}"
        for line, name, beside in zip(printed, names, so, strict=True)
    ]


def _drawn(answer: AnswerReport, truth: dict[str, list[float]]) -> str:
    from sfumato.charts.answers.truth import beside_the_truth

    return to_svg(beside_the_truth(answer.release, truth, why=tr(_WHY)))


def _guarantee(answer: AnswerReport) -> tuple[str, ...]:
    """Return what is guaranteed, and what the intervals do not cover."""
    notes = answer.lines()[_FIGURES:]
    left_out = (
        each.said(answer.surface)
        for each in answer.release.notes
        if each.code == "N-LIMIT-DECLARED"
    )
    return excerpt(notes, [*notes[:2], *left_out])


def _hush(_: str) -> None:
    """Say nothing of the key that is made for the tour, and is gone after it."""


ANSWERED = Stop(
    mark("It answers with noise instead, and says how far off an answer may be."),
    mark("asking about 1,449 visits"),
    _answered,
)
REFUSED = Stop(
    mark("Every answer costs privacy, and the budget runs out."),
    mark("asking until nothing is left"),
    _refused,
)
