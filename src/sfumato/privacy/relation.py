"""What two tables may differ by: the unit of privacy and the neighbouring relation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from sfumato.errors import InputError
from sfumato.numeric import read_count, shown
from sfumato.refusal import Argument, Bare
from sfumato.translation import mark, said, tr

_WORDS = (
    mark("zero"),
    mark("one"),
    mark("two"),
    mark("three"),
    mark("four"),
    mark("five"),
    mark("six"),
    mark("seven"),
    mark("eight"),
    mark("nine"),
    mark("ten"),
)


def _number(count: int) -> str:
    return _WORDS[count] if count < len(_WORDS) else f"{count:,}"


@dataclass(frozen=True)
class Unit:
    """Whose presence is protected: a row, or a person with all their rows.

    Examples
    --------
    >>> from sfumato.privacy import Person, Row
    >>> print(Row(), Person("patient_id"), sep=", ")
    row, patient_id
    """

    singular: ClassVar[str]
    plural: ClassVar[str]
    #: One of it, and several: so many in words.
    numbered: ClassVar[tuple[str, str]]

    @property
    def noun(self) -> str:
        """What one unit is called.

        Examples
        --------
        >>> from sfumato.privacy import Person
        >>> Person("tailnum").noun
        'tailnum'
        """
        return self.singular

    @property
    def nouns(self) -> str:
        """What several units are called.

        Examples
        --------
        >>> from sfumato.privacy import Row
        >>> Row().nouns
        'rows'
        """
        return self.plural

    def counted(self, count: int) -> str:
        """Return so many of the unit, in words.

        Examples
        --------
        >>> from sfumato.privacy import Person
        >>> Person().counted(2)
        'two people'
        """
        one, several = self.numbered
        return tr(one if count == 1 else several, several=_number(count))

    def __str__(self) -> str:
        return said(self.noun)


@dataclass(frozen=True)
class Row(Unit):
    """Each row is protected by itself.

    Examples
    --------
    >>> from sfumato.privacy import Row
    >>> Row().counted(1)
    'one row'
    """

    singular = mark("row")
    plural = mark("rows")
    numbered = (mark("{several} row"), mark("{several} rows"))


@dataclass(frozen=True)
class Person(Unit):
    """All rows of a person, or of whatever a column identifies, are protected together.

    Parameters
    ----------
    column
        The ID column, where there is one; the unit is called what it is called.

    Examples
    --------
    >>> from sfumato.privacy import Person
    >>> Person("patient_id").counted(1)
    'one patient_id'
    """

    column: str | None = None

    singular = mark("person")
    plural = mark("people")
    numbered = (mark("{several} person"), mark("{several} people"))

    @property
    def noun(self) -> str:
        """What one unit is called.

        Examples
        --------
        >>> from sfumato.privacy import Person
        >>> Person().noun
        'person'
        """
        return self.column or self.singular

    @property
    def nouns(self) -> str:
        """What several units are called.

        Examples
        --------
        >>> from sfumato.privacy import Person
        >>> Person("patient_id").nouns, Person().counted(3)
        ('distinct values of patient_id', 'three people')
        """
        return tr("distinct values of {column}", column=self.column) if self.column else self.plural

    def counted(self, count: int) -> str:
        """Return so many people, or what the column says, in words.

        Examples
        --------
        >>> from sfumato.privacy import Person
        >>> Person("patient_id").counted(2)
        'two distinct values of patient_id'
        """
        if not self.column:
            return super().counted(count)
        return tr(
            "{several} {column}" if count == 1 else "{several} distinct values of {column}",
            several=_number(count),
            column=self.column,
        )


@dataclass(frozen=True)
class Relation:
    """Which tables are neighbours: those that at most ``count`` single changes lead between.

    A guarantee means nothing without it, so every guarantee carries one and prints it.

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
                example=Argument("unit", Bare("sf.privacy.Person()")),
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
        return tr("{verb} {units}", verb=self.verb, units=self.unit.counted(self.count))


@dataclass(frozen=True)
class AddRemove(Relation):
    """At most ``count`` units are added or removed, each one or the other.

    Examples
    --------
    >>> from sfumato.privacy import AddRemove, Person
    >>> print(AddRemove(unit=Person("patient_id")))
    add or remove one patient_id
    """

    verb = mark("add or remove")


@dataclass(frozen=True)
class Substitute(Relation):
    """Both tables have as many units, and at most ``count`` differ (the textbook's relation).

    Examples
    --------
    >>> from sfumato.privacy import Substitute
    >>> print(Substitute())
    substitute one row
    """

    verb = mark("substitute")


def read_relation(relation: Any) -> Relation:
    """Return a neighbouring relation, or refuse what is none."""
    if not isinstance(relation, (AddRemove, Substitute)):
        raise InputError(
            "E-RELATION-UNKNOWN",
            "{argument} must be AddRemove() or Substitute(), not {relation}",
            "write {example}",
            relation=shown(relation),
            example=Argument("relation", Bare("sf.privacy.AddRemove()")),
            argument=Argument("relation"),
        )
    return relation


def steps_between(have: Relation, want: Relation) -> int:
    """Return how many steps of one relation lead to any neighbour in another.

    A relation of ``count`` units joins tables that so many single changes, or fewer, lead between.
    Substituting a unit is two changes, a removal and an addition; no number of substitutions adds
    a unit.
    """
    if have.unit != want.unit:
        raise InputError(
            "E-RELATION-OTHER",
            "a guarantee for each {unit} says nothing for each {other_unit}, since a person may "
            "own many rows",
            "bound the rows per person and use group(rows)",
            unit=have.unit,
            other_unit=want.unit,
        )
    if isinstance(have, Substitute) and isinstance(want, AddRemove):
        raise InputError(
            "E-RELATION-OTHER",
            "a guarantee for “{have}” does not protect the size of the table, so it says "
            "nothing for “{want}”",
            "account for the mechanism under AddRemove()",
            have=have,
            want=want,
        )
    each = 1 if type(have) is type(want) else 2
    return -(-each * want.count // have.count)
