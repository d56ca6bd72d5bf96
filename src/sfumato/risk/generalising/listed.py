"""Hierarchies that are written down: a file with one line a value."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data.files import quoted
from sfumato.errors import InputError
from sfumato.risk.generalising.hierarchy import STAR, Hierarchy, Label, Level, check_tree
from sfumato.risk.generalising.values import as_text

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

__all__ = ["Listed", "read_hierarchy"]

_DELIMITERS = (";", "\t", "|", ",")


def read_hierarchy(path: str | os.PathLike[str]) -> Hierarchy:
    r"""Read a hierarchy from a CSV file without a header, as ARX writes them.

    A line is a value, then what stands for it on each level, the finest first; between the cells
    is ``;`` (or a tab, ``|`` or a comma, where the first line has no ``;``).  An empty first
    cell stands for a missing value.  Nothing is added: where the last level is not ``*``, the
    column will always tell that much.

    Parameters
    ----------
    path
        The file.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sfumato.risk import read_hierarchy
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "marital.csv")
    ...     lines = ["Divorced;not married;*", "Widowed;not married;*"]
    ...     _ = file.write_text("\n".join(lines))
    ...     read_hierarchy(file).levels(["Widowed"])[0].labels
    ('not married',)
    """
    file = Path(path)
    lines = _lines(file)
    try:
        return Listed(_checked(lines))
    except InputError as error:
        message = f"{quoted(file)} is no hierarchy: {error}"
        raise InputError(message) from None


@dataclass(frozen=True)
class Listed(Hierarchy):
    """What stands for each value, written out; see :func:`read_hierarchy`."""

    rows: Mapping[str, tuple[str, ...]]

    def levels(self, values: Sequence[Any]) -> list[Level]:
        """Return the levels as they are written."""
        found = [self._row(value) for value in values]
        steps: list[tuple[Label, ...]] = list(zip(*found, strict=True))
        return [Level(_name(labels), labels) for labels in steps]

    def _row(self, value: Any) -> tuple[str, ...]:
        text = "" if value is None else as_text(value)
        if text not in self.rows:
            what = f"the value {text[:60]!r}" if text else "a missing value"
            message = f"the hierarchy does not cover {what}; add a line for it"
            raise InputError(message)
        return self.rows[text]


def _name(labels: Sequence[Label]) -> str:
    """Return what a level is called: by an example, since the file has no names for levels."""
    return "suppressed" if set(labels) == {STAR} else f"such as {min(map(str, labels))[:30]}"


def _checked(lines: Sequence[Sequence[str]]) -> dict[str, tuple[str, ...]]:
    rows: dict[str, tuple[str, ...]] = {}
    for number, (value, *labels) in enumerate(lines, start=1):
        if not labels or len(labels) != len(lines[0]) - 1:
            message = (
                f"line {number} has {len(labels) + 1} cells where the first has {len(lines[0])}; "
                "give each line a value and one label a level"
            )
            raise InputError(message)
        if rows.setdefault(value, tuple(labels)) != tuple(labels):
            message = f"the value {value[:60]!r} has two lines that differ; give it one"
            raise InputError(message)
    check_tree([tuple(rows), *zip(*rows.values(), strict=True)])
    return rows


def _lines(file: Path) -> list[list[str]]:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        message = f"{quoted(file)} cannot be read; name a CSV file in UTF-8 with one line a value"
        raise InputError(message) from None
    found = text.splitlines()
    if not found:
        message = f"{quoted(file)} is empty; write one line a value: value;finest;coarser;*"
        raise InputError(message)
    delimiter = next((each for each in _DELIMITERS if each in found[0]), ";")
    return [line for line in csv.reader(found, delimiter=delimiter) if line]
