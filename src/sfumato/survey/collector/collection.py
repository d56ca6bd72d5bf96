"""What was collected: the tallies of a survey's questions, and the reports that were set aside."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sfumato.printing.wording import counted
from sfumato.survey.collector.aside import Aside

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.privacy import ApproxDP
    from sfumato.survey.client.survey import Survey
    from sfumato.survey.collector.results import Results
    from sfumato.survey.collector.tally import PairTally, Tally

__all__ = ["Aside", "Collection"]


@dataclass(frozen=True, eq=False, repr=False)
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
    >>> import sfumato as sf
    >>> survey = sf.survey.read_survey("examples/class.toml")
    >>> sf.survey.collect(survey, "examples/class-reports.csv").tallies["cheated"].counts
    array([16, 24])
    """

    survey: Survey
    people: int
    tallies: Mapping[str, Tally]
    pairs: Mapping[tuple[str, str], PairTally] = field(default_factory=dict)
    aside: Aside = field(default_factory=Aside)

    def estimate(self, *, confidence: Any = 0.95, consistent: bool = False) -> Results:
        """Return what the reports say of the answers, and how sure that is.

        Parameters
        ----------
        confidence
            How often the intervals of a question, all of them together, cover what they are to
            cover: at least 0.5 and below 1.
        consistent
            Whether shares are made to be 0 or more and to sum to 1.  They are then no longer
            unbiased where a share is near 0.

        Examples
        --------
        >>> import sfumato as sf
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> found = sf.survey.simulate(survey, 10_000, shares={"cheated": {"yes": 0.3}}).estimate()
        >>> abs(found["cheated"]["yes"].value - 0.3) < 0.2
        True
        """
        from sfumato.survey.collector.estimating import estimate

        return estimate(
            self.survey,
            self.tallies,
            self.pairs,
            self.aside,
            confidence=confidence,
            consistent=consistent,
        )

    def shuffled(self, *, delta: Any) -> ApproxDP:
        """Return what the reports guarantee if somebody shuffled them before they were collected.

        Parameters
        ----------
        delta
            The δ of the guarantee.

        Examples
        --------
        >>> import sfumato as sf
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "epsilon": 1}})
        >>> guarantee = sf.survey.simulate(survey, 10_000).shuffled(delta=1e-6)
        >>> round(guarantee.epsilon(delta=1e-6), 4)
        0.0432
        """
        from sfumato.survey.collector.shuffling import shuffled

        return shuffled(self.survey, self.people, delta=delta)

    def __repr__(self) -> str:
        aside = f", {self.aside.total:,} set aside" if self.aside.total else ""
        reports = counted(self.people, "report")
        return f"<{type(self).__name__} of {self.survey.name!r}: {reports}{aside}>"
