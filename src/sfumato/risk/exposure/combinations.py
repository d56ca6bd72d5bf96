"""Which columns identify people, alone and together, and what they tell of a sensitive one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.numeric import read_count
from sfumato.printing import NotPrivate, counted, listed, named, rounded
from sfumato.risk.exposure.classes import Sizes, entropy_of, fetch_sizes
from sfumato.translation import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

    from sfumato.data import Source


#: How many combinations are searched at most.
_MOST = 5_000
#: Differences of entropies are no more exact than that.
_DIGITS = 12


@dataclass(frozen=True)
class Combination(NotPrivate):
    """Some quasi-identifiers, and how well they identify people.

    Attributes
    ----------
    columns
        Which ones.
    uniques
        How many rows are unique on them.
    classes
        How many different combinations occur.
    entropy
        Their entropy: how far they identify a person, in bits.

    Examples
    --------
    >>> from sfumato.risk import risk
    >>> worst = risk("examples/hospital-a.csv", quasi=["age", "sex", "zip"]).combinations
    >>> [(each.columns, each.uniques) for each in worst]
    [(('age',), 9), (('age', 'sex'), 9), (('age', 'sex', 'zip'), 9)]
    """

    columns: tuple[str, ...]
    uniques: int
    classes: int
    entropy: float

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> print(risk("examples/hospital-a.csv", quasi=["sex", "zip"]).combinations[0])
        zip: 5 rows are unique, 2.281 bits
        not private: exact figures, for the data owner
        """
        return [
            tr_n(
                "{columns}: {rows} is unique, {entropy} bits",
                "{columns}: {rows} are unique, {entropy} bits",
                self.uniques,
                columns=named(self.columns),
                rows=counted(self.uniques, "row"),
                entropy=rounded(self.entropy),
            )
        ]

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> worst = risk("examples/hospital-a.csv", quasi=["sex", "zip"]).combinations[0]
        >>> worst.figures()["unique_rows"]
        5
        """
        return {
            "columns": list(self.columns),
            "unique_rows": self.uniques,
            "classes": self.classes,
            "entropy_bits": self.entropy,
        }


@dataclass(frozen=True)
class Information(NotPrivate):
    """How uncertain a sensitive column is before and after the quasi-identifiers are known.

    Attributes
    ----------
    sensitive, quasi
        The columns.
    before, after
        The entropy of the sensitive column, and what is left of it: H(S) and H(S | Q), in bits.

    Examples
    --------
    >>> from sfumato.risk import risk
    >>> quasi = ["age", "sex", "zip", "smoker"]
    >>> found = risk("examples/hospital-a-generalised.csv", quasi=quasi, sensitive="diagnosis")
    >>> (told,) = found.information
    >>> round(told.before, 6), round(told.after, 6), round(told.learned, 6)
    (2.947703, 0.972765, 1.974938)
    """

    sensitive: str
    quasi: tuple[str, ...]
    before: float
    after: float

    @property
    def learned(self) -> float:
        """What the quasi-identifiers tell: the mutual information I(S; Q), in bits.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> told = risk("examples/hospital-a.csv", quasi="sex", sensitive="smoker").information[0]
        >>> round(told.learned, 6)
        0.991076
        """
        return round(max(0.0, self.before - self.after), _DIGITS)

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> print(risk("examples/hospital-a.csv", quasi="age", sensitive="smoker").information[0])
        age tells 0.9911 of the 0.9911 bits of smoker; 0 are left
        not private: exact figures, for the data owner
        """
        tells = tr("tells") if len(self.quasi) == 1 else tr("tell")
        return [
            tr(
                "{quasi} {tells} {learned} of the {before} bits of {sensitive}; {after} are left",
                quasi=listed(self.quasi),
                tells=tells,
                learned=rounded(self.learned),
                before=rounded(self.before),
                sensitive=self.sensitive,
                after=rounded(self.after),
            )
        ]

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> told = risk("examples/hospital-a.csv", quasi="age", sensitive="smoker").information[0]
        >>> told.figures()["bits_left"]
        0.0
        """
        return {
            "sensitive": self.sensitive,
            "quasi": list(self.quasi),
            "bits": self.before,
            "bits_left": self.after,
            "bits_learned": self.learned,
        }


def search_combinations(
    source: Source, cells: ir.Table, quasi: Sequence[str], up_to: int
) -> list[Combination]:
    """Return every combination of quasi-identifiers up to a size, the most identifying first.

    The one with more unique rows comes first; among equals the one with more bits, then the one
    with fewer columns, then the one that was named first.
    """
    chosen = [
        each for size in range(1, up_to + 1) for each in combinations(range(len(quasi)), size)
    ]
    groupings = [[f"key{position}" for position in each] for each in chosen]
    found = [
        _combination([quasi[position] for position in each], sizes)
        for each, sizes in zip(chosen, fetch_sizes(source, cells, groupings), strict=True)
    ]
    return sorted(found, key=lambda each: (-each.uniques, -each.entropy, len(each.columns)))


def most_identifying(ranked: Sequence[Combination]) -> tuple[Combination, ...]:
    """Return the most identifying combination of each size, of those that are ranked."""
    first: dict[int, Combination] = {}
    for each in ranked:
        first.setdefault(len(each.columns), each)
    return tuple(first[size] for size in sorted(first))


def check_combinations(up_to: Any, columns: int) -> int:
    """Return how large combinations to search, or refuse a search that is too long."""
    size = min(read_count(up_to, "combinations"), columns)
    total = sum(comb(columns, each) for each in range(1, size + 1))
    if total > _MOST:
        raise InputError(
            "E-TOO-LARGE",
            "there are {total:,} combinations of up to {size} of {columns} columns, and "
            "{most:,} are searched at most",
            "search smaller ones, or name fewer columns",
            total=total,
            size=size,
            columns=columns,
            most=_MOST,
        )
    return size


def _combination(columns: Sequence[str], sizes: Sizes) -> Combination:
    return Combination(
        tuple(columns), sizes.get(1, 0), sum(sizes.values()), round(entropy_of(sizes), _DIGITS)
    )


def information_of(
    sensitive: str, quasi: tuple[str, ...], *, value: Sizes, both: Sizes, known: Sizes
) -> Information:
    """Return the entropies from how often values, classes and both together occur."""
    left = round(max(0.0, entropy_of(both) - entropy_of(known)), _DIGITS)
    return Information(sensitive, quasi, entropy_of(value), left)
