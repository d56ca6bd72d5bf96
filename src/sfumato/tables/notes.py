"""Notes: what is to be known of an answer beside its figures, as data with codes.

A note is a sentence of ``KINDS`` and what it is filled with, so that every surface writes its hints
in its own way.  The kinds are in order of how much they change how an answer is read: the first
three that apply are printed under it, and details only where all notes are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from html import escape
from typing import TYPE_CHECKING, Any

from sfumato.refusal import PYTHON, Argument, Either, Part, text
from sfumato.translation import tr_n

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from sfumato.refusal import Surface
    from sfumato.translation import Sentences


#: How many notes are printed under an answer.
SHOWN = 3

KINDS: Sentences = {
    "N-GROUPS-NONE": "no group is shown, which takes about {units} in a group; declare the groups, "
    "or form larger ones",
    "N-BOUNDS-NOT-FOUND": "no bounds were found for {column}: too few have it for the ε of that "
    "step; it is clamped to [{low}, {high}] whatever its values are, and the intervals do not "
    "cover that",
    "N-BOUNDS-UNSURE": "{column} is clamped to [{low}, {high}], found privately; how many of its "
    "values lie beyond cannot be told at this ε, and the intervals do not cover them",
    "N-BOUNDS-FOUND": "{column} is clamped to [{low}, {high}], found privately; at most {share} of "
    "its values lie beyond, with 95 % confidence, and the intervals do not cover them",
    "N-BOUNDS-TO-FIND": "{column} is clamped to bounds that are found privately; the intervals do "
    "not cover values beyond",
    "N-NEAR-MINIMUM": "{name} is a quantile close to the minimum of {column}, not the minimum "
    "itself, which is the value of one {unit}",
    "N-NEAR-MAXIMUM": "{name} is a quantile close to the maximum of {column}, not the maximum "
    "itself, which is the value of one {unit}",
    "N-BLOCKS-MEAN": "{name} is the mean of {function} on {blocks} blocks; the interval does not "
    "cover how far that is from {function} of all rows",
    "N-BLOCKS-MEDIAN": "{name} is the median of {function} on {blocks} blocks, {expected} with 95 "
    "% confidence; the interval does not cover how far that is from {function} of all rows",
    "N-CHOICE": "{name} has at most {short} rows fewer than the most frequent value, with 95 % "
    "confidence{limited}",
    "N-CHOICES": "each value of {name} has at most {short} rows fewer than the most frequent one "
    "that is not chosen before it, with 95 % confidence{limited}",
    "N-COUNT-DECLARED": "that {rows} rows have {column} was declared, and not counted",
    "N-GROUPS-FOUND": "groups with fewer than about {units} are more likely left out than shown "
    "(partition selection)",
    "N-LIMIT-UNSURE": "in {names}, contributions above {most} of one {unit} are scaled down "
    "(contribution bounding), and how much that leaves out cannot be told at this ε; if you know "
    "how many rows one {unit} has at most, declare it: {limit}",
    "N-LIMIT-CHOSEN": "in {names}, contributions above {most} of one {unit} are scaled down "
    "(contribution bounding; the limit was chosen privately){covered}",
    "N-LIMIT-DECLARED": "contributions above {most} of one {unit} are scaled down, not dropped "
    "(contribution bounding){covered}",
    "N-LIMIT-DECLARED-SUM": "in {name}, contributions above {most} of one {unit} are scaled down, "
    "not dropped (contribution bounding), and the intervals do not cover that",
    "N-LIMIT-TO-CHOOSE": "how much of one {unit} counts is chosen privately; if you know how many "
    "rows one has at most, declare it for a more precise answer: {limit}",
    "N-CLAMPED": "values are clamped: {columns}",
    "N-GROUPS-DECLARED": "rows of groups that are not declared are left out",
    "N-LIMIT-UNDECLARED": "if you know how many rows one {unit} has at most, declare it for a more "
    "precise answer: {limit}",
    "N-UNIT-MISSING": "rows without {column} count together as one {column}",
    "N-BINS-OPEN": "the first and the last bin of {name} take in what lies beyond the edges",
    "N-CELL-INTEGER": "a cell{of} that is not written as a whole number (12) is missing{counted}",
    "N-CELL-NUMBER": "a cell{of} that is not written as a number (12.5) is missing{counted}",
    "N-CELL-BOOLEAN": "a cell{of} that is not written as true or false (or yes, no, 1, 0) is "
    "missing{counted}",
    "N-CELL-DATE": "a cell{of} that is not written as a date (2025-01-31) is missing{counted}",
    "N-CELL-TIMESTAMP": "a cell{of} that is not written as a time (2025-01-31 12:00) is "
    "missing{counted}",
    "N-LETTERS": "texts are put in order letter by letter: '10' comes before '9'",
    "N-COMPLETE": "{column} is declared complete: where it is missing after all, it is {middle}",
}
#: What hardly changes how an answer is read, and is printed only where it is asked for.
DETAILS = frozenset(list(KINDS)[list(KINDS).index("N-LIMIT-UNDECLARED") :])
_ORDER = {code: place for place, code in enumerate(KINDS)}

#: A bound of a share from here on is not worth a figure.
SAYS_NOTHING = 0.5
#: A share below is rounded up to this one.
_HARDLY = 0.001
_UP = Context(prec=6, rounding=ROUND_CEILING)


@dataclass(frozen=True)
class Note:
    """What is to be known of an answer, under a code that outlives its sentence.

    Attributes
    ----------
    code
        What stays the same when the sentence is changed or translated: ``N-CLAMPED``.
    sentence
        The template, and what it is filled with.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row", bounds={"age": (0, 110)})
    >>> first = table.agg(age=sf.mean("age")).release(epsilon=1).notes[0]
    >>> first.code, str(first)
    ('N-CLAMPED', 'values are clamped: age to [0, 110]')
    """

    code: str
    sentence: Part

    @property
    def is_detail(self) -> bool:
        """Whether it is printed only where all notes are asked for.

        Examples
        --------
        >>> from sfumato.tables.notes import note
        >>> note("N-LETTERS").is_detail
        True
        """
        return self.code in DETAILS

    def said(self, surface: Surface = PYTHON) -> str:
        """Return it as a sentence, with hints as a surface writes them.

        Examples
        --------
        >>> from sfumato.tables.notes import note
        >>> note("N-UNIT-MISSING", column="id").said()
        'rows without id count together as one id'
        """
        return self.sentence.written(surface, "")

    def as_dict(self, surface: Surface = PYTHON) -> dict[str, Any]:
        """Return it ready for JSON.

        Examples
        --------
        >>> from sfumato.tables.notes import note
        >>> note("N-GROUPS-DECLARED").as_dict()["code"]
        'N-GROUPS-DECLARED'
        """
        return {"code": self.code, "text": self.said(surface), "detail": self.is_detail}

    def __str__(self) -> str:
        return self.said()

    def __repr__(self) -> str:
        return f"<{self.code}: {self}>"


class Notes(tuple[Note, ...]):
    """The notes of an answer, those first that change most how it is read.

    Examples
    --------
    >>> from sfumato.tables.notes import Notes, note
    >>> Notes.of([note("N-LETTERS"), note("N-GROUPS-DECLARED")])[0].code
    'N-GROUPS-DECLARED'
    """

    __slots__ = ()

    @classmethod
    def of(cls, notes: Iterable[Note]) -> Notes:
        """Return notes in order, each once.

        Examples
        --------
        >>> from sfumato.tables.notes import Notes, note
        >>> len(Notes.of([note("N-LETTERS"), note("N-LETTERS")]))
        1
        """
        distinct = {each.said(): each for each in notes}
        return cls(sorted(distinct.values(), key=lambda each: _ORDER[each.code]))

    @property
    def first(self) -> Notes:
        """Those that are printed under an answer: three at most, and no details.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> visits = sf.table(pd.DataFrame({"visitor": [1, 1, 2]}), unit="visitor",
        ...                   limits={"rows": 10})
        >>> notes = visits.agg(n=sf.count()).plan(epsilon=1).notes
        >>> [each.code for each in notes.first]
        ['N-LIMIT-DECLARED']
        """
        return Notes([each for each in self if not each.is_detail][:SHOWN])

    @property
    def others(self) -> Notes:
        """Those that are not printed under an answer.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> visits = sf.table(pd.DataFrame({"visitor": [1, 1, 2]}), unit="visitor",
        ...                   limits={"rows": 10})
        >>> notes = visits.agg(n=sf.count()).plan(epsilon=1).notes
        >>> [each.code for each in notes.others]
        ['N-UNIT-MISSING']
        """
        return Notes([each for each in self if each not in self.first])

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def folded(self) -> str:
        """Return them as a part of a page that is opened by a click.

        Examples
        --------
        >>> from sfumato.tables.notes import Notes, note
        >>> Notes.of([note("N-LETTERS")]).folded()[:40]
        '<details><summary>1 more note</summary><'
        """
        if not self:
            return ""
        notes = "".join(f"<li>{escape(str(each))}</li>" for each in self)
        return f"<details><summary>{_counted(len(self))}</summary><ul>{notes}</ul></details>"

    def _repr_html_(self) -> str:
        return "<ul>" + "".join(f"<li>{escape(str(each))}</li>" for each in self) + "</ul>"


def note(code: str, **given: Any) -> Note:
    """Return a note of a kind, filled with text or with hints."""
    return Note(code, Part.of(KINDS[code], given))


def pointer(count: int, surface: Surface = PYTHON) -> list[str]:
    """Return where so many more notes are, if there are any."""
    if not count:
        return []
    where = Either("answer.notes", Argument("notes"))
    return [text("{count}: {where}", count=_counted(count), where=where).written(surface, "")]


def _counted(count: int) -> str:
    return tr_n("1 more note", "{count} more notes", count, count=count)


def percent_above(share: float) -> str:
    """Return an upper bound of a share in percent, rounded up to two digits."""
    least = max(share, _HARDLY)
    rounded = Context(prec=2, rounding=ROUND_CEILING).create_decimal(Decimal(repr(least)) * 100)
    return f"{min(float(rounded), 100.0):g} %"


def written_above(number: Fraction) -> str:
    """Return a number in six digits, rounded up."""
    found = _UP.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"{found.normalize():,f}" if found < 10**9 else f"{found:g}"
