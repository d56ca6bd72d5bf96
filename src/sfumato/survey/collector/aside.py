"""The reports that are not counted, and why."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.translation import mark, tr

__all__ = ["Aside"]


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
    >>> from sfumato.survey.collector.aside import Aside
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
        >>> from sfumato.survey.collector.aside import Aside
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

    def reasons(self) -> list[str]:
        """Return why reports were set aside, in words, and how many for each reason.

        Examples
        --------
        >>> from sfumato.survey.collector.aside import Aside
        >>> Aside(other_survey=2, duplicates=1).reasons()
        ['2 of another survey or no reports at all', '1 of a person counted already']
        """
        said = (
            (self.other_survey, mark("{number:,} of another survey or no reports at all")),
            (self.impossible, mark("{number:,} that cannot be reports")),
            (self.duplicates, mark("{number:,} of a person counted already")),
        )
        return [tr(words, number=number) for number, words in said if number]
