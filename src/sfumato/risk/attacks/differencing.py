"""Differencing: exact counts and sums of overlapping groups, subtracted from each other."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import compress
from typing import TYPE_CHECKING, Any

from sfumato.data import asked_names, open_source
from sfumato.errors import InputError
from sfumato.numeric import read_count
from sfumato.printing import counted, for_json_all, listed, setting
from sfumato.refusal import Argument
from sfumato.risk.attacks.conditions import Group, check_names, check_sets, groups_of, read_sets
from sfumato.risk.attacks.determined import determined_sums
from sfumato.risk.attacks.render import Narrow, listing, people
from sfumato.translation import mark, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


#: A group of fewer people is small where nothing is said.
_USUAL = 5
#: What stands for several cells together.
_OTHERS = mark("the others")

#: The columns of a table, and the numbers of the groups that one of its cells holds.
_Cell = tuple[tuple[str, ...], frozenset[int]]


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
        total = group.total
        written = "" if total is None else str(total) if isinstance(total, int) else setting(total)
        return [f"{group.people:,}", *([] if self.value is None else [written]), group.how]

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
        return for_json_all(self)


def difference(
    data: Any,
    *,
    publish: str | Iterable[str | Iterable[str]] = (),
    where: str | Iterable[str] = (),
    value: str | None = None,
    hide_below: int = 0,
    at_least: int | None = None,
) -> Differencing:
    """Find which small groups are given away by exact counts and sums of overlapping groups.

    A table by department and one by department and sex overlap: a hidden cell of the second is
    what is left of the first when the other cells are taken off.  All such subtractions are found
    at once :cite:p:`denning1979`, whatever their number of steps: a figure follows from the
    published ones exactly if it is a combination of them, which is decided over the rationals
    :cite:p:`chin1982`.  This is asked of every hidden cell, of the smallest groups that the tables
    tell apart, and of what is left of a cell without the cells of another table that lie in it.

    The attacker knows which combinations of the published columns occur, and not how many people
    or what sums they have.  What could be inferred from figures being whole or not negative comes
    on top, and is not looked for.

    Parameters
    ----------
    data
        A path (CSV or Parquet), or a pandas, polars or Arrow table: one row a person.
    publish
        The columns of each table that is published: a name, or several; ``()`` is one figure of
        everybody.
    where
        Sets of people that are published too, or instead: ``"age>=50 and sex=female"``.
    value
        A column whose sum is published beside each count.
    hide_below
        Cells of fewer people are hidden, as many publishers do; 0 hides none.
    at_least
        A group of fewer people is small; by default ``hide_below``, or else 5.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.risk import difference
    >>> staff = pd.DataFrame({"team": ["a"] * 6, "sex": ["F"] + ["M"] * 5, "pay": range(6)})
    >>> print(difference(staff, publish=["team", ("team", "sex")], value="pay", hide_below=3))
    1 group of fewer than 3 people is given away by exact figures
    published: counts and sums of pay, in 3 cells
    tables: team; team, sex
    hidden are cells of fewer than 3; subtraction gives back 1 of 1
    1 person is alone in such a group
      group  people  pay  how
      a, F        1    0  hidden
    what is not listed is not proved safe (counts are also whole and not negative)
    not private: exact figures, for the data owner
    """
    tables, sets = _tables(publish), read_sets(where)
    if not tables and not sets:
        raise InputError(
            "E-ARGUMENT-MISSING",
            "{publish} is missing",
            "name the columns of each published table, such as 'sex'",
            publish=Argument("publish"),
        )
    least, below = _whole(at_least, "at_least", 1), _whole(hide_below, "hide_below", 0)
    source = open_source(data)
    columns = tuple(dict.fromkeys(name for table in tables for name in table))
    for names in (*tables, *(each.columns for each in sets), () if value is None else value):
        source.check_columns(names)
    texts = tuple(each.text for each in sets)
    check_names(columns, texts)
    atoms = groups_of(source, columns, sets, value)
    check_sets(source, texts, [each.key[len(columns) :] for each in atoms])
    return _DifferencingAttack(
        atoms=atoms,
        columns=(*columns, *texts),
        sets=texts,
        hide_below=below,
        at_least=least or below or _USUAL,
        value=value,
    ).report(source.name, tables)


def _tables(publish: Any) -> tuple[tuple[str, ...], ...]:
    listed = [publish] if isinstance(publish, str) else publish
    if not isinstance(listed, Iterable):
        listed = [listed]
    tables = [asked_names(each, "publish") for each in listed]
    return tuple({frozenset(each): each for each in reversed(tables)}.values())[::-1]


def _whole(number: Any, name: str, least: int) -> int:
    return 0 if number is None else read_count(number, name, least=least)


@dataclass(frozen=True)
class _DifferencingAttack:
    """The smallest groups that tables can tell apart, and what is hidden and small."""

    atoms: list[Group]
    columns: tuple[str, ...]
    sets: tuple[str, ...]
    hide_below: int
    at_least: int
    value: str | None

    def report(self, name: str, tables: Sequence[tuple[str, ...]]) -> Differencing:
        """Find what the published cells show, and what follows from them."""
        cells = [(table, members) for table in tables for members in self._cells(table)]
        cells += [((text,), self._inside(text)) for text in self.sets]
        shown = [each for each in cells if self._people(each[1]) >= self.hide_below]
        hidden = [each for each in cells if self._people(each[1]) < self.hide_below]
        smallest = self._unlisted(cells)
        follows = self._follows(shown, [*hidden, *smallest])
        recovered = list(compress(hidden, follows))
        left = self._left_over([*shown, *recovered], cells)
        listed = {members for _, members in left}
        pieced = [
            each for each in compress(smallest, follows[len(hidden) :]) if each[1] not in listed
        ]
        return Differencing(
            data=name,
            publish=tuple(tables),
            where=self.sets,
            value=self.value,
            hide_below=self.hide_below,
            at_least=self.at_least,
            cells=len(cells),
            hidden_cells=len(hidden),
            alone=self._alone([*shown, *recovered, *left, *pieced]),
            shown=self._groups(filter(self._is_small, shown), mark("shown")),
            recovered=self._groups(recovered, mark("hidden")),
            pieced_together=self._groups(
                filter(self._is_small, [*left, *pieced]), mark("never published")
            ),
        )

    def _alone(self, given_away: Sequence[_Cell]) -> int:
        """Return how many people are a group by themselves, each counted once."""
        groups = {members for _, members in given_away if self._is_small(((), members))}
        return sum(self._people(members) == 1 for members in groups)

    def _follows(self, shown: Sequence[_Cell], wanted: Sequence[_Cell]) -> list[bool]:
        known, asked = ([members for _, members in each] for each in (shown, wanted))
        tables = Counter(table for table, _ in shown)
        greatest = max(tables, key=lambda table: (tables[table], table), default=())
        advice = tr(
            "leave out the table by {greatest!r:.60}, which shows most cells",
            greatest=", ".join(greatest),
        )
        return determined_sums(known, asked, len(self.atoms), advice=advice)

    def _cells(self, table: tuple[str, ...]) -> list[frozenset[int]]:
        """Return the cells of a table, each as the numbers of its groups."""
        places = [self.columns.index(name) for name in table]
        cells: dict[tuple[str, ...], set[int]] = defaultdict(set)
        for number, atom in enumerate(self.atoms):
            cells[tuple(atom.key[place] for place in places)].add(number)
        return [frozenset(members) for members in cells.values()]

    def _inside(self, text: str) -> frozenset[int]:
        place = self.columns.index(text)
        inside = (number for number, each in enumerate(self.atoms) if each.key[place] == "yes")
        return frozenset(inside)

    def _left_over(self, known: Sequence[_Cell], cells: Sequence[_Cell]) -> list[_Cell]:
        """Return what is left of a known cell without those of another table that lie in it."""
        listed = {members for _, members in cells}
        tables: dict[tuple[str, ...], dict[int, frozenset[int]]] = defaultdict(dict)
        for table, members in known:
            tables[table].update(dict.fromkeys(members, members))
        found: dict[frozenset[int], tuple[str, ...]] = {}
        for table, parts in tables.items():
            for names, whole in known:
                left = whole - _lying_in(whole, parts)
                if left != whole and left and left not in listed:
                    found.setdefault(left, tuple(dict.fromkeys((*names, *table))))
        return [(names, members) for members, names in found.items()]

    def _unlisted(self, cells: Sequence[_Cell]) -> list[_Cell]:
        """Return the smallest groups, without those that a table has as a cell."""
        listed = {members for _, members in cells}
        alone = (frozenset({number}) for number in range(len(self.atoms)))
        return [(self.columns, members) for members in alone if members not in listed]

    def _people(self, members: frozenset[int]) -> int:
        return sum(self.atoms[each].people for each in members)

    def _is_small(self, cell: _Cell) -> bool:
        return self._people(cell[1]) < self.at_least

    def _groups(self, cells: Iterable[_Cell], how: str) -> tuple[SmallGroup, ...]:
        """Return cells as groups, the smallest first."""
        groups = [self._group(table, members, how) for table, members in cells]
        return tuple(sorted(groups, key=lambda each: (each.people, list(each.group.items()))))

    def _group(self, table: tuple[str, ...], members: frozenset[int], how: str) -> SmallGroup:
        totals = [self.atoms[each].total for each in members]
        return SmallGroup(
            group={name: self._cell(name, members) for name in table},
            people=self._people(members),
            total=None if self.value is None else _plain(totals),
            how=how,
        )

    def _cell(self, name: str, members: frozenset[int]) -> str:
        place = self.columns.index(name)
        cells = {self.atoms[each].key[place] for each in members}
        return cells.pop() if len(cells) == 1 else _OTHERS


def _lying_in(whole: frozenset[int], parts: Mapping[int, frozenset[int]]) -> frozenset[int]:
    """Return what the cells of a table cover that lie in another cell."""
    inside = {parts[each] for each in whole if each in parts}
    return frozenset[int]().union(*(each for each in inside if each <= whole))


def _plain(totals: Sequence[Fraction | None]) -> float | None:
    """Return a sum as a number that JSON has; None where nothing is known of it."""
    known = [each for each in totals if each is not None]
    total = sum(known, Fraction(0))
    whole = total.denominator == 1
    return None if not known else total.numerator if whole else float(total)
