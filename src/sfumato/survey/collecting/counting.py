"""What an engine gives, decoded and added up into tallies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sfumato.survey.collecting.entries import decoded
from sfumato.survey.collecting.rows import COUNTED, DUPLICATE, IMPOSSIBLE, OTHER
from sfumato.survey.collector.aside import Aside
from sfumato.survey.collector.decoding import pair_tally_of, tally_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sfumato.survey.collecting.blocks import Block
    from sfumato.survey.collecting.rows import ReportRows
    from sfumato.survey.collector.tally import PairTally, Tally

__all__ = ["Counted", "counted_groups", "counted_reports"]

#: How many entries of a report, each bit for itself, are looked at together.
_CELLS = 2**23
_MOST_ROWS = 2**17


@dataclass(frozen=True)
class Counted:
    """The tallies of a block of questions."""

    people: int = 0
    aside: Aside = field(default_factory=Aside)
    tallies: dict[str, Tally] = field(default_factory=dict)
    pairs: dict[tuple[str, str], PairTally] = field(default_factory=dict)

    def __add__(self, other: Counted) -> Counted:
        return Counted(
            self.people + other.people,
            self.aside + other.aside,
            _summed(self.tallies, other.tallies),
            _summed(self.pairs, other.pairs),
        )


def counted_groups(rows: ReportRows, block: Block) -> Counted:
    """Return the tallies of a block whose equal reports the engine counts."""
    return _counted(rows, block, rows.source.fetch(rows.groups(block.names)))


def counted_reports(rows: ReportRows, block: Block) -> Counted:
    """Return the tallies of a block whose reports the engine hands over, a part at a time."""
    questions = [rows.survey.questions[name] for name in block.names]
    width = sum(len(getattr(each, "choices", ())) + 1 for each in questions)
    size = min(_MOST_ROWS, _CELLS // width + 1)
    parts = rows.source.batches(rows.reports(block.names), rows=size)
    return sum((_counted(rows, block, each) for each in parts), Counted())


def _counted(rows: ReportRows, block: Block, found: Any) -> Counted:
    """Return what a part of an engine's answer says."""
    status, people = (found[name].to_numpy() for name in ("status", "people"))
    sums = [int(people[status == each].sum()) for each in range(COUNTED + 1)]
    counted = found.filter(status == COUNTED)
    weights = people[status == COUNTED] if block.is_grouped else None
    return Counted(
        sums[COUNTED],
        Aside(sums[OTHER], sums[IMPOSSIBLE], sums[DUPLICATE]),
        *_tallies(rows, block, counted, weights),
    )


def _tallies(
    rows: ReportRows, block: Block, part: Any, weights: NDArray[np.int64] | None
) -> tuple[dict[str, Tally], dict[tuple[str, str], PairTally]]:
    questions: Any = rows.survey.questions
    found = {name: decoded(questions[name], part[rows.columns[name]]) for name in block.names}
    tallies = {name: tally_of(questions[name], found[name], weights) for name in block.counted}
    pairs = {
        (one, two): pair_tally_of(questions[one], found[one], questions[two], found[two], weights)
        for one, two in block.pairs
    }
    return tallies, pairs


def _summed(left: dict[Any, Any], right: dict[Any, Any]) -> dict[Any, Any]:
    both = left.keys() & right.keys()
    return {**left, **right, **{each: left[each] + right[each] for each in both}}
