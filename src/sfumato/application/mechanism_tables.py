"""Tables of output probabilities in CSV files, read exactly as they are written."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.data import quoted
from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy import written

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike


#: The header of a table with one line a probability.
_LONG = ("input", "output", "probability")
#: What separates the rows of an input that is itself a table.
_ROWS = ";"
_TOLERANCE = Fraction(1, 10**9)

Row = dict[str, Fraction]
Key = str | tuple[str, ...]


@dataclass(frozen=True)
class MechanismTable:
    """How likely each output is for each input.

    Attributes
    ----------
    rows
        For each input the weights of the outputs.
    counts
        Whether they are counts, which are divided by their sum; otherwise they sum to 1.
    """

    rows: dict[Key, Row]
    counts: bool

    @property
    def distributions(self) -> dict[Key, Row]:
        """For each input the exact probabilities of the outputs."""
        return {key: _divided(row) for key, row in self.rows.items()}


def read_mechanism(path: str | PathLike[str], *, tables: bool = False) -> MechanismTable:
    """Return the output probabilities for each input.

    Two forms are read.  One line an input: the first column names the input, and the others are
    headed by the outputs.  Or one line a probability, under ``input,output,probability``.  What is
    wrong is said by line and column; no message quotes a cell.

    Parameters
    ----------
    path
        A CSV file.
    tables
        Whether inputs are tables even where each has one row: their rows are separated by ``;``.
    """
    file = _File(Path(path))
    header, lines = file.cells()
    names = tuple(cell.strip().lower() for cell in header)
    found = file.long(lines) if names == _LONG else file.wide(header, lines)
    counts = file.are_counts(found)
    split = tables or any(_ROWS in name for name in found)
    return MechanismTable({_table(n) if split else n: row for n, row in found.items()}, counts)


@dataclass(frozen=True)
class _File:
    """A file that is being read, with what to say where it cannot be."""

    path: Path

    def cells(self) -> tuple[list[str], list[tuple[int, list[str]]]]:
        """Return the header, and every other line with its number."""
        try:
            with self.path.open(encoding="utf-8-sig", newline="") as text:
                lines = list(_numbered(text))
        except FileNotFoundError:
            raise InputError(
                "E-MECHANISM-FILE",
                "there is no file {file}",
                "check the spelling and the folder",
                file=self,
            ) from None
        except OSError as error:
            raise InputError(
                "E-MECHANISM-FILE",
                "{file} cannot be read ({reason})",
                "name a CSV file of probabilities",
                reason=error.strerror,
                file=self,
            ) from None
        except (ValueError, csv.Error):
            raise InputError(
                "E-MECHANISM-FILE",
                "{file} is not CSV in UTF-8",
                "write one line an input, one column an output",
                file=self,
            ) from None
        if len(lines) < 2:
            raise InputError(
                "E-MECHANISM-FILE",
                "{file} has no inputs",
                "write a header of outputs, then one line an input",
                file=self,
            )
        if len(lines[0][1]) == 1:
            raise InputError(
                "E-MECHANISM-FILE",
                "{file} should have commas between its cells",
                "save it so",
                file=self,
            )
        return lines[0][1], lines[1:]

    def wide(self, header: list[str], lines: list[tuple[int, list[str]]]) -> dict[str, Row]:
        outputs = [cell.strip() for cell in header[1:]]
        if len(set(outputs)) < len(outputs):
            raise InputError(
                "E-MECHANISM-FILE",
                "the header of {file} should name each output once, after the inputs",
                file=self,
            )
        found: dict[str, Row] = {}
        for number, line in lines:
            if len(line) != len(header):
                raise InputError(
                    "E-MECHANISM-FILE",
                    "line {line} of {file} should have {cells} cells, as the header",
                    line=number,
                    cells=len(header),
                    file=self,
                )
            if line[0].strip() in found:
                raise InputError(
                    "E-MECHANISM-FILE",
                    "line {line} of {file} names an input again",
                    "write it once",
                    line=number,
                    file=self,
                )
            cells = zip(outputs, line[1:], strict=True)
            found[line[0].strip()] = {
                name: self._number(cell, number, name) for name, cell in cells if cell.strip()
            }
        self._refuse_totals(outputs, found)
        return found

    def long(self, lines: list[tuple[int, list[str]]]) -> dict[str, Row]:
        found: dict[str, Row] = {}
        for number, line in lines:
            if len(line) != len(_LONG):
                raise InputError(
                    "E-MECHANISM-FILE",
                    "line {line} of {file} should have an input, output and probability",
                    line=number,
                    file=self,
                )
            name, output, cell = (each.strip() for each in line)
            row = found.setdefault(name, {})
            if output in row:
                raise InputError(
                    "E-MECHANISM-FILE",
                    "line {line} of {file} names an output of its input again",
                    line=number,
                    file=self,
                )
            row[output] = self._number(cell, number, _LONG[-1])
        return found

    def are_counts(self, found: dict[str, Row]) -> bool:
        """Tell whether the entries are counts; refuse a mixture, and sums other than 1."""
        sums = {name: sum(row.values(), Fraction(0)) for name, row in found.items()}
        off = [name for name, total in sums.items() if abs(total - 1) > _TOLERANCE]
        whole = all(each.denominator == 1 for row in found.values() for each in row.values())
        if off and not whole:
            place, total = list(found).index(off[0]) + 1, float(sums[off[0]])
            raise InputError(
                "E-MECHANISM-FILE",
                "the probabilities of input {place} of {file} sum to {total:.10g}, not to 1",
                "write probabilities that sum to one for each input, or counts for all",
                place=place,
                total=total,
                file=self,
            )
        if not all(sums.values()):
            raise InputError(
                "E-MECHANISM-FILE",
                "an input of {file} has only zeros",
                "write how likely its outputs are",
                file=self,
            )
        return bool(off)

    def _number(self, cell: str, line: int, column: str) -> Fraction:
        try:
            number = written(cell.strip())
        except InputError:
            number = Fraction(-1)
        if number < 0:
            raise InputError(
                "E-MECHANISM-FILE",
                "line {line}, column {column} of {file} is not a number of 0 or more",
                "write how likely each output is, such as 2/3 or 0.25",
                line=line,
                column=shown(column),
                file=self,
            )
        return number

    def _refuse_totals(self, outputs: list[str], found: dict[str, Row]) -> None:
        """Refuse a column that only adds up the others."""
        for name in outputs if len(outputs) > 2 else ():
            if all(2 * row.get(name, 0) == sum(row.values()) for row in found.values()):
                raise InputError(
                    "E-MECHANISM-FILE",
                    "the column {column} of {file} adds up the others",
                    "leave it out",
                    column=shown(name),
                    file=self,
                )

    def __str__(self) -> str:
        return quoted(self.path)


def _numbered(text: Iterator[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines that are not empty, each with its number in the file."""
    reader = csv.reader(text)
    for line in reader:
        if any(cell.strip() for cell in line):
            yield reader.line_num, line


def _divided(row: Row) -> Row:
    total = sum(row.values(), Fraction(0))
    return {output: each / total for output, each in row.items()}


def _table(name: str) -> tuple[str, ...]:
    """Return the rows of an input that is a table; no text is no row."""
    return tuple(row.strip() for row in name.split(_ROWS)) if name else ()
