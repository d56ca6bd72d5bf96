"""A plan: everything about an answer that is known before a row is read."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from sfumato.refusal import PYTHON
from sfumato.tables.notes import Notes
from sfumato.tables.plan.notes import notes_of
from sfumato.tables.plan.outline import Outline
from sfumato.tables.plan.printing import lines_of

if TYPE_CHECKING:
    from sfumato.refusal import Surface


@dataclass(frozen=True, eq=False, repr=False)
class Plan(Outline):
    """What a query costs and how exact its answer will be; no row was read for it.

    Its parts are those of an ``Outline``; ``Query.plan`` makes one.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> visits = sf.table(pd.DataFrame({"id": [1, 1, 2]}), unit="id", limits={"rows": 10})
    >>> print(visits.agg(n=sf.count()).plan(epsilon=0.5).guarantee)
    0.5-DP (add or remove one id)
    """

    @property
    def notes(self) -> Notes:
        """What is to be known of an answer beside its figures.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> visits = sf.table(pd.DataFrame({"visitor": [1, 1, 2]}), unit="visitor",
        ...                   limits={"rows": 10})
        >>> print(visits.agg(n=sf.count()).plan(epsilon=1).notes.first)
        contributions above 10 rows of one visitor are scaled down, not dropped (contribution \
bounding), and the intervals do not cover that
        """
        return Notes.of(notes_of(self))

    def lines(self, *, surface: Surface = PYTHON, width: int | None = None) -> list[str]:
        """Return the plan as a tree, one line a branch.

        Parameters
        ----------
        surface
            How notes write their hints: as Python has them, or the shell.
        width
            How wide a line may be; longer ones are wrapped. None for any.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> table.agg(n=sf.count()).plan(epsilon=1).lines()[0]
        'n = count(*) of the table'
        """
        return lines_of(self, [each.said(surface) for each in self.notes], width)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<plan of {self.query}: {self.guarantee}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"
