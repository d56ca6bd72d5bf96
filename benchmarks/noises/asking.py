"""Timing the peers, each in its own interpreter."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from benchmarks.interpreters import interpreters, reason, run, version

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.noises.noise import Noise

LIMIT = 300
PEERS = {
    "opendp": "opendp_peer",
    "diffprivlib": "diffprivlib_peer",
    "tmlt.core": "tumult_peer",
    "python-dp": "python_dp_peer",
}


@dataclass(frozen=True)
class Peer:
    """What a package answered: seconds a draw or why there are none, in vectors and singly."""

    label: str
    answers: Mapping[str, Mapping[str, float | str]] = field(default_factory=dict)
    failure: str = ""

    def seconds(self, way: str, noise: Noise) -> float | str:
        """Return the seconds a draw, or the reason why there are none."""
        return self.failure or self.answers[way][str(noise)]


def measured_peers() -> list[Peer]:
    """Return the times of the peers which this interpreter or one named in SFUMATO_PEERS has."""
    places = {
        package: (place, found)
        for package in PEERS
        for place in reversed(interpreters())
        if (found := version(package, place))
    }
    return [
        _measured(f"{package} {found}", PEERS[package], place)
        for package, (place, found) in places.items()
    ]


def _measured(label: str, module: str, interpreter: str) -> Peer:
    try:
        done = run(interpreter, "-m", "benchmarks.noises", module, limit=LIMIT)
    except subprocess.TimeoutExpired:
        return Peer(label, failure=f"over {LIMIT} s")
    if done.returncode:
        return Peer(label, failure=reason(done.stderr))
    said: dict[str, Any] = json.loads(done.stdout)
    return Peer(label, said)
