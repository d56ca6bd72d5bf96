"""A release on two workers of Spark, of which one is killed in the middle; a program of its own.

`python -m tests.tables.engines.large FOLDER ROWS` writes a Parquet file of so many rows, computed
by arithmetic, asks DuckDB and Spark the same of it, kills a worker, asks once more, and prints
what came out as JSON, a line for each engine.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import sfumato as sf
from sfumato.ledger import Ledger
from sfumato.sampling import SeededSource
from tests.spark import SparkCluster

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: Rows that are read together: of 400,000, each of the eight parts of a stage has some.
PIECE = 50_000
#: From so many rows on, Java's best compiler is worth its while.
MANY = 10_000_000
#: How often the killer may find that a stage is over, where the machine is busy.
ATTEMPTS = 5
WARDS = ("A", "B", "C", "D")
EPSILON = 1
SEED = 8


def written(folder: Path, rows: int) -> Path:
    """A file of rows: who, ward, paid and a number of 62 bits, none of them drawn."""
    path = folder / "visits.parquet"
    kinds = [("who", pa.int64()), ("ward", pa.string()), ("paid", pa.float64()), ("n", pa.int64())]
    schema = pa.schema(kinds)
    with pq.ParquetWriter(path, schema, compression="none", use_dictionary=False) as writer:
        for start in range(0, rows, PIECE):
            writer.write_table(piece(np.arange(start, min(start + PIECE, rows)), rows, schema))
    return path


def piece(place: Any, rows: int, schema: pa.Schema) -> pa.Table:
    people = rows // 40 + 1
    wide = (place.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(2)
    ward = pa.array(np.array(WARDS)[(place // 7) % len(WARDS)])
    columns = [(place * 7919) % people, ward, (place * 104_729 % 100_003) / 7, wide.view(np.int64)]
    return pa.table([pa.array(each) for each in columns], schema=schema)


def released(data: Any, folder: Path, name: str) -> dict[str, Any]:
    """What a release of the rows gives, how long it took, and what the ledger says of it."""
    place = {"path": str(folder / f"{name}.db"), "book": "visits", "analyst": "ada"}
    declared = {"unit": "who", "bounds": {"paid": (0, 20_000), "n": (0, 2**62)}}
    table = sf.table(
        data, **declared, keys={"ward": list(WARDS)}, limits={"rows": 30}, ledger=place
    )
    budget = sf.PureDP(epsilon=10, relation=table.relation)
    with Ledger.create(place["path"], key=folder / f"{name}.pem") as ledger:
        ledger.add_book("visits", budget)
    asked = table.group_by("ward").agg(rows=sf.count(), paid=sf.mean("paid"), n=sf.sum("n"))
    start = time.monotonic()
    answer = asked.release(epsilon=EPSILON, source=SeededSource(SEED))
    seconds = time.monotonic() - start
    with Ledger.open(place["path"]) as ledger:
        kinds = [entry.kind for entry in ledger.book("visits").entries()]
    return {"answer": answer.to_arrow().to_pylist(), "ledger": kinds, "seconds": seconds}


def kill_in_the_middle(session: SparkSession, cluster: SparkCluster, killed: list[float]) -> None:
    """Kill a worker and its executors as soon as some tasks of a stage are done."""
    tracker, start = session.sparkContext.statusTracker(), time.monotonic()
    while not killed:
        stages = map(tracker.getStageInfo, tracker.getActiveStageIds())
        if any(each is not None and 0 < each.numCompletedTasks < each.numTasks for each in stages):
            os.killpg(cluster.processes["worker1"], signal.SIGKILL)
            killed.append(time.monotonic() - start)
        time.sleep(0.01)


def main(folder: Path, rows: int) -> None:
    path = written(folder, rows)
    size = path.stat().st_size
    tell(bytes=size, duckdb=released(path, folder, "duckdb"))
    settings = {"spark.sql.files.maxPartitionBytes": str(size // 8)}
    if rows >= MANY:
        settings["spark.executor.extraJavaOptions"] = "-XX:+UseSerialGC"
    with SparkCluster.started() as cluster, cluster.session(settings) as session:
        visits = session.read.parquet(str(path))
        tell(spark=released(visits, folder, "spark"))
        for attempt in range(ATTEMPTS):
            killed: list[float] = []
            murder = Thread(target=kill_in_the_middle, args=(session, cluster, killed), daemon=True)
            murder.start()
            found, in_time = released(visits, folder, f"killed {attempt}"), killed[:1]
            killed.append(0.0)
            murder.join()
            if in_time:
                break
        tell(killed=found, killed_after=in_time)


def tell(**found: Any) -> None:
    """Print what is known so far, a line at a time."""
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
