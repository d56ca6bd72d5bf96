"""What was estimated of two questions: shares of pairs of choices."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError, UnknownNameError
from sfumato.survey.collector.estimates import Estimate, largest_places

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["PairEstimates"]


@dataclass(frozen=True, eq=False)
class PairEstimates:
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
            if choice not in known:
                raise UnknownNameError(kind="choice", name=choice, known=known)
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
        tables = (self.shares, self.standard_errors, self.lower, self.upper)
        turned = (each.T for each in tables)
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

    def __len__(self) -> int:
        return len(self.rows) * len(self.columns)

    def _at(self, row: int, column: int) -> Estimate:
        tables = (self.shares, self.standard_errors, self.lower, self.upper)
        return Estimate(*(float(each[row, column]) for each in tables))

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
