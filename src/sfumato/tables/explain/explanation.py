"""A plan explained: sensitivities from the rows to the noise, and the engine's statements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.privacy import AddRemove, Substitute
from sfumato.tables.explain.nodes import nodes_of
from sfumato.tables.explain.statements import statements_of
from sfumato.tables.plan.printing import letters_of, with_letters
from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.tables.explain.nodes import ExplainedPart
    from sfumato.tables.explain.statements import EngineStatement
    from sfumato.tables.plan.outline import Outline
    from sfumato.translation import Sentences

_CHANGES: Sentences = {
    AddRemove: "one {noun} is added or removed",
    Substitute: "one {noun} is replaced by another",
}


@dataclass(frozen=True, eq=False, repr=False)
class PlanExplanation:
    """What a plan does to rows; no row was read for it.

    Attributes
    ----------
    plan
        The plan.
    """

    plan: Outline

    @property
    def nodes(self) -> tuple[ExplainedPart, ...]:
        """The parts of the question, and how far one change of the table moves each."""
        return nodes_of(self.plan)

    @property
    def statements(self) -> tuple[EngineStatement, ...]:
        """What the engine would be told, in order."""
        return statements_of(self.plan)

    @property
    def sql(self) -> str:
        """The statements as one text, each after a comment that says what it is for."""
        return "\n\n".join([*self._placeholders(), *map(str, self.statements)])

    def lines(self) -> list[str]:
        """Return the parts one below the other."""
        rows = self.rows
        width = max(len(part) for part, _ in rows)
        return [self.headline, *(f"{part:<{width}}  {said}" for part, said in rows)]

    @property
    def headline(self) -> str:
        """What the parts are moved by."""
        return tr(
            "if {change}, this is how far each part moves (its sensitivity)", change=self._change()
        )

    @property
    def rows(self) -> list[tuple[str, str]]:
        """Each part, and how far it moves; a long expression has a letter."""
        letters = letters_of(self.plan)
        parts = [(with_letters(each.part, letters), each) for each in self.nodes]
        return [
            *((letter, expression) for expression, letter in letters.items()),
            *((part, f"{of.moves} ({of.cost})" if of.cost else of.moves) for part, of in parts),
        ]

    def _placeholders(self) -> list[str]:
        """Say what stands in statements for what is found on the way, if anything is."""
        stand = {
            tr("every group for those that are found"): self.plan.search,
            tr("bounds of 0 and 1 for those that are found"): self.plan.findings,
            tr("a limit of 1 for the one that is chosen"): self.plan.choices,
        }
        said = ", ".join(words for words, is_so in stand.items() if is_so)
        return [tr("-- nothing was run, so here stand {said}", said=said)] if said else []

    def _change(self) -> str:
        relation = self.plan.contribution.relation
        return tr(_CHANGES[type(relation)], noun=relation.unit.noun)

    def __str__(self) -> str:
        return "\n".join(self.lines())
