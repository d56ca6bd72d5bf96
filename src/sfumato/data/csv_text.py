"""CSV text: its header, the patterns of its lines, and whether all of it is UTF-8."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.data.files import is_tabbed, quoted, unpacked
from sfumato.data.names import is_value
from sfumato.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

_PART = 2**20
_DELIMITERS = ",;\t|"
_NO_DELIMITER = "\x1f"
_SPACES = " \u00a0\u3000"
_LONGEST_NAME = 2**17
_MARK = "\ufeff"
_BREAK = re.compile(r"\r\n|\r|\n")
_NOT_TEXT = re.compile("[\0\udc80-\udcff]")
#: The most bytes of a line; a line break in quotes does not end one.
LONGEST = 2_000_000

# A quote opens only where a cell begins, perhaps after a space, and one in quotes is written twice.
_INSIDE = r'(?:[^"]++|"")*+'
_QUOTED = rf' ?"{_INSIDE}(?:"|\Z)'
_UNQUOTED = r'(?! ?")'


@dataclass(frozen=True)
class Header:
    """The names of the columns, without spaces around them, and what stands between them.

    Attributes
    ----------
    delimiter
        What stands between two cells.
    names
        The names; that of a column without a name is empty.
    newline
        What the line ends with.
    """

    delimiter: str
    names: tuple[str, ...]
    newline: str = "\n"

    @property
    def columns(self) -> tuple[str, ...]:
        """The names, with one that no other column can have where there is none."""
        return tuple(name or f" {place}" for place, name in enumerate(self.names))


def read_header(path: Path) -> Header:
    """Return the header of a CSV file; nothing but its first record is looked at.

    The delimiter is the one that occurs most often outside quotes.  A header without one means
    a single column: each line is one cell.
    """
    beginning = _beginning(path)
    text = beginning.removeprefix(_MARK)
    record = _record(text, _DELIMITERS)
    delimiter = "\t" if is_tabbed(path) else _commonest(record)
    record = _record(text, delimiter)
    _check_text(record, path)
    names = _names(record, delimiter, path)
    if text != beginning and _BREAK.search(names[0]):
        # After the mark, the engine takes a quote for a letter, and the line would end too soon.
        raise InputError(
            "E-HEADER-FORM",
            "{path} has a first name of two lines",
            "write the name in one line",
            path=quoted(path),
        )
    ending = _BREAK.match(text, len(record))
    return Header(delimiter, names, ending[0] if ending else "\n")


def _beginning(path: Path) -> str:
    with unpacked(path) as file:
        read = file.read(LONGEST + len(_MARK.encode()) + 1)
    # The last letter may be cut.
    decoder = getincrementaldecoder("utf-8")("surrogateescape")
    return decoder.decode(read, final=len(read) <= LONGEST)


def _record(text: str, delimiters: str) -> str:
    found = re.match(of_cells(delimiters), text)
    return found[0] if found else ""


def _commonest(record: str) -> str:
    unquoted = re.sub(quoted_part(_DELIMITERS), "", record)
    commonest = max(_DELIMITERS, key=unquoted.count)
    return commonest if commonest in unquoted else _NO_DELIMITER


def _check_text(record: str, path: Path) -> None:
    if not record.strip():
        failure = InputError(
            "E-HEADER-MISSING",
            "{path} has no header",
            "its first line should name the columns",
            path=quoted(path),
        )
    elif _NOT_TEXT.search(record):
        failure = InputError(
            "E-FILE-ENCODING",
            "{path} is not text in UTF-8",
            "save it again as CSV in UTF-8",
            path=quoted(path),
        )
    elif len(record.encode()) > LONGEST:
        failure = InputError(
            "E-HEADER-FORM",
            "{path} has a header of more than {longest:,} bytes",
            "shorten its names",
            path=quoted(path),
            longest=LONGEST,
        )
    else:
        return
    raise failure


def _names(record: str, delimiter: str, path: Path) -> tuple[str, ...]:
    names = tuple(each.strip(_SPACES) for each in _cells(record, delimiter, path))
    if any(len(each) > _LONGEST_NAME for each in names):
        failure = InputError(
            "E-HEADER-FORM",
            "{path} has a header with a name that is too long",
            "shorten its names",
            path=quoted(path),
        )
    elif any(map(is_value, names)):
        failure = InputError(
            "E-HEADER-MISSING",
            "{path} has no header: a cell of its first line is a number, a date, a time, an "
            "id or an address, and no name",
            "write the names of the columns in its first line, where a column that is named "
            "by a number, such as a year, needs a name with a letter: y2019",
            path=quoted(path),
        )
    else:
        return tuple(each if each.strip() else "" for each in names)
    raise failure


def _cells(record: str, delimiter: str, path: Path) -> list[str]:
    if not re.fullmatch(of_whole_cells(delimiter), record):
        raise InputError(
            "E-HEADER-FORM",
            "{path} has a quote in its header that opens a name and does not end it",
            "write a quote in a name twice, and put quotes around the name",
            path=quoted(path),
        )
    return cells_of(record, delimiter)


def quoted_part(delimiters: str) -> str:
    """Return the pattern of what is in quotes, with these; where they never close, all of it."""
    return rf"(?<![^{delimiters}]){_QUOTED}"


def of_cells(delimiters: str) -> str:
    """Return the pattern of a line, whatever is in its cells."""
    return _row(rf"(?:{_QUOTED})?+[^{delimiters}\r\n]*+", delimiters)


def of_whole_cells(delimiters: str) -> str:
    """Return the pattern of a line in which what opens with a quote ends with one."""
    return _row(rf'(?: ?"{_INSIDE}" *+|{_UNQUOTED}[^{delimiters}\r\n]*+)', delimiters)


def of_plain_lines(delimiter: str, newline: str, cells: int) -> str:
    """Return the pattern of lines of so many cells without quotes; not all such lines match."""
    first, further = (
        f'[^"{delimiter}\\r\\n]{times}+' for times in ("*" if cells > 1 else "+", "*")
    )
    return rf"(?:{first}(?:[{delimiter}]{further}){{{cells - 1}}}{newline})*+"


def cells_of(line: str, delimiter: str) -> list[str]:
    """Return the cells of a line in which all are whole."""
    cell = rf'(?: ?"(?P<quoted>{_INSIDE})"|{_UNQUOTED}(?P<plain>[^{delimiter}]*+))'
    return [
        found["plain"] if found["quoted"] is None else found["quoted"].replace('""', '"')
        for found in re.finditer(rf"(?:\A|[{delimiter}]){cell}", line)
    ]


def _row(cell: str, delimiters: str) -> str:
    return rf"{cell}(?:[{delimiters}]{cell})*+"


def check_encoding(path: Path, newline: str) -> None:
    """Refuse a file that is not UTF-8 from its first to its last byte; say in which line.

    An engine may look only at the cells that a question needs, and would answer one question of
    such a file and not another.

    Parameters
    ----------
    path
        The file, which may be compressed.
    newline
        What its lines end with.
    """
    with unpacked(path) as file:
        line = _line_of_other_text(file, newline.encode()[-1:])
    if line is not None:
        raise InputError(
            "E-FILE-ENCODING",
            "{path} is not text in UTF-8 (line {line})",
            "save it again as CSV in UTF-8, or convert it: iconv -f CP1252 -t UTF-8",
            path=quoted(path),
            line=line,
        )


def _line_of_other_text(file: BinaryIO, newline: bytes) -> int | None:
    decoder, line, part = getincrementaldecoder("utf-8")(), 1, b"begun"
    while part:
        part = file.read(_PART)
        try:
            decoder.decode(part, final=not part)
        except UnicodeDecodeError as error:
            # The bytes of a letter may have begun in the part before.
            return line + error.object[: error.start].count(newline)
        line += part.count(newline)
    return None
