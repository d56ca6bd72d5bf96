"""Planning a user's function on blocks of people: what it costs, and what its ± is for."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.tables.column import types
from sfumato.tables.expressions import type_of
from sfumato.tables.plan.selection import BOUNDED_RANGE, PURE, choice_epsilon
from sfumato.tables.plan.steps import PrivateStep
from sfumato.tables.tree.sampled import Sampled
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sfumato.mechanisms import SampleAndAggregate
    from sfumato.privacy.events import Event
    from sfumato.tables.column import KnownColumn
    from sfumato.tables.plan.steps import Share
    from sfumato.tables.tree.aggregates import Aggregate
    from sfumato.tables.tree.rows import Question

_CONFIDENCE = 0.95


@dataclass(frozen=True, eq=False)
class BlockSample(PrivateStep):
    """Release the mean or the median of a function's answers on blocks of people.

    Parameters
    ----------
    name
        The column of the answer.
    asked
        The function, its bounds, and how many blocks there are.
    frame
        The kind of frame that a block is.
    """

    name: str
    asked: Sampled
    frame: str

    def mechanism(self, function: Callable[[Any], Any] | None = None) -> SampleAndAggregate:
        """Return what answers it, by the function or by another in its place."""
        return self.asked.mechanism(self._epsilon, function)

    @property
    def event(self) -> Event:
        """What is charged for it."""
        return self.mechanism().event

    def reach(self, confidence: Any) -> float:
        """Return how far the answer is from the aggregate of the blocks' answers, for the noise.

        Of a median only the rank is known to be near, so that its value may be anywhere between
        the bounds.
        """
        low, high = self.asked.bounds
        if self.asked.aggregate == "median":
            return float(high - low)
        return self.mechanism().error(confidence=confidence)

    @property
    def expected(self) -> str:
        """How far off the answer will be, in words, with a confidence of 95 % for the noise."""
        reach = self.mechanism().error(confidence=_CONFIDENCE)
        if self.asked.aggregate == "median":
            return tr(
                "± {reach:,.0f} in rank among {blocks:,} blocks",
                reach=reach,
                blocks=self.asked.blocks,
            )
        return f"± {reach:.4g}"

    @property
    def _epsilon(self) -> Fraction:
        ratio = BOUNDED_RANGE if self.asked.aggregate == "median" else PURE
        return choice_epsilon(self.share, Fraction(1), ratio=ratio)

    def __str__(self) -> str:
        of = f"{self.asked.called}({', '.join(self.asked.columns)})"
        over = tr("over {blocks:,} blocks", blocks=self.asked.blocks)
        return tr(
            "release the {aggregate} of {of} {over}: {share}",
            aggregate=self.asked.aggregate,
            of=of,
            over=over,
            share=self.share,
        )


def added_up(aggregates: Sequence[tuple[str, Aggregate]]) -> list[tuple[str, Aggregate]]:
    """Return the aggregates that are made of sums over rows."""
    return [(name, each) for name, each in aggregates if not isinstance(each, Sampled)]


def sampled_in(query: Question, columns: Mapping[str, KnownColumn]) -> dict[str, Sampled]:
    """Return the functions that a query asks for, by name; refuse those it cannot have."""
    found = {name: each for name, each in query.aggregates if isinstance(each, Sampled)}
    if found and query.keys:
        raise InputError(
            "E-AGGREGATE-NOT-HERE",
            "sample_aggregate is computed of all rows together, not for each group",
            "ask for it without group_by, of a group at a time, as in filter(sf.col('sex') == 'F')",
        )
    for each in found.values():
        _check_columns(each, columns)
        _check_installed(_frame(each, query))
    return found


def sampling(name: str, asked: Sampled, query: Question, share: Share) -> BlockSample:
    """Return the step that answers a function."""
    return BlockSample(share, name, asked, _frame(asked, query))


def _frame(asked: Sampled, query: Question) -> str:
    return asked.frame or query.table.frame


def _check_columns(asked: Sampled, columns: Mapping[str, KnownColumn]) -> None:
    known = types(columns)
    for each in asked.operands:
        if type_of(each, known) == "other":
            raise InputError(
                "E-AGGREGATE-TYPE",
                "sample_aggregate cannot take {each}, which is of a type of its own",
                each=each,
            )


def _check_installed(frame: str) -> None:
    if find_spec("pyarrow" if frame == "arrow" else frame) is None:
        raise InputError(
            "E-FRAME-MISSING",
            "{frame} is not installed",
            "pip install {frame}, or write frame='arrow'",
            frame=frame,
        )
