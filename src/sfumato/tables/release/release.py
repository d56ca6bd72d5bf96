"""A release: the only thing computed from rows that leaves the room."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError, UnknownNameError
from sfumato.printing import drawn, paragraph, percentage
from sfumato.privacy import read_confidence
from sfumato.refusal import PYTHON
from sfumato.tables.notes import Notes, note, pointer
from sfumato.tables.plan.notes import choice_notes, notes_of
from sfumato.tables.plan.outline import with_bounds
from sfumato.tables.release.answer import AnswerColumns, ReleasedContent
from sfumato.tables.render import as_frame, html_of, lines_of
from sfumato.translation import in_english, mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sfumato.ledger import Receipt
    from sfumato.printing import Chart
    from sfumato.privacy import Guarantee
    from sfumato.refusal import Surface
    from sfumato.tables.certificate.certificate import Certificate
    from sfumato.tables.notes import Note
    from sfumato.tables.plan.bounds import FoundBounds
    from sfumato.tables.plan.measurements import ChosenLimit
    from sfumato.tables.plan.plan import Plan

#: The confidence of the intervals that are shown.
CONFIDENCE = 0.95


@dataclass(frozen=True, eq=False, repr=False)
class Release:
    """The answer to a query: values, intervals, what is guaranteed, and the receipt.

    Everything computed from it alone keeps the guarantee.

    Attributes
    ----------
    plan
        What was done.
    content
        What was released, as bytes; reading it again gives the same answer.
    receipt
        The ledger's receipt; None where nothing was charged to a ledger.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> people = pd.DataFrame({"id": [1, 2, 3], "sex": ["F", "M", "F"]})
    >>> table = sf.table(people, unit="id", keys={"sex": ["F", "M"]}, limits={"rows": 1})
    >>> answer = table.group_by("sex").agg(n=sf.count()).release(epsilon=1)
    >>> list(answer.to_pandas()["sex"])
    ['F', 'M']
    """

    plan: Plan
    content: bytes = field(repr=False)
    receipt: Receipt | None = None

    @property
    def guarantee(self) -> Guarantee:
        """What is guaranteed to everybody in the table.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> print(table.agg(n=sf.count()).release(epsilon=1).guarantee)
        1-DP (add or remove one row)
        """
        return self.plan.guarantee

    @property
    def seeded(self) -> bool:
        """Whether the noise came from a seed: then it can be drawn again, and nothing is private.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> from sfumato.sampling import SeededSource
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> table.agg(n=sf.count()).release(epsilon=1, source=SeededSource(1)).seeded
        True
        """
        return self._content.seeded

    @property
    def limits(self) -> dict[str, ChosenLimit]:
        """What was chosen privately of how much of one person counts.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> table.agg(n=sf.count()).release(epsilon=1).limits
        {}
        """
        return self._content.limits

    @property
    def bounds(self) -> dict[str, FoundBounds]:
        """The bounds that were found privately, by the column.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row", bounds={"age": "auto"})
        >>> list(table.agg(age=sf.mean("age")).release(epsilon=1).bounds)
        ['age']
        """
        return self._content.bounds

    @property
    def notes(self) -> Notes:
        """What is to be known of the answer beside its figures, as data with codes.

        The first three, but for details, are printed under the answer.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> visits = pd.DataFrame({"visitor": [1, 1, 2], "site": ["a", "b", "a"]})
        >>> table = sf.table(visits, unit="visitor", limits={"rows": 9}, keys={"site": ["a", "b"]})
        >>> answer = table.group_by("site").agg(n=sf.count()).release(epsilon=1)
        >>> [each.code for each in answer.notes]
        ['N-LIMIT-DECLARED', 'N-GROUPS-DECLARED', 'N-UNIT-MISSING']
        """
        if self._shows_none:
            return Notes.of(self._left_out())
        plan = with_bounds(self.plan, self.bounds)
        known = notes_of(plan, self.limits, self.bounds)
        choices = choice_notes(plan, plan.contribution.with_limits(self.limits))
        return Notes.of([*known, *choices, *self._left_out()])

    def _left_out(self) -> Iterator[Note]:
        """Yield which groups are not to be seen, where they were found."""
        search = self.plan.search
        if search is not None:
            code = "N-GROUPS-NONE" if self._shows_none else "N-GROUPS-FOUND"
            yield note(code, units=search.units)

    @property
    def _shows_none(self) -> bool:
        """Whether groups were to be found, and none was."""
        return self.plan.search is not None and not self._content.keys

    @property
    def certificate(self) -> Certificate:
        """The release as a signed document that ``sfumato check`` derives again.

        It is signed with the key of this host, which is made where there is none.

        Examples
        --------
        >>> import os, tempfile
        >>> from unittest.mock import patch
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> answer = table.agg(n=sf.count()).release(epsilon=1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with patch.dict(os.environ, {"SFUMATO_SIGNING_KEY": f"{folder}/key.pem"}):
        ...         print(str(answer.certificate).splitlines()[0])
        certificate: 1-DP (add or remove one row)
        """
        from sfumato.tables.certificate.certificate import ReleasedAnswer, certify

        columns = self.answers(confidence=CONFIDENCE).columns
        level = read_confidence(CONFIDENCE)
        with in_english():
            caveats = [str(each) for each in self.notes]
        released = ReleasedAnswer(self.content, columns, level, caveats, self.receipt)
        return certify(self.plan, released)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns: keys, then aggregates.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> table.agg(n=sf.count()).release(epsilon=1).columns
        ('n',)
        """
        return tuple(self.answers().columns)

    def answers(self, *, confidence: Any = None) -> AnswerColumns:
        """Return the columns of the answer, with intervals if a confidence is given.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> bars = table.agg(n=sf.count()).release(epsilon=1).answers(confidence=0.95)
        >>> list(bars.columns)
        ['n', 'n_low', 'n_high']
        """
        return AnswerColumns.of(self.plan, self._content, confidence)

    def to_pandas(self, *, confidence: Any = None) -> Any:
        """Return the answer as a pandas frame.

        Parameters
        ----------
        confidence
            If given, each aggregate has two more columns: within ``_low`` and ``_high`` lies
            what was measured, with at least that probability.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> table.agg(n=sf.count()).release(epsilon=1).to_pandas().shape
        (1, 1)
        """
        return as_frame(self.answers(confidence=confidence), "pandas")

    def to_polars(self, *, confidence: Any = None) -> Any:
        """Return the answer as a polars frame; see ``to_pandas``.

        Examples
        --------
        >>> import polars as pl
        >>> import sfumato as sf
        >>> table = sf.table(pl.DataFrame({"age": [61, 64]}), unit="row")
        >>> table.agg(n=sf.count()).release(epsilon=1).to_polars().shape
        (1, 1)
        """
        return as_frame(self.answers(confidence=confidence), "polars")

    def to_arrow(self, *, confidence: Any = None) -> Any:
        """Return the answer as an Arrow table; see ``to_pandas``.

        Examples
        --------
        >>> import pyarrow as pa
        >>> import sfumato as sf
        >>> table = sf.table(pa.table({"age": [61, 64]}), unit="row")
        >>> table.agg(n=sf.count()).release(epsilon=1).to_arrow().num_rows
        1
        """
        return as_frame(self.answers(confidence=confidence), "arrow")

    def to_frame(self, *, confidence: Any = None) -> Any:
        """Return the answer in the kind of frame that the table came in; Arrow for a file.

        Examples
        --------
        >>> import polars as pl
        >>> import sfumato as sf
        >>> table = sf.table(pl.DataFrame({"age": [61, 64]}), unit="row")
        >>> type(table.agg(n=sf.count()).release(epsilon=1).to_frame()).__module__.split(".")[0]
        'polars'
        """
        return as_frame(self.answers(confidence=confidence), self.plan.query.table.frame)

    def plot(
        self,
        value: str | None = None,
        *,
        confidence: Any = CONFIDENCE,
        to: str | Path | None = None,
    ) -> Chart:
        """Draw the answer with its intervals (``pip install 'sfumato[plots]'``).

        Parameters
        ----------
        value
            The aggregate or the column to draw; all by default, one panel each.
        confidence
            How likely it is that an interval covers.
        to
            A file to write it into as well, ending in ``.html``, ``.png`` or ``.svg``.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row", bounds={"age": (0, 110)})
        >>> answer = table.agg(n=sf.count(), age=sf.mean("age")).release(epsilon=1)
        >>> answer.plot().to_dict()["title"]["text"]
        ['n and age, with 95 % confidence intervals']
        >>> answer.plot("agee")
        Traceback (most recent call last):
            ...
        sfumato.errors.UnknownNameError: there is no value of the answer 'agee'; did you mean \
'age'? (known: 'n', 'age')
        """
        return drawn("release", self, to=to, value=value, confidence=confidence)

    def __getitem__(self, name: str) -> Any:
        """Return a column as a list; its one value where rows were not grouped."""
        columns = self.answers().columns
        if name not in columns:
            raise UnknownNameError(kind=mark("column of the answer"), name=name, known=columns)
        values = columns[name]
        return values if self.plan.query.keys else values[0]

    def __len__(self) -> int:
        return len(self.answers())

    def __iter__(self) -> Any:
        raise InputError(
            "E-RELEASE-NOT-A-LIST",
            "a release is not a list",
            "write release.to_pandas() or release['n']",
        )

    def lines(self, *, confidence: Any = CONFIDENCE) -> list[str]:
        """Return the answer as lines: a table with confidence intervals, and what goes with it.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> table.agg(n=sf.count()).release(epsilon=1).lines()[2]
        '1-DP (add or remove one row), charged to no ledger'
        """
        return [*self.table(confidence=confidence), *self.footer(confidence=confidence)]

    def table(self, *, confidence: Any = CONFIDENCE) -> list[str]:
        """Return the values with their confidence intervals, one line a group.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> table.agg(n=sf.count()).release(epsilon=1).table()[0]
        'n'
        """
        return lines_of(self.plan, self.answers(confidence=confidence))

    def stated(self, *, confidence: Any = CONFIDENCE) -> list[str]:
        """Return what is guaranteed, and what the confidence intervals cover, if there are any.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> table.agg(n=sf.count()).release(epsilon=1).stated()
        ['1-DP (add or remove one row)', '95 % confidence intervals, for the noise']
        """
        seed = [tr("NOT PRIVATE: drawn from a seed")] if self.seeded else []
        level = percentage(read_confidence(confidence))
        return [*seed, str(self.guarantee), *self._covered(level)]

    def _covered(self, level: str) -> list[str]:
        """Return what the confidence intervals cover, if any is shown."""
        with_ends = [each for each in self.plan.outputs if each.has_interval]
        if self._shows_none or not (self.plan.samples or with_ends):
            return []
        if any(each.misses_rows for each in with_ends) and self._content.limits:
            return [tr("{level} confidence intervals, for noise and chosen limits", level=level)]
        return [tr("{level} confidence intervals, for the noise", level=level)]

    def footer(
        self, *, confidence: Any = CONFIDENCE, every: bool = False, surface: Surface = PYTHON
    ) -> list[str]:
        """Return what goes below the table: the guarantee, the confidence, and notes.

        Parameters
        ----------
        confidence
            That of the intervals.
        every
            Whether all notes are said, and not the first three alone.
        surface
            How hints are written: as Python has them, or the shell.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> table.agg(n=sf.count()).release(epsilon=1).footer()[0]
        '1-DP (add or remove one row), charged to no ledger'
        """
        stated, notes = self.stated(confidence=confidence), self.notes
        place = stated.index(str(self.guarantee))
        stated[place] = f"{stated[place]}, {self._charge}"
        shown = notes if every else notes.first
        more = [] if every else pointer(len(notes.others), surface)
        return [*stated, *(each.said(surface) for each in shown), *more]

    @property
    def _charge(self) -> str:
        if self.receipt is None:
            return tr("charged to no ledger")
        return tr("charged to the ledger: receipt {id}", id=self.receipt.id)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        shown = html_of(self.plan, self.answers(confidence=CONFIDENCE))
        notes = self.notes
        below = paragraph([*self.stated(), self._charge, *map(str, notes.first)])
        return f"{shown}{below}{notes.others.folded()}"

    @cached_property
    def _content(self) -> ReleasedContent:
        return ReleasedContent.from_bytes(self.content)
