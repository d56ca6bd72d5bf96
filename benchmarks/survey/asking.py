"""Asking the peers, each in an interpreter of its own."""

from __future__ import annotations

import json
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.interpreters import interpreters, reason, run, version
from benchmarks.survey.clock import Times, least
from benchmarks.survey.people import CHOICES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

PEERS = {"pure-ldp": "pure_ldp_peer", "multi-freq-ldpy": "multi_freq_peer"}
LIMIT = 3600


@dataclass(frozen=True)
class Answer:
    """What a peer did: the least times of people and collector, all shares, and one report."""

    people: Times
    collector: Times
    shares: NDArray[np.float64]
    alone: float

    @classmethod
    def read(cls, said: dict[str, Any]) -> Answer:
        """Read what the peer printed."""
        runs = said["runs"]
        people, collector = (least(each[part] for each in runs) for part in ("people", "collector"))
        return cls(people, collector, np.array([each["shares"] for each in runs]), said["alone"])


def labels() -> str:
    """Return the peers' names and versions."""
    return " and ".join(f"{each} {_place(each)[1] or '(not installed)'}" for each in PEERS)


def has(peer: str, protocol: str) -> bool:
    """Return whether a peer is installed and has a protocol."""
    module = import_module(f"benchmarks.survey.{PEERS[peer]}")
    return bool(_place(peer)[0]) and protocol in module.PROTOCOLS


def ask(
    peer: str, protocol: str, epsilon: float, answers: Sequence[int] | NDArray[Any], *, times: int
) -> Answer | str:
    """Return what a peer did with these people's answers, or why it did nothing."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.npy"
        np.save(path, answers)
        request = {
            "module": PEERS[peer],
            "protocol": protocol,
            "choices": CHOICES,
            "epsilon": epsilon,
            "answers": str(path),
            "times": times,
        }
        return _answered(_place(peer)[0], request)


def _answered(interpreter: str, request: dict[str, Any]) -> Answer | str:
    try:
        done = run(interpreter, "-m", "benchmarks.survey.peer", json.dumps(request), limit=LIMIT)
    except subprocess.TimeoutExpired:
        return f"over {LIMIT} s"
    return reason(done.stderr) if done.returncode else Answer.read(json.loads(done.stdout))


@cache
def _place(package: str) -> tuple[str, str]:
    """Return the first interpreter that has a package, and its version; one named comes first."""
    found = ((place, version(package, place)) for place in reversed(interpreters()))
    return next(((place, each) for place, each in found if each), ("", ""))
