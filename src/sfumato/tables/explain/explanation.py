"""A plan explained: sensitivities from the rows to the noise, and the engine's statements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.tables.explain.nodes import nodes_of
from sfumato.tables.explain.statements import statements_of

if TYPE_CHECKING:
    from sfumato.tables.explain.nodes import Node
    from sfumato.tables.explain.statements import Statement
    from sfumato.tables.plan.outline import Outline

__all__ = ["Explanation"]


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """What a plan does to rows; no row was read for it.

    Attributes
    ----------
    plan
        The plan.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> visits = sf.table(pd.DataFrame({"id": [1, 1, 2]}), unit="id", limits={"rows": 10})
    >>> print(visits.agg(n=sf.count()).explain(epsilon=1))
    if one person (id) is added or removed, this is how far each part moves
    the rows of the table       any number of rows, all of one person
    limit of rows               one person weighs at most 10 rows in all
    measure the number of rows  a row adds at most 1, so by at most 10; noise of scale 10 (ε = 1)
    """

    plan: Outline

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The parts of the question, and how far one change of the table moves each.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> [each.part for each in table.agg(n=sf.count()).explain(epsilon=1).nodes]
        ['the rows of the table', 'measure the number of rows']
        """
        return nodes_of(self.plan)

    @property
    def statements(self) -> tuple[Statement, ...]:
        """What the engine would be told, in order.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> len(table.agg(n=sf.count()).explain(epsilon=1).statements)
        1
        """
        return statements_of(self.plan)

    @property
    def sql(self) -> str:
        """The statements as one text, each after a comment that says what it is for.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> print(table.agg(n=sf.count()).explain(epsilon=1).sql.splitlines()[0])
        -- add up the number of rows
        """
        return "\n\n".join([*self._placeholders(), *map(str, self.statements)])

    def lines(self) -> list[str]:
        """Return the parts one below the other.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> table.agg(n=sf.count()).explain(epsilon=1).lines()[1]
        'the rows of the table       one row'
        """
        rows = self.rows
        width = max(len(part) for part, _ in rows)
        return [self.headline, *(f"{part:<{width}}  {said}" for part, said in rows)]

    @property
    def headline(self) -> str:
        """What the parts are moved by.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> table.agg(n=sf.count()).explain(epsilon=1).headline
        'if one row is added or removed, this is how far each part moves'
        """
        return f"if {self._change()}, this is how far each part moves"

    @property
    def rows(self) -> list[tuple[str, str]]:
        """Each part, and how far it moves.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> table.agg(n=sf.count()).explain(epsilon=1).rows[0]
        ('the rows of the table', 'one row')
        """
        return [
            (each.part, f"{each.moves} ({each.cost})" if each.cost else each.moves)
            for each in self.nodes
        ]

    def _placeholders(self) -> list[str]:
        """Say what stands in statements for what is found on the way, if anything is."""
        stand = {
            "every group for those that are found": self.plan.search,
            "bounds of 0 and 1 for those that are found": self.plan.findings,
            "a limit of 1 for the one that is chosen": self.plan.choices,
        }
        said = ", ".join(words for words, is_so in stand.items() if is_so)
        return [f"-- nothing was run, so here stand {said}"] if said else []

    def _change(self) -> str:
        verb, _, rest = str(self.plan.contribution.relation).partition(" one ")
        done = {"add or remove": "added or removed", "substitute": "replaced by another"}
        return f"one {rest} is {done.get(verb, verb)}"

    def __str__(self) -> str:
        return "\n".join(self.lines())
