"""Releases by the thousand: the engine computes what is exact once, and all noise is drawn anew.

What a run computes before any noise depends on the rows and the plan alone.  It is remembered by
its arguments, so that a limit or a bound that is chosen otherwise is computed for real, too; and
so is what the engine raises.  A mechanism is made once, and draws each time.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from sfumato.mechanisms import DiscreteGaussian, DiscreteLaplace
from sfumato.tables import sample_aggregation
from sfumato.tables.plan.histograms import Bins, Favourites
from sfumato.tables.plan.quantiles import Extreme, Ranks
from sfumato.tables.plan.steps import Share
from sfumato.tables.release.answer import ReleasedContent
from sfumato.tables.release.charge import release_plan
from sfumato.tables.run import cells, execution, noisy_histograms, partition_selection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.tables import Plan

#: Where a run asks the engine.
EXACT: list[tuple[Any, str]] = [
    (execution, "exact_sums"),
    (cells, "exact_cells"),
    (noisy_histograms, "held_in_buckets"),
    (noisy_histograms, "people_by_size"),
    (partition_selection, "people_in_groups"),
    (sample_aggregation, "gather"),
]
#: What makes a mechanism, or tells of one how far off it is: nothing here sees a row.
MADE: list[tuple[Any, str]] = [
    (Share, "noise"),
    (Bins, "mechanism"),
    (Extreme, "mechanism"),
    (Favourites, "mechanism"),
    (Ranks, "bar"),
    (cells.QuantileTree, "mechanism"),
    (DiscreteLaplace, "error"),
    (DiscreteGaussian, "error"),
]


@contextmanager
def remembering() -> Iterator[None]:
    """Ask the engine once for the same thing of the same table."""
    known: dict[Any, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        for module, name in EXACT:
            patch.setattr(module, name, partial(_once, known, getattr(module, name)))
        patch.setattr(
            sample_aggregation.Gathered,
            "block",
            _block_once(known, sample_aggregation.Gathered.block),
        )
        for owner, name in MADE:
            patch.setattr(owner, name, _made_once(known, getattr(owner, name)))
        yield


def _once(known: dict[Any, Any], ask: Callable[..., Any], rows: Any, *given: Any) -> Any:
    key = (ask, id(rows.source), repr(given))
    if key not in known:
        known[key] = (_outcome(ask, rows, *given), rows.source)
    found = known[key][0]
    if isinstance(found, Exception):
        raise found.with_traceback(None)
    return found


def _outcome(ask: Callable[..., Any], *given: Any) -> Any:
    """Return what the engine answers, or raises."""
    try:
        return ask(*given)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is raised again
        return error


def _made_once(known: dict[Any, Any], make: Callable[..., Any]) -> Callable[..., Any]:
    def made(*given: Any, **options: Any) -> Any:
        key = (make, repr(given), repr(options))
        if key not in known:
            known[key] = make(*given, **options)
        return known[key]

    return made


def _block_once(known: dict[Any, Any], block: Callable[..., Any]) -> Callable[..., Any]:
    """Return what makes the frame of the same people once; it is not changed by what sees it."""

    def made(gathered: Any, people: Any) -> Any:
        key = (block, id(gathered), people.tobytes())
        if key not in known:
            known[key] = (block(gathered, people), gathered)
        return known[key][0]

    return made


def released(plan: Plan, count: int, *, source: Any) -> list[ReleasedContent]:
    """Return what so many releases of a plan contain."""
    return [
        ReleasedContent.from_bytes(release_plan(plan, source=source).content) for _ in range(count)
    ]
