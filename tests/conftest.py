"""Settings shared by all tests: rings, and how many cases of a property are tried."""

from __future__ import annotations

import atexit
import gc
import os
import re
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.engines import Engines, missing
from tests.postgres import INSTALL, Cluster, server_programs
from tests.spark import INSTALL as INSTALL_SPARK
from tests.spark import SparkCluster, can_start

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

settings.register_profile("few", derandomize=True, deadline=None, max_examples=15)
settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=60)
settings.register_profile(
    "sweep", deadline=None, max_examples=2000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(
    os.environ.get("SFUMATO_TEST_PROFILE", "fixed" if os.environ.get("CI") else "few")
)
# As often as Python does by itself, searching for garbage takes a sixth of the time.
gc.set_threshold(100_000, 50, 50)
DOCS = Path(__file__).parents[1] / "docs"
#: What says that all tests of a file are of the full ring.
FULL = re.compile(r"^pytestmark = \[?pytest\.mark\.full\b", re.MULTILINE)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out files of the full ring alone, which may import what the first does without."""
    if config.getoption("markexpr") != "not full" or collection_path.suffix != ".py":
        return None
    return FULL.search(collection_path.read_text("utf-8")) is not None or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The pages of the documentation and all that needs Spark are of the full ring."""
    for item in items:
        if item.path.is_relative_to(DOCS) or needs_spark(item):
            item.add_marker(pytest.mark.full)


def needs_spark(item: pytest.Item) -> bool:
    call = getattr(item, "callspec", None)
    given = [each for each in call.params.values() if isinstance(each, str)] if call else []
    return "spark" in [*getattr(item, "fixturenames", []), *given]


def pytest_collection_finish() -> None:
    """Leave what modules and tests hold out of every search for garbage."""
    gc.collect()
    gc.freeze()


@atexit.register
def end_quietly() -> None:
    """Keep DuckDB from listing, as a process ends, the tables that pytest still holds."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def pytest_configure() -> None:
    """Hear Ctrl-C even in the background of a shell, whose programs are deaf to it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def running_server() -> Iterator[Cluster]:
    if server_programs() is None:
        missing("PostgreSQL's server", INSTALL)
    with Cluster.started() as cluster:
        yield cluster


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A PostgreSQL server that tests share, each with a database of its own."""
    yield from running_server()


@pytest.fixture
def own_postgres() -> Iterator[Cluster]:
    """A PostgreSQL server for one test, which may stop it and break it."""
    yield from running_server()


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session on the one Spark cluster of all processes that run tests."""
    if not can_start():
        missing("Java and Spark", INSTALL_SPARK)
    own = tmp_path_factory.getbasetemp()
    folder = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with SparkCluster.shared(folder) as cluster, cluster.session() as session:
        yield session


@pytest.fixture(scope="session")
def engines(request: pytest.FixtureRequest) -> Engines:
    """Every engine, each started when a test first asks for it."""
    return Engines(request)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes() -> None:
    """Let a worker use its own core alone: OpenMP's threads spin while they wait for another."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI a skipped test is a failure: a component it needs was not installed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter is not None else []
    if skipped and os.environ.get("CI"):
        reasons = ", ".join(sorted({report.longrepr[2] for report in skipped}))
        print(f"\n{len(skipped)} tests were skipped, which CI does not accept: {reasons}")  # noqa: T201
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
