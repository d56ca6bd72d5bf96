"""A table that was generalised: what was done, what was lost, and what it still tells."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from sfumato.data import check_free
from sfumato.errors import MissingExtraError
from sfumato.printing import PAGE, NotPrivate, counted, fitted, named
from sfumato.risk.exposed import blanks_in_words
from sfumato.risk.generalising.output import recoded_table, write_table
from sfumato.risk.generalising.render import (
    Write,
    columns_in_words,
    in_python,
    leaks_in_words,
    loss_in_words,
    odd_in_words,
    others_in_words,
    search_in_words,
    standing_in_words,
    warnings_in_words,
)
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from sfumato.data import Source
    from sfumato.risk.generalising.cells import CodedCells
    from sfumato.risk.generalising.insensitive import Others
    from sfumato.risk.generalising.ladders import Odd
    from sfumato.risk.generalising.losses import Losses, Standing
    from sfumato.risk.generalising.partition import Targets
    from sfumato.risk.generalising.recoding import Change, Recoding
    from sfumato.risk.generalising.search import Search


@dataclass(frozen=True, kw_only=True, eq=False)
class Anonymized(NotPrivate):
    """A table that was generalised until it reached its targets.

    Attributes
    ----------
    changes
        What was done to each quasi-identifier.
    suppressed
        How many rows were suppressed.
    losses
        What the table no longer tells.
    before, after
        How exposed people were, and still are.
    search
        How it was found, and whether it is proved to be the best.
    targets
        What was asked for.
    odd
        Cells that are none of what nearly all others of their column are.
    others
        What became of the other columns.
    blanks
        The columns in which cells differ from others only by blanks around them, and how many:
        they count as other values, and an attacker takes them for equal.

    Examples
    --------
    >>> from sfumato.risk import anonymize
    >>> found = anonymize("examples/hospital-a.csv", quasi=["age", "sex"], k=2, remove="name")
    >>> found.levels, found.after.k
    ({'age': 2, 'sex': 0}, 2)
    """

    changes: tuple[Change, ...]
    suppressed: int
    losses: Losses
    before: Standing
    after: Standing
    search: Search
    targets: Targets
    odd: tuple[Odd, ...]
    others: Others
    blanks: Mapping[str, int]
    _source: Source = field(repr=False)
    _cells: CodedCells = field(repr=False)
    _recoding: Recoding = field(repr=False)

    @property
    def levels(self) -> dict[str, int | None]:
        """The level of each quasi-identifier, 0 for the values as they are.

        Examples
        --------
        >>> from sfumato.risk import anonymize
        >>> anonymize("examples/hospital-a.csv", quasi="age", k=3).levels
        {'age': 2}
        """
        return {each.name: each.level for each in self.changes}

    def to_arrow(self) -> pa.Table:
        """Return the generalised table: columns in the old order, rows sorted by what they say now.

        Examples
        --------
        >>> from sfumato.risk import anonymize
        >>> found = anonymize("examples/hospital-a.csv", quasi="age", k=2, remove="name")
        >>> found.to_arrow()["age"].to_pylist()[:3]
        ['50-60', '50-60', '50-60']
        """
        return recoded_table(self._source, self._cells, self._recoding, self.others.removed)

    def to_pandas(self) -> pd.DataFrame:
        """Return the generalised table as a pandas frame; see ``to_arrow``.

        Examples
        --------
        >>> from sfumato.risk import anonymize
        >>> anonymize("examples/hospital-a.csv", quasi="age", k=2).to_pandas().shape
        (9, 6)
        """
        if find_spec("pandas") is None:
            raise MissingExtraError(purpose=mark("a table as a pandas frame"), extra="pandas")
        frame: pd.DataFrame = self.to_arrow().to_pandas()
        return frame

    def to_polars(self) -> pl.DataFrame:
        """Return the generalised table as a polars frame; see ``to_arrow``.

        Examples
        --------
        >>> from sfumato.risk import anonymize
        >>> anonymize("examples/hospital-a.csv", quasi="age", k=2).to_polars().shape
        (9, 6)
        """
        import polars as pl

        return pl.DataFrame(self.to_arrow())

    def write(self, path: str | os.PathLike[str], *, replace: bool = False) -> None:
        """Write the generalised table as CSV or Parquet, by the suffix; whole or not at all.

        Parameters
        ----------
        path
            Where it goes; never over the file that was read.
        replace
            Whether another file may be there.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from sfumato.risk import anonymize
        >>> found = anonymize("examples/hospital-a.csv", quasi="age", k=2, remove="name")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     found.write(f"{folder}/coarser.csv")
        ...     print(Path(f"{folder}/coarser.csv").read_text().splitlines()[1])
        *,50-60,female,190103,no,AIDS
        """
        read = self._source.path
        spared = () if read is None else (str(read),)
        check_free(str(path), replace=replace, spared=spared, told="replace=True")
        write_table(self.to_arrow(), path)

    def findings(self) -> list[str]:
        """Return what was done and what the table still tells, as sentences.

        Examples
        --------
        >>> from sfumato.risk import anonymize
        >>> anonymize("examples/hospital-a.csv", quasi="age", k=2).findings()[0]
        'k = 2 reached on age: 9 rows, none suppressed'
        """
        return self.told(in_python)

    def told(self, write: Write) -> list[str]:
        """Return the findings, with options as is said.

        Parameters
        ----------
        write
            Writes an argument, such as remove, that names some columns.

        Examples
        --------
        >>> from sfumato.risk import anonymize
        >>> found = anonymize("examples/hospital-a.csv", quasi="age", k=2)
        >>> found.told(lambda option, names: f"--{option} {','.join(names)}")[3]
        'to remove all of these, write --remove name,zip,diagnosis'
        """
        rows = self.before.rows
        return [
            self._headline(),
            *warnings_in_words(self.others, rows, write),
            *(tr("WARNING: {each}", each=each) for each in blanks_in_words(self.blanks)),
            *columns_in_words(self.changes, self.others.removed),
            *odd_in_words(self.odd, rows, self.search.method),
            *loss_in_words(self.losses),
            search_in_words(self.search),
            *standing_in_words(self.before, self.after),
            *leaks_in_words(self.after, self.others, write),
            *others_in_words(self.others),
        ]

    def _headline(self) -> str:
        quasi = named(each.name for each in self.changes)
        left_out = f"{self.suppressed:,}" if self.suppressed else tr("none")
        rows = counted(self.before.rows, "row")
        return tr(
            "{targets} reached on {quasi}: {rows}, {left_out} suppressed",
            targets=self.targets,
            quasi=quasi,
            rows=rows,
            left_out=left_out,
        )

    def lines(self) -> list[str]:
        """Return the findings, and that they are not private, on lines that fit a terminal.

        Examples
        --------
        >>> from sfumato.risk import anonymize
        >>> anonymize("examples/hospital-a.csv", quasi="age", k=2).lines()[-1]
        'not private: exact figures, for the data owner'
        """
        return fitted(super().lines(), PAGE)

    def figures(self) -> dict[str, Any]:
        """Return what was done, ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import anonymize
        >>> anonymize("examples/hospital-a.csv", quasi="age", k=2).figures()["suppressed"]
        0
        """
        return {
            "targets": asdict(self.targets),
            "columns": [asdict(each) for each in self.changes],
            "suppressed": self.suppressed,
            "losses": asdict(self.losses),
            "before": self.before.figures(),
            "after": self.after.figures(),
            "search": asdict(self.search),
            "odd": [
                {"column": each.column, "kind": each.kind, "cells": each.cells} for each in self.odd
            ],
            "others": asdict(self.others),
            "blanks": dict(self.blanks),
        }
