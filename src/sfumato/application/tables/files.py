"""An answer as a file: CSV or Parquet."""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data.files import quoted
from sfumato.data.formulas import harmless
from sfumato.data.writing import check_free, put_in_place
from sfumato.errors import InputError
from sfumato.refusal import any_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.application.tables.answers import AnswerReport


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
