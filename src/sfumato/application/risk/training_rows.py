"""The people that a model is trained on, with one of them or without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from copy import deepcopy
from math import log
from numbers import Integral
from typing import Any

from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.refusal import Argument

__all__ = ["TrainingRows"]

_LEAST_ROWS = 2


class TrainingRows:
    """People as rows: a list, an array or a data frame, from which one can be left out.

    Whatever is given out is a copy of its own, so that nobody who shuffles it or takes it apart
    changes the people.
    """

    def __init__(self, records: Any) -> None:
        self.held = records
        self.size = _rows(records)
        if self.size < _LEAST_ROWS or not self._can_leave_out():
            raise InputError(
                "E-ARGUMENT-TYPE",
                "{records} must be a list, an array or a data frame of 2 rows or more",
                records=Argument("records"),
            )

    def row(self, which: int) -> Any:
        """Return one person's row."""
        return deepcopy(self._row(which))

    def everybody(self) -> Any:
        """Return all rows, held as they were given."""
        return deepcopy(self.held)

    def without(self, which: int) -> Any:
        """Return everybody else's rows, held as they were given."""
        rest = [place for place in range(self.size) if place != which]
        if hasattr(self.held, "iloc"):
            return deepcopy(self.held.iloc[rest])
        if hasattr(self.held, "__array__"):
            return deepcopy(self.held[rest])
        return deepcopy([self.held[place] for place in rest])

    def index(self, which: Any) -> int:
        """Return the number of a row that is there."""
        whole = isinstance(which, Integral) and not isinstance(which, bool)
        if whole and 0 <= which < self.size:
            return int(which)
        raise InputError(
            "E-ARGUMENT-RANGE",
            "the person must be the number of a row, from 0 to {last:,}, not {which}",
            last=self.size - 1,
            which=shown(which),
        )

    def rarest(self) -> int:
        """Return the row whose values are rarest, each in its column; the first of several."""
        rows = [_cells(self._row(place)) for place in range(self.size)]
        columns = [Counter(column) for column in zip(*rows, strict=False)]
        commonness = [
            sum(log(counts[cell]) for counts, cell in zip(columns, row, strict=False))
            for row in rows
        ]
        return commonness.index(min(commonness))

    def _row(self, which: int) -> Any:
        return self.held.iloc[which] if hasattr(self.held, "iloc") else self.held[which]

    def _can_leave_out(self) -> bool:
        """Tell whether rows are found by their numbers, as in a table of columns they are not."""
        try:
            return len(self.without(0)) == self.size - 1
        except (TypeError, LookupError):
            return False


def _rows(records: Any) -> int:
    """Return how many rows there are; none in a text, and none where they have no order."""
    if isinstance(records, (str, bytes, Mapping, AbstractSet)):
        return 0
    try:
        return len(records)
    except TypeError:
        return 0


def _cells(row: Any) -> tuple[str, ...]:
    """Return the values of a row as text; a single value is a row of one."""
    if isinstance(row, dict):
        row = tuple(row.values())
    single = isinstance(row, (str, bytes)) or not hasattr(row, "__len__")
    return (str(row),) if single else tuple(str(each) for each in row)
