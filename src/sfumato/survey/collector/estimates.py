"""What was estimated: shares of choices, means of numbers, and shares of pairs of choices."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from sfumato.documents import check_known
from sfumato.errors import InputError
from sfumato.numeric import digits_above, digits_below
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """One number that was estimated.

    Attributes
    ----------
    value
        The estimate.
    standard_error
        How far off it typically is.
    lower, upper
        The ends of its interval.

    Examples
    --------
    >>> from sfumato.survey.collector.estimates import Estimate
    >>> print(Estimate(0.35, 0.22, 0.0, 0.85))
    0.35 (0 to 0.85)
    """

    value: float
    standard_error: float
    lower: float
    upper: float

    def as_dict(self) -> dict[str, float]:
        """Return it ready for JSON.

        Examples
        --------
        >>> from sfumato.survey.collector.estimates import Estimate
        >>> Estimate(0.35, 0.22, 0.0, 0.85).as_dict()["upper"]
        0.85
        """
        return {
            "estimate": self.value,
            "standard_error": self.standard_error,
            "lower": self.lower,
            "upper": self.upper,
        }

    def __str__(self) -> str:
        ends = tr(
            "{lower} to {upper}",
            lower=digits_below(float(self.lower), 4),
            upper=digits_above(float(self.upper), 4),
        )
        return f"{self.value:.4g} ({ends})"


class _Table:
    """Shares in an array, with how sure each is in arrays of the same shape."""

    shares: Floats
    standard_errors: Floats
    lower: Floats
    upper: Floats

    def __len__(self) -> int:
        return self.shares.size

    @property
    def _arrays(self) -> tuple[Floats, ...]:
        return self.shares, self.standard_errors, self.lower, self.upper

    def _at(self, *place: int) -> Estimate:
        return Estimate(*(float(each[place]) for each in self._arrays))


@dataclass(frozen=True, eq=False)
class ShareEstimates(_Table):
    """The shares of a question's choices.

    Attributes
    ----------
    question
        The question's name.
    choices
        Its choices.
    shares
        The share of each among the answers, an unbiased estimate: it may be below 0 or above
        1, unless it was made consistent.
    standard_errors
        The standard deviation that randomising the answers gives each share.
    lower, upper
        Intervals that cover the true shares, all of them together with the confidence asked for.
    outside
        Choices with more or fewer reports than any answers explain at that confidence; their
        intervals are single points at 0 or 1.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> from sfumato.survey.collector.shares import estimate_shares
    >>> from sfumato.survey.collector.tally import Tally
    >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
    >>> found = estimate_shares(survey.questions["cheated"], Tally(40, np.array([18, 22])))
    >>> found.shares.round(3)
    array([0.35, 0.65])
    """

    question: str
    choices: tuple[str, ...]
    shares: Floats
    standard_errors: Floats
    lower: Floats
    upper: Floats
    outside: tuple[str, ...] = ()

    def __getitem__(self, choice: str) -> Estimate:
        check_known([choice], self.choices, mark("choice"))
        return self._at(self.choices.index(choice))

    def __iter__(self) -> Iterator[str]:
        return iter(self.choices)

    def items(self) -> list[tuple[str, Estimate]]:
        """Return each choice with its share.

        Examples
        --------
        >>> import sfumato as sf
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> found = sf.survey.simulate(survey, 400).estimate()
        >>> [choice for choice, each in found["cheated"].items() if 0 < each.value < 1]
        ['yes', 'no']
        """
        return [(choice, self._at(place)) for place, choice in enumerate(self.choices)]

    def largest(self, most: int) -> list[tuple[str, Estimate]]:
        """Return the choices with the largest shares; all, in their order, if there are no more.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> from sfumato.survey.collector.shares import estimate_shares
        >>> from sfumato.survey.collector.tally import Tally
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> found = estimate_shares(survey.questions["cheated"], Tally(40, np.array([18, 22])))
        >>> [choice for choice, _ in found.largest(1)]
        ['no']
        """
        return [
            (self.choices[place], self._at(place)) for place in largest_places(self.shares, most)
        ]

    def to_records(self) -> list[dict[str, Any]]:
        """Return a record for each choice.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> from sfumato.survey.collector.shares import estimate_shares
        >>> from sfumato.survey.collector.tally import Tally
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> found = estimate_shares(survey.questions["cheated"], Tally(40, np.array([18, 22])))
        >>> found.to_records()[0]["choice"]
        'yes'
        """
        return [
            {"question": self.question, "choice": choice, **each.as_dict()}
            for choice, each in self.items()
        ]


@dataclass(frozen=True)
class MeanEstimate(Estimate):
    """The mean of the numbers that answer a question, in the question's own units.

    Attributes
    ----------
    value
        The mean, an unbiased estimate.
    standard_error
        How far off it typically is, from how the reports differ.
    lower, upper
        An interval that covers the true mean with the confidence asked for.
    question
        The question's name.
    bounds
        Between which numbers answers are.
    outside
        Whether the reports are further up or down than any answers explain at that confidence.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> from sfumato.survey.collector.means import estimate_mean
    >>> from sfumato.survey.collector.tally import Tally
    >>> survey = sf.Survey({"hours": {"bounds": (0, 24), "epsilon": "ln(2)"}})
    >>> round(estimate_mean(survey.questions["hours"], Tally(90, np.array([50, 40]))).value, 9)
    8.0
    """

    question: str = ""
    bounds: tuple[float, float] = (0.0, 1.0)
    outside: bool = False

    def to_records(self) -> list[dict[str, Any]]:
        """Return the one record of a mean.

        Examples
        --------
        >>> from sfumato.survey.collector.estimates import MeanEstimate
        >>> MeanEstimate(8.0, 1.0, 6.0, 10.0, "hours", (0.0, 24.0)).to_records()[0]["estimate"]
        8.0
        """
        return [{"question": self.question, "choice": None, **self.as_dict()}]


def largest_places(shares: Floats, most: int) -> list[int]:
    """Return the places of the largest shares, the largest first; all in order if they fit."""
    if shares.size <= most:
        return list(range(shares.size))
    return [int(each) for each in (-shares).argsort(kind="stable")[:most]]


@dataclass(frozen=True, eq=False)
class PairEstimates(_Table):
    """The shares of pairs of choices, one from each of two questions.

    Attributes
    ----------
    questions
        The names of the two questions.
    rows, columns
        The choices of the first, and those of the second.
    shares
        The share of each pair among the answers, an unbiased estimate.
    standard_errors
        The standard deviation that randomising the answers gives each share.
    lower, upper
        Intervals that cover the true shares, all of them together with the confidence asked for.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> from sfumato.survey.collector.pairs import estimate_pairs
    >>> from sfumato.survey.collector.tally import PairTally
    >>> choices = {"choices": ["yes", "no"], "truth": "2/3"}
    >>> survey = sf.Survey({"cheated": choices, "copied": choices})
    >>> both = np.array([[300, 200], [200, 200]])
    >>> tally = PairTally(900, both, both.sum(axis=1), both.sum(axis=0))
    >>> estimate_pairs(*survey.questions.values(), tally).shares.round(3)
    array([[0.667, 0.   ],
           [0.   , 0.333]])
    """

    questions: tuple[str, str]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    shares: Floats
    standard_errors: Floats
    lower: Floats
    upper: Floats

    def __getitem__(self, choices: Any) -> Estimate:
        if isinstance(choices, str) or len(choices) != 2:
            raise InputError(
                "E-ARGUMENT-TYPE",
                "a pair has two choices",
                "write {rows!r}, {columns!r}, say",
                rows=self.rows[0],
                columns=self.columns[0],
            )
        for choice, known in zip(choices, (self.rows, self.columns), strict=True):
            check_known([choice], known, mark("choice"))
        return self._at(self.rows.index(choices[0]), self.columns.index(choices[1]))

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return product(self.rows, self.columns)

    def items(self) -> list[tuple[tuple[str, str], Estimate]]:
        """Return each pair of choices with its share.

        Examples
        --------
        >>> import sfumato as sf
        >>> choices = {"choices": ["yes", "no"], "epsilon": 20}
        >>> survey = sf.Survey({"cheated": choices, "copied": choices})
        >>> shares = {"cheated": {"yes": 1}, "copied": {"yes": 1}}
        >>> done = sf.survey.simulate(survey, 400, shares=shares, pairs=[("cheated", "copied")])
        >>> both = done.estimate()["cheated", "copied"]
        >>> [pair for pair, each in both.items() if each.value > 0.5]
        [('yes', 'yes')]
        """
        places = product(range(len(self.rows)), range(len(self.columns)))
        return [(pair, self._at(*place)) for pair, place in zip(self, places, strict=True)]

    def turned(self) -> PairEstimates:
        """Return the same shares with the second question first.

        Examples
        --------
        >>> import sfumato as sf
        >>> choices = {"choices": ["yes", "no"], "truth": "2/3"}
        >>> survey = sf.Survey({"cheated": choices, "copied": choices})
        >>> found = sf.survey.simulate(survey, 400, pairs=[("cheated", "copied")]).estimate()
        >>> found["cheated", "copied"].turned().questions
        ('copied', 'cheated')
        """
        first, second = self.questions
        turned = (each.T for each in self._arrays)
        return PairEstimates((second, first), self.columns, self.rows, *turned)

    def largest(self, most: int) -> list[tuple[tuple[str, str], Estimate]]:
        """Return the pairs with the largest shares; all, in their order, if there are no more.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> from sfumato.survey.collector.pairs import estimate_pairs
        >>> from sfumato.survey.collector.tally import PairTally
        >>> choices = {"choices": ["yes", "no"], "truth": "2/3"}
        >>> survey = sf.Survey({"cheated": choices, "copied": choices})
        >>> both = np.array([[300, 200], [200, 200]])
        >>> tally = PairTally(900, both, both.sum(axis=1), both.sum(axis=0))
        >>> [pair for pair, _ in estimate_pairs(*survey.questions.values(), tally).largest(1)]
        [('yes', 'yes')]
        """
        places = (
            divmod(each, len(self.columns)) for each in largest_places(self.shares.ravel(), most)
        )
        return [((self.rows[i], self.columns[j]), self._at(i, j)) for i, j in places]

    def to_records(self) -> list[dict[str, Any]]:
        """Return a record for each pair of choices.

        Examples
        --------
        >>> import numpy as np
        >>> import sfumato as sf
        >>> from sfumato.survey.collector.pairs import estimate_pairs
        >>> from sfumato.survey.collector.tally import PairTally
        >>> choices = {"choices": ["yes", "no"], "truth": "2/3"}
        >>> survey = sf.Survey({"cheated": choices, "copied": choices})
        >>> both = np.array([[300, 200], [200, 200]])
        >>> tally = PairTally(900, both, both.sum(axis=1), both.sum(axis=0))
        >>> estimate_pairs(*survey.questions.values(), tally).to_records()[1]["other_choice"]
        'no'
        """
        first, second = self.questions
        return [
            {
                "question": first,
                "choice": row,
                "other": second,
                "other_choice": column,
                **each.as_dict(),
            }
            for (row, column), each in self.items()
        ]
