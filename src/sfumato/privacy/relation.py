"""What two tables may differ by: the unit of privacy and the neighbouring relation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from sfumato.errors import InputError
from sfumato.privacy.parameters import read_count
from sfumato.refusal import Argument, Bare

__all__ = ["AddRemove", "Person", "Relation", "Row", "Substitute", "Unit"]

_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True)
class Unit:
    """Whose presence is protected: a row, or a person with all their rows.

    Examples
    --------
    >>> from sfumato.privacy import Person, Row
    >>> print(Row(), Person("patient_id"), sep=", ")
    row, person (patient_id)
    """

    singular: ClassVar[str]
    plural: ClassVar[str]

    def counted(self, count: int) -> str:
        """Return so many of the unit, in words.

        Examples
        --------
        >>> from sfumato.privacy import Person
        >>> Person().counted(2)
        'two people'
        """
        number = _WORDS[count] if count < len(_WORDS) else f"{count:,}"
        return f"{number} {self.singular if count == 1 else self.plural}"

    def __str__(self) -> str:
        return self.singular


@dataclass(frozen=True)
class Row(Unit):
    """Each row is protected by itself.

    Examples
    --------
    >>> from sfumato.privacy import Row
    >>> Row().counted(1)
    'one row'
    """

    singular = "row"
    plural = "rows"


@dataclass(frozen=True)
class Person(Unit):
    """A person is protected with all the rows they own.

    Parameters
    ----------
    column
        The column that says whose row it is, where there is one.

    Examples
    --------
    >>> from sfumato.privacy import Person
    >>> Person("patient_id").counted(1)
    'one person (patient_id)'
    """

    column: str | None = None

    singular = "person"
    plural = "people"

    def counted(self, count: int) -> str:
        """Return so many people, in words, with the column that identifies them.

        Examples
        --------
        >>> from sfumato.privacy import Person
        >>> Person("patient_id").counted(3)
        'three people (patient_id)'
        """
        return super().counted(count) + (f" ({self.column})" if self.column else "")

    def __str__(self) -> str:
        return self.singular + (f" ({self.column})" if self.column else "")


@dataclass(frozen=True)
class Relation:
    """Which tables are neighbours: those that at most ``count`` single changes lead between.

    A guarantee means nothing without it, so every guarantee carries one and prints it
    (row M-DEF-1).

    Parameters
    ----------
    count
        How many single changes there may be.
    unit
        What a unit is.

    Examples
    --------
    >>> from sfumato.privacy import AddRemove, Person, Substitute
    >>> print(AddRemove())
    add or remove one row
    >>> print(Substitute(2, unit=Person()))
    substitute two people
    """

    count: int = 1
    unit: Unit = Row()

    verb: ClassVar[str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "count", read_count(self.count))
        if not isinstance(self.unit, Unit):
            raise InputError(
                "E-UNIT-FORM",
                "{argument} must be Row() or Person(), not {unit!r}",
                "write {example}",
                unit=self.unit,
                example=Argument("unit", Bare("sf.Person()")),
                argument=Argument("unit"),
            )

    def times(self, size: int) -> Self:
        """Return the relation of tables that differ by ``size`` times as many units.

        Examples
        --------
        >>> from sfumato.privacy import AddRemove
        >>> print(AddRemove().times(3))
        add or remove three rows
        """
        return replace(self, count=self.count * read_count(size, "size"))

    def __str__(self) -> str:
        return f"{self.verb} {self.unit.counted(self.count)}"


@dataclass(frozen=True)
class AddRemove(Relation):
    """At most ``count`` units are added or removed, each one or the other.

    Examples
    --------
    >>> from sfumato.privacy import AddRemove, Person
    >>> print(AddRemove(unit=Person("patient_id")))
    add or remove one person (patient_id)
    """

    verb = "add or remove"


@dataclass(frozen=True)
class Substitute(Relation):
    """Both tables have as many units, and at most ``count`` differ (the textbook's relation).

    Examples
    --------
    >>> from sfumato.privacy import Substitute
    >>> print(Substitute())
    substitute one row
    """

    verb = "substitute"
