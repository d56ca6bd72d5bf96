"""A plan: everything about an answer that is known before a row is read."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from sfumato.tables.plan.caveats import caveats_of
from sfumato.tables.plan.outline import Outline
from sfumato.tables.plan.printing import lines_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.tables.plan.contribution import ChosenLimit

__all__ = ["Plan"]


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
    0.5-DP (add or remove one person (id))
    """

    def caveats(self, chosen: Mapping[str, ChosenLimit]) -> list[str]:
        """Return what the error bars do not hold, in sentences.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> visits = sf.table(pd.DataFrame({"id": [1, 1, 2]}), unit="id", limits={"rows": 10})
        >>> visits.agg(n=sf.count()).plan(epsilon=1).caveats({})[0]
        'a person with more than 10 rows counts for 10: what is left out is not in the bars'
        """
        return caveats_of(self, chosen)

    def lines(self) -> list[str]:
        """Return the plan as a tree, one line a branch.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> table.agg(n=sf.count()).plan(epsilon=1).lines()[0]
        'n = count(*) of the table'
        """
        return lines_of(self)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<plan of {self.query}: {self.guarantee}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"
