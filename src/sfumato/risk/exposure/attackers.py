"""The re-identification risk, by what the attacker knows and wants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.printing import NotPrivate, for_json_all, share
from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.data import PairedCounts
    from sfumato.risk.exposure.classes import Classes


@dataclass(frozen=True)
class AttackerRisks(NotPrivate):
    """The re-identification risk: how likely a row gets its person's name, for three attackers.

    The *prosecutor* looks for one person who is known to be in the table, the *journalist* for
    anybody at all in a public table, and the *marketer* for as many people as possible.

    Attributes
    ----------
    at_least
        Rows in equivalence classes below this are called at risk.
    prosecutor_greatest, prosecutor_mean
        The risk of the worst row, and of a row on average.
    prosecutor_at_risk
        The share of rows whose risk is above 1 / ``at_least``.
    journalist_greatest, journalist_mean, journalist_at_risk
        The same where classes are those of the public table.
    marketer
        The share of rows that a marketer names rightly, on average.
    with_public
        Whether there is a public table.  Without one, nobody knows how many people outside are
        in the same class, and the three are taken to know who is in the table: upper bounds.

    Examples
    --------
    >>> from sfumato.risk import risk
    >>> found = risk("examples/hospital-a-generalised.csv", quasi=["age", "sex"]).attackers
    >>> found.prosecutor_greatest, round(found.marketer, 6)
    (0.5, 0.444444)
    """

    at_least: int
    prosecutor_greatest: float
    prosecutor_mean: float
    prosecutor_at_risk: float
    journalist_greatest: float
    journalist_mean: float
    journalist_at_risk: float
    marketer: float
    with_public: bool = False

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> print(risk("examples/hospital-a-generalised.csv", quasi=["age", "sex"]).attackers)
        prosecutor, who knows who is in the table: re-identification risk 0.5 at most, 0.444 on \
average
        not private: exact figures, for the data owner
        """
        known = _risk(self.prosecutor_greatest, self.prosecutor_mean)
        found = [tr("prosecutor, who knows who is in the table: {known}", known=known)]
        if self.with_public:
            anybody = _risk(self.journalist_greatest, self.journalist_mean)
            found.append(
                tr("journalist, who knows who is in the public table: {anybody}", anybody=anybody)
            )
            found.append(
                tr(
                    "marketer, who links as many rows as possible: right about {marketer} of rows",
                    marketer=share(self.marketer),
                )
            )
        return found

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> risk("examples/hospital-a.csv", quasi="age").attackers.figures()["prosecutor"]
        {'greatest': 1.0, 'mean': 1.0, 'share_at_risk': 1.0}
        """
        return {
            "at_least": self.at_least,
            "with_public": self.with_public,
            "prosecutor": _three(
                self.prosecutor_greatest, self.prosecutor_mean, self.prosecutor_at_risk
            ),
            "journalist": _three(
                self.journalist_greatest, self.journalist_mean, self.journalist_at_risk
            ),
            "marketer": self.marketer,
        }


@dataclass(frozen=True)
class Presence(NotPrivate):
    """What a public table tells about who is in this one: δ-presence.

    Attributes
    ----------
    least, greatest
        The least and greatest probability that somebody of the public table is in this one.
    certain_people
        How many people of the public table are in this one for certain: their whole
        equivalence class is.
    uncovered_rows
        How many rows of this table have nobody in the public one; δ-presence supposes none.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.risk import risk
    >>> town = pd.DataFrame({"age": [30, 30, 40, 50]})
    >>> found = risk(pd.DataFrame({"age": [30, 40]}), quasi="age", public=town).presence
    >>> found.least, found.greatest, found.certain_people
    (0.0, 1.0, 1)
    """

    least: float
    greatest: float
    certain_people: int
    uncovered_rows: int

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first.

        Examples
        --------
        >>> import pandas as pd
        >>> from sfumato.risk import risk
        >>> town = pd.DataFrame({"age": [30, 30, 40, 40]})
        >>> print(risk(pd.DataFrame({"age": [30, 40]}), quasi="age", public=town).presence)
        who is in the public table is in this one with probability 0.5 to 0.5
        not private: exact figures, for the data owner
        """
        so_likely = tr(
            "probability {least:.3g} to {greatest:.3g}", least=self.least, greatest=self.greatest
        )
        found = [
            tr("who is in the public table is in this one with {so_likely}", so_likely=so_likely)
        ]
        if self.certain_people:
            people = tr("person is") if self.certain_people == 1 else tr("people are")
            found.append(
                tr(
                    "{certain_people:,} {people} in it for certain",
                    certain_people=self.certain_people,
                    people=people,
                )
            )
        if self.uncovered_rows:
            rows = tr("row has") if self.uncovered_rows == 1 else tr("rows have")
            found.append(
                tr(
                    "{uncovered_rows:,} {rows} no counterpart in the public table",
                    uncovered_rows=self.uncovered_rows,
                    rows=rows,
                )
            )
        return found

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON.

        Examples
        --------
        >>> import pandas as pd
        >>> from sfumato.risk import risk
        >>> town = pd.DataFrame({"age": [30, 30, 40, 40]})
        >>> found = risk(pd.DataFrame({"age": [30, 40]}), quasi="age", public=town)
        >>> found.presence.figures()["greatest"]
        0.5
        """
        return for_json_all(self)


def risks_of(classes: Classes, at_least: int) -> AttackerRisks:
    """Return the risks where nothing is known of the population: those of the prosecutor.

    The definitions are El Emam's :cite:p:`elemam2011`.
    """
    greatest, mean = 1 / classes.k, classes.total / classes.rows
    at_risk = classes.rows_below(at_least) / classes.rows
    return AttackerRisks(at_least, greatest, mean, at_risk, greatest, mean, at_risk, marketer=mean)


def risks_with_public(known: AttackerRisks, pairs: PairedCounts) -> tuple[AttackerRisks, Presence]:
    """Return the risks and δ-presence where the population is a public table.

    With f rows and F people of the population in a class, a journalist is right with probability 1
    / F for the worst row and max(classes / Σ F, mean of 1 / F over rows) on average, and a marketer
    about the mean of 1 / F over rows :cite:p:`elemam2011, dankar2010`.  Somebody of the class is in
    the table with probability f / F :cite:p:`nergiz2007`.  Where the public table misses people of
    the class, it is taken to have as many as this one.
    """
    shown = pairs.first > 0
    rows, people = pairs.first[shown], np.maximum(pairs.first, pairs.second)[shown]
    marketer = float((rows / people).sum() / rows.sum())
    risks = AttackerRisks(
        known.at_least,
        known.prosecutor_greatest,
        known.prosecutor_mean,
        known.prosecutor_at_risk,
        journalist_greatest=1 / int(people.min()),
        journalist_mean=max(rows.size / int(people.sum()), marketer),
        journalist_at_risk=float(rows[people < known.at_least].sum() / rows.sum()),
        marketer=marketer,
        with_public=True,
    )
    return risks, _presence(pairs)


def _presence(pairs: PairedCounts) -> Presence:
    rows, people = pairs.first, pairs.second
    listed = people > 0
    chances = np.minimum(rows[listed] / people[listed], 1.0)
    return Presence(
        least=float(chances.min()),
        greatest=float(chances.max()),
        certain_people=int(people[listed][chances == 1].sum()),
        uncovered_rows=int(np.maximum(rows - people, 0).sum()),
    )


def _risk(greatest: float, mean: float) -> str:
    return tr(
        "re-identification risk {greatest:.3g} at most, {mean:.3g} on average",
        greatest=greatest,
        mean=mean,
    )


def _three(greatest: float, mean: float, at_risk: float) -> dict[str, float]:
    return {"greatest": greatest, "mean": mean, "share_at_risk": at_risk}
