"""Rows by privacy unit, and samples of units: all rows of a drawn unit, and none of the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.mechanisms.estimators.blocks import PLAIN, row_count, rows_at
from sfumato.mechanisms.sensitivity.statistic import identity
from sfumato.mechanisms.sensitivity.tables import read_column
from sfumato.privacy import Person, Unit
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class UnitRows:
    """Rows, and whose each is.

    Parameters
    ----------
    rows
        A list, an array or a frame.
    people
        The identifier of each row; None where each row is a unit of its own.
    owners
        The number of each row's unit, from 0 on.
    units
        How many units there are.
    """

    rows: Any
    people: list[Any] | None
    owners: NDArray[np.int64]
    units: int

    @classmethod
    def of(cls, rows: Any, people: Any, unit: Unit) -> UnitRows:
        """Return the rows by unit; ``people`` names the person of each where a person is one."""
        count, by_person = row_count(rows), isinstance(unit, Person)
        if (people is None) == by_person:
            raise InputError(
                "E-UNIT-MISSING",
                "people= gives the privacy unit of each row: give it where the relation's unit is "
                "a person, and only there",
            )
        if not by_person:
            return cls(rows, None, np.arange(count), count)
        named = read_column(people, "people")
        if len(named) != count:
            raise InputError(
                "E-LENGTHS-DIFFER",
                "{people} must have one entry for each row",
                people=Argument("people"),
            )
        numbers: dict[Any, int] = {}
        owners = [numbers.setdefault(identity(each), len(numbers)) for each in named]
        return cls(rows, named, np.array(owners, dtype=np.int64), len(numbers))

    def places(self, ranks: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return where the rows of the drawn units are, by rank and then in order.

        Parameters
        ----------
        ranks
            The rank of each unit in the sample, from 0 on; below 0 where it is not drawn.
        """
        of_rows = ranks[self.owners]
        drawn = np.flatnonzero(of_rows >= 0)
        return drawn[np.argsort(of_rows[drawn], kind="stable")]

    def taken(self, places: NDArray[np.int64]) -> Any:
        """Return some rows for a mechanism, which does not change them nor tell one from a copy."""
        if isinstance(self.rows, PLAIN):
            return [self.rows[place] for place in places.tolist()]
        return rows_at(self.rows, places)

    def given(self, places: NDArray[np.int64]) -> tuple[Any, dict[str, Any]]:
        """Return what a function is called with: a copy of some rows, and their people if any."""
        if self.people is None:
            return rows_at(self.rows, places), {}
        whose = [self.people[place] for place in places.tolist()]
        return rows_at(self.rows, places), {"people": whose}
