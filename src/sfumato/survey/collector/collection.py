"""What was collected: the tallies of a survey's questions, and the reports that were set aside."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.survey.client.survey import Survey
    from sfumato.survey.collector.tally import PairTally, Tally

__all__ = ["Aside", "Collection"]


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
    >>> from sfumato.survey.collector.collection import Aside
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
        >>> from sfumato.survey.collector.collection import Aside
        >>> Aside(impossible=4).total
        4
        """
        return self.other_survey + self.impossible + self.duplicates

    def __add__(self, other: Aside) -> Aside:
        return Aside(
            self.other_survey + other.other_survey,
            self.impossible + other.impossible,
            self.duplicates + other.duplicates,
        )


@dataclass(frozen=True, eq=False)
class Collection:
    """The reports of a survey, in sums: all that estimates are made of.

    Parameters
    ----------
    survey
        What was asked.
    people
        How many reports are counted; the same for every question.
    tallies
        For each question its tally.
    pairs
        For each pair of questions that was asked for, their joint tally.
    aside
        The reports that are not counted.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> from sfumato.survey.collector.collection import Collection
    >>> from sfumato.survey.collector.tally import Tally
    >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
    >>> Collection(survey, 40, {"cheated": Tally(40, np.array([18, 22]))}).people
    40
    """

    survey: Survey
    people: int
    tallies: Mapping[str, Tally]
    pairs: Mapping[tuple[str, str], PairTally] = field(default_factory=dict)
    aside: Aside = field(default_factory=Aside)
