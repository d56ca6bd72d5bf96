"""The best match of a person's facts, and when it is declared."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

__all__ = ["Candidate", "Match", "Rule"]


@dataclass(frozen=True)
class Candidate:
    """Somebody in the table, and how well the facts fit.

    Examples
    --------
    >>> from sfumato.risk import Candidate
    >>> Candidate("u37", 4.5).score
    4.5
    """

    person: Any
    score: float


@dataclass(frozen=True)
class Rule:
    """When the best match is declared.

    Attributes
    ----------
    threshold
        The eccentricity that it must exceed.
    agreement
        How well it must fit the facts, from 0 to 1.
    """

    threshold: float
    agreement: float

    def declares(self, eccentricity: float, agreement: float) -> bool:
        """Tell whether a match that stands out and agrees so much is declared."""
        return eccentricity > self.threshold and agreement >= self.agreement


@dataclass(frozen=True)
class Match:
    """The best match of one person's facts.

    Attributes
    ----------
    who
        Whose facts they are, where there are several.
    eccentricity
        (best - second)/(standard deviation of the scores of all people).
    agreement
        How well the facts fit the best match: 1 where all known ratings and days are the same.
    declared
        Whether both are enough; if not, the attack abstains.
    candidates
        The best matches, the best first; none where nobody has a known item.
    second
        The score of the second best, 0 where only one person scores.
    deviation
        The standard deviation of the scores, over all people.
    facts, matched
        How many facts are known, and how many are about items of the table.

    Examples
    --------
    >>> from sfumato.risk import Candidate, Match
    >>> Match(None, 2.0, 0.9, True, (Candidate("u37", 4.5),), 1.5, 1.5, 3, 3).person
    'u37'
    """

    who: Any
    eccentricity: float
    agreement: float
    declared: bool
    candidates: tuple[Candidate, ...]
    second: float
    deviation: float
    facts: int
    matched: int

    @property
    def person(self) -> Any:
        """The best match, declared or not; None where nobody has a known item.

        Examples
        --------
        >>> from sfumato.risk import Match
        >>> Match(None, 0.0, 0.0, False, (), 0.0, 0.0, 1, 0).person is None
        True
        """
        return self.candidates[0].person if self.candidates else None

    @property
    def score(self) -> float:
        """The score of the best match.

        Examples
        --------
        >>> from sfumato.risk import Candidate, Match
        >>> Match(None, 2.0, 0.9, True, (Candidate("u37", 4.5),), 1.5, 1.5, 3, 3).score
        4.5
        """
        return self.candidates[0].score if self.candidates else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return the match ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import Candidate, Match
        >>> match = Match(None, 2.0, 0.9, True, (Candidate("u37", 4.5),), 1.5, 1.5, 3, 3)
        >>> match.as_dict()["declared"]
        True
        """
        return {
            "who": _for_json(self.who),
            "declared": self.declared,
            "person": _for_json(self.person),
            "score": self.score,
            "second": self.second,
            "deviation": self.deviation,
            "eccentricity": self.eccentricity,
            "agreement": self.agreement,
            "facts": self.facts,
            "matched": self.matched,
            "candidates": [[_for_json(each.person), each.score] for each in self.candidates],
        }


def _for_json(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, (str, int, float, type(None))) else str(value)
