"""Which questions are counted together, so that few queries do for all."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, prod
from typing import TYPE_CHECKING, cast

from sfumato.survey.client.protocols import Response, Subset
from sfumato.survey.collector.forms import largest_report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.survey.client.questions import ChoiceQuestion, Question
    from sfumato.survey.client.survey import Survey

    Pair = tuple[str, str]

__all__ = ["Block", "blocks_of", "variety"]

#: So many groups cost an engine no more than a few.
_TOGETHER = 2**16
#: So many groups are still worth their memory, for a question that would be streamed otherwise.
_ALONE = 2**21


@dataclass(frozen=True)
class Block:
    """Questions whose reports one query gives.

    Parameters
    ----------
    names
        The questions that are asked for.
    counted
        Those of them that are tallied here, and in no other block.
    pairs
        The pairs of them that are tallied here.
    is_grouped
        Whether the engine counts equal reports; else it hands them over one by one.
    """

    names: tuple[str, ...]
    counted: tuple[str, ...] = ()
    pairs: tuple[Pair, ...] = ()
    is_grouped: bool = True


def variety(question: Question) -> int:
    """Return how many reports a question's protocol can give."""
    most = largest_report(question)
    return _texts(cast("ChoiceQuestion", question)) if most is None else most + 1


def _texts(question: ChoiceQuestion) -> int:
    choices, protocol = len(question.choices), question.protocol
    if isinstance(protocol, Response):
        return choices
    return comb(choices, protocol.size) if isinstance(protocol, Subset) else 2**choices


def blocks_of(survey: Survey, pairs: Sequence[Pair]) -> list[Block]:
    """Return the blocks that count every question once, and every pair."""
    sizes = {name: variety(question) for name, question in survey.questions.items()}
    groups = _packed(sizes)
    apart = [pair for pair in pairs if not any(set(pair) <= set(group) for group in groups)]
    close = [pair for pair in apart if sizes[pair[0]] * sizes[pair[1]] <= _ALONE]
    blocks = [
        Block(group, group, tuple(each for each in pairs if set(each) <= set(group)))
        for group in groups
    ]
    blocks += [Block(pair, (), (pair,)) for pair in close]
    wide = tuple(name for name, size in sizes.items() if size > _ALONE)
    far = tuple(pair for pair in apart if pair not in close)
    if wide or far:
        names = tuple(dict.fromkeys((*wide, *(name for pair in far for name in pair))))
        blocks.append(Block(names, wide, far, is_grouped=False))
    return blocks


def _packed(sizes: dict[str, int]) -> list[tuple[str, ...]]:
    """Return groups of questions with few reports each, those of one group together too."""
    groups: list[tuple[str, ...]] = []
    for name, size in sizes.items():
        if groups and size * prod(sizes[each] for each in groups[-1]) <= _TOGETHER:
            groups[-1] = (*groups[-1], name)
        elif size <= _ALONE:
            groups.append((name,))
    return groups
