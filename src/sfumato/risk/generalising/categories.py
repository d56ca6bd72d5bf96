"""Codes cut short, categories in groups, and values that are not told at all."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data import check_there, quoted
from sfumato.errors import InputError, at
from sfumato.refusal import text
from sfumato.risk.generalising.hierarchy import STAR, Hierarchy, Label, Level, as_text, check_tree
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence


def prefixes(*lengths: int) -> Hierarchy:
    """Make a hierarchy of codes that are cut short: 190146, 19014*, 1901**, and so on to ``*``.

    Parameters
    ----------
    lengths
        How many characters each level keeps, most first; one fewer on each where none is given.

    Examples
    --------
    >>> from sfumato.risk import prefixes
    >>> [level.labels[0] for level in prefixes(3, 2).levels(["190146", "190118"])]
    ['190***', '19****', '*']
    """
    if list(lengths) != sorted(set(lengths), reverse=True) or any(each < 1 for each in lengths):
        raise InputError(
            "E-HIERARCHY-FORM",
            "prefixes keep fewer characters on each level, as 3, 2, 1",
            "not {lengths}",
            lengths=lengths,
        )
    return Prefixes(lengths)


def groups(first: Mapping[Any, str], *above: Mapping[str, str]) -> Hierarchy:
    """Make a hierarchy of categories in named groups, then ``*``.

    Parameters
    ----------
    first
        The group of each value.
    above
        The group of each group, on the levels above.

    Examples
    --------
    >>> from sfumato.risk import groups
    >>> kinds = groups({"flu": "infection", "measles": "infection", "asthma": "chronic"})
    >>> [level.labels for level in kinds.levels(["flu", "asthma"])]
    [('infection', 'chronic'), ('*', '*')]
    """
    written = {as_text(value): label for value, label in first.items()}
    return Groups((written, *(dict(each) for each in above)))


def suppress() -> Hierarchy:
    """Make the hierarchy of one step: a value is told, or ``*``.

    Examples
    --------
    >>> from sfumato.risk import suppress
    >>> suppress().levels(["male", "female"])
    [Level(name='suppressed', labels=('*', '*'))]
    """
    return Suppress()


@dataclass(frozen=True)
class Prefixes(Hierarchy):
    """Codes that are cut short; see :func:`prefixes`."""

    lengths: tuple[int, ...] = ()

    def levels(self, values: Sequence[Any]) -> list[Level]:
        """Return the codes with fewer and fewer characters, then ``*``."""
        codes = [None if each is None else as_text(each) for each in values]
        longest = max((len(each) for each in codes if each is not None), default=0)
        kept = self.lengths or range(longest - 1, 0, -1)
        steps = [
            Level(_first(length), tuple(_cut(code, length, longest) for code in codes))
            for length in kept
        ]
        return [*steps, Level("suppressed", (STAR,) * len(values))]


@dataclass(frozen=True)
class Groups(Hierarchy):
    """Categories in named groups; see :func:`groups`."""

    maps: tuple[Mapping[str, str], ...]

    def levels(self, values: Sequence[Any]) -> list[Level]:
        """Return the groups, the groups of groups, then ``*``."""
        labels: list[Label] = [None if each is None else as_text(each) for each in values]
        steps = []
        for number, each in enumerate(self.maps, start=1):
            labels = [None if label is None else _group(label, each) for label in labels]
            steps.append(Level(_grouped(number), tuple(labels)))
        return [*steps, Level("suppressed", (STAR,) * len(values))]


@dataclass(frozen=True)
class Suppress(Hierarchy):
    """Values that are told or not; see :func:`suppress`."""

    def levels(self, values: Sequence[Any]) -> list[Level]:
        """Return ``*`` for every value."""
        return [Level("suppressed", (STAR,) * len(values))]


def _first(length: int) -> str:
    return tr("first character") if length == 1 else tr("first {length} characters", length=length)


def _grouped(number: int) -> str:
    return tr("groups") if number == 1 else tr("groups of level {number}", number=number)


def _cut(code: str | None, length: int, longest: int) -> Label:
    return None if code is None else code[:length].ljust(longest, STAR)


def _group(label: str, group_of: Mapping[str, str]) -> str:
    if label not in group_of:
        raise InputError(
            "E-HIERARCHY-INCOMPLETE",
            "the groups do not say where {label!r} belongs",
            "name a group for it",
            label=label[:60],
        )
    return group_of[label]


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
    with at(text("{file} is no hierarchy", file=quoted(file))):
        return ListedHierarchy(_checked(lines))


@dataclass(frozen=True)
class ListedHierarchy(Hierarchy):
    """What stands for each value, written out; see :func:`read_hierarchy`."""

    rows: Mapping[str, tuple[str, ...]]

    def levels(self, values: Sequence[Any]) -> list[Level]:
        """Return the levels as they are written."""
        found = [self._row(value) for value in values]
        steps: list[tuple[Label, ...]] = list(zip(*found, strict=True))
        return [Level(_name(labels), labels) for labels in steps]

    def _row(self, value: Any) -> tuple[str, ...]:
        found = "" if value is None else as_text(value)
        if found not in self.rows:
            missing, value = mark("a missing value"), text("the value {found!r}", found=found[:60])
            raise InputError(
                "E-HIERARCHY-INCOMPLETE",
                "the hierarchy does not cover {what}",
                "add a line for it",
                what=value if found else missing,
            )
        return self.rows[found]


def _name(labels: Sequence[Label]) -> str:
    """Return what a level is called: by an example, since the file has no names for levels."""
    return (
        tr("suppressed")
        if set(labels) == {STAR}
        else tr("such as {what}", what=min(map(str, labels))[:30])
    )


def _checked(lines: Sequence[tuple[int, Sequence[str]]]) -> dict[str, tuple[str, ...]]:
    rows: dict[str, tuple[str, ...]] = {}
    cells = len(lines[0][1])
    if cells == 1:
        raise InputError(
            "E-HIERARCHY-FORM",
            "line {lines} has one cell only",
            "write value;finest;coarser;*",
            lines=lines[0][0],
        )
    for number, (value, *labels) in lines:
        if len(labels) != cells - 1:
            raise InputError(
                "E-HIERARCHY-FORM",
                "line {number} has {count} cells where the first has {cells}",
                "give each line a value and one label a level",
                number=number,
                count=len(labels) + 1,
                cells=cells,
            )
        if rows.setdefault(value, tuple(labels)) != tuple(labels):
            raise InputError(
                "E-HIERARCHY-FORM",
                "the value {value!r} has two lines that differ",
                "give it one",
                value=value[:60],
            )
    check_tree([tuple(rows), *zip(*rows.values(), strict=True)])
    return rows


def _lines(file: Path) -> list[tuple[int, list[str]]]:
    """Return the cells of each line that has some, with its number."""
    text = _text(file)
    first = next(filter(None, map(str.strip, text.splitlines())), None)
    if first is None:
        raise InputError(
            "E-HIERARCHY-FORM",
            "{file} is empty",
            "write one line a value: value;finest;coarser;*",
            file=quoted(file),
        )
    delimiter = next((each for each in _DELIMITERS if each in first), ";")
    try:
        # A quoted cell may hold the end of a line.
        reader = csv.reader(io.StringIO(text), delimiter=delimiter)
        return [(reader.line_num, line) for line in reader if line]
    except csv.Error as error:
        raise InputError(
            "E-FILE-FORM",
            "{file} is no CSV file ({error})",
            "write one line a value",
            file=quoted(file),
            error=error,
        ) from None


def _text(file: Path) -> str:
    try:
        check_there(file)
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        failure = InputError(
            "E-FILE-ENCODING",
            "{file} is not in UTF-8",
            "save it so, with one line a value",
            file=quoted(file),
        )
    except OSError as error:
        failure = InputError(
            "E-FILE-UNREADABLE",
            "{file} cannot be read ({reason})",
            "name a CSV file",
            file=quoted(file),
            reason=error.strerror,
        )
    raise failure
