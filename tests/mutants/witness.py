"""What failed, one line of JSON each, in the file that SFUMATO_WITNESS names (a plugin of pytest).

Where SFUMATO_WANTED names a file, it has the tests that are wanted of those that are chosen: of a
function that has none of them, because a fault gave it another name, all are.
A test that takes minutes of processor time, as none does without a fault, is ended by a signal.
"""

from __future__ import annotations

import json
import os
import resource
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pytest

FILE: Final = "SFUMATO_WITNESS"
WANTED: Final = "SFUMATO_WANTED"
PLUGIN: Final = __name__
_SECONDS: Final = 300


def pytest_runtest_logstart() -> None:
    most = int(time.process_time()) + _SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))


def function(test: str) -> str:
    """Return the name of a test without its parameters."""
    return test.partition("[")[0]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if WANTED in os.environ:
        wanted = set(Path(os.environ[WANTED]).read_text("utf-8").splitlines())
        found = {function(each.nodeid) for each in items if each.nodeid in wanted}
        items[:] = [
            each for each in items if each.nodeid in wanted or function(each.nodeid) not in found
        ]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        _write(report.nodeid, report.when, report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.failed:
        _write(report.nodeid, "collect", report)


def _write(test: str, when: str, report: pytest.TestReport | pytest.CollectReport) -> None:
    crash = getattr(report.longrepr, "reprcrash", None)
    said = report.longreprtext if crash is None else crash.message
    seen = {"test": test, "when": when, "said": said.strip().partition("\n")[0][:300]}
    with Path(os.environ[FILE]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(seen) + "\n")
