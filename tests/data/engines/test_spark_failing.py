"""What is stopped, lost or too much for Spark: one sentence, and the next question is answered."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest

import sfumato as sf
from sfumato.data import open_source
from sfumato.errors import InputError
from tests.data.engines.test_spark_sessions import VISITS
from tests.patience import PATIENCE
from tests.spark import loaded, without_advice

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

pytestmark = pytest.mark.full

ROOT = Path(__file__).parents[3]


def wait(until: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not until() and time.monotonic() < end:
        time.sleep(0.05)


def test_ctrl_c_stops_the_jobs_on_the_cluster(spark: SparkSession) -> None:
    source = open_source(spark.range(10**13))
    tracker = spark.sparkContext.statusTracker()

    def interrupt() -> None:
        wait(tracker.getActiveJobsIds)
        os.kill(os.getpid(), signal.SIGINT)

    sender = Thread(target=interrupt)
    sender.start()
    total = source.table.id.sum()
    with pytest.raises(KeyboardInterrupt):
        source.fetch(source.table.aggregate(total=total))
    sender.join()
    wait(lambda: not tracker.getActiveJobsIds())
    assert not tracker.getActiveJobsIds()
    rows = open_source(loaded(spark, VISITS))
    assert rows.fetch(rows.table.aggregate(n=rows.table.count())).to_pydict() == {"n": [5]}


def test_a_data_frame_whose_files_are_gone_is_told_in_one_sentence(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = str(tmp_path / "visits")
    without_advice(lambda: loaded(spark, VISITS).write.parquet(path))
    table = sf.table(spark.read.parquet(path), unit="who")
    for each in Path(path).glob("*.parquet"):
        each.unlink()
    with pytest.raises(InputError, match=r"^Spark could not compute the table; ") as caught:
        table.agg(n=sf.count()).release(epsilon=1)
    assert path not in str(caught.value)


def test_ids_that_spark_writes_otherwise_are_refused_before_anything_is_charged(
    spark: SparkSession,
) -> None:
    frame = loaded(spark, VISITS).withColumnRenamed("paid", "id")
    table = sf.table(frame, unit="id", limits={"groups": 1, "rows": 1})
    question = table.group_by("ward").agg(n=sf.count())
    with pytest.raises(InputError, match=r"^Spark writes numbers with a point"):
        question.release(epsilon=1, delta=1e-6)


@pytest.mark.usefixtures("spark")
def test_a_cluster_ends_with_the_process_that_started_it() -> None:
    script = (
        "import sys\n"
        "from tests.spark import SparkCluster\n"
        "with SparkCluster.started() as cluster:\n"
        "    print(cluster.home, *cluster.processes.values(), flush=True)\n"
        "    sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as owner:
        assert owner.stdout
        home, *numbers = owner.stdout.readline().split()
        assert all(Path("/proc", each).exists() for each in numbers)
        owner.kill()
    wait(lambda: not Path(home).exists() and not any(map(is_running, numbers)))
    assert not Path(home).exists()
    assert not any(map(is_running, numbers))


def is_running(number: str) -> bool:
    try:
        state = Path("/proc", number, "stat").read_text().rsplit(") ", 1)[1][0]
    except FileNotFoundError:
        return False
    return state != "Z"
