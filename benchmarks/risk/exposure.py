"""k, l and t of 30,000, 300,000 and 3,000,000 people: five quasi-identifiers, one sensitive.

Ours and the floor are asked about the same Parquet file, which each has opened before.  The floor
is DuckDB with the fastest query that we know how to write by hand, for the one figure; ours has
l by entropy and by recursion and the classes by size besides.
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
from benchmarks.measure import Row, markdown, milliseconds, ratio, side_by_side
from benchmarks.risk.people import MAKE, QUASI, SENSITIVE
from sfumato.data import open_source
from sfumato.risk import k_anonymity, l_diversity, t_closeness

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.data import Source

SIZES = {1: 25, 30_000: 25, 300_000: 11, 3_000_000: 5}
OURS, BARE, PEER = "sfumato", "bare DuckDB", "pycanon"
LIMIT, LONG = 300, 60
BY_HAND = {
    "k": """
        SELECT min(n) FROM (
            SELECT count(*) AS n FROM people GROUP BY age, sex, zip, smoker, education
        )""",
    "l": """
        SELECT min(n) FROM (
            SELECT count(*) AS n
            FROM (SELECT DISTINCT age, sex, zip, smoker, education, diagnosis FROM people)
            GROUP BY age, sex, zip, smoker, education
        )""",
    "t": """
        WITH cells AS MATERIALIZED (
                SELECT age, sex, zip, smoker, education, diagnosis, count(*) AS n
                FROM people GROUP BY ALL
            ),
            whole AS (SELECT diagnosis, sum(n) AS s FROM cells GROUP BY ALL),
            classes AS (
                SELECT age, sex, zip, smoker, education, sum(n) AS size FROM cells GROUP BY ALL
            )
        SELECT max(t) FROM (
            SELECT sum(greatest(0, n / size - s / (SELECT sum(n) FROM cells))) AS t
            FROM cells
                JOIN classes USING (age, sex, zip, smoker, education)
                JOIN whole USING (diagnosis)
            GROUP BY age, sex, zip, smoker, education
        )""",
}


def measured() -> str:
    """Return the table of all sizes, with what a query costs us on a single row."""
    lines = [["figure", "people", f"{OURS} (ms)", f"{OURS} / {BARE}", f"{OURS} / {PEER}"]]
    slow: set[str] = set()
    for rows, rounds in SIZES.items():
        for figure, row in _race(rows, rounds, slow):
            mine = row.seconds[OURS]
            others = [ratio(mine, row.seconds.get(name)) for name in (BARE, PEER)]
            lines.append([figure, f"{rows:,}", milliseconds(mine), *others])
    peer = f"pycanon {_peer()[1] or 'is not installed'}"
    return markdown(lines) + "\n" + _NOTE.format(peer=peer, long=LONG, limit=LIMIT)


_NOTE = """\
The table of one person shows what a question costs before any row is read: Ibis writes its SQL.
That is the same for every size, and the greater part of the time up to some 100,000 people.
The floor of l counts distinct values alone; ours has l by entropy and by recursion from one query.
{peer}, asked once; it is not asked about a larger table where one took over {long} s, and is given
up after {limit} s.  All three agree on every figure.
"""


def _race(rows: int, rounds: int, slow: set[str]) -> list[tuple[str, Row]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.parquet"
        with duckdb.connect() as connection:
            connection.execute("SELECT setseed(0.5)")
            connection.execute(MAKE.format(rows=rows, path=path))
            connection.execute(f"CREATE VIEW people AS SELECT * FROM '{path}'")  # noqa: S608
            source = open_source(path)
            found = []
            for figure in BY_HAND:
                contestants = {
                    OURS: partial(_ours(figure), source),
                    BARE: partial(_by_hand, connection, figure),
                }
                row = side_by_side(f"{figure}, {rows:,} people", contestants, rounds=rounds)
                answers = [each() for each in contestants.values()]
                if rows > 1 and figure not in slow:
                    answers += _ask_peer(figure, path, row, slow)
                _check(row.task, answers)
                found.append((figure, row))
            return found


def _ours(figure: str) -> Callable[[Source], float]:
    asked: dict[str, Callable[[Source], float]] = {
        "k": lambda source: k_anonymity(source, quasi=QUASI).k,
        "l": lambda source: l_diversity(source, quasi=QUASI, sensitive=SENSITIVE).distinct,
        "t": lambda source: t_closeness(source, quasi=QUASI, sensitive=SENSITIVE).t,
    }
    return asked[figure]


def _by_hand(connection: duckdb.DuckDBPyConnection, figure: str) -> float:
    found: list[tuple[Any, ...]] = connection.execute(BY_HAND[figure]).fetchall()
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
