"""Which noise of other packages breaks its guarantee, as outputs alone show it.

The peers draw in interpreters of their own, as for the noise:
`SFUMATO_PEERS=one/bin/python:two/bin/python python -m benchmarks audit_peers`.
A peer that is installed beside sfumato needs no name; one that is nowhere is left out.
"""

from __future__ import annotations

import math
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from benchmarks.audited.asking import PEERS, present_peers
from benchmarks.audited.case import EPSILON
from benchmarks.measure import markdown, save, timed
from sfumato.audit.blackbox import audit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from benchmarks.audited.asking import Peer
    from benchmarks.audited.case import Case
    from sfumato.audit.blackbox import AuditReport

SAMPLES = 60_000
#: Outputs beyond those, for calls that are compared as a whole.
SPARE = 1_000
ALPHA = 1e-6
LONGEST = 120
CLAIMED = ["package", "mechanism", "claimed ε, δ"]
FOUND = ["verdict", "ε is at least", "event", "s to draw", "s to audit"]
COMMAND = "SFUMATO_PEERS=PYTHON:PYTHON python -m benchmarks audit_peers"
NOTE = "An audit that finds nothing is no proof of privacy."
NOTES = f"""\
Each mechanism guarantees ε = {EPSILON:g} at sensitivity 1, and answers {SAMPLES:,} times where the
truth is 0 and as often where it is 1.  A bound, rounded down here, is above the true ε with
probability {ALPHA:g} at most.
"""


def dealt(draws: NDArray[Any]) -> Callable[[int, int], NDArray[Any]]:
    """Return a release that deals out, in order, what was drawn for either value."""
    used = [0, 0]

    def release(which: int, n: int) -> NDArray[Any]:
        begin = used[which]
        used[which] += n
        return draws[which, begin : begin + n]

    return release


def row(peer: Peer, case: Case) -> list[str]:
    """Return a line of the table: what was claimed and what was found."""
    claimed = f"{EPSILON:g}, {case.delta:g}"
    named = [f"{peer.package} {peer.version}", str(case), claimed]
    draws, seconds = timed(lambda: peer.draws(case, SAMPLES + SPARE))
    if isinstance(draws, str):
        return [*named, draws, "–", "–", f"{seconds:.1f}", "–"]
    report = audit(
        dealt(draws), 0, 1, epsilon=EPSILON, delta=case.delta, samples=SAMPLES, alpha=ALPHA
    )
    return [*named, *_found(report), f"{seconds:.1f}", f"{report.seconds:.1f}"]


def main() -> None:
    """Audit, print and save."""
    peers = present_peers()
    rows = [row(peer, case) for peer in peers for case in peer.cases]
    table = markdown([[*CLAIMED, *FOUND], *rows])
    save("audit_peers", COMMAND, f"{NOTES}{_absent(peers)}\n{table}", note=NOTE)


def _found(report: AuditReport) -> list[str]:
    verdict = "**broken**" if report.violated else "nothing found"
    event = "–" if report.witness is None else report.witness.event
    return [
        verdict,
        f"{math.floor(100 * report.epsilon) / 100:.2f}",
        shorten(event, LONGEST, placeholder=" …"),
    ]


def _absent(peers: Sequence[Peer]) -> str:
    missing = set(PEERS) - {peer.package for peer in peers}
    return f"Not found: {', '.join(sorted(missing))}.\n" if missing else ""
