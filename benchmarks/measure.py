"""Timing side by side: the contestants take turns, and the best of several rounds counts."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Clock = Callable[[Callable[[], Any]], tuple[Any, float]]

T = TypeVar("T")

RESULTS = Path(__file__).parent / "results"
OF_TIMES = "Ratios of times in one run; below 1 is faster than the other."


@dataclass
class Row:
    """One task: seconds by contestant; the first two are ours and the floor."""

    task: str
    seconds: dict[str, float] = field(default_factory=dict)


def timed(run: Callable[[], T]) -> tuple[T, float]:
    """Return a result and the seconds that it took, once."""
    started = time.perf_counter()
    result = run()
    return result, time.perf_counter() - started


def undisturbed(run: Callable[[], T]) -> tuple[T, float]:
    """Return a result and the lesser of its wall and processor seconds.

    On a busy machine a short call slips between the others' turns and a long one cannot, which
    would flatter the faster; the processor's clock does not run while others have their turn.
    """
    wall, processor = time.perf_counter(), time.process_time()
    result = run()
    return result, min(time.perf_counter() - wall, time.process_time() - processor)


def side_by_side(
    task: str,
    contestants: Mapping[str, Callable[[], Any]],
    *,
    rounds: int = 7,
    clock: Clock = timed,
) -> Row:
    """Time each contestant in turn, round after round, and keep the best time of each."""
    row = Row(task)
    for name, run in contestants.items():
        run()
        row.seconds[name] = float("inf")
    for _ in range(rounds):
        for name, run in contestants.items():
            row.seconds[name] = min(row.seconds[name], clock(run)[1])
    return row


def table(rows: Sequence[Row], *, ours: str, others: Sequence[str]) -> str:
    """Return a Markdown table: our time, and ours over each other's as a ratio."""
    lines = [["task", f"{ours} (ms)", *(f"{ours} / {other}" for other in others)]]
    for row in rows:
        mine = row.seconds[ours]
        ratios = [ratio(mine, row.seconds.get(other)) for other in others]
        lines.append([row.task, milliseconds(mine), *ratios])
    return markdown(lines)


def milliseconds(seconds: float) -> str:
    """Return a time in three digits."""
    shown = float(f"{seconds * 1e3:.3g}")
    return f"{shown:,.0f}" if shown >= 1e3 else f"{shown:.3g}"


def markdown(lines: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table; the first line is its header."""
    header, *body = lines
    ruled = [header, ["---"] * len(header), *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in ruled) + "\n"


def ratio(mine: float, other: float | None) -> str:
    """Return our time over another's, as a fraction where it is small; a dash where none is."""
    if other is None:
        return "–"
    share = mine / other
    return f"{share:.2f}" if share >= 0.01 else f"1/{other / mine:,.0f}"


def save(name: str, command: str, text: str, *, note: str = OF_TIMES) -> None:
    """Print a result, and keep it in a small file with the command that made it."""
    page = f"Made by `{command}`. {note}\n\n{text}"
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.md").write_text(f"# {name}\n\n{page}", encoding="utf-8")
    print(f"\n{name}\n\n{text}")
