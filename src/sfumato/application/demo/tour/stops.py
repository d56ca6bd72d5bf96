"""The stops of the tour: exposed, attacked, answered, refused, checked, forged, audited.

What a stop needs is loaded when it is visited, so that the first appears soon.
"""

from __future__ import annotations

import csv
import runpy
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from sfumato.application.demo.tour.stop import MECHANISMS, PATIENTS, Picture, Seen, Stop
from sfumato.application.demo.walk import Shown, beginning, excerpt
from sfumato.charts import to_svg
from sfumato.errors import BudgetError
from sfumato.printing import aligned, places
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.application.tables.answers import AnswerReport


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
    from sfumato.application.tables.drafts import Told, draft_to_file

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
    from sfumato.application.ledger.showing import draw_ledger, show_book

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
            Shown(f"sfumato ledger show patients --ledger {LEDGER}", _beginning(book, _BOOK)),
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
    from sfumato.application.tables.questions import answer_question

    certified = given.pop("certified", False)
    keys = {name: list(values) for name, values in given.pop("keys").items()}
    declared = {**given, "keys": keys, "limits": {"rows": _LIMIT}}
    return answer_question(
        _POLICY, sql, declared, epsilon=epsilon, analyst="you", certified=certified, notify=_hush
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
    from sfumato.charts import beside_the_truth

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


_FORGERY = "forged.json"
_CLAIMED, _PRETENDED = '"epsilon": "1"', '"epsilon": "0.1"'
#: How much is shown of what is proved, of what is not, and of what an audit found.
_PROVED, _TRUSTED, _FOUND = 4, 1, 5
_WIDTH = 200


def _checked() -> Seen:
    from sfumato.application.certificates.checking import check

    report = check(CERTIFICATE, ledger=LEDGER)
    lines = report.lines(width=_WIDTH)
    proved, trusted, *_ = report.listed(width=_WIDTH)
    kept = [lines[0], *proved[: _PROVED + 1], *trusted[: _TRUSTED + 1]]
    return Seen(
        (Shown(f"sfumato check {CERTIFICATE} --ledger {LEDGER}", excerpt(lines, kept)),),
        tr(
            "The answer came with a certificate. Other code than that which answered derives "
            "its noise and its cost again, and says what is proved and what has to be taken "
            "on trust. No row is needed for it."
        ),
    )


def _forged() -> Seen:
    from sfumato.application.certificates.checking import check

    whole = Path(CERTIFICATE).read_text(encoding="ascii")
    Path(_FORGERY).write_text(whole.replace(_CLAIMED, _PRETENDED), encoding="ascii")
    return Seen(
        (
            Shown(f"sed 's/{_CLAIMED}/{_PRETENDED}/' {CERTIFICATE} > {_FORGERY}", ()),
            Shown(f"sfumato check {_FORGERY}", tuple(check(_FORGERY).lines(width=_WIDTH))),
        ),
        tr(
            "Wherever it says ε = 1, it now says a tenth of that. The noise that is in the "
            "answer does not go with it, and the sentence says so."
        ),
    )


def _audited() -> Seen:
    from sfumato.audit import audit

    functions = runpy.run_path(MECHANISMS)
    wrong, right = (
        audit(functions[name], [0], [1], epsilon=1) for name in ("half_the_noise", "laplace")
    )
    return Seen(
        (
            Shown(_audit("half_the_noise"), excerpt(wrong.lines(), wrong.lines()[:_FOUND])),
            Shown(_audit("laplace"), excerpt(right.lines(), right.lines()[:1])),
        ),
        tr(
            "Both functions say ε = 1; one adds half the noise that it takes. Of neither is "
            "anything known but its outputs on two neighbouring tables, d0 and d1. Half of "
            "the 200,000 draws on each choose the event that gives the function away; the "
            "other 100,000 prove it, with a chance of one in a million at most of being "
            "wrong. Against the right function nothing is found."
        ),
        (
            Picture(
                tr(
                    "The dots are the least ε that its outputs prove, at each δ; the claim, "
                    "the diamond, lies below the dot at its δ, so it is wrong"
                ),
                lambda: to_svg(wrong.plot()),
            ),
        ),
    )


def _audit(function: str) -> str:
    module = MECHANISMS.removesuffix(".py")
    return f"sfumato audit {module}:{function} --d0 '[0]' --d1 '[1]' --epsilon 1"


CHECKED = Stop(
    mark("Somebody who was not there checks the answer."),
    mark("deriving the answer's guarantee again"),
    _checked,
)
FORGED = Stop(
    mark("Somebody else claims more privacy than was given."), mark("checking the forgery"), _forged
)
AUDITED = Stop(
    mark("And a function that claims more than it keeps?"),
    mark("drawing 800,000 outputs"),
    _audited,
)


_QUASI = ("age", "sex", "visited")
_PERSON = {"age": "20", "sex": "M", "visited": "2025-02-13"}
_EPSILONS = (100, 10, 1)
#: How many lines of the report are shown: who is unique, k, and who is at risk.
_TOLD = 3


def _exposed() -> Seen:
    from sfumato.risk import link, risk

    found = risk(PATIENTS, quasi=_QUASI, sensitive=["department"])
    linked = link(PATIENTS, _PERSON, sensitive="department")
    known = ",".join(f"{name}={value}" for name, value in _PERSON.items())
    return Seen(
        (
            Shown(
                f"sfumato risk {PATIENTS} --quasi {','.join(_QUASI)} --sensitive department",
                beginning(found, _TOLD),
            ),
            Shown(
                f"sfumato attack link {PATIENTS} --person {known} --sensitive department",
                beginning(linked, 1),
            ),
        ),
        tr(
            "An equivalence class has all rows with the same quasi-identifiers, and k is the size "
            "of the smallest; 1 is a unique row. No name is in the table, and none is needed: "
            "whoever knows his age, and the day on which he went, knows what he went for. (Nobody "
            "here exists: the table is made up, and comes with sfumato. “…” stands for lines that "
            "are left out here.)"
        ),
        (
            Picture(
                tr("How likely it is to find somebody in the table, for who knows these columns"),
                lambda: to_svg(found.plot("columns")),
            ),
        ),
    )


def _attacked() -> Seen:
    from sfumato.application.risk.reconstruction import attack_column

    found = attack_column(PATIENTS, "smoker", value="yes", epsilons=_EPSILONS)
    listed = ",".join(map(str, _EPSILONS))
    return Seen(
        (
            Shown(
                f"sfumato attack reconstruct {PATIENTS} --column smoker=yes --epsilon {listed}",
                tuple(found.lines()),
            ),
        ),
        tr(
            "Exact counts of random halves tell who smokes, row by row. To be quick, the "
            "attack is shown on 200 rows, with the share of smokers that all 1,449 have. "
            "Noise of the listed scale on each count stops it: at ε = 1 for all answers "
            "together it does no better than a guess without any answer. What is allowed on "
            "average holds for any attack, if the values are independent."
        ),
        (
            Picture(
                tr("The smaller ε, the more noise is on each count, and the less the attack finds"),
                lambda: to_svg(found.plot()),
            ),
        ),
    )


EXPOSED = Stop(
    mark("A hospital has a table of 1,449 visits. How exposed are the people in it?"),
    mark("measuring re-identification risk"),
    _exposed,
)
ATTACKED = Stop(
    mark("So it keeps the rows, and publishes exact counts alone. They are attacked, too."),
    mark("solving for who smokes"),
    _attacked,
)
