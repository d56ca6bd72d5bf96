"""No test reads a clock or tosses a coin of its own, but for a few that say why."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
#: What may be other in another run.
CALLS = {
    *("time.time", "time.monotonic", "time.perf_counter", "time.perf_counter_ns", "time.sleep"),
    *("time.process_time", "time.thread_time", "datetime.now", "datetime.utcnow", "date.today"),
    *("signal.alarm", "signal.setitimer", "threading.Timer", "os.urandom", "uuid.uuid4"),
    *("os.cpu_count", "os.sched_getaffinity", "os.getloadavg", "shutil.get_terminal_size"),
}
#: Where it decides nothing, and why.
WAITING = "waits for what is sure to come, or fails after minutes"
NAMES = "names and passwords, and contents that only have to differ"
PROGRAM = "a program beside the tests, which says what it measures"
ALLOWED = {
    "audit/test_blackbox.py": {"default_rng()": "a number that is copied, whatever it is"},
    "cli/test_cli_ledger.py": {"datetime.now": "the year before or the year after is right too"},
    "data/engines/test_postgres_interrupted.py": {"time.monotonic": WAITING, "time.sleep": WAITING},
    "data/engines/test_postgres_reading.py": {"secrets": NAMES},
    "data/engines/test_spark_failing.py": {"time.monotonic": WAITING, "time.sleep": WAITING},
    "data/engines/test_spark_sessions.py": {"time.monotonic": WAITING, "time.sleep": WAITING},
    "engines.py": {"secrets": NAMES},
    "ledger/crash/blackout.py": {"secrets": NAMES},
    "ledger/crash/rivals.py": {
        "secrets": NAMES,
        "signal.alarm": "a child that is ended so is as right as one that ends by itself",
        "time.sleep": "forks at several moments: what was told has to be kept at each",
    },
    "ledger/crash/storm.py": {
        "secrets": NAMES,
        "time.sleep": "kills at random moments: what was told has to be kept at each",
    },
    "ledger/crash/sufferer.py": {"secrets": NAMES},
    "ledger/crash/test_faults_of_a_server.py": {
        "time.monotonic": WAITING,
        "time.sleep": WAITING,
    },
    "ledger/test_chain.py": {"time.sleep": "forks at several moments, with one claim for each"},
    "ledger/test_signing.py": {"signal.alarm": WAITING},
    "mutants/__main__.py": {"os.cpu_count": PROGRAM},
    "mutants/reach.py": {"time.process_time": PROGRAM},
    "mutants/witness.py": {"time.process_time": PROGRAM},
    "numeric/test_precision.py": {"signal.alarm": WAITING},
    "postgres.py": {"secrets": NAMES, "time.monotonic": WAITING, "time.sleep": WAITING},
    "sampling/test_source.py": {"signal.alarm": WAITING},
    "spark.py": {"time.monotonic": WAITING, "time.sleep": WAITING},
    "tables/engines/large.py": {
        "time.monotonic": "is printed, and compared with nothing",
        "time.sleep": "looks for the middle of a stage, in five runs if need be",
    },
    "tables/test_tables_bounding.py": {"os.sched_getaffinity": "any number of cores will do"},
    "test_postgres.py": {"time.monotonic": WAITING, "time.sleep": WAITING},
}


def chances(text: str) -> set[str]:
    """What a file calls that may be other in another run."""
    tree = ast.parse(text)
    modules = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in {"time", "secrets", "random"}:
            found |= {f"from {node.module}" for each in node.names if each.name != "Random"}
        if isinstance(node, ast.Call):
            found |= chances_of(node, modules)
    return found


def chances_of(call: ast.Call, modules: set[str]) -> set[str]:
    name = dotted(call.func).removeprefix("dt.")
    room, _, function = name.rpartition(".")
    if name in CALLS:
        return {name}
    if room == "secrets" and room in modules:
        return {room}
    if room == "random" and room in modules and function != "Random":
        return {name}
    unseeded = not call.args and not call.keywords
    return {f"{function}()"} if function in {"default_rng", "RandomState"} and unseeded else set()


def dotted(called: ast.expr) -> str:
    """The name of a function as it is written; of what is called by another way, the end of it."""
    if isinstance(called, ast.Attribute):
        return f"{dotted(called.value)}.{called.attr}".removeprefix(".")
    return called.id if isinstance(called, ast.Name) else ""


def test_no_test_reads_a_clock_or_tosses_a_coin_but_those_that_say_why() -> None:
    files = [each for each in sorted(TESTS.rglob("*.py")) if each != Path(__file__)]
    found = {str(each.relative_to(TESTS)): chances(each.read_text("utf-8")) for each in files}
    assert {name: each for name, each in found.items() if each} == {
        name: set(reasons) for name, reasons in ALLOWED.items()
    }


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import time\nassert time.time() < 5", {"time.time"}),
        ("from time import sleep\nsleep(1)", {"from time"}),
        ("import random\nrandom.shuffle(rows)", {"random.shuffle"}),
        ("from random import Random", set()),
        ("import random\nrandom.Random(1).shuffle(rows)", set()),
        ("def draw(random): return random.choice(rows)", set()),
        ("np.random.default_rng().random()", {"default_rng()"}),
        ("np.random.default_rng(1).random()", set()),
        ("import secrets\nsecrets.randbelow(2)", {"secrets"}),
        ("dt.datetime.now(UTC)", {"datetime.now"}),
    ],
)
def test_such_a_call_would_be_found(text: str, found: set[str]) -> None:
    """The twin."""
    assert chances(text) == found
