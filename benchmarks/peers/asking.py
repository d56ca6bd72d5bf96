"""Putting a case to an accountant in its own interpreter, so that packages which clash can race."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from benchmarks.interpreters import interpreters, reason, run, version

if TYPE_CHECKING:
    from benchmarks.peers.cases import Case
    from benchmarks.peers.method import Method

LIMIT = 300
PEERS = {
    "dp-accounting": "dp_accounting_peer",
    "prv-accountant": "prv_accountant_peer",
    "autodp": "autodp_peer",
}


@dataclass(frozen=True)
class Accountant:
    """A package of some version, in the interpreter that has it."""

    package: str
    module: str
    interpreter: str
    version: str = ""

    def methods(self, case: Case) -> list[Method]:
        """Return the ways in which the package answers a case."""
        methods = import_module(f"benchmarks.peers.{self.module}").METHODS
        return [method for method in methods if method.covers(case)]


@dataclass(frozen=True)
class Outcome:
    """What came back: an answer with its time, or the reason why none did."""

    label: str
    certified: bool
    upper: float = float("nan")
    lower: float | None = None
    seconds: float = float("nan")
    failure: str = ""


def ours() -> Accountant:
    """Return our accountant."""
    return Accountant("sfumato", "ours", sys.executable)


def found_peers() -> list[Accountant]:
    """Return the peers which this interpreter or one named in SFUMATO_PEERS has."""
    found = []
    for package, module in PEERS.items():
        versions = {place: version(package, place) for place in interpreters()}
        has = [Accountant(package, module, place, v) for place, v in versions.items() if v]
        found += has[:1]
    return found


def ask(accountant: Accountant, method: Method, case: Case) -> Outcome:
    """Return the outcome of one method on one case, within the limit."""
    label = f"{accountant.package} {method.name}"
    arguments = ["-m", "benchmarks.peers", accountant.module, method.name, case.name]
    try:
        done = run(accountant.interpreter, *arguments, limit=LIMIT)
    except subprocess.TimeoutExpired:
        return Outcome(label, method.certified, failure=f"over {LIMIT} s")
    if done.returncode:
        return Outcome(label, method.certified, failure=reason(done.stderr))
    said = json.loads(done.stdout)
    ends = {key: said[key] for key in ("upper", "lower", "seconds")}
    return Outcome(label, method.certified, **ends)
