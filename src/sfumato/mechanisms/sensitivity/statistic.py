"""A function of a table that carries the sensitivity it is proved to have."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sfumato.errors import InputError
from sfumato.mechanisms.sensitivity.tables import read_column
from sfumato.mechanisms.values import is_missing
from sfumato.numeric import read_count
from sfumato.privacy import Person, Relation
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from sfumato.mechanisms.sensitivity.declared import Sensitivity


T = TypeVar("T")


@dataclass(frozen=True, repr=False)
class Statistic(Generic[T]):
    """What is derived is what runs: a query in exact arithmetic, and its sensitivity.

    Sums of floats move by more than the textbook's sensitivity, since they round and depend on
    the order :cite:p:`casacuberta2022widespread`; so every cell is read as a rational, clipped,
    and added up without rounding.  Where a person is protected, only the first
    ``rows_per_person`` rows of each person count.

    Attributes
    ----------
    sensitivity
        In both norms, for the relation that the statistic was made for.
    rows_per_person
        How many rows of a person count; None where each row is protected by itself.
    compute
        The answer on the rows that count.
    read
        Lists the rows of a table, or refuses what is none; by default of one column.

    Examples
    --------
    >>> from sfumato.mechanisms.sensitivity import clipped_sum
    >>> total = clipped_sum(0, 110)
    >>> total([23, 35, 250])
    Fraction(168, 1)
    >>> total.sensitivity.l1
    Fraction(110, 1)
    """

    sensitivity: Sensitivity
    rows_per_person: int | None
    compute: Callable[[list[Any]], T]
    read: Callable[[Any], list[Any]] = field(default_factory=lambda: read_column)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.sensitivity}>"

    def __call__(self, rows: Any, *, people: Any = None) -> T:
        """Return the exact answer on a table.

        Parameters
        ----------
        rows
            The rows, in a list, an array, a series or a generator; the module :mod:`.cells` says
            what each cell counts as.  Of a frame give one column, ``df["age"]``, or where rows
            have several cells, ``df.to_numpy()``.
        people
            Whose row each is, where a person is protected.  Rows of nobody, which are those whose
            identifier is missing in whole or in part, count as the rows of one person.
        """
        table = self.read(rows)
        if (people is None) != (self.rows_per_person is None):
            raise InputError(
                "E-UNIT-MISSING",
                "people= gives the privacy unit of each row: give it where the relation's unit is "
                "a person, and only there",
            )
        if self.rows_per_person is not None:
            table = _first_rows(table, read_column(people, "people"), self.rows_per_person)
        return self.compute(table)


def _first_rows(rows: list[Any], people: list[Any], most: int) -> list[Any]:
    if len(people) != len(rows):
        raise InputError(
            "E-LENGTHS-DIFFER",
            "{people} has {count} entries for {other_count} rows",
            "give one for each row",
            count=len(people),
            other_count=len(rows),
            people=Argument("people"),
        )
    seen: Counter[Hashable] = Counter()
    kept = []
    for row, person in zip(rows, people, strict=True):
        name = identity(person)
        seen[name] += 1
        if seen[name] <= most:
            kept.append(row)
    return kept


def identity(person: Any) -> Hashable:
    """Return who owns a row; the rows of nobody belong together."""
    if is_missing(person):
        return None
    try:
        hash(person)
    except (TypeError, ValueError):  # numpy's spans of no unit raise the latter
        raise InputError(
            "E-IDS-TYPE",
            "{people} must be numbers or texts, not {kind}",
            "give identifiers",
            kind=type(person).__name__,
            people=Argument("people"),
        ) from None
    named: Hashable = person
    return named


def read_rows_per_person(relation: Relation, rows_per_person: Any) -> int | None:
    """Return how many rows of a person count: required where people are protected, else None."""
    by_person = isinstance(relation.unit, Person)
    if by_person and rows_per_person is None:
        raise InputError(
            "E-SENSITIVITY-UNBOUNDED",
            "a person may own any number of rows, so the sensitivity has no bound",
            "write rows_per_person=3, say, as the contribution limit",
        )
    if not by_person and rows_per_person is not None:
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "rows_per_person= is a contribution limit of people, but the privacy unit is the row",
            "leave rows_per_person out, or write relation=sf.privacy.AddRemove(unit="
            "sf.privacy.Person())",
        )
    return None if rows_per_person is None else read_count(rows_per_person, "rows_per_person")
