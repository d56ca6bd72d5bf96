"""What is told of a question to a private table: its plan, or its answer, also as a file."""

from __future__ import annotations

import csv
import json
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.application.tables.policy_book import Fit
from sfumato.data import check_free, harmless, is_same_file, put_in_place, quoted
from sfumato.data.policy import read_ledger, read_policy_file
from sfumato.errors import InputError
from sfumato.printing import Printed, fitted, for_json, rows_of_two
from sfumato.privacy import guarantee_to_document
from sfumato.privacy.events import to_json
from sfumato.refusal import PYTHON, any_of
from sfumato.tables import PlanExplanation, expected_errors
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from fractions import Fraction

    from sfumato.data.policy import PolicyFile
    from sfumato.printing import Chart
    from sfumato.privacy import Guarantee
    from sfumato.refusal import Surface
    from sfumato.tables import Plan, Release


@dataclass(frozen=True, kw_only=True)
class PlanReport(Printed):
    """What an answer would cost and how exact it would be.

    Attributes
    ----------
    plan
        The plan; no row was read for it.
    fit
        How it goes together with the book that it would be charged to.
    surface
        How notes write their hints.
    """

    plan: Plan
    fit: Fit = field(default_factory=Fit)
    surface: Surface = PYTHON

    def lines(self, *, width: int = 120) -> list[str]:
        """Return the plan as a tree, and what is left of the budgets, or why it is refused.

        Parameters
        ----------
        width
            How wide a line may be; longer ones are wrapped, but for what may hold a command.
        """
        from sfumato.ledger import left_in_words

        left = [
            f"{each}, {left_in_words(each.rule.budget, each.remaining)}"
            for each in self.fit.standing
        ]
        refused = (
            [tr("query would refuse this: {refused}", refused=self.fit.refused)]
            if self.fit.refused
            else []
        )
        beside = [*filter(None, [self.fit.warning]), *(refused or fitted(left, width))]
        return [*self.plan.lines(surface=self.surface, width=width), *beside]

    def explained(self, *, nodes: bool, statements: bool, width: int = 120) -> list[str]:
        """Return how far one person moves each part, and what the engine would be told.

        Parameters
        ----------
        nodes, statements
            Which of the two.
        width
            How wide a line may be; longer ones are wrapped, but for those of a statement.
        """
        explanation = PlanExplanation(self.plan)
        parts = fitted([explanation.headline], width) if nodes else []
        parts += rows_of_two(explanation.rows, width) if nodes else []
        told = explanation.sql.splitlines() if statements else []
        return [*parts, *([""] if parts and told else []), *told]

    def as_dict(self) -> dict[str, Any]:
        """Return the plan ready for JSON."""
        return {
            "query": str(self.plan.query),
            **_guaranteed(self.plan.guarantee),
            "event": json.loads(to_json(self.plan.event)),
            "steps": [str(each) for each in self.plan.steps],
            "groups": self.plan.keys.count,
            "errors": expected_errors(self.plan),
            "parts": [asdict(each) for each in PlanExplanation(self.plan).nodes],
            "statements": [asdict(each) for each in PlanExplanation(self.plan).statements],
            "notes": [each.as_dict(self.surface) for each in self.plan.notes],
            **self.fit.as_dict(),
        }


@dataclass(frozen=True, kw_only=True)
class AnswerReport(Printed):
    """An answer, with confidence intervals.

    Attributes
    ----------
    release
        What was released.
    confidence
        That of the intervals.
    every
        Whether all notes are printed, and not the first three alone.
    surface
        How notes write their hints.
    """

    release: Release
    confidence: Fraction
    every: bool = False
    surface: Surface = PYTHON

    def done(self) -> str:
        """Say that the answer is charged, for where nothing else can be said."""
        receipt = self.release.receipt
        return "" if receipt is None else tr("the answer is charged (receipt {id})", id=receipt.id)

    def lines(self, *, width: int | None = None) -> list[str]:
        """Return the answer as a table, and what is guaranteed.

        Parameters
        ----------
        width
            How wide a sentence may be; longer ones are wrapped, the table never. None for any.
        """
        below = self.release.footer(
            confidence=self.confidence, every=self.every, surface=self.surface
        )
        shown = below if width is None else fitted(below, width)
        return [*self.release.table(confidence=self.confidence), *shown]

    def plot(self, *, to: str | Path | None = None) -> Chart:
        """Draw the answer with its intervals; see ``Release.plot``."""
        return self.release.plot(confidence=self.confidence, to=to)

    def as_dict(self) -> dict[str, Any]:
        """Return the answer ready for JSON: one object a row, with both ends of each interval."""
        answers = self.release.answers(confidence=self.confidence)
        names, receipt = list(answers.columns), self.release.receipt
        return {
            "private": not self.release.seeded,
            "query": str(self.release.plan.query),
            **_guaranteed(self.release.guarantee),
            "confidence": float(self.confidence),
            "columns": names,
            "rows": [dict(zip(names, map(_plain, row), strict=True)) for row in answers.rows()],
            "notes": [each.as_dict(self.surface) for each in self.release.notes],
            "receipt": None if receipt is None else json.loads(receipt.to_json()),
        }


def _guaranteed(guarantee: Guarantee) -> dict[str, Any]:
    return {"guarantee_in_words": str(guarantee), "guarantee": guarantee_to_document(guarantee)}


def _plain(value: Any) -> Any:
    """Return a value as JSON can hold it."""
    if isinstance(value, float):
        return for_json(value)
    return value.isoformat() if isinstance(value, date) else value


def check_output(path: str, *, replace: bool) -> None:
    """Refuse a file that an answer cannot go to, before anything is charged for it.

    Parameters
    ----------
    path
        Where the answer would go.
    replace
        Whether an earlier answer may be there.
    """
    if Path(path).suffix.lower() not in _WRITERS:
        raise InputError(
            "E-OUTPUT-NAME",
            "{path} is not a file that an answer can be written to",
            "its name should end in {known}",
            path=quoted(Path(path)),
            known=any_of(_WRITERS),
        )
    check_free(path, replace=replace)


def write_answer(report: AnswerReport, path: str) -> None:
    """Write an answer into a file, with both ends of each interval; it is there whole or not."""
    with put_in_place(path) as draft:
        _WRITERS[draft.suffix.lower()](report, draft)


def _csv(report: AnswerReport, path: Path) -> None:
    answers = report.release.answers(confidence=report.confidence)
    with path.open("w", encoding="utf-8", newline="") as opened:
        table = csv.writer(opened, lineterminator="\n")
        table.writerow([harmless(name) for name in answers.columns])
        table.writerows([[_cell(each) for each in row] for row in answers.rows()])


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return harmless(value.isoformat() if isinstance(value, date) else str(value))


def _parquet(report: AnswerReport, path: Path) -> None:
    import pyarrow.parquet as pq

    answers = report.release.to_arrow(confidence=report.confidence)
    # Arrow itself opens no file whose name is not UTF-8.
    with path.open("wb") as opened:
        pq.write_table(answers, opened)


_WRITERS: dict[str, Callable[[AnswerReport, Path], None]] = {".csv": _csv, ".parquet": _parquet}


def check_spares(
    written: Iterable[str],
    file: str,
    declared: Mapping[str, Any],
    beside: Mapping[str, str] | None = None,
) -> None:
    """Refuse files to write that lead to what an answer is made from or charged to.

    Parameters
    ----------
    written
        Where something would be written; nothing where it is empty.
    file, declared, beside
        What is asked, as in ``answer_question``: tables, policies and all that they name, public
        tables and keys, the ledger and its signing key are spared.
    """
    paths = [each for each in written if each]
    if not paths:
        return
    from sfumato.application.ledger.receipts import check_spared

    files = [file, *(beside or {}).values()]
    policies = [read_policy_file(each) for each in files if each.lower().endswith(".toml")]
    read = [*files, *_named(policies, declared)]
    for path in paths:
        if any(is_same_file(path, each) for each in read):
            raise InputError(
                "E-OUTPUT-IS-INPUT",
                "{path} is what would be read",
                "name another file to write",
                path=quoted(Path(path)),
            )
        for place in _ledgers(policies, declared):
            check_spared(path, place)


def _named(policies: Sequence[PolicyFile], declared: Mapping[str, Any]) -> Iterator[str | Path]:
    """Yield the tables of policies, and public tables and keys."""
    for each in policies:
        yield from each.files()
    yield from declared.get("public", {}).values()
    yield from (each for each in declared.get("keys", {}).values() if isinstance(each, str))


def _ledgers(policies: Sequence[PolicyFile], declared: Mapping[str, Any]) -> Iterator[str | None]:
    """Yield the ledgers that may be charged, None for the default."""
    yield declared.get("ledger", {}).get("path")
    for each in policies:
        place = read_ledger(each)
        yield None if place is None else place.path
