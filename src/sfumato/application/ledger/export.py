"""Everything that a ledger holds, for other programs: JSON lines, or a table of charges."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

from sfumato.application.ledger.listing import books_of
from sfumato.application.ledger.receipts import check_spared, opened_to_read, opened_to_write
from sfumato.application.ledger.render import told
from sfumato.data import quoted, writing
from sfumato.errors import InputError, UnknownNameError
from sfumato.ledger import Entry, Ledger
from sfumato.printing import printable
from sfumato.refusal import Argument
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sfumato.ledger import Book


_HEADER = (
    "dataset",
    "sequence",
    "when",
    "analyst",
    "purpose",
    "event",
    "receipt",
    "released",
    "digest",
)
#: How an export begins, in each of the formats.
_STARTS = (b'{"entry":{', ",".join(_HEADER).encode())


def export_ledger(
    dataset: str | None = None, *, place: str | None = None, form: str = "json"
) -> Iterator[str]:
    """Yield a ledger line by line, each with its newline.

    Parameters
    ----------
    dataset
        The book; None for all.
    place
        The ledger; None for the default.
    form
        "json": every entry with its hash and signature, one object a line.  "csv": one row a
        charge.
    """
    if form not in FORMATS:
        raise UnknownNameError(kind="format", name=form[:60], known=FORMATS)
    return _exported(dataset, place, form)


def export_to_file(
    path: str,
    dataset: str | None = None,
    *,
    place: str | None = None,
    form: str = "json",
    replace: bool = False,
) -> None:
    """Write a ledger into a file, which is there whole or not at all.

    Parameters
    ----------
    path
        The file.
    dataset, place, form
        As in ``export_ledger``.
    replace
        Whether an earlier export may be there, which is replaced once the new one is complete.
    """
    check_spared(path, place)
    file = Path(path)
    lines = (line.encode() for line in export_ledger(dataset, place=place, form=form))
    if file.exists() and not file.is_file():
        with opened_to_write(file) as pipe:
            pipe.writelines(lines)
        return
    _check_free(file, replace=replace)
    with NamedTemporaryFile("wb", dir=file.parent, delete=False) as draft:
        whole = Path(draft.name)
        try:
            draft.writelines(lines)
            draft.flush()
            os.fsync(draft.fileno())
            whole.replace(file)
        except BaseException:
            whole.unlink(missing_ok=True)
            raise


def _check_free(file: Path, *, replace: bool) -> None:
    """Refuse to write over a file, unless it is an earlier export that may be replaced."""
    if not file.exists():
        return
    if not replace:
        raise InputError(
            "E-OUTPUT-EXISTS",
            "{file} is there already",
            "name a new file, or add {replace}",
            replace=Argument("replace"),
            file=quoted(file),
        )
    with opened_to_read(file) as earlier:
        start = earlier.read(max(map(len, _STARTS)))
    if start and not start.startswith(_STARTS):
        raise InputError(
            "E-OUTPUT-EXISTS",
            "{file} is not an earlier export, and is not replaced",
            "name a new file",
            file=quoted(file),
        )


def harmless(cell: str) -> str:
    """Return a cell on one line that no spreadsheet takes for a formula; numbers stay."""
    return printable(writing.harmless(cell))


def _exported(dataset: str | None, place: str | None, form: str) -> Iterator[str]:
    with Ledger.open(place) as ledger:
        yield from FORMATS[form](books_of(ledger, dataset))


def _json_lines(books: Sequence[Book]) -> Iterator[str]:
    for book in books:
        for entry in book.entries():
            line = {"entry": entry.body, "hash": entry.hash, "signature": entry.signature}
            yield json.dumps(line, separators=(",", ":")) + "\n"


def _table(books: Sequence[Book]) -> Iterator[str]:
    yield _csv_line(_HEADER)
    for book in books:
        settled = {each.body["settles"]: each for each in book.entries() if "settles" in each.body}
        for entry in book.entries():
            if entry.event is not None:
                yield _csv_line(_cells(entry, settled.get(entry.sequence)))


def _cells(entry: Entry, settled: Entry | None) -> tuple[str, ...]:
    analyst, what, why = told(entry)
    place = (entry.dataset, str(entry.sequence), entry.when)
    receipt = str(entry.body["receipt"])
    return (*place, analyst, why, what, receipt, *_outcome(entry, settled))


def _outcome(entry: Entry, settled: Entry | None) -> tuple[str, str]:
    """Return whether something was released for a charge, and the digest of it."""
    if entry.kind == "spending":
        return "elsewhere", ""
    if settled is None:
        return tr("not recorded"), ""
    if settled.kind == "closing":
        return "nothing", ""
    return "here", str(settled.body["digest"])


def _csv_line(cells: Sequence[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow([harmless(cell) for cell in cells])
    return line.getvalue()


#: How a ledger can be written out.
FORMATS: dict[str, Callable[[Sequence[Book]], Iterator[str]]] = {"json": _json_lines, "csv": _table}
