"""Exact noise beside numpy's inexact noise, and beside OpenDP, diffprivlib, Tumult and python-dp.

The peers answer in interpreters of their own, as for the accountants:
`SFUMATO_PEERS=one/bin/python:two/bin/python python -m benchmarks noise`.
A peer that is installed beside sfumato needs no name; one that is nowhere is left out.
"""

from __future__ import annotations

import os
import secrets
import statistics
import tracemalloc
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.measure import markdown, save, side_by_side, timed, undisturbed
from benchmarks.noises import floor, ours
from benchmarks.noises.asking import PEERS, Peer, measured_peers
from benchmarks.noises.first import first_in_a_process
from benchmarks.noises.noise import NOISES, SHAPES, SINGLE, Noise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Speeds = Mapping[Noise, Mapping[str, float | str]]

DRAWS = 10_000_000
ROUNDS = 5
SINGLES = 2001
SIZES = (1_000_000, 10_000_000, 100_000_000)
FLOOR, ROUNDED, SAMPLER, MECHANISM = "numpy", "numpy, rounded", "sampler", "mechanism"
#: The least speed over numpy's, by kind and distribution.
TARGETS = {
    ("integer", "Laplace"): 1.2,
    ("integer", "Gaussian"): 0.8,
    ("real", "Laplace"): 0.6,
    ("real", "Gaussian"): 0.4,
}
#: The most microseconds that a single release should take.
SINGLE_TARGET = 50
MIB = 1 << 20
COMMAND = "SFUMATO_PEERS=PYTHON:PYTHON python -m benchmarks noise"
NOTE = "Speeds are compared in one run; above 1 is faster than the other."
NOTES = f"""\
Ours and numpy's draw {DRAWS:,} numbers in turns, {ROUNDS} rounds; the best round of each counts.
Of the wall clock and the processor's clock the lesser counts: other work does not slow a long call.
For whole noise, numpy draws bare floats (the floor), or rounds them to 64-bit integers.
For reals, numpy adds its noise to the same values; our mechanisms add theirs, whole or real.
Peers draw vectors for about a third of a second, the best of three, without building their objects.
"""


def speeds(noise: Noise) -> dict[str, float | str]:
    """Return the draws a second of ours and numpy's."""
    values = ours.values(noise, DRAWS)
    contestants: dict[str, Callable[[], Any]] = {
        FLOOR: floor.raw(noise, values),
        SAMPLER: partial(ours.sampler(noise), noise.scale, values),
        MECHANISM: partial(ours.mechanism(noise, DRAWS).release, values),
    }
    if noise.is_whole:
        contestants[ROUNDED] = floor.rounded(noise, values)
    row = side_by_side(str(noise), contestants, rounds=ROUNDS, clock=undisturbed)
    return {name: DRAWS / seconds for name, seconds in row.seconds.items()}


def race(peers: Sequence[Peer]) -> Speeds:
    """Return the draws a second of every contestant, or why there are none."""
    return {noise: speeds(noise) | _peers_speeds(noise, peers) for noise in NOISES}


def speed_table(found: Speeds, names: Sequence[str]) -> str:
    """Return the table of million draws a second."""
    rows = [
        [str(noise), *(_million(by_name.get(name)) for name in names)]
        for noise, by_name in found.items()
    ]
    return markdown([["million draws a second", *names], *rows])


def floor_table(found: Speeds, names: Sequence[str]) -> str:
    """Return the table of speeds over numpy's."""
    rows = [
        [
            str(noise),
            f"≥ {TARGETS[noise.shape]:g}",
            *(_times(by_name.get(name), by_name[FLOOR]) for name in names),
        ]
        for noise, by_name in found.items()
    ]
    return markdown([["speed over numpy's", "target for ours", *names], *rows])


def peer_table(found: Speeds, names: Sequence[str]) -> str:
    """Return the table of our mechanism's speed over each peer's."""
    rows = [
        [str(noise), *(_times(by_name[MECHANISM], by_name[name]) for name in names)]
        for noise, by_name in found.items()
    ]
    return markdown([["mechanism's speed over that of", *names], *rows])


def single_table(peers: Sequence[Peer]) -> str:
    """Return the table of the median microseconds that one number takes."""
    rows = []
    for noise in SINGLE:
        mine, coin = _medians(
            partial(ours.mechanism(noise).release, 42 if noise.is_whole else 42.0),
            partial(secrets.randbelow, 1 << 64),
        )
        theirs = [_microseconds(peer.seconds("single", noise)) for peer in peers]
        ratio = f"{mine / coin:.1f}"
        rows.append([str(noise), _microseconds(mine), f"< {SINGLE_TARGET}", ratio, *theirs])
    timed_as = ["ours", "target", "ours / secrets.randbelow(2**64)"]
    return markdown(
        [["median µs of one release", *timed_as, *(peer.label for peer in peers)], *rows]
    )


def memory_table() -> str:
    """Return the table of the most memory beside the output while so many are drawn."""
    rows = []
    for shape in SHAPES:
        noise = Noise(*shape, 10)
        values = ours.values(noise, max(SIZES))
        runs = {
            SAMPLER: partial(ours.sampler(noise), noise.scale),
            MECHANISM: ours.mechanism(noise, max(SIZES)).release,
        }
        for name, run in runs.items():
            extra = [f"{_extra_mib(run, values[:size]):.1f}" for size in SIZES]
            rows.append([f"{noise}, {name}", *extra])
    outputs = [f"{size:,} draws ({8 * size / MIB:,.0f} MiB)" for size in SIZES]
    return markdown([["peak MiB beside the output", *outputs], *rows])


def first_table() -> str:
    """Return the table of the milliseconds of a first draw at a scale, and of the next."""
    rows = []
    for noise in NOISES:
        draw, values = ours.sampler(noise), ours.values(noise, 1)
        scales = [noise.scale + Fraction(1, 1000 + step) for step in range(7)]
        times = [[undisturbed(partial(draw, at, values))[1] for at in scales] for _ in range(2)]
        medians = [first_in_a_process(noise), *map(statistics.median, times)]
        rows.append([str(noise), *(f"{each * 1e3:.3g}" for each in medians)])
    said = ["the first in a process", "the first at another scale", "the next"]
    return markdown([["ms of one draw", *said], *rows])


def main() -> None:
    """Measure, print and save."""
    machine = _machine()
    peers = measured_peers()
    found = race(peers)
    mine, theirs = [SAMPLER, MECHANISM, ROUNDED], [peer.label for peer in peers]
    parts = [
        NOTES + machine + _present(peers),
        floor_table(found, [*mine, *theirs]),
        speed_table(found, [FLOOR, *mine, *theirs]),
        peer_table(found, theirs),
        single_table(peers),
        first_table(),
        memory_table(),
    ]
    save("noise", COMMAND, "\n".join(parts), note=NOTE)


def _peers_speeds(noise: Noise, peers: Iterable[Peer]) -> dict[str, float | str]:
    found = {peer.label: peer.seconds("vector", noise) for peer in peers}
    return {label: time if isinstance(time, str) else 1 / time for label, time in found.items()}


def _medians(*runs: Callable[[], Any]) -> list[float]:
    """Return the median seconds of calls that take turns."""
    times: list[list[float]] = [[timed(run)[1] for run in runs] for _ in range(SINGLES)]
    return [statistics.median(each) for each in zip(*times, strict=True)]


def _extra_mib(run: Callable[[Any], Any], values: Any) -> float:
    run(values[:1])
    tracemalloc.start()
    output = run(values)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return (peak - 8 * len(getattr(output, "value", output))) / MIB


def _million(speed: float | str | None) -> str:
    return speed or "–" if isinstance(speed, str | None) else f"{speed / 1e6:.3g}"


def _times(speed: float | str | None, other: float | str) -> str:
    if isinstance(speed, str | None) or isinstance(other, str):
        return "–"
    share = speed / other
    if share < 0.01:
        return f"1/{1 / share:,.0f}"
    return f"{share:.2f}" if share < 100 else f"{share:,.0f}"


def _microseconds(seconds: float | str) -> str:
    return seconds if isinstance(seconds, str) else f"{seconds * 1e6:.3g}"


def _machine() -> str:
    return f"Processors: {os.cpu_count()}; load when the run began: {os.getloadavg()[0]:.1f}.\n"


def _present(peers: Sequence[Peer]) -> str:
    labels = [peer.label for peer in peers]
    missing = [package for package in PEERS if not any(each.startswith(package) for each in labels)]
    here = f"Peers: {', '.join(labels) or 'none'}."
    return f"{here} Not found: {', '.join(missing)}.\n" if missing else f"{here}\n"
