"""The question of an answer, in words that say nothing of where the table is kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.data.files import quoted
from sfumato.tables.tree.steps import JoinPeople, JoinPublic
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sfumato.data.source import Source
    from sfumato.tables.tree.public import PublicTable
    from sfumato.tables.tree.question import Question
    from sfumato.tables.tree.steps import Step

__all__ = ["question"]


def question(query: Question) -> str:
    """Return what was asked, and of which table, without the folders of any file."""
    source = query.table.source
    asked = tr("{query} of {name}", query=query, name=source.name)
    for each in (source, *_joined(query.steps)):
        if each.path is not None:
            asked = asked.replace(each.name, quoted(Path(each.path.name)))
    return asked


def _joined(steps: Iterable[Step]) -> Iterator[Source | PublicTable]:
    """Yield the tables that were joined."""
    for step in steps:
        if isinstance(step, JoinPublic):
            yield step.other
        if isinstance(step, JoinPeople):
            yield step.other.source
            yield from _joined(step.other.steps)
