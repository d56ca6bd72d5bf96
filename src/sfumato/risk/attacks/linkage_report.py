"""What linking a release with background knowledge gives away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sfumato.printing import counted, listed, share
from sfumato.risk.attacks.render import Narrow, described, listing, people, shown
from sfumato.translation import mark, tr, tr_n


@dataclass(frozen=True, kw_only=True)
class Link:
    """What is learned of one person, or of several of whom the same is known.

    Attributes
    ----------
    known
        What is known of them, column by column.
    who
        Who they are, where a column said so.
    people
        How many people of the auxiliary table this is.
    candidates
        How many rows of the release fit.
    by_a_star
        How many of these fit only since a cell is empty or a star, which may be anything; columns
        that are so throughout do not count.
    values
        How many sensitive values those rows have.
    value
        The most frequent of these; the first in order where several are, and None where no row
        fits or the cells of all that do are empty.
    share
        Which part of the rows has it: 1 says that it is certain.  An empty cell may be any value.

    Examples
    --------
    >>> from sfumato.risk import link
    >>> found = link("examples/hospital-a.csv", {"age": 56}, sensitive="diagnosis").links[0]
    >>> found.candidates, found.value, found.certain
    (1, 'AIDS', True)
    """

    known: dict[str, str]
    who: str
    people: int
    candidates: int
    by_a_star: int
    values: int
    value: str | None
    share: float

    @property
    def probability(self) -> float:
        """The probability that a row chosen among the candidates is the person's.

        Examples
        --------
        >>> from sfumato.risk import link
        >>> report = link("examples/hospital-a.csv", {"sex": "male"}, sensitive="diagnosis")
        >>> report.links[0].probability
        0.2
        """
        return 1 / self.candidates if self.candidates else 0.0

    @property
    def certain(self) -> bool:
        """Whether all candidates have one sensitive value.

        Examples
        --------
        >>> from sfumato.risk import link
        >>> report = link("examples/hospital-a.csv", {"sex": "male"}, sensitive="diagnosis")
        >>> report.links[0].certain
        False
        """
        return self.share == 1

    def as_dict(self) -> dict[str, Any]:
        """Return the link ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import link
        >>> report = link("examples/hospital-a.csv", {"age": 56}, sensitive="diagnosis")
        >>> report.links[0].as_dict()["known"]
        {'age': '56'}
        """
        return {
            **({"who": self.who} if self.who else {}),
            "known": self.known,
            "people": self.people,
            "candidates": self.candidates,
            "by_a_star": self.by_a_star,
            "match_probability": self.probability,
            "values": self.values,
            "value": self.value,
            "value_probability": self.share,
        }


@dataclass(frozen=True, kw_only=True)
class Linkage(Narrow):
    """What an attacker with background knowledge learns of people in a release.

    Attributes
    ----------
    release, known
        What the two tables are called.
    on, sensitive
        The columns that are known, and the one that is learned.
    people
        How many people are known.
    matched
        How many of them fit at least one row.
    reidentified
        How many fit exactly one.
    fitting_by_a_star
        How many fit at least one row only since a cell is empty or a star, which may be anything;
        columns that are so throughout do not count.
    reidentified_without
        How many of all would fit exactly one row if there were no such rows.
    certain
        How many fit rows that all have one sensitive value.
    expected_matches
        How many rows are matched with the right person, on average, by choosing at random.
    links
        What is learned of each, the most exposed first; the first thousand.

    Examples
    --------
    >>> from sfumato.risk import link
    >>> print(link("examples/hospital-a.csv", {"age": 56}, sensitive="diagnosis"))
    age 56: 1 row fits; diagnosis is AIDS, for certain
    this is so if the person is in 'examples/hospital-a.csv' at all
    not private: exact figures, for the data owner
    """

    release: str
    known: str
    on: tuple[str, ...]
    sensitive: str
    people: int
    matched: int
    reidentified: int
    fitting_by_a_star: int
    reidentified_without: int
    certain: int
    expected_matches: float
    links: tuple[Link, ...]
    kinds: int

    def findings(self) -> list[str]:
        """Return what was learned as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.risk import link
        >>> link("examples/hospital-a.csv", {"age": 99}, sensitive="diagnosis").findings()[0]
        'age 99: no row fits'
        """
        return self._of_one() if self.people == 1 else self._of_many()

    def _of_one(self) -> list[str]:
        (found,) = self.links
        known = described(found.known)
        if not found.candidates:
            return [
                tr("{known}: no row fits", known=known),
                tr("nobody is in {release} with this, written so", release=self.release),
            ]
        return [
            f"{known}: {self._learned(found)}",
            *self._by_a_star(),
            tr("this is so if the person is in {release} at all", release=self.release),
        ]

    def _by_a_star(self) -> list[str]:
        """Return what fits only since an empty cell or a star may be anything."""
        if not self.fitting_by_a_star:
            return []
        if self.people == 1:
            number = self.links[0].by_a_star
            return [
                tr_n(
                    "{rows} of these fits only by an empty cell or a star, which may be anything",
                    "{rows} of these fit only by an empty cell or a star, which may be anything",
                    number,
                    rows=counted(number, "row"),
                )
            ]
        if self.reidentified_without == self.reidentified:
            return []
        return [
            tr_n(
                "{people} fits at least one row only by an empty cell or a star; if such rows are "
                "left out, {left:,} fit exactly one",
                "{people} fit at least one row only by an empty cell or a star; if such rows are "
                "left out, {left:,} fit exactly one",
                self.fitting_by_a_star,
                people=people(self.fitting_by_a_star),
                left=self.reidentified_without,
            )
        ]

    def _of_many(self) -> list[str]:
        given_away = tr("{certain:,} of {people}", certain=self.certain, people=people(self.people))
        right = f"{self.expected_matches:,.2f}"
        return [
            tr(
                "linking gives away the {sensitive} of {given_away} for certain",
                sensitive=self.sensitive,
                given_away=given_away,
            ),
            tr("known of each: {on}", on=listed(self.on)),
            tr(
                "{reidentified:,} fit exactly one row, {matched:,} fit at least one",
                reidentified=self.reidentified,
                matched=self.matched,
            ),
            *self._by_a_star(),
            tr("right matches to expect of a choice among the rows that fit: {right}", right=right),
            *self._listing(),
            tr("this is so of those who are in {release} at all", release=self.release),
        ]

    def _learned(self, found: Link) -> str:
        fit = (
            tr("1 row fits")
            if found.candidates == 1
            else tr("{candidates:,} rows fit", candidates=found.candidates)
        )
        if found.value is None:
            return tr("{fit}; {sensitive} is empty there", fit=fit, sensitive=self.sensitive)
        sure = (
            tr("for certain")
            if found.certain
            else tr("with probability {share}", share=share(found.share))
        )
        return tr(
            "{fit}; {sensitive} is {value}, {sure}",
            fit=fit,
            sensitive=self.sensitive,
            value=shown(found.value),
            sure=sure,
        )

    def _listing(self) -> list[str]:
        named = any(each.who for each in self.links)
        several = any(each.people > 1 for each in self.links)
        header = [mark("who"), *self.on, mark("people"), mark("rows"), self.sensitive, mark("sure")]
        rows = [[each.who, *each.known.values(), *_shown(each)] for each in self.links]
        left_out = {*([] if named else [0]), *([] if several else [len(self.on) + 1])}
        header, *rows = (
            [cell for place, cell in enumerate(row) if place not in left_out]
            for row in [header, *rows]
        )
        numbers = {"people", "rows", "sure"}
        return listing(header, rows, self.kinds, numbers=numbers, dispensable=self.on)

    def figures(self) -> dict[str, Any]:
        """Return what was learned, ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import link
        >>> link("examples/hospital-a.csv", {"age": 56}, sensitive="diagnosis").figures()["certain"]
        1
        """
        return {
            "release": self.release,
            "known": self.known,
            "on": list(self.on),
            "sensitive": self.sensitive,
            "people": self.people,
            "matched": self.matched,
            "reidentified": self.reidentified,
            "fitting_by_a_star": self.fitting_by_a_star,
            "reidentified_without": self.reidentified_without,
            "certain": self.certain,
            "expected_matches": self.expected_matches,
            "links": [each.as_dict() for each in self.links],
            "links_left_out": self.kinds - len(self.links),
        }


def _shown(link: Link) -> tuple[str, ...]:
    value = link.value or ("" if link.candidates else tr("none fits"))
    return f"{link.people:,}", f"{link.candidates:,}", value, share(link.share)
