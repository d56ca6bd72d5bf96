"""A million people, a hundred choices, every protocol: `python -m benchmarks.survey.speed`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.measure import markdown, milliseconds, save
from benchmarks.survey.asking import PEERS, Answer, ask, has, labels
from benchmarks.survey.clock import Times, clocked
from benchmarks.survey.ours import reports_of, shares_from
from benchmarks.survey.people import CHOICES, answers_of, question_of, survey_of
from sfumato.survey.client.draws import SecretDraws

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from sfumato.survey import Survey

    Whole = NDArray[np.int64]

PEOPLE, FEWER, EPSILON = 1_000_000, 100_000, 1
ROUNDS, PEER_ROUNDS, ALONE = 7, 2, 2_000
PROTOCOLS = ("response", "subset", "unary", "hadamard", "hashing")
#: How many times as fast as the faster peer ours must be.
TARGET = 10
NOTE = (
    f"{PEOPLE:,} people, {CHOICES} choices, ε = {EPSILON}: everybody's report, their sums, and the "
    f"shares. The best of {ROUNDS} (peers: of {PEER_ROUNDS}). Times are of processors where not "
    "said otherwise, for other work goes on beside; ratios are of these."
)


@dataclass(frozen=True)
class Raced:
    """One protocol: ours, and the peers that have it."""

    protocol: str
    people: Times
    collector: Times
    alone: float
    peers: dict[str, Answer | str]

    @classmethod
    def of(cls, protocol: str, answers: Whole) -> Raced:
        """Run ours and the peers."""
        survey = survey_of(protocol, EPSILON)
        people = clocked(lambda: reports_of(survey, answers), rounds=ROUNDS)
        reports = reports_of(survey, answers)
        collector = clocked(lambda: shares_from(survey, reports), rounds=ROUNDS)
        peers = {peer: asked(peer, protocol, answers) for peer in PEERS if has(peer, protocol)}
        return cls(protocol, people, collector, one_report(survey, answers), peers)

    @property
    def both(self) -> Times:
        """The times of people and collector together."""
        return self.people + self.collector

    def line(self, floor: Times) -> list[str]:
        """Return the line of the table of crowds."""
        shown = [self.both.wall, self.both.busy, self.people.busy, self.collector.busy]
        ours = [milliseconds(each) for each in shown]
        over = f"{self.both.busy / floor.busy:,.0f}"
        found = [cell for peer in PEERS for cell in self._beside(peer)]
        return [self.protocol, *ours, over, *found, self._verdict()]

    def alone_line(self) -> list[str]:
        """Return the line of the table of one person."""
        found = [self.peers.get(peer) for peer in PEERS]
        theirs = [_microseconds(each.alone) if isinstance(each, Answer) else "–" for each in found]
        return [self.protocol, _microseconds(self.alone), *theirs]

    def _beside(self, peer: str) -> Iterator[str]:
        answer = self.peers.get(peer)
        if not isinstance(answer, Answer):
            yield from (answer or "–", "–")
            return
        busy = (answer.people + answer.collector).busy
        scaled = busy * PEOPLE / asked_about(self.protocol)
        yield f"{scaled:.3g}{'' if self.protocol != 'hashing' else ' *'}"
        yield f"{scaled / self.both.busy:,.0f}"

    def _verdict(self) -> str:
        ratios = [cell for peer in PEERS for cell in list(self._beside(peer))[1:] if cell != "–"]
        return "–" if not ratios else "yes" if all(_number(r) >= TARGET for r in ratios) else "NO"


def asked_about(protocol: str) -> int:
    """Return about how many people the peers are asked: fewer by what takes them minutes."""
    return FEWER if protocol == "hashing" else PEOPLE


def asked(peer: str, protocol: str, answers: Whole) -> Answer | str:
    """Return what a peer did."""
    return ask(peer, protocol, EPSILON, answers[: asked_about(protocol)], times=PEER_ROUNDS)


def one_report(survey: Survey, answers: Whole) -> float:
    """Return the processor's seconds of one report by the client."""
    question, draws, few = question_of(survey), SecretDraws(), answers[:ALONE].tolist()
    spent = clocked(lambda: [question.randomize(answer, draws) for answer in few], rounds=ROUNDS)
    return spent.busy / len(few)


def _number(shown: str) -> float:
    return float(shown.replace(",", ""))


def _microseconds(seconds: float) -> str:
    return f"{seconds * 1e6:.3g}"


def main() -> None:
    """Measure, print and save."""
    load = os.getloadavg()[0]
    answers = answers_of(PEOPLE)
    floor = clocked(lambda: np.bincount(answers, minlength=CHOICES), rounds=ROUNDS)
    raced = [Raced.of(protocol, answers) for protocol in PROTOCOLS]
    columns = [cell for peer in PEERS for cell in (f"{peer} (s)", "/ sfumato")]
    header = ["protocol", "ms on the wall", "ms", "people's", "collector's", "/ bincount"]
    crowd = [[*header, *columns, f"≥ {TARGET}"], *(each.line(floor) for each in raced)]
    alone = [["µs of one report", "sfumato", *PEERS], *(each.alone_line() for each in raced)]
    text = "\n".join([_said(floor, load), markdown(crowd), ALONE_SAID, markdown(alone)])
    save("survey", "SFUMATO_PEERS=PYTHON python -m benchmarks survey", text, note=NOTE)


ALONE_SAID = f"""\
One person's report in plain Python, the mean of {ALONE:,}.  Ours uses the standard library alone;
each of its coins is exact and secret, from the operating system.  Those of the peers are floats of
a generator that can be predicted; multi-freq-ldpy compiles its client by numba.
"""


def _said(floor: Times, load: float) -> str:
    return f"""\
The peers are {labels()}, each in a process of its own;
numba's compiling is not counted.  The floor is `np.bincount` of the true answers, without privacy:
{milliseconds(floor.busy)} ms.  Ours draws exact coins from a cryptographic generator, and gives
intervals for all shares together, which the peers do not.
\\* measured with {FEWER:,} people, and ten times that: a million would take minutes.
Processors: {os.cpu_count()}; load when the run began: {load:.1f}.
"""


if __name__ == "__main__":
    main()
