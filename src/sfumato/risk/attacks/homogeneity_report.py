"""Equivalence classes that share a sensitive value too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sfumato.printing.wording import counted, listed, share
from sfumato.risk.attacks.words import Narrow, listing, people
from sfumato.translation import mark, tr, tr_n

__all__ = ["Homogeneity", "HomogeneousClass"]


@dataclass(frozen=True, kw_only=True)
class HomogeneousClass:
    """An equivalence class in which all or most have one sensitive value.

    Attributes
    ----------
    known
        Their quasi-identifiers, column by column.
    people
        How many rows are in it.
    value
        The sensitive value that most of them have.
    share
        Which part of them has it.

    Examples
    --------
    >>> from sfumato.risk import homogeneity
    >>> report = homogeneity("examples/hospital-a.csv", quasi="age", sensitive="diagnosis")
    >>> report.classes[0].known, report.classes[0].value
    ({'age': '52'}, 'diabetes')
    """

    known: dict[str, str]
    people: int
    value: str
    share: float

    def as_dict(self) -> dict[str, Any]:
        """Return the class ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import homogeneity
        >>> report = homogeneity("examples/hospital-a.csv", quasi="age", sensitive="diagnosis")
        >>> report.classes[0].as_dict()["people"]
        1
        """
        return {
            "known": self.known,
            "people": self.people,
            "value": self.value,
            "share": self.share,
        }


@dataclass(frozen=True, kw_only=True)
class Homogeneity(Narrow):
    """How many people's sensitive value their equivalence class gives away.

    Attributes
    ----------
    release
        What the table is called.
    quasi, sensitive
        The columns that are known, and the one that is learned.
    certainty
        Which part of a class has to have one value.
    people, all_classes
        How many rows there are, and how many equivalence classes.
    exposed_people, exposed_classes
        How many rows are in classes that are homogeneous, and how many such classes there are.
    alone
        How many of these rows are unique.
    classes
        The homogeneous classes, the greatest first; the first thousand.

    Examples
    --------
    >>> from sfumato.risk import homogeneity
    >>> report = homogeneity("examples/hospital-a-generalised.csv", certainty=0.6,
    ...                      quasi=["age", "sex", "zip"], sensitive="diagnosis")
    >>> report.exposed_people, report.classes[0].value
    (3, 'lung cancer')
    """

    release: str
    quasi: tuple[str, ...]
    sensitive: str
    certainty: float
    people: int
    all_classes: int
    exposed_people: int
    exposed_classes: int
    alone: int
    classes: tuple[HomogeneousClass, ...]

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.risk import homogeneity
        >>> report = homogeneity("examples/hospital-a.csv", quasi="age", sensitive="diagnosis")
        >>> report.findings()[0]
        '9 of 9 people are in equivalence classes with one diagnosis'
        """
        classes = counted(self.all_classes, "equivalence class")
        found = tr(
            "{exposed:,} of {classes} are homogeneous",
            exposed=self.exposed_classes,
            classes=classes,
        )
        return [
            self._headline(),
            self._with_the_unique(found) if self.alone else found,
            tr("known of each: {columns}", columns=listed(self.quasi)),
            *self._listing(),
        ]

    def _with_the_unique(self, found: str) -> str:
        return tr_n(
            "{found}, and {people} in them is unique",
            "{found}, and {people} in them are unique",
            self.alone,
            found=found,
            people=people(self.alone),
        )

    def _headline(self) -> str:
        exposed = {"exposed": self.exposed_people, "people": people(self.people)}
        if self.certainty == 1:
            return tr_n(
                "{exposed:,} of {people} is in equivalence classes with one {sensitive}",
                "{exposed:,} of {people} are in equivalence classes with one {sensitive}",
                self.exposed_people,
                **exposed,
                sensitive=self.sensitive,
            )
        return tr_n(
            "{exposed:,} of {people} is in equivalence classes with {share} or more of one "
            "{sensitive}",
            "{exposed:,} of {people} are in equivalence classes with {share} or more of one "
            "{sensitive}",
            self.exposed_people,
            **exposed,
            share=share(self.certainty),
            sensitive=self.sensitive,
        )

    def _listing(self) -> list[str]:
        header = [*self.quasi, mark("people"), self.sensitive, mark("share")]
        rows = [
            [*each.known.values(), f"{each.people:,}", each.value, share(each.share)]
            for each in self.classes
        ]
        numbers, total = {"people", "share"}, self.exposed_classes
        return listing(header, rows, total, numbers=numbers, dispensable=self.quasi)

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import homogeneity
        >>> report = homogeneity("examples/hospital-a.csv", quasi="age", sensitive="diagnosis")
        >>> report.figures()["exposed_people"]
        9
        """
        return {
            "release": self.release,
            "quasi": list(self.quasi),
            "sensitive": self.sensitive,
            "certainty": self.certainty,
            "people": self.people,
            "all_classes": self.all_classes,
            "exposed_people": self.exposed_people,
            "exposed_classes": self.exposed_classes,
            "alone": self.alone,
            "classes": [each.as_dict() for each in self.classes],
            "classes_left_out": self.exposed_classes - len(self.classes),
        }
