"""A Spark cluster of one's own: temporary, on the loopback only, gone when its owner is.

One master and two workers, each a process.  It needs no pytest, so that benchmarks can use it
too: `with SparkCluster.started() as cluster, cluster.session() as session: ...`.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from tests.postgres import HOST, free_port

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyspark.sql import SparkSession

INSTALL = "apt-get install openjdk-17-jre-headless, and pip install 'sfumato[spark]'"
WORKERS = 2
# Waits for a line, or for the death of the process that would write it, and clears up either way.
KEEPER = """
read -r line
for each in "$0"/processes/*; do kill -9 -- "-${each##*/}" 2>/dev/null; done
for _ in 1 2 3 4 5; do rm -rf "$0" 2>/dev/null && break; sleep 0.2; done
"""
QUIET = """
rootLogger.level = off
rootLogger.appenderRef.none.ref = none
appender.none.type = Console
appender.none.name = none
appender.none.layout.type = PatternLayout
"""
SETTINGS = {
    "spark.cores.max": str(WORKERS),
    "spark.default.parallelism": "2",
    "spark.driver.bindAddress": HOST,
    "spark.driver.host": HOST,
    "spark.driver.memory": "768m",
    "spark.executor.cores": "1",
    "spark.executor.extraJavaOptions": "-XX:+UseSerialGC",
    "spark.executor.memory": "768m",
    "spark.sql.catalogImplementation": "in-memory",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


def can_start() -> bool:
    """Whether there are Java and Spark's own programs."""
    return shutil.which("java") is not None and find_spec("pyspark") is not None


@dataclass(frozen=True)
class SparkCluster:
    """The folder of a cluster, with its logs and the numbers of its processes, and its port."""

    home: Path
    port: int

    @classmethod
    @contextmanager
    def started(cls) -> Iterator[SparkCluster]:
        """A running cluster, stopped and removed at the end, also where we are killed before."""
        home = Path(tempfile.mkdtemp(prefix="sfumato-spark-"))
        cluster = cls(home, free_port())
        with cluster._kept():
            for folder in ("processes", "conf", "logs", "work", "local", "warehouse"):
                (home / folder).mkdir()
            (home / "conf" / "log4j2.properties").write_text(QUIET, encoding="utf-8")
            cluster._start_all()
            yield cluster

    @property
    def url(self) -> str:
        return f"spark://{HOST}:{self.port}"

    @property
    def processes(self) -> dict[str, int]:
        """The number of each process that was started: "master", "worker0", "worker1"."""
        marks = (self.home / "processes").iterdir()
        return {mark.read_text("utf-8"): int(mark.name) for mark in marks}

    @contextmanager
    def session(self, settings: Mapping[str, str] | None = None) -> Iterator[SparkSession]:
        """A driver's session on the cluster; there can be one at a time in a process."""
        from pyspark.sql import SparkSession

        before = dict(os.environ)
        os.environ.update(self.environment)
        try:
            builder = SparkSession.builder.master(self.url).appName("sfumato")
            session = builder.config(map={**self._settings, **(settings or {})}).getOrCreate()
        finally:
            os.environ.clear()
            os.environ.update(before)
        try:
            yield session
        finally:
            session.stop()

    @property
    def environment(self) -> dict[str, str]:
        """What the processes of the cluster and its drivers find in their environment."""
        import pyspark

        return {
            "SPARK_HOME": str(Path(pyspark.__file__).parent),
            "SPARK_CONF_DIR": str(self.home / "conf"),
            "SPARK_LOCAL_IP": HOST,
            "SPARK_LOCAL_DIRS": str(self.home / "local"),
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
        }

    @property
    def _settings(self) -> dict[str, str]:
        return {**SETTINGS, "spark.sql.warehouse.dir": str(self.home / "warehouse")}

    def _start_all(self) -> None:
        where = ("--host", HOST, "--webui-port", "0")
        self._start("master", "master.Master", *where, "--port", str(self.port))
        self._wait_for_master(60)
        for place in range(WORKERS):
            room = ("--cores", "4", "--memory", "4g", "--work-dir", str(self.home / "work"))
            self._start(f"worker{place}", "worker.Worker", *where, *room, self.url)

    def _start(self, name: str, program: str, *arguments: str) -> None:
        environment = {**os.environ, **self.environment}
        command = Path(environment["SPARK_HOME"]) / "bin" / "spark-class"
        with (self.home / "logs" / name).open("wb") as log:
            process = subprocess.Popen(
                [command, f"org.apache.spark.deploy.{program}", *arguments],
                cwd=self.home,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        (self.home / "processes" / str(process.pid)).write_text(name, encoding="utf-8")

    def _wait_for_master(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not self._listens():
            if time.monotonic() > end:
                raise TimeoutError(f"no master on port {self.port} after {seconds} seconds")
            time.sleep(0.05)

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex((HOST, self.port)) == 0

    @contextmanager
    def _kept(self) -> Iterator[None]:
        """Have a process of its own end the cluster and remove its files, if we are killed too."""
        command = ["sh", "-c", KEEPER, str(self.home)]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, text=True, start_new_session=True, cwd="/"
        ) as keeper:
            try:
                yield
            finally:
                keeper.communicate("\n")
