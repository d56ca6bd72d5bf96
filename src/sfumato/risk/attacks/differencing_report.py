"""What the exact figures of published tables give away by subtraction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sfumato.printing import counted, listed, setting
from sfumato.risk.attacks.render import Narrow, listing, people
from sfumato.translation import mark, tr, tr_n

#: What stands for several cells together.
OTHERS = mark("the others")


@dataclass(frozen=True, kw_only=True)
class SmallGroup:
    """A small group of people whose exact figures others can work out.

    Attributes
    ----------
    group
        Who they are, column by column; "the others" are those of several cells that are not
        known by themselves.
    people
        How many they are.
    total
        The sum of the value over them, where one is published and known; of one person, the value
        itself.
    how
        "shown": the tables show them; "hidden": their cell was hidden and follows from others;
        "never published": they are in no cell of their own, and follow from others.

    Examples
    --------
    >>> from sfumato.risk import difference
    >>> report = difference("examples/hospital-a.csv", publish=["sex", ("sex", "smoker")])
    >>> report.shown[0].group, report.shown[0].people, report.shown[0].how
    ({'sex': 'female'}, 4, 'shown')
    """

    group: dict[str, str]
    people: int
    total: float | None
    how: str

    def as_dict(self) -> dict[str, Any]:
        """Return the group ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import difference
        >>> report = difference("examples/hospital-a.csv", publish="sex")
        >>> report.shown[0].as_dict()["people"]
        4
        """
        total = {} if self.total is None else {"total": self.total}
        return {"group": self.group, "people": self.people, **total, "how": self.how}


@dataclass(frozen=True, kw_only=True)
class Differencing(Narrow):
    """Which small groups of people the exact figures of published tables give away.

    Attributes
    ----------
    data
        What the table is called.
    publish, where
        The columns of each published table, and the sets of people that are published too.
    value
        The column whose sums are published beside the counts.
    hide_below, at_least
        Which cells are hidden, and below how many people a group is small.
    cells, hidden_cells
        How many cells the tables have, and how many of them are hidden.
    alone
        How many people are a small group by themselves that is given away.
    shown
        The small groups that the tables show openly.
    recovered
        The hidden cells that follow from what is shown.
    pieced_together
        The small groups that no table has as a cell, and that follow from what is shown.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.risk import difference
    >>> staff = pd.DataFrame({"team": ["a"] * 6, "sex": ["F"] + ["M"] * 5, "pay": range(6)})
    >>> report = difference(staff, publish=["team", ("team", "sex")], value="pay", hide_below=3)
    >>> report.hidden_cells, report.recovered[0].group, report.recovered[0].total
    (1, {'team': 'a', 'sex': 'F'}, 0)
    """

    data: str
    publish: tuple[tuple[str, ...], ...]
    where: tuple[str, ...]
    value: str | None
    hide_below: int
    at_least: int
    cells: int
    hidden_cells: int
    alone: int
    shown: tuple[SmallGroup, ...]
    recovered: tuple[SmallGroup, ...]
    pieced_together: tuple[SmallGroup, ...]

    @property
    def given_away(self) -> tuple[SmallGroup, ...]:
        """All small groups whose figures others have, or can work out.

        Examples
        --------
        >>> from sfumato.risk import difference
        >>> len(difference("examples/hospital-a.csv", publish="sex").given_away)
        1
        """
        small = (each for each in self.recovered if each.people < self.at_least)
        return (*small, *self.pieced_together, *self.shown)

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.risk import difference
        >>> difference("examples/hospital-a.csv", publish="sex").findings()[0]
        '1 group of fewer than 5 people is given away by exact figures'
        """
        number = len(self.given_away)
        alone = tr_n(
            "{people} is alone in such a group",
            "{people} are alone in such a group",
            self.alone,
            people=people(self.alone),
        )
        return [
            tr_n(
                "{number:,} group of fewer than {at_least} people is given away by exact figures",
                "{number:,} groups of fewer than {at_least} people are given away by exact figures",
                number,
                number=number,
                at_least=self.at_least,
            ),
            *self._what_was_published(),
            *([alone] if self.alone else []),
            *self._listing(),
            tr("what is not listed is not proved safe (counts are also whole and not negative)"),
        ]

    def _what_was_published(self) -> list[str]:
        tables = "; ".join(listed(columns) or tr("everybody") for columns in self.publish)
        what = (
            tr("counts")
            if self.value is None
            else tr("counts and sums of {value}", value=self.value)
        )
        lines = [tr("published: {what}, in {cells}", what=what, cells=counted(self.cells, "cell"))]
        lines += [tr("tables: {tables}", tables=tables)] if tables else []
        lines += [tr("sets: {where}", where="; ".join(self.where))] if self.where else []
        if self.hide_below:
            back = tr(
                "{recovered:,} of {hidden_cells:,}",
                recovered=len(self.recovered),
                hidden_cells=self.hidden_cells,
            )
            hidden = tr("hidden are cells of fewer than {hide_below}", hide_below=self.hide_below)
            lines.append(tr("{hidden}; subtraction gives back {back}", hidden=hidden, back=back))
        return lines

    def _listing(self) -> list[str]:
        header = [
            mark("group"),
            mark("people"),
            *([] if self.value is None else [self.value]),
            mark("how"),
        ]
        rows = [[self._named(each), *self._shown(each)] for each in self.given_away]
        numbers = {"people", self.value or ""}
        return listing(header, rows, len(rows), numbers=numbers, widest=(44, 34))

    def _shown(self, group: SmallGroup) -> list[str]:
        known = "" if group.total is None else _written(group.total)
        return [f"{group.people:,}", *([] if self.value is None else [known]), group.how]

    def _named(self, group: SmallGroup) -> str:
        """Return who a group is: its cells, and the sets that it is or is not in."""
        words = {"yes": "", "no": "not "}
        named = [
            words[cell] + column if column in self.where else cell
            for column, cell in group.group.items()
        ]
        return ", ".join(named) or "everybody"

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import difference
        >>> difference("examples/hospital-a.csv", publish="sex").figures()["cells"]
        2
        """
        return {
            "data": self.data,
            "publish": [list(columns) for columns in self.publish],
            "where": list(self.where),
            "value": self.value,
            "hide_below": self.hide_below,
            "at_least": self.at_least,
            "cells": self.cells,
            "hidden_cells": self.hidden_cells,
            "alone": self.alone,
            "shown": [each.as_dict() for each in self.shown],
            "recovered": [each.as_dict() for each in self.recovered],
            "pieced_together": [each.as_dict() for each in self.pieced_together],
        }


def _written(total: float) -> str:
    return str(total) if isinstance(total, int) else setting(total)
