"""Whom the facts fit, by how much, and whether that is enough."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.printing import (
    NotPrivate,
    aligned,
    as_svg,
    counted,
    cut,
    drawn,
    figure,
    pictured,
    setting,
    whole_page,
)
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.printing import Chart


_MOST_LINES = 20
_MOST_WIDE = 24


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
    rule: MatchRule
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
            raise InputError(
                "E-RELEASE-NOT-A-NUMBER",
                "the facts are of {count:,} people",
                "look at .matches",
                count=len(self.matches),
            )
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

    def plot(self, *, to: str | Path | None = None) -> Chart:
        """Draw the best matches; of several people, by how much each stands out.

        Parameters
        ----------
        to
            Also write it into a file: ``.html``, ``.png`` or ``.svg``.

        Examples
        --------
        >>> from sfumato.risk import scoreboard
        >>> report = scoreboard("examples/ratings.csv", "examples/known-ratings.csv",
        ...                     person="user", item="film")
        >>> report.plot().to_dict()["title"]["text"]
        ['found: user u37']
        """
        return drawn("scoreboard", self, to=to)

    def svg(self) -> str:
        """Return the picture of ``plot`` as SVG.

        Examples
        --------
        >>> from sfumato.risk import scoreboard
        >>> report = scoreboard("examples/ratings.csv", "examples/known-ratings.csv",
        ...                     person="user", item="film")
        >>> report.svg()[:4]
        '<svg'
        """
        return as_svg(self.plot())

    def to_html(self) -> str:
        """Return the findings and the drawing as a page of its own.

        Examples
        --------
        >>> from sfumato.risk import scoreboard
        >>> report = scoreboard("examples/ratings.csv", "examples/known-ratings.csv",
        ...                     person="user", item="film")
        >>> report.to_html()[:15]
        '<!doctype html>'
        """
        return whole_page(self.findings()[0], self._repr_html_())

    def _repr_html_(self) -> str:
        return f"{super()._repr_html_()}{pictured(self.plot)}"

    def _of_one(self, match: Match) -> list[str]:
        scores = tr(
            "best {score}, second {second}", score=figure(match.score), second=figure(match.second)
        )
        return [
            self._answer(match),
            *self._fit(match),
            tr(
                "{scores}, standard deviation {deviation}",
                scores=scores,
                deviation=figure(match.deviation),
            ),
            self._read(match),
            *self._candidates(match),
        ]

    def _fit(self, match: Match) -> list[str]:
        standing = tr(
            "the best stands out by {eccentricity:.4g} standard deviations",
            eccentricity=match.eccentricity,
        )
        agreeing = tr(
            "it agrees with {agreement} of what is known", agreement=_rounded_down(match.agreement)
        )
        return [
            tr(
                "{standing} (declared above {threshold})",
                standing=standing,
                threshold=setting(self.rule.threshold),
            ),
            tr(
                "{agreeing} (declared from {agreement} % on)",
                agreeing=agreeing,
                agreement=setting(round(100 * self.rule.agreement, 9)),
            ),
        ]

    def _when(self) -> str:
        above, least = (
            setting(self.rule.threshold),
            f"{setting(round(100 * self.rule.agreement, 9))} %",
        )
        return tr(
            "declared where it stands out by more than {above} and agrees to {least} or more",
            above=above,
            least=least,
        )

    def _read(self, match: Match) -> str:
        known = tr(
            "{facts}, {matched:,} about items that occur",
            facts=counted(match.facts, "known fact"),
            matched=match.matched,
        )
        return tr("{known}; {people:,} people", known=known, people=self.people)

    def _answer(self, match: Match) -> str:
        best = cut(f"{self.columns[0]} {match.person}", _MOST_WIDE)
        if match.declared:
            return tr("found: {best}", best=best)
        if not match.candidates:
            return tr("nobody is declared: nobody has any of the known items")
        return tr("nobody is declared: {best} fits best, but not well enough", best=best)

    def _candidates(self, match: Match) -> list[str]:
        rows = [
            (f"{place}", cut(f"{each.person}", _MOST_WIDE), figure(each.score))
            for place, each in enumerate(match.candidates, start=1)
        ]
        return aligned([("", self.columns[0], mark("score")), *rows], right={0, 2}) if rows else []

    def _of_several(self) -> list[str]:
        abstained = len(self.matches) - self.declared
        asked = tr("person") if len(self.matches) == 1 else tr("people")
        answer = tr(
            "declared {declared:,} of {matches:,} {asked}, and abstained on {abstained:,}",
            declared=self.declared,
            matches=len(self.matches),
            asked=asked,
            abstained=abstained,
        )
        rows = [_row(match) for match in self.matches[:_MOST_LINES]]
        header = (
            tr("facts of"),
            tr("best {columns}", columns=self.columns[0]),
            tr("stands out"),
            mark("agrees"),
            "",
        )
        table = aligned([header, *rows], right={2, 3})
        return [
            answer,
            self._when(),
            tr("{people:,} people", people=self.people),
            *table,
            *self._rest(),
        ]

    def _rest(self) -> list[str]:
        more = len(self.matches) - _MOST_LINES
        return (
            [tr("and {more:,} more, which as_dict() and --json list", more=more)]
            if more > 0
            else []
        )


def _rounded_down(share: float) -> str:
    """Return whole per cent, so that what is below a bound is never written as the bound."""
    return f"{math.floor(100 * share + 1e-9)} %"


def _row(match: Match) -> tuple[str, str, str, str, str]:
    best = "–" if match.person is None else cut(f"{match.person}", _MOST_WIDE)
    verdict = tr("declared") if match.declared else tr("abstains")
    fit = f"{match.eccentricity:.4g}", f"{_rounded_down(match.agreement)}"
    return cut(f"{match.who}", _MOST_WIDE), best, *fit, verdict


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
class MatchRule:
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
