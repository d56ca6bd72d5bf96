"""One race: everybody over the same rows, in turns, and what came of it as a table."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.groupby.asking import ask, better
from benchmarks.groupby.errors import median_errors
from benchmarks.groupby.rows import write_rows
from benchmarks.groupby.task import DECLARED, FLOOR, HOUSE, PEERS, PLAIN
from benchmarks.measure import markdown, ratio

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from benchmarks.groupby.asking import Outcome
    from benchmarks.groupby.errors import Figures
    from benchmarks.groupby.task import Contestant

    Outcomes = Mapping[Contestant, Outcome]

HEADER = [
    "seconds",
    "over the floor",
    "over sfumato, declared",
    "peak MiB",
    "error of count",
    "of sum",
    "of mean",
    "groups shown",
]


def race(rows: int, contestants: Iterable[Contestant]) -> dict[Contestant, Outcome]:
    """Return the best outcome of each contestant over so many rows."""
    found: dict[Contestant, Outcome] = {}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        write_rows(path, rows)
        for each in _in_turns(list(contestants)):
            print(f"{rows:,} rows: {each.label}", file=sys.stderr)
            outcome = ask(each, path)
            found[each] = better(found[each], outcome) if each in found else outcome
    return found


def sizes(rows: int) -> list[int]:
    """Return so many rows, and less and less of them until every peer can be asked."""
    least = min(peer.most_rows for peer in PEERS)
    return [rows] if rows <= least else [rows, *sizes(max(rows // 10, least))]


def everybody(rows: int) -> list[Contestant]:
    """Return ours, the floor, and the peers that can be asked about so many rows."""
    return [*HOUSE, *(peer for peer in PEERS if rows <= peer.most_rows)]


def race_table(rows: int, outcomes: Outcomes) -> str:
    """Return the table of a race."""
    truth = outcomes[PLAIN].answer or {}
    lines = [[each.label, *_line(outcomes, each, truth)] for each in outcomes]
    return markdown([[f"{rows:,} rows", *HEADER], *lines])


def _in_turns(contestants: list[Contestant]) -> Iterator[Contestant]:
    for turn in range(max(each.turns for each in contestants)):
        yield from (each for each in contestants if turn < each.turns)


def _line(outcomes: Outcomes, contestant: Contestant, truth: Figures) -> list[str]:
    outcome = outcomes[contestant]
    if outcome.answer is None:
        return [outcome.failure, *["–"] * (len(HEADER) - 1)]
    others = [ratio(outcome.seconds, outcomes[each].seconds or None) for each in (FLOOR, DECLARED)]
    errors = [f"{each:.2g}" for each in median_errors(outcome.answer, truth)]
    memory = f"{outcome.mib:,.0f}"
    return [f"{outcome.seconds:.3g}", *others, memory, *errors, str(len(outcome.answer))]
