"""The least ε of a composition: ours beside dp-accounting, prv-accountant and autodp.

The peers' dependencies clash, so each answers in an interpreter of its own and times its own
calls, warm, without the start and the imports.  Name the interpreters that have them:
`SFUMATO_PEERS=one/bin/python:two/bin/python python -m benchmarks accounting`.
A peer that is installed beside sfumato needs no name; one that is nowhere is left out.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from benchmarks.measure import markdown, ratio, save
from benchmarks.peers.asking import PEERS, Accountant, Outcome, ask, found_peers, ours
from benchmarks.peers.cases import COMPARED, FEW, MANY, Case

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: How far an estimate may be below our lower end and still count as the same answer.
SAME = 1e-6
#: How exactly the known values are known.
KNOWN_TO = 1e-11
COMMAND = "SFUMATO_PEERS=PYTHON:PYTHON python -m benchmarks accounting"
ANSWER = ["case", "method", "ε lower", "ε upper", "width certified?", "ms", "ours / peer"]
VERDICT = [
    "case",
    "ours (ms)",
    "our width",
    "ours / fastest peer as narrow",
    "ours / narrowest peer",
    "ours / fastest peer",
]
NOTES = """\
Times are the best of several warm rounds, each from the parameters to ε; the slowest run once.
Ours is timed before and after the peers, and the slower of the two counts.
Of the wall clock and the processor's clock the lesser counts: other work does not slow a long call.
The width is that of the two ends which a method certifies.
A peer that certifies the upper end only is given our lower end when widths are compared.
"""


def answer_ours(case: Case, method: int = 0) -> Outcome:
    """Return our outcome, which must hold the known value."""
    outcome = ask(ours(), ours().methods(case)[method], case)
    if outcome.failure:
        sys.exit(f"sfumato gave no answer to {case.name}: {outcome.failure}")
    if case.known is not None and not _holds(outcome, case.known):
        sys.exit(f"sfumato's answer to {case.name} does not hold {case.known}")
    return outcome


def race(case: Case, peers: Sequence[Accountant]) -> tuple[Outcome, list[Outcome]]:
    """Return our outcome, the slower of one before and one after the peers, and theirs."""
    before = answer_ours(case)
    others = [ask(peer, method, case) for peer in peers for method in peer.methods(case)]
    return max(before, answer_ours(case), key=lambda mine: mine.seconds), others


def line(case: Case, mine: Outcome, other: Outcome) -> list[str]:
    """Return a line of the table of answers."""
    if other.failure:
        return [case.name, other.label, "–", "–", f"none: {other.failure}", "–", "–"]
    return [
        case.name,
        other.label,
        "–" if other.lower is None else f"{other.lower:.12g}",
        f"{other.upper:.12g}",
        certificate(mine, other),
        _milliseconds(other),
        ratio(mine.seconds, other.seconds),
    ]


def certificate(mine: Outcome, other: Outcome) -> str:
    """Return in words how much of an answer is certified."""
    slack = 0 if other.certified else SAME
    if other.upper < _lower(mine) - slack:
        return f"no: {_lower(mine) - other.upper:.2g} too low"
    if not other.certified:
        return "no: an estimate"
    if other.lower is None:
        return "upper end only"
    return f"yes: {other.upper - other.lower:.2g}"


def verdict(case: Case, mine: Outcome, others: Iterable[Outcome]) -> list[str]:
    """Return a line of the table of ratios: against the fastest as narrow, and the fastest."""
    right = [other for other in others if other.upper > _lower(mine) - SAME]
    safe = [other for other in right if other.certified and other.upper >= _lower(mine)]
    width = mine.upper - _lower(mine)
    as_narrow = [other for other in safe if _width(mine, other) <= width]
    narrowest = sorted(safe, key=lambda other: _width(mine, other))[:1]
    return [
        _titled(case),
        _milliseconds(mine),
        f"{width:.2g}",
        _against(mine, as_narrow),
        _against(mine, narrowest),
        _against(mine, right),
    ]


def growth() -> str:
    """Return the table of our times for few and for many different events."""
    outcomes = {case: answer_ours(case) for case in (FEW, MANY)}
    given = {case: answer_ours(case, 1) for case in (FEW, MANY)}
    rows = [
        [
            _titled(case),
            f"{outcome.upper:.12g}",
            f"{outcome.upper - _lower(outcome):.2g}",
            _milliseconds(outcome),
            f"{outcome.seconds / outcomes[FEW].seconds:.1f}",
            _milliseconds(given[case]),
            f"{given[case].seconds / given[FEW].seconds:.1f}",
        ]
        for case, outcome in outcomes.items()
    ]
    timed = ["ms", "over the first", "ms, events given", "over the first"]
    return markdown([["case", "ε upper", "width", *timed], *rows])


def main() -> None:
    """Measure, print and save."""
    peers = found_peers()
    races = {case: race(case, peers) for case in COMPARED}
    verdicts = [verdict(case, *outcomes) for case, outcomes in races.items()]
    answers = [
        line(case, mine, each) for case, (mine, others) in races.items() for each in (mine, *others)
    ]
    parts = [
        NOTES + _present(peers),
        markdown([VERDICT, *verdicts]),
        growth(),
        markdown([ANSWER, *answers]),
    ]
    save("accounting", COMMAND, "\n".join(parts))


def _holds(outcome: Outcome, known: float) -> bool:
    return _lower(outcome) - KNOWN_TO <= known <= outcome.upper + KNOWN_TO


def _titled(case: Case) -> str:
    return f"{case.name}: {case.words}, δ={case.delta:g}"


def _milliseconds(outcome: Outcome) -> str:
    value = outcome.seconds * 1e3
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _lower(outcome: Outcome) -> float:
    return 0.0 if outcome.lower is None else outcome.lower


def _width(mine: Outcome, other: Outcome) -> float:
    return other.upper - (_lower(mine) if other.lower is None else other.lower)


def _against(mine: Outcome, others: Sequence[Outcome]) -> str:
    if not others:
        return "none"
    fastest = min(others, key=lambda other: other.seconds)
    return f"{ratio(mine.seconds, fastest.seconds)} ({fastest.label})"


def _present(peers: Sequence[Accountant]) -> str:
    found = {peer.package: f"{peer.package} {peer.version}" for peer in peers}
    missing = [package for package in PEERS if package not in found]
    here = f"Peers: {', '.join(found.values()) or 'none'}."
    return f"{here} Not found: {', '.join(missing)}.\n" if missing else f"{here}\n"
