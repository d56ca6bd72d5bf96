"""Homogeneity: who is in a class with one sensitive value need not be re-identified."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.numeric.numerals import rational
from sfumato.refusal import Argument
from sfumato.risk.attacks.homogeneity_report import Homogeneity, HomogeneousClass
from sfumato.risk.attacks.lookalikes import keeping, opened
from sfumato.risk.attacks.votes import most_frequent
from sfumato.risk.attacks.words import MOST_RECORDS
from sfumato.risk.attacks.written import written
from sfumato.risk.exposed import one_name, read_exposed

if TYPE_CHECKING:
    from collections.abc import Iterable

    import ibis.expr.types as ir

    from sfumato.risk.exposed import Exposed

__all__ = ["homogeneity"]

#: No class has so many people: parts that differ by less are the same.
_FINEST = 10**9


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
        ordered = _greatest_first(classes.filter(is_exposed), _keys(exposed))
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


def _greatest_first(classes: ir.Table, keys: list[str]) -> ir.Table:
    import ibis

    return classes.order_by([ibis.desc("candidates"), *keys])


def _class(quasi: tuple[str, ...], row: dict[str, Any]) -> HomogeneousClass:
    return HomogeneousClass(
        known={name: row[f"key{place}"] for place, name in enumerate(quasi)},
        people=row["candidates"],
        value=row["value"],
        share=row["most"] / row["candidates"],
    )
