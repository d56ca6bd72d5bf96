"""Files of simulated reports, written some at a time, whole or not at all."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError, MissingExtraError
from sfumato.survey.client.protocols import Response
from sfumato.survey.client.questions import ChoiceQuestion
from sfumato.survey.collector.forms import fixed_texts, largest_report, written
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike
    from typing import BinaryIO

    import pyarrow as pa
    from numpy.typing import NDArray

    from sfumato.sampling import BitSource
    from sfumato.survey.client.survey import Survey


_TAG = ord("t")
_TAG_BYTES = 8
_HEX = np.frombuffer(b"".join(b"%02x" % each for each in range(256)), np.uint8).reshape(256, 2)


class ReportFile:
    """An open file of reports, in the form of the client's.

    Parameters
    ----------
    survey
        What was asked.
    writer
        What writes tables of Arrow's.
    """

    def __init__(self, survey: Survey, writer: Any) -> None:
        self._survey, self._writer, self._people = survey, writer, 0

    def write(self, reports: dict[str, NDArray[Any]], source: BitSource) -> None:
        """Write the reports of some more people."""
        import pyarrow as pa

        count = len(next(iter(reports.values())))
        columns = [pa.repeat(pa.scalar(self._survey.digest), count)]
        if self._survey.ids:
            columns += [self._persons(count), _tags(count, source)]
        columns += [written(each, reports[name]) for name, each in self._survey.questions.items()]
        self._writer.write_table(pa.table(columns, schema=_schema(self._survey)))
        self._people += count

    def _persons(self, count: int) -> pa.Array:
        import pyarrow as pa

        first = self._people + 1
        return pa.array(np.arange(first, first + count)).cast(pa.string())


@contextmanager
def writing_reports(survey: Survey, path: str | PathLike[str]) -> Iterator[ReportFile]:
    """Give the block a file to write reports into, which is put in place once it is whole."""
    from sfumato.data import check_free, put_in_place

    kind = Path(path).suffix.lower()
    if kind not in (".csv", ".parquet"):
        raise InputError(
            "E-OUTPUT-NAME",
            "reports are written as .csv or .parquet, not as {given}",
            "name reports.csv, say",
            given=kind or mark("a file without an end"),
        )
    if kind == ".csv":
        _check_words(survey)
    check_free(str(path), replace=True)
    with (
        put_in_place(path) as draft,
        # Arrow itself opens no file whose name is not UTF-8.
        draft.open("wb") as opened,
        _writer(opened, kind, _schema(survey)) as writer,
    ):
        yield ReportFile(survey, writer)


def _check_words(survey: Survey) -> None:
    """Refuse choices that are formulas to a spreadsheet: a report has the choice as it stands."""
    from sfumato.data import is_formula

    for each in survey.questions.values():
        if not isinstance(each, ChoiceQuestion) or not isinstance(each.protocol, Response):
            continue
        for word in filter(is_formula, each.choices):
            raise InputError(
                "E-CHOICE-IS-FORMULA",
                "the choice {word!r} of {each!r} would be a formula to whoever opens the CSV "
                "file in a spreadsheet",
                "name reports.parquet, or write the choice otherwise",
                word=word,
                each=each.name,
            )


def _writer(file: BinaryIO, kind: str, schema: pa.Schema) -> Any:
    if kind == ".csv":
        from pyarrow.csv import CSVWriter

        return CSVWriter(file, schema)
    from pyarrow.parquet import ParquetWriter

    return ParquetWriter(file, schema)


def _schema(survey: Survey) -> pa.Schema:
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingExtraError(purpose=mark("writing reports"), extra="duckdb") from None

    asked = survey.questions
    numbers = [name for name, each in asked.items() if largest_report(each) is not None]
    kinds = [(name, pa.int64() if name in numbers else pa.string()) for name in survey.entries]
    return pa.schema(kinds)


def _tags(count: int, source: BitSource) -> pa.Array:
    letters = np.full((count, 1 + 2 * _TAG_BYTES), _TAG, dtype=np.uint8)
    letters[:, 1:] = _HEX[source.read(count * _TAG_BYTES)].reshape(count, -1)
    return fixed_texts(letters)
