"""Homogeneity: who is in a class with one sensitive value need not be re-identified."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.numeric import rational
from sfumato.printing import counted, for_json_all, listed, share
from sfumato.refusal import Argument
from sfumato.risk.attacks.cells import written
from sfumato.risk.attacks.lookalikes import keeping, opened
from sfumato.risk.attacks.render import MOST_RECORDS, Narrow, listing, people
from sfumato.risk.attacks.sensitive import most_frequent
from sfumato.risk.exposed import Exposed, one_name, read_exposed
from sfumato.translation import mark, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Iterable

    import ibis.expr.types as ir


#: No class has so many people: parts that differ by less are the same.
_FINEST = 10**9


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
        return for_json_all(self)


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
        left_out = self.exposed_classes - len(self.classes)
        return {**for_json_all(self), "classes_left_out": left_out}


def homogeneity(
    release: Any, *, quasi: str | Iterable[str], sensitive: str, certainty: float = 1
) -> Homogeneity:
    """Find the equivalence classes that have one sensitive value, or nearly all of them do.

    A table can be k-anonymous and still tell the sensitive value of whoever is in such a class
    :cite:p:`machanavajjhala2007`.

    Parameters
    ----------
    release
        What is published: a path (CSV or Parquet), or a pandas, polars or Arrow table.
    quasi
        The quasi-identifiers: columns that others may know; rows are in one class where their cells
        are equal.
    sensitive
        The column that must not be learned; an empty cell may be any value.
    certainty
        Which part of a class has to have the same value, above 0 and up to 1.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.risk import homogeneity
    >>> people = pd.DataFrame({"age": ["50-60"] * 3 + ["60-70"] * 2,
    ...                        "ill": ["flu", "flu", "flu", "gout", "cold"]})
    >>> print(homogeneity(people, quasi="age", sensitive="ill"))
    3 of 5 people are in equivalence classes with one ill
    1 of 2 equivalence classes are homogeneous
    known of each: age
      age    people  ill  share
      50-60       3  flu  100 %
    not private: exact figures, for the data owner
    """
    least = _part(certainty)
    (table,) = opened(release)
    import ibis

    exposed = read_exposed(table, quasi=quasi, sensitive=one_name(sensitive))
    source = exposed.source
    with keeping(source) as keep:
        classes = keep(most_frequent(_cells(exposed), _keys(exposed)))
        is_exposed = classes.most * least.denominator >= classes.candidates * least.numerator
        totals = source.fetch(_totals(classes, is_exposed)).to_pylist()[0]
        if not totals["people"]:
            raise InputError(
                "E-TABLE-EMPTY",
                "{source} has no rows below its header",
                "there is nothing to attack",
                source=source.name,
            )
        order = [ibis.desc("candidates"), *_keys(exposed)]
        ordered = classes.filter(is_exposed).order_by(order)
        found = source.fetch(ordered.limit(MOST_RECORDS)).to_pylist()
    return Homogeneity(
        release=source.name,
        quasi=exposed.quasi,
        sensitive=sensitive,
        certainty=float(least),
        classes=tuple(_class(exposed.quasi, row) for row in found),
        **totals,
    )


def _part(certainty: Any) -> Fraction:
    part = rational(str(certainty)) or Fraction(0)
    if not 0 < part <= 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{argument} takes a number above 0 and up to 1",
            "{certainty!r:.60} is not",
            certainty=certainty,
            argument=Argument("certainty"),
        )
    return max(part.limit_denominator(_FINEST), Fraction(1, _FINEST))


def _keys(exposed: Exposed) -> list[str]:
    return [f"key{place}" for place in range(len(exposed.quasi))]


def _cells(exposed: Exposed) -> ir.Table:
    """Return a query for how many rows of each class have each sensitive value."""
    table = exposed.source.table
    names = zip(_keys(exposed), exposed.quasi, strict=True)
    keys = {key: written(table[name]).fill_null("") for key, name in names}
    rows = table.select(**keys, value=written(table[exposed.sensitive[0]]))
    return rows.group_by([*keys, "value"]).agg(n=rows.count())


def _totals(classes: ir.Table, is_exposed: ir.BooleanValue) -> ir.Table:
    size = classes.candidates
    return classes.aggregate(
        people=size.sum().fill_null(0),
        all_classes=classes.count(),
        exposed_people=size.sum(where=is_exposed).fill_null(0),
        exposed_classes=classes.count(where=is_exposed),
        alone=classes.count(where=is_exposed & (size == 1)),
    )


def _class(quasi: tuple[str, ...], row: dict[str, Any]) -> HomogeneousClass:
    return HomogeneousClass(
        known={name: row[f"key{place}"] for place, name in enumerate(quasi)},
        people=row["candidates"],
        value=row["value"],
        share=row["most"] / row["candidates"],
    )
