"""How much of one person counts, and how far one person can move a sum."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING

from sfumato.privacy import Person, Substitute

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sfumato.data.policy import Limits
    from sfumato.privacy import Relation
    from sfumato.tables.plan.measurements import Measurement
    from sfumato.tables.tree.rows import Question

#: People over the limit count in part: their rows have weights in steps of 2^-16.
FINE_BITS = 16
_ROOT_BITS = 10


@dataclass(frozen=True)
class ContributionLimit:
    """The most of one person, in rows or in groups.

    Parameters
    ----------
    weighing
        What is limited: "rows", "people" or "value".
    most
        So many rows, or groups; None where it is chosen privately.
    norm
        "l1": the sum over groups; "l2": the root of the sum of squares.
    """

    weighing: str
    most: Fraction | None
    norm: str = "l1"

    @property
    def is_chosen(self) -> bool:
        """Whether the limit has yet to be chosen, privately."""
        return self.most is None


@dataclass(frozen=True)
class ChosenLimit:
    """A limit that was chosen privately, and what it is expected to leave out.

    Parameters
    ----------
    most
        The limit.
    left_out
        Which share of everything is expected not to count for it; an estimate, from the same
        noisy histogram.
    at_most
        The same, with an allowance for the noise of the histogram.
    """

    most: int
    left_out: float
    at_most: float


@dataclass(frozen=True)
class Contribution:
    """What one unit of privacy adds at most.

    Parameters
    ----------
    relation
        Which tables are neighbours.
    limits
        What limits each measurement, by ``Measurement.limited_by``;
        none where each row is protected by itself.
    """

    relation: Relation
    limits: dict[str, ContributionLimit]

    @property
    def column(self) -> str | None:
        """The column of the person's id; None where each row is protected by itself."""
        unit = self.relation.unit
        return unit.column if isinstance(unit, Person) else None

    def chosen_by(self) -> dict[str, list[str]]:
        """Return the limits that are yet to be chosen, those of one kind of histogram together."""
        found: dict[str, list[str]] = {}
        for name, each in self.limits.items():
            if each.is_chosen:
                kept = name if each.weighing in {"people", "value"} else "rows"
                found.setdefault(kept, []).append(name)
        return found

    def with_limits(self, chosen: Mapping[str, ChosenLimit]) -> Contribution:
        """Return it with limits that were chosen privately."""
        limits = {
            name: replace(each, most=Fraction(chosen[name].most)) if name in chosen else each
            for name, each in self.limits.items()
        }
        return Contribution(self.relation, limits)

    @property
    def fine(self) -> int:
        """How many fine steps a step of a measurement has."""
        return 1 if self.column is None else 2**FINE_BITS

    def sensitivity(self, measurement: Measurement) -> Fraction:
        """Return the most by which one change moves a measurement, in fine steps."""
        changes = 2 if isinstance(self.relation, Substitute) else 1
        if self.column is None:
            return Fraction(changes * measurement.most)
        most = self.limits[measurement.limited_by].most
        return changes * measurement.most * self.fine * (most or Fraction(1))


def limits_are_chosen(query: Question) -> bool:
    """Tell whether it is chosen privately how many rows of a person count."""
    declared = query.table.policy.limits
    by_group = declared.rows_per_group is not None and (
        declared.groups is not None or not query.keys
    )
    is_person = isinstance(query.table.relation.unit, Person)
    return is_person and not isinstance(declared.rows, int) and not by_group


def limits_for(
    measurements: Iterable[Measurement], declared: Limits, *, groups: int | None, norm: str
) -> dict[str, ContributionLimit]:
    """Return what limits each measurement, from what is declared and how many groups there are."""
    known = [each for each in (declared.groups, groups) if each is not None]
    most_groups = min(known) if known else None
    found = {}
    for each in measurements:
        own = "l1" if each.weighing in {"value", "choice"} else norm
        limit = _people if each.weighing == "people" else _rows
        found[each.limited_by] = ContributionLimit(
            each.weighing, limit(declared, most_groups, own), own
        )
    return found


def _rows(declared: Limits, groups: int | None, norm: str) -> Fraction | None:
    given = []
    if isinstance(declared.rows, int):
        given.append(Fraction(declared.rows))
    if groups is not None and declared.rows_per_group is not None:
        across = root_above(Fraction(groups)) if norm == "l2" else Fraction(groups)
        given.append(declared.rows_per_group * across)
    return min(given) if given else None


def _people(declared: Limits, groups: int | None, norm: str) -> Fraction | None:
    given = [Fraction(each) for each in (groups, declared.rows) if isinstance(each, int)]
    most = min(given) if given else None
    return most if most is None or norm == "l1" else root_above(most)


def root_above(number: Fraction, bits: int = _ROOT_BITS) -> Fraction:
    """Return a square root, rounded up to a multiple of a power of two."""
    scaled = (number * 4**bits).__ceil__()
    root = isqrt(scaled)
    return Fraction(root + (root * root < scaled), 2**bits)
