"""Whom the facts fit, by how much, and whether that is enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sfumato.errors import InputError
from sfumato.printing.layout import aligned, cut
from sfumato.printing.not_private import NotPrivate
from sfumato.printing.wording import counted, figure, setting

__all__ = ["Candidate", "Match", "Rule", "ScoreboardReport"]

_MOST_LINES = 20
_MOST_WIDE = 24


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

    Examples
    --------
    >>> from sfumato.risk.attacks.scoreboard.report import Rule
    >>> Rule(1.5, 0.5).declares(4.2, 0.3), Rule(1.5, 0.0).declares(4.2, 0.3)
    (False, True)
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


@dataclass(frozen=True, kw_only=True)
class ScoreboardReport(NotPrivate):
    """Whom the attack declares, or that it abstains.

    Attributes
    ----------
    matches
        One for each person whose facts are known, in the order of their names.
    people
        How many people the table has.
    rule
        When a match is declared.
    columns
        The columns that were compared, that of the persons first.
    several
        Whether facts of several people were given.

    Examples
    --------
    >>> from sfumato.risk import scoreboard
    >>> facts = {"film": ["film 50", "film 58", "film 227"], "stars": [4, 5, 3]}
    >>> report = scoreboard("examples/ratings.csv", facts, person="user", item="film",
    ...                     rating="stars")
    >>> report.private, report.people
    (False, 60)
    """

    matches: tuple[Match, ...]
    people: int
    rule: Rule
    columns: tuple[str, ...]
    several: bool = False

    @property
    def match(self) -> Match:
        """The best match, where the facts are of one person.

        Examples
        --------
        >>> from sfumato.risk import scoreboard
        >>> facts = {"film": ["film 50", "film 58", "film 227"], "stars": [4, 5, 3]}
        >>> report = scoreboard("examples/ratings.csv", facts, person="user", item="film",
        ...                     rating="stars")
        >>> report.match.person
        'u37'
        """
        if len(self.matches) > 1:
            message = f"the facts are of {len(self.matches):,} people; look at .matches"
            raise InputError(message)
        return self.matches[0]

    @property
    def declared(self) -> int:
        """How many matches are declared.

        Examples
        --------
        >>> from sfumato.risk import scoreboard
        >>> scoreboard("examples/ratings.csv", "examples/known-ratings.csv", person="user",
        ...            item="film").declared
        1
        """
        return sum(match.declared for match in self.matches)

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.risk import scoreboard
        >>> facts = {"film": ["film 227", "film 228"], "who": ["ann", "ann"]}
        >>> print(scoreboard("examples/ratings.csv", facts, person="user", item="film",
        ...                  who="who").findings()[0])
        declared 1 of 1 person, and abstained on 0
        """
        return self._of_several() if self.several else self._of_one(self.match)

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import scoreboard
        >>> report = scoreboard("examples/ratings.csv", "examples/known-ratings.csv",
        ...                     person="user", item="film")
        >>> report.figures()["people"]
        60
        """
        return {
            "people": self.people,
            "threshold": self.rule.threshold,
            "agreement": self.rule.agreement,
            "columns": list(self.columns),
            "declared": self.declared,
            "matches": [match.as_dict() for match in self.matches],
        }

    def _of_one(self, match: Match) -> list[str]:
        scores = f"best {figure(match.score)}, second {figure(match.second)}"
        return [
            self._answer(match),
            *self._fit(match),
            f"{scores}, standard deviation {figure(match.deviation)}",
            self._read(match),
            *self._candidates(match),
        ]

    def _fit(self, match: Match) -> list[str]:
        standing = f"the best stands out by {match.eccentricity:.4g} standard deviations"
        agreeing = f"it agrees with {match.agreement:.0%} of what is known"
        return [
            f"{standing} (declared above {setting(self.rule.threshold)})",
            f"{agreeing} (declared from {self.rule.agreement:.0%} on)",
        ]

    def _when(self) -> str:
        above, least = setting(self.rule.threshold), f"{self.rule.agreement:.0%}"
        return f"declared where it stands out by more than {above} and agrees to {least} or more"

    def _read(self, match: Match) -> str:
        known = f"{counted(match.facts, 'known fact')}, {match.matched:,} about items that occur"
        return f"{known}; {self.people:,} people"

    def _answer(self, match: Match) -> str:
        if match.declared:
            return f"found: {self.columns[0]} {match.person}"
        if not match.candidates:
            return "nobody is declared: nobody has any of the known items"
        return (
            f"nobody is declared: {self.columns[0]} {match.person} fits best, but not well enough"
        )

    def _candidates(self, match: Match) -> list[str]:
        rows = [
            (f"{place}", cut(f"{each.person}", _MOST_WIDE), figure(each.score))
            for place, each in enumerate(match.candidates, start=1)
        ]
        return aligned([("", self.columns[0], "score"), *rows], right={0, 2}) if rows else []

    def _of_several(self) -> list[str]:
        abstained = len(self.matches) - self.declared
        asked = "person" if len(self.matches) == 1 else "people"
        answer = (
            f"declared {self.declared:,} of {len(self.matches):,} {asked}, and abstained on "
            f"{abstained:,}"
        )
        rows = [_row(match) for match in self.matches[:_MOST_LINES]]
        header = ("facts of", f"best {self.columns[0]}", "stands out", "agrees", "")
        table = aligned([header, *rows], right={2, 3})
        return [answer, self._when(), f"{self.people:,} people", *table, *self._rest()]

    def _rest(self) -> list[str]:
        more = len(self.matches) - _MOST_LINES
        return [f"and {more:,} more, which as_dict() and --json list"] if more > 0 else []


def _row(match: Match) -> tuple[str, str, str, str, str]:
    best = "–" if match.person is None else cut(f"{match.person}", _MOST_WIDE)
    verdict = "declared" if match.declared else "abstains"
    fit = f"{match.eccentricity:.4g}", f"{match.agreement:.0%}"
    return cut(f"{match.who}", _MOST_WIDE), best, *fit, verdict


def _for_json(value: Any) -> Any:
    return value if isinstance(value, (str, int, float, type(None))) else str(value)
