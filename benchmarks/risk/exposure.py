"""k, l and t of 30,000, 300,000 and 3,000,000 people: five quasi-identifiers, one sensitive.

Ours and the floor are asked about the same Parquet file, which each has opened before.  The floor
is DuckDB with GROUP BYs written by hand, of several the fastest for the size.  Like ours,
that of l has l by distinct values, by entropy and by recursion; another line sets ours against a
count of distinct values alone.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from benchmarks.interpreters import interpreters, run, version
from benchmarks.measure import Row, markdown, milliseconds, ratio, side_by_side, timed
from benchmarks.risk.by_hand import BY_HAND
from benchmarks.risk.people import MAKE, QUASI, SENSITIVE
from sfumato.data import open_source
from sfumato.risk import k_anonymity, l_diversity, t_closeness

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.data import Source

SIZES = {1: 25, 30_000: 25, 300_000: 11, 3_000_000: 5}
OURS, BARE, PEER, FIRST = "sfumato", "bare DuckDB", "pycanon", "first"
PEER_FIGURES = ("k", "l", "t")
LIMIT, LONG = 300, 60
_OPENINGS = 5


def measured() -> str:
    """Return the table of all sizes, with what a query costs us on a single row."""
    head = [f"{OURS} (ms)", f"{OURS} / {BARE}", f"{OURS} / {PEER}", "asked first (ms)"]
    lines = [["figure", "people", *head]]
    slow: set[str] = set()
    for rows, rounds in SIZES.items():
        for figure, row in _race(rows, rounds, slow):
            mine = row.seconds[OURS]
            others = [ratio(mine, row.seconds.get(name)) for name in (BARE, PEER)]
            first = milliseconds(row.seconds[FIRST])
            lines.append([figure, f"{rows:,}", milliseconds(mine), *others, first])
    peer = f"pycanon {_peer()[1] or 'is not installed'}"
    return markdown(lines) + "\n" + _NOTE.format(peer=peer, long=LONG, limit=LIMIT)


_NOTE = """\
Ours and the floor are asked again and again, with their SQL written.  Asked first: what a question
takes that was not asked of the opened file before.  Ibis writes its SQL then, which takes what the
table of one person shows; the rest is DuckDB's, which has not seen the file before, either.
The floor of l has the same figures as ours; "distinct alone" is ours against a count of distinct
values, without entropy, the commonest value and the rows that have one value only.
{peer}, asked once; it is not asked about a larger table where one took over {long} s, and is given
up after {limit} s.  All agree on every figure.
"""


def _race(rows: int, rounds: int, slow: set[str]) -> list[tuple[str, Row]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.parquet"
        with duckdb.connect() as connection:
            connection.execute("SELECT setseed(0.5)")
            connection.execute(MAKE.format(rows=rows, path=path))
            connection.execute(f"CREATE VIEW people AS SELECT * FROM '{path}'")  # noqa: S608
            found = []
            for figure in BY_HAND:
                row, answers = _timed(figure, path, connection, rounds)
                if rows > 1 and figure in PEER_FIGURES and figure not in slow:
                    answers += _ask_peer(figure, path, row, slow)
                _check(f"{figure} of {rows:,} people", answers)
                found.append((figure, row))
            return found


def _timed(
    figure: str, path: Path, connection: duckdb.DuckDBPyConnection, rounds: int
) -> tuple[Row, list[float]]:
    """Return the seconds of ours and of the fastest query by hand, and what all of them answer."""
    by_hand = {
        f"{BARE} {number}": partial(_by_hand, connection, query)
        for number, query in enumerate(BY_HAND[figure])
    }
    contestants = {OURS: partial(_ours(figure), open_source(path)), **by_hand}
    row = side_by_side(figure, contestants, rounds=rounds)
    row.seconds[BARE] = min(row.seconds[each] for each in by_hand)
    row.seconds[FIRST] = min(_first(figure, path) for _ in range(_OPENINGS))
    return row, [each() for each in contestants.values()]


def _ours(figure: str) -> Callable[[Source], float]:
    asked: dict[str, Callable[[Source], float]] = {
        "k": lambda source: k_anonymity(source, quasi=QUASI).k,
        "l": lambda source: l_diversity(source, quasi=QUASI, sensitive=SENSITIVE).distinct,
        "t": lambda source: t_closeness(source, quasi=QUASI, sensitive=SENSITIVE).t,
    }
    return asked[figure[0]]


def _first(figure: str, path: Path) -> float:
    """Return the seconds that a question takes which nobody asked of the opened table before."""
    return timed(partial(_ours(figure), open_source(path)))[1]


def _by_hand(connection: duckdb.DuckDBPyConnection, query: str) -> float:
    found: list[tuple[Any, ...]] = connection.execute(query).fetchall()
    return float(found[0][0])


def _ask_peer(figure: str, path: Path, row: Row, slow: set[str]) -> list[float]:
    """Add the seconds of pycanon to a row, and return its answer, if there is one."""
    place, _ = _peer()
    if not place:
        return []
    try:
        done = run(place, "-m", "benchmarks.risk.pycanon_peer", figure, str(path), limit=LIMIT)
    except subprocess.TimeoutExpired:
        slow.add(figure)
        return []
    if done.returncode:
        sys.exit(f"pycanon did not answer: {done.stderr.strip().splitlines()[-1]}")
    told = json.loads(done.stdout)
    row.seconds[PEER] = told["seconds"]
    if told["seconds"] > LONG:
        slow.add(figure)
    return [told["answer"]]


@cache
def _peer() -> tuple[str, str]:
    """Return the first interpreter that has pycanon, and its version."""
    found = ((place, version("pycanon", place)) for place in interpreters())
    return next(((place, each) for place, each in found if each), ("", ""))


def _check(task: str, answers: list[float]) -> None:
    if not all(math.isclose(each, answers[0], abs_tol=1e-9) for each in answers):
        message = f"{task}: the contestants disagree: {answers}"
        raise AssertionError(message)
