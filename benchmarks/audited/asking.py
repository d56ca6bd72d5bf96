"""Drawing from the peers, each in its own interpreter."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.interpreters import interpreters, reason, run, version

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchmarks.audited.case import Case

LIMIT = 600
PEERS = {
    "numpy": "numpy_peer",
    "diffprivlib": "diffprivlib_peer",
    "opendp": "opendp_peer",
    "tmlt.core": "tumult_peer",
    "python-dp": "python_dp_peer",
    "sfumato": "sfumato_peer",
}


@dataclass(frozen=True)
class Peer:
    """A package, the interpreter that has it, and what is asked of it."""

    package: str
    version: str
    interpreter: str

    @property
    def cases(self) -> tuple[Case, ...]:
        """The mechanisms that are audited."""
        cases: tuple[Case, ...] = import_module(f"benchmarks.audited.{PEERS[self.package]}").CASES
        return cases

    def draws(self, case: Case, size: int) -> NDArray[Any] | str:
        """Return two rows of outputs, one a value, or why there are none."""
        with TemporaryDirectory() as folder:
            file = Path(folder) / "draws.npy"
            asked = PEERS[self.package], str(self.cases.index(case)), str(size), str(file)
            try:
                done = run(self.interpreter, "-m", "benchmarks.audited", *asked, limit=LIMIT)
            except subprocess.TimeoutExpired:
                return f"over {LIMIT} s"
            return reason(done.stderr) if done.returncode else np.load(file)


def present_peers() -> list[Peer]:
    """Return the packages which this interpreter or one named in SFUMATO_PEERS has."""
    places = {
        package: (place, found)
        for package in PEERS
        for place in reversed(interpreters())
        if (found := version(package, place))
    }
    return [Peer(package, found, place) for package, (place, found) in places.items()]
