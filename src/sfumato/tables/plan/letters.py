"""Whether texts of rows are put in order beside one another: that is done letter by letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.tables.columns import known_columns, types
from sfumato.tables.expressions.lettered import orderings
from sfumato.tables.tree.steps import JoinPeople, expressions_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sfumato.data.policy import Policy
    from sfumato.tables.expressions import Expression
    from sfumato.tables.tree.question import Question
    from sfumato.tables.tree.steps import Step

__all__ = ["said_of_letters"]


def said_of_letters(query: Question) -> Iterator[str]:
    """Return that texts are put in order letter by letter, where rows are compared so."""
    if any(orderings(each, schema) for each, schema in _computed(query)):
        yield "texts are put in order letter by letter: '10' comes before '9'"


def _computed(query: Question) -> Iterator[tuple[Expression, Mapping[str, str]]]:
    """Yield what is computed of rows, each with the types that columns have there."""
    policy, schema = query.table.policy, query.table.schema
    yield from _of_steps(policy, schema, query.steps)
    known = types(known_columns(policy, schema, query.steps))
    yield from ((of, known) for _, each in query.aggregates for of in each.operands)


def _of_steps(
    policy: Policy, schema: Mapping[str, str], steps: Sequence[Step]
) -> Iterator[tuple[Expression, Mapping[str, str]]]:
    for place, step in enumerate(steps):
        if isinstance(step, JoinPeople):
            yield from _of_steps(step.policy, step.schema, step.steps)
            continue
        known = types(known_columns(policy, schema, steps[:place]))
        yield from ((each, known) for each in expressions_of(step))
