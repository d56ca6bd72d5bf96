"""Releases by the thousand: the engine computes what is exact once, and all noise is drawn anew.

What a run computes before any noise depends on the rows and the plan alone.  It is remembered by
its arguments, so that a limit or a bound that is chosen otherwise is computed for real, too.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from sfumato.tables.release.releasing import release_plan
from sfumato.tables.run import automatic, keys, limits, runner, sampled, selecting
from sfumato.tables.run.content import Content

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.tables import Plan

#: Where a run asks the engine.
EXACT: list[tuple[Any, str]] = [
    (runner, "exact_sums"),
    (selecting, "exact_cells"),
    (automatic, "held_in_buckets"),
    (limits, "people_by_size"),
    (keys, "people_in_groups"),
    (sampled, "gather"),
]


@contextmanager
def remembering() -> Iterator[None]:
    """Ask the engine once for the same thing of the same table."""
    known: dict[Any, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        for module, name in EXACT:
            patch.setattr(module, name, partial(_once, known, getattr(module, name)))
        yield


def _once(known: dict[Any, Any], ask: Callable[..., Any], rows: Any, *given: Any) -> Any:
    key = (ask, id(rows.source), repr(given))
    if key not in known:
        known[key] = (ask(rows, *given), rows.source)
    return known[key][0]


def released(plan: Plan, count: int, *, source: Any) -> list[Content]:
    """Return what so many releases of a plan contain."""
    return [Content.from_bytes(release_plan(plan, source=source).content) for _ in range(count)]
