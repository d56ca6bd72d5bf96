"""Tables of output probabilities in CSV files, read exactly as they are written."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data.files import quoted
from sfumato.errors import InputError
from sfumato.numeric import shown

if TYPE_CHECKING:
    from os import PathLike

__all__ = ["read_mechanism"]

#: The header of a table with one line a probability.
_LONG = ("input", "output", "probability")
#: What separates the rows of an input that is itself a table.
_ROWS = ";"

Row = dict[str, str] | dict[str, int]
Key = str | tuple[str, ...]


def read_mechanism(path: str | PathLike[str], *, tables: bool = False) -> dict[Key, Row]:
    """Return the output probabilities for each input, as text; a row of whole numbers is counts.

    Two forms are read.  One line an input: the first column names the input, and the others are
    headed by the outputs.  Or one line a probability, under ``input,output,probability``.

    Parameters
    ----------
    path
        A CSV file.
    tables
        Whether inputs are tables even where each has one row: their rows are separated by ``;``.

    Examples
    --------
    >>> from sfumato.application.mechanism_tables import read_mechanism
    >>> read_mechanism("examples/randomized-response.csv")["yes"]
    {'yes': '2/3', 'no': '1/3'}
    """
    file = Path(path)
    header, *lines = _cells(file)
    names = tuple(cell.strip().lower() for cell in header)
    found = _long(lines, file) if names == _LONG else _wide(header, lines, file)
    split = tables or any(_ROWS in name for name in found)
    return {_table(name) if split else name: _counts_or_text(found[name]) for name in found}


def _cells(file: Path) -> list[list[str]]:
    name = quoted(file)
    try:
        with file.open(encoding="utf-8-sig", newline="") as text:
            lines = [line for line in csv.reader(text) if any(cell.strip() for cell in line)]
    except FileNotFoundError:
        message = f"there is no file {name}; check the spelling and the folder"
    except OSError as error:
        message = f"{name} cannot be read ({error.strerror}); name a CSV file of probabilities"
    except (ValueError, csv.Error):
        message = f"{name} is not CSV in UTF-8; write one line an input and one column an output"
    else:
        if len(lines) > 1:
            return lines
        message = f"{name} has no inputs; write a header of outputs, then one line an input"
    raise InputError(message)


def _wide(header: list[str], lines: list[list[str]], file: Path) -> dict[str, dict[str, str]]:
    outputs = [cell.strip() for cell in header[1:]]
    if not outputs or len(set(outputs)) < len(outputs):
        message = f"the header of {quoted(file)} should name each output once, after the inputs"
        raise InputError(message)
    found: dict[str, dict[str, str]] = {}
    for line in lines:
        name = line[0].strip()
        if len(line) != len(header) or name in found:
            _refuse(file, name, f"should have one line of {len(header)} cells, as the header has")
        cells = (cell.strip() for cell in line[1:])
        found[name] = {out: cell for out, cell in zip(outputs, cells, strict=True) if cell}
    return found


def _long(lines: list[list[str]], file: Path) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for line in lines:
        cells = [cell.strip() for cell in line]
        if len(cells) != len(_LONG):
            _refuse(file, cells[0], "should have an output and a probability on each line")
        row = found.setdefault(cells[0], {})
        if cells[1] in row:
            _refuse(file, cells[0], f"has the output {shown(cells[1])} twice; write it once")
        row[cells[1]] = cells[2]
    return found


def _refuse(file: Path, name: str, what: str) -> Any:
    message = f"the input {shown(name)} of {quoted(file)} {what}"
    raise InputError(message)


def _counts_or_text(row: dict[str, str]) -> Row:
    if all(cell.isdecimal() for cell in row.values()):
        return {output: int(cell) for output, cell in row.items()}
    return row


def _table(name: str) -> tuple[str, ...]:
    """Return the rows of an input that is a table; no text is no row."""
    return tuple(row.strip() for row in name.split(_ROWS)) if name else ()
