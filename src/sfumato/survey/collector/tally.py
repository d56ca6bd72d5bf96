"""What is kept of many reports: a few whole numbers for each question."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, TypeVar

from sfumato.translation import mark, tr

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


Sums = TypeVar("Sums", "Tally", "PairTally", "Aside")


@dataclass(frozen=True, eq=False)
class Tally:
    """The reports on one question, in sums.

    Parameters
    ----------
    people
        How many reports there are.
    counts
        How many of them support each choice; for a number, how many have each mark.
    """

    people: int
    counts: NDArray[np.int64]

    def __add__(self, other: Tally) -> Tally:
        return _sum(self, other)


@dataclass(frozen=True, eq=False)
class PairTally:
    """The reports on two questions with choices, in sums.

    Parameters
    ----------
    people
        How many reports there are.
    both
        How many of them support each choice of the first and each of the second: one row for
        each choice of the first question.
    first, second
        How many support each choice of the one question and of the other.
    """

    people: int
    both: NDArray[np.int64]
    first: NDArray[np.int64]
    second: NDArray[np.int64]

    def __add__(self, other: PairTally) -> PairTally:
        return _sum(self, other)


@dataclass(frozen=True)
class Aside:
    """How many reports were set aside, by the first reason that applies.

    Parameters
    ----------
    other_survey
        Reports with another survey's digest, or none.
    impossible
        Reports of this survey with an entry that the question's protocol cannot give, a missing
        one included.
    duplicates
        Further reports of a person who is counted already, in a survey with ids.

    Examples
    --------
    >>> from sfumato.survey.collector.tally import Aside
    >>> Aside(other_survey=2, duplicates=1).total
    3
    """

    other_survey: int = 0
    impossible: int = 0
    duplicates: int = 0

    @property
    def total(self) -> int:
        """How many reports were set aside.

        Examples
        --------
        >>> from sfumato.survey.collector.tally import Aside
        >>> Aside(impossible=4).total
        4
        """
        return self.other_survey + self.impossible + self.duplicates

    def __add__(self, other: Aside) -> Aside:
        return _sum(self, other)

    def reasons(self) -> list[str]:
        """Return why reports were set aside, in words, and how many for each reason.

        Examples
        --------
        >>> from sfumato.survey.collector.tally import Aside
        >>> Aside(other_survey=2, duplicates=1).reasons()
        ['2 of another survey or no reports at all', '1 of a person counted already']
        """
        said = (
            (self.other_survey, mark("{number:,} of another survey or no reports at all")),
            (self.impossible, mark("{number:,} that cannot be reports")),
            (self.duplicates, mark("{number:,} of a person counted already")),
        )
        return [tr(words, number=number) for number, words in said if number]


def _sum(one: Sums, other: Sums) -> Sums:
    """Add field to field."""
    return type(one)(*(getattr(one, each.name) + getattr(other, each.name) for each in fields(one)))
