"""A Spark cluster of one's own: temporary, on the loopback only, gone when its owner is.

One master and two workers, each a process.  It needs no pytest, so that benchmarks can use it
too: `with SparkCluster.started() as cluster, cluster.session() as session: ...`.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
import subprocess
import tempfile
import time
import warnings
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.patience import PATIENCE
from tests.postgres import HOST, own_port

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

INSTALL = "apt-get install openjdk-17-jre-headless, and pip install 'sfumato[spark]'"
WORKERS = 2
#: What was started here and is ended by the keeper, which nobody waits for.
STARTED: list[subprocess.Popen[bytes]] = []
# Waits until no process uses the cluster any more, be it that it was killed, and clears up.
KEEPER = """
flock --exclusive "$0/users" true
for each in "$0"/processes/*; do kill -s KILL -- "-${each##*/}" 2>/dev/null; done
for _ in 1 2 3 4 5; do rm -rf "$0" 2>/dev/null && break; sleep 0.2; done
"""
# Made for programs that end soon: little is compiled, and Spark's own classes are not verified.
JAVA = (
    "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 "
    "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
)
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
    "spark.driver.extraJavaOptions": JAVA,
    "spark.executor.extraJavaOptions": JAVA,
    "spark.executor.memory": "768m",
    "spark.sql.catalogImplementation": "in-memory",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


def can_start() -> bool:
    """Whether there are Java and Spark's own programs."""
    return shutil.which("java") is not None and find_spec("pyspark") is not None


def loaded(session: SparkSession, rows: pa.Table) -> DataFrame:
    """A table of Arrow as a data frame, its dates and times taken for UTC."""
    frame: DataFrame = without_advice(lambda: session.createDataFrame(in_utc(rows)))
    return frame


def in_utc(rows: pa.Table) -> pa.Table:
    import pyarrow as pa

    def kind(given: pa.DataType) -> pa.DataType:
        return pa.timestamp("us", "UTC") if pa.types.is_timestamp(given) else given

    return rows.cast(pa.schema([(each.name, kind(each.type)) for each in rows.schema]))


def without_advice(action: Callable[[], Any]) -> Any:
    """Do something with PySpark, which has advice about the version of pandas."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return action()


@dataclass(frozen=True)
class SparkCluster:
    """The folder of a cluster, with its logs and the numbers of its processes, and its port."""

    home: Path
    port: int

    @classmethod
    @contextmanager
    def started(cls) -> Iterator[SparkCluster]:
        """A running cluster, stopped and removed when the block ends, also by our death."""
        with own_port() as port:
            cluster = cls(Path(tempfile.mkdtemp(prefix="sfumato-spark-")), port)
            with cluster._used():
                cluster._start_all()
                yield cluster

    @classmethod
    @contextmanager
    def shared(cls, folder: Path) -> Iterator[SparkCluster]:
        """The one cluster of all processes that name the same folder, gone when the last is."""
        with ExitStack() as until_the_end:
            with (folder / "spark.lock").open("w") as turn:
                fcntl.flock(turn, fcntl.LOCK_EX)
                mark = folder / "spark.cluster"
                if mark.exists():
                    home, port = mark.read_text("utf-8").split("\n")
                    cluster = cls(Path(home), int(port))
                    until_the_end.enter_context(cluster._used())
                else:
                    cluster = until_the_end.enter_context(cls.started())
                    mark.write_text(f"{cluster.home}\n{cluster.port}", encoding="utf-8")
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
            builder = builder.config(map={**self._settings, **(settings or {})})
            session = without_advice(builder.getOrCreate)
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
            "SPARK_DAEMON_JAVA_OPTS": JAVA,
        }

    @property
    def _settings(self) -> dict[str, str]:
        return {**SETTINGS, "spark.sql.warehouse.dir": str(self.home / "warehouse")}

    def _start_all(self) -> None:
        for folder in ("processes", "conf", "logs", "work", "local", "warehouse"):
            (self.home / folder).mkdir()
        (self.home / "conf" / "log4j2.properties").write_text(QUIET, encoding="utf-8")
        keeper = ["sh", "-c", KEEPER, str(self.home)]
        STARTED.append(
            subprocess.Popen(keeper, stdin=subprocess.DEVNULL, start_new_session=True, cwd="/")
        )
        where = ("--host", HOST, "--webui-port", "0")
        self._start("master", "master.Master", *where, "--port", str(self.port))
        self._wait_for_master(PATIENCE)
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
        STARTED.append(process)
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
    def _used(self) -> Iterator[None]:
        """Have the system know that we use the cluster, until the block or the process ends."""
        with (self.home / "users").open("a") as users:
            fcntl.flock(users, fcntl.LOCK_SH)
            yield
