"""What a survey found: estimates of all its questions, and what must be said with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sfumato.errors import MissingExtraError, UnknownNameError
from sfumato.printing import (
    PAGE,
    STYLE,
    as_svg,
    as_text,
    drawn,
    fitted,
    pictured,
    printable,
    setting,
    whole_page,
)
from sfumato.survey.collector.estimates import MeanEstimate, PairEstimates, ShareEstimates
from sfumato.survey.collector.render import mean_lines, pair_lines, share_lines
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sfumato.printing import Chart
    from sfumato.privacy import PureDP
    from sfumato.survey.client.survey import Survey
    from sfumato.survey.collector.tally import Aside


@dataclass(frozen=True, eq=False)
class Results:
    """The estimates of a survey; what is computed from reports is free, and may be published.

    Attributes
    ----------
    survey
        What was asked.
    people
        How many reports are counted.
    aside
        The reports that are not.
    confidence
        How often the intervals of one question, or of one pair of questions, cover all together.
    consistent
        Whether shares were made to be 0 or more and to sum to 1.
    questions
        For each question its shares, or its mean.
    pairs
        For each pair of questions that was asked for, the shares of pairs of choices.
    truth
        Where people are simulated: for each question its true shares by choice, or its true mean.
    pair_truth
        Where people are simulated: for each pair of questions the true shares of pairs of choices.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> from sfumato.survey.collector.collection import Collection
    >>> from sfumato.survey.collector.tally import Tally
    >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}}, name="class")
    >>> print(Collection(survey, 400, {"cheated": Tally(400, np.array([180, 220]))}).estimate())
    class: the reports of 400 people
    cheated
      yes  35.0 %  20.1 to 50.1 %  █████▒▒▒▒┃▒▒▒▒▒·············
      no   65.0 %  49.9 to 79.9 %  █████████████▒▒▒▒▒┃▒▒▒▒·····
    the intervals of a question cover all of its true shares with 95 % confidence
    each person's report: ln(2)-DP (substitute one person)
    """

    survey: Survey
    people: int
    aside: Aside
    confidence: float
    consistent: bool
    questions: Mapping[str, ShareEstimates | MeanEstimate]
    pairs: Mapping[tuple[str, str], PairEstimates]
    truth: Mapping[str, Any] = field(default_factory=dict)
    pair_truth: Mapping[tuple[str, str], Mapping[tuple[str, str], float]] = field(
        default_factory=dict
    )

    @property
    def guarantee(self) -> PureDP:
        """What one report guarantees its person, against everybody.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> from sfumato.survey.collector.collection import Collection
        >>> from sfumato.survey.collector.tally import Tally
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> collected = Collection(survey, 40, {"cheated": Tally(40, np.array([18, 22]))})
        >>> print(collected.estimate().guarantee)
        ln(2)-DP (substitute one person)
        """
        return self.survey.guarantee

    def __getitem__(self, name: str | tuple[str, str]) -> Any:
        """Return the estimates of a question, or of a pair of questions, in either order."""
        known: Mapping[Any, Any] = self.questions if isinstance(name, str) else self.pairs
        if name in known:
            return known[name]
        if isinstance(name, tuple) and name[::-1] in known:
            return known[name[::-1]].turned()
        kind = "question" if isinstance(name, str) else tr("pair of questions")
        raise UnknownNameError(kind=kind, name=_words(name), known=map(_words, known))

    def __iter__(self) -> Iterator[str | tuple[str, str]]:
        return iter([*self.questions, *self.pairs])

    def to_records(self) -> list[dict[str, Any]]:
        """Return one flat record for each estimate: of questions first, then of pairs.

        Where people are simulated, each has the truth as well.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> from sfumato.survey.collector.collection import Collection
        >>> from sfumato.survey.collector.tally import Tally
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> collected = Collection(survey, 40, {"cheated": Tally(40, np.array([18, 22]))})
        >>> [list(each)[:3] for each in collected.estimate().to_records()]
        [['question', 'choice', 'estimate'], ['question', 'choice', 'estimate']]
        """
        parts = [*self.questions.values(), *self.pairs.values()]
        records = [record for part in parts for record in part.to_records()]
        if not self.truth:
            return records
        return [{**each, "truth": self._truth_of(each)} for each in records]

    def to_pandas(self) -> Any:
        """Return the records as a pandas frame.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> from sfumato.survey.collector.collection import Collection
        >>> from sfumato.survey.collector.tally import Tally
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> collected = Collection(survey, 40, {"cheated": Tally(40, np.array([18, 22]))})
        >>> collected.estimate().to_pandas().shape
        (2, 6)
        """
        try:
            import pandas as pd
        except ImportError:
            purpose = tr("estimates as a pandas frame")
            raise MissingExtraError(purpose, extra="pandas") from None
        return pd.DataFrame(self.to_records())

    def as_dict(self) -> dict[str, Any]:
        """Return everything ready for JSON.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> from sfumato.survey.collector.collection import Collection
        >>> from sfumato.survey.collector.tally import Tally
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> collected = Collection(survey, 40, {"cheated": Tally(40, np.array([18, 22]))})
        >>> list(collected.estimate().as_dict())[:5]
        ['survey', 'digest', 'people', 'set_aside', 'guarantee']
        """
        return {
            "survey": self.survey.name,
            "digest": self.survey.digest,
            "people": self.people,
            "set_aside": {
                "other_survey": self.aside.other_survey,
                "impossible": self.aside.impossible,
                "duplicates": self.aside.duplicates,
            },
            "guarantee": str(self.guarantee),
            "confidence": self.confidence,
            "consistent": self.consistent,
            "estimates": self.to_records(),
            **({"truth": dict(self.truth)} if self.truth else {}),
        }

    def lines(self, *, width: int = PAGE) -> list[str]:
        """Return the results as lines that fit a terminal.

        Parameters
        ----------
        width
            How wide a line may be.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> from sfumato.survey.collector.collection import Collection
        >>> from sfumato.survey.collector.tally import Tally
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> collected = Collection(survey, 40, {"cheated": Tally(40, np.array([18, 22]))})
        >>> collected.estimate().lines()[0]
        'survey: the reports of 40 people'
        """
        tables = [
            *(self._question_lines(name, width) for name in self.questions),
            *(pair_lines(each, width=width) for each in self.pairs.values()),
        ]
        shown = [line for table in tables for line in table]
        return [*fitted([self._headline], width), *shown, *fitted(self.notes(), width)]

    def notes(self) -> list[str]:
        """Return what must be said with the estimates.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> from sfumato.survey.collector.tally import Aside
        >>> from sfumato.survey.collector.collection import Collection
        >>> from sfumato.survey.collector.tally import Tally
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> tallies = {"cheated": Tally(40, np.array([18, 22]))}
        >>> collected = Collection(survey, 40, tallies, aside=Aside(impossible=2))
        >>> collected.estimate().notes()[1]
        'set aside: 2 that cannot be reports'
        """
        means = {isinstance(each, MeanEstimate) for each in self.questions.values()}
        level = f"{setting(round(100 * self.confidence, 9))} %"
        aside = (
            [tr("set aside: {reasons}", reasons=", ".join(self.aside.reasons()))]
            if self.aside.total
            else []
        )
        return [
            *(tr(_COVER[mean], level=level) for mean in sorted(means)),
            *([tr("made consistent: shares near 0 are no longer unbiased")] * self.consistent),
            *self._doubts(),
            *aside,
            tr("each person's report: {guarantee}", guarantee=self.guarantee),
        ]

    def svg(self, name: str | tuple[str, str] | None = None) -> str:
        """Return the picture of ``plot`` for a question as SVG; for the first question if none.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> from sfumato.survey.collector.collection import Collection
        >>> from sfumato.survey.collector.tally import Tally
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> collected = Collection(survey, 40, {"cheated": Tally(40, np.array([18, 22]))})
        >>> collected.estimate().svg("cheated")[:4]
        '<svg'
        """
        name = next(iter(self.questions)) if name is None else name
        return as_svg(self.plot(name))

    def plot(
        self, name: str | tuple[str, str] | None = None, *, to: str | Path | None = None
    ) -> Chart:
        """Draw the estimates with their intervals (``pip install 'sfumato[plots]'``).

        Parameters
        ----------
        name
            The question, or the pair of questions, to draw; all by default, one panel each.
        to
            A file to write it into as well, ending in ``.html``, ``.png`` or ``.svg``.

        Examples
        --------
        >>> import sfumato as sf
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> found = sf.survey.simulate(survey, 400).estimate()
        >>> found.plot().to_dict()["title"]["text"]
        ['survey: estimates from the reports of 400 people']
        >>> found.plot("cheat")
        Traceback (most recent call last):
            ...
        sfumato.errors.UnknownNameError: there is no question 'cheat'; did you mean 'cheated'? \
(known: 'cheated')
        """
        return drawn("survey", self, to=to, name=name)

    def to_html(self) -> str:
        """Return the results as a page of its own, with a picture of all questions.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> from sfumato.survey.collector.collection import Collection
        >>> from sfumato.survey.collector.tally import Tally
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> collected = Collection(survey, 40, {"cheated": Tally(40, np.array([18, 22]))})
        >>> collected.estimate().to_html()[:15]
        '<!doctype html>'
        """
        return whole_page(self._headline, self._repr_html_(), style=STYLE)

    def __str__(self) -> str:
        return "\n".join(map(printable, self.lines()))

    def _repr_html_(self) -> str:
        said = "\n".join(map(as_text, self.lines()))
        return f'<pre style="overflow-x: auto">{said}</pre>{pictured(self.plot)}'

    def _truth_of(self, record: Mapping[str, Any]) -> Any:
        name, choice = record["question"], record["choice"]
        if "other" in record:
            known = self.pair_truth.get((name, record["other"]), {})
            return known.get((choice, record["other_choice"]))
        return self.truth[name] if choice is None else self.truth[name][choice]

    @property
    def _headline(self) -> str:
        people = tr("person") if self.people == 1 else tr("people")
        return tr(
            "{name}: the reports of {people:,} {noun}",
            name=self.survey.name,
            people=self.people,
            noun=people,
        )

    def _question_lines(self, name: str, width: int) -> list[str]:
        found, truth = self.questions[name], self.truth.get(name)
        if isinstance(found, ShareEstimates):
            return share_lines(found, width=width, truth=truth)
        return mean_lines(found, width=width, truth=truth)

    def _doubts(self) -> list[str]:
        """Return what is said of questions whose reports no answers explain."""
        doubtful = [name for name, each in self.questions.items() if each.outside]
        if not doubtful:
            return []
        said = tr("; were all of them made as the survey says?")
        return [
            tr(
                "reports that no answers explain: {doubtful}{said}",
                doubtful=", ".join(doubtful),
                said=said,
            )
        ]


_COVER = {
    False: mark("the intervals of a question cover all of its true shares with {level} confidence"),
    True: mark("the interval of a mean covers the true mean with {level} confidence"),
}


def _words(name: str | tuple[str, str]) -> str:
    return name if isinstance(name, str) else ", ".join(name)
