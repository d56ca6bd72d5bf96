"""Time and memory against the number of rows, of ours and of the floor."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from benchmarks.groupby.race import race
from benchmarks.groupby.task import CHOSEN, DECLARED, FLOOR
from benchmarks.measure import markdown, ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from benchmarks.groupby.asking import Outcome

    Sweep = Mapping[int, Mapping[str, Outcome]]

SIZES = (1_000_000, 3_000_000, 10_000_000, 30_000_000, 100_000_000)
SWEPT = {"floor": FLOOR, "limits declared": DECLARED, "limits chosen": CHOSEN}


def sweep() -> Sweep:
    """Return the outcomes by rows and contestant."""
    return {rows: _at(rows) for rows in SIZES}


def sweep_table(found: Sweep) -> str:
    """Return the table of seconds and of peak memory."""
    seconds = [f"{name}, s" for name in SWEPT]
    memory = [f"{name}, MiB" for name in SWEPT]
    over = [f"{name} / floor" for name in list(SWEPT)[1:]]
    rows = [[f"{rows:,}", *_figures(outcomes)] for rows, outcomes in found.items()]
    return markdown([["rows", *seconds, *over, *memory], *rows])


def lines(found: Sweep, of: Callable[[Outcome], float]) -> dict[str, list[tuple[float, float]]]:
    """Return the points of each contestant: rows, and a figure of the outcome."""
    return {
        name: [
            (rows, of(outcomes[name]))
            for rows, outcomes in found.items()
            if outcomes[name].answer is not None
        ]
        for name in SWEPT
    }


def _at(rows: int) -> dict[str, Outcome]:
    """Race over so many rows, twice in a process and once where that is long."""
    rounds = 2 if rows <= SIZES[2] else 1
    once = {name: replace(each, turns=1, rounds=rounds) for name, each in SWEPT.items()}
    found = race(rows, once.values())
    return {name: found[each] for name, each in once.items()}


def _figures(outcomes: Mapping[str, Outcome]) -> list[str]:
    floor, *ours = outcomes.values()
    return [
        *(each.failure or f"{each.seconds:.3g}" for each in outcomes.values()),
        *("–" if each.failure else ratio(each.seconds, floor.seconds or None) for each in ours),
        *("–" if each.failure else f"{each.mib:,.0f}" for each in outcomes.values()),
    ]
