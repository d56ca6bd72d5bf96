"""Adult generalised until k = 5: `python -m benchmarks.risk.generalising [FOLDER]`.

The folder has `adult.csv` (30,162 rows) and the hierarchies of its eight quasi-identifiers, as
distributed with ARX.  Ours begins with an opened file and ends with an Arrow table in memory; the
floor is the one query that must be asked at least, a GROUP BY over the eight columns, by hand in
DuckDB.  Peers answer once, in interpreters of their own:
`SFUMATO_PEERS=FOLDER/bin/python python -m benchmarks.risk.generalising`.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from subprocess import TimeoutExpired
from typing import TYPE_CHECKING, Any

import duckdb

from benchmarks.interpreters import ROOT, interpreters, run, version
from benchmarks.measure import markdown, milliseconds, save, timed
from benchmarks.risk.generalising_peer import LEAST, QUASI
from sfumato.data import open_source
from sfumato.risk import anonymize, read_hierarchy
from sfumato.risk.exposed import read_exposed
from sfumato.risk.generalising.cells import read_cells
from sfumato.risk.generalising.ladders import build_ladder
from sfumato.risk.generalising.lattice import Lattice
from sfumato.risk.generalising.partition import Targets

if TYPE_CHECKING:
    from sfumato.data import Source
    from sfumato.risk import Losses
    from sfumato.risk.generalising.search import Method

DEFAULT = ROOT.parent / "shared" / "data" / "adult"
COMMAND = "python -m benchmarks.risk.generalising"
ROUNDS, LIMIT = 3, 600
METHODS: tuple[Method, ...] = ("optimal", "heuristic", "mondrian")
PEERS = (("anjana", 0.0), ("anjana", 0.04), ("anonypy", 0.0))


@dataclass(frozen=True)
class Made:
    """What one contestant made."""

    title: str
    share: float
    seconds: float
    left_out: int
    losses: Losses | None
    sizes: tuple[int, ...] = ()
    note: str = ""


def main(folder: Path = DEFAULT) -> None:
    """Measure, print and save."""
    if not Path(folder, "adult.csv").exists():
        sys.exit(f"there is no adult.csv in {folder}; name the folder that has it")
    source = open_source(Path(folder, "adult.csv"))
    floor = _floor(Path(folder, "adult.csv"))
    ours = [_ours(source, folder, *each) for each in _tasks()]
    others = [made for each in PEERS if (made := _peer(source, folder, *each)) is not None]
    header = ["by", "may leave out", "ms", "/ bare GROUP BY", "left out", "bits lost"]
    header += ["discernibility", "average class size / k", ""]
    lines = [header, *(_line(made, floor) for made in (*ours, *others))]
    bare = f"The bare GROUP BY took {milliseconds(floor)} ms.\n"
    save("generalising", COMMAND, f"{markdown(lines)}\n{bare}")


def _tasks() -> list[tuple[Method, float]]:
    return [(method, share) for method in METHODS for share in (0.0, 0.04)][:-1]


def _floor(path: Path) -> float:
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE adult AS FROM read_csv('{path}', all_varchar=true)")
    columns = ", ".join(f'"{name}"' for name in QUASI)
    query = f"SELECT {columns}, count(*) FROM adult GROUP BY ALL"  # noqa: S608
    return min(timed(lambda: connection.sql(query).to_arrow_table())[1] for _ in range(9))


def _ours(source: Source, folder: Path, method: Method, share: float) -> Made:
    # Mondrian cuts numbers by itself.
    named = [name for name in QUASI if method != "mondrian" or name != "age"]
    given = {name: read_hierarchy(folder / f"adult_hierarchy_{name}.csv") for name in named}

    def make() -> Any:
        found = anonymize(
            source, quasi=QUASI, k=LEAST, hierarchies=given, suppression=share, method=method
        )
        return found, found.to_arrow()

    runs = [timed(make) for _ in range(ROUNDS)]
    (found, _), seconds = min(runs, key=lambda each: each[1])
    search = found.search
    looked = f"{search.checked:,} of {search.ways:,} looked at" if search.ways else ""
    note = f"proved the best, {looked}" if search.proved else looked
    title = f"sfumato, {method}"
    return Made(title, share, seconds, found.suppressed, found.losses, note=note)


def _peer(source: Source, folder: Path, name: str, share: float) -> Made | None:
    """Return what a peer made; its losses are measured as ours are, where it has levels."""
    found = [(each, version(name, each)) for each in interpreters()]
    place, number = next(((each, number) for each, number in found if number), ("", ""))
    if not number:
        return None
    module = "benchmarks.risk.generalising_peer"
    try:
        done = run(place, "-m", module, name, str(folder), str(share), limit=LIMIT)
    except TimeoutExpired:
        return None
    answer = json.loads(done.stdout.splitlines()[-1])
    sizes = tuple(answer["sizes"])
    title = f"{name} {number}"
    if not answer["labels"]:
        return Made(title, share, answer["seconds"], 0, None, sizes)
    node = _node(source, folder, answer["labels"], share)
    return Made(title, share, answer["seconds"], node.left_out, node.losses, sizes)


def _node(source: Source, folder: Path, labels: dict[str, list[str]], share: float) -> Any:
    """Return the node of the lattice that has the labels a peer made."""
    cells = read_cells(read_exposed(source, quasi=QUASI))
    ladders = [
        build_ladder(
            each.name,
            each.values.to_pylist(),
            read_hierarchy(folder / f"adult_hierarchy_{each.name}.csv"),
        )
        for each in cells.columns
    ]
    point = tuple(
        next(
            level
            for level, rung in enumerate(ladder.rungs)
            if set(labels[ladder.column]) <= set(rung.labels)
        )
        for ladder in ladders
    )
    return Lattice(cells, ladders, Targets(LEAST), int(share * cells.rows)).check(point)


def _line(made: Made, floor: float) -> list[str]:
    rows = sum(made.sizes)
    bits = "–" if made.losses is None else f"{made.losses.entropy_share:.2%}"
    if made.losses is None:
        squares, average = sum(each * each for each in made.sizes), rows / len(made.sizes) / LEAST
    else:
        squares, average = made.losses.discernibility, made.losses.average_class_size
    return [
        made.title,
        f"{made.share:.0%}",
        milliseconds(made.seconds),
        f"{made.seconds / floor:,.0f}",
        f"{made.left_out:,}",
        bits,
        f"{squares:,}",
        f"{average:.4g}",
        made.note,
    ]


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
