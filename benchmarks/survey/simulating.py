"""Simulated surveys of up to a hundred million people: `python -m benchmarks.survey.simulating`.

Each is in a process of its own, so that its peak of memory is its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

from benchmarks.groupby.memory import peak_mib
from benchmarks.interpreters import ROOT
from benchmarks.measure import markdown, save
from benchmarks.survey.clock import once
from benchmarks.survey.people import QUESTION, shares_of, survey_of
from sfumato.survey.crowd.simulation import simulate

EPSILON = 1
PROTOCOLS = ("response", "subset", "hadamard", "hashing")
SIZES = (1_000_000, 10_000_000, 100_000_000)
NOTE = (
    f"One question of 100 choices, ε = {EPSILON}: everybody's report is drawn and counted, and "
    "then the shares are estimated. Memory is the peak of the whole process, Python and its "
    "libraries included."
)


def simulated(protocol: str, people: int) -> list[float]:
    """Return the seconds by both clocks, and the peak of memory."""
    survey = survey_of(protocol, EPSILON)
    shares = {QUESTION: shares_of().tolist()}
    _, spent = once(lambda: simulate(survey, people, shares=shares).estimate())
    return [*spent, peak_mib()]


def alone(protocol: str, people: int) -> list[float]:
    """Simulate in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.survey.simulating", protocol, str(people)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    found: list[float] = json.loads(done.stdout)
    return found


def line(protocol: str, people: int) -> list[str]:
    """Return the line of one simulation."""
    wall, busy, peak = alone(protocol, people)
    speed = f"{people / busy / 1e6:.3g}"
    return [protocol, f"{people:,}", f"{wall:.3g}", f"{busy:.3g}", speed, f"{peak:,.0f}"]


def main() -> None:
    """Measure, print and save."""
    said = f"Processors: {os.cpu_count()}; load when the run began: {os.getloadavg()[0]:.1f}."
    header = ["protocol", "people", "s on the wall", "s of processors"]
    lines = [line(protocol, people) for protocol in PROTOCOLS for people in SIZES]
    table = markdown([[*header, "million people a second of processors", "peak MiB"], *lines])
    save("survey-people", "python -m benchmarks survey", f"{said}\n\n{table}", note=NOTE)


if __name__ == "__main__":
    match sys.argv[1:]:
        case [protocol, people]:
            print(json.dumps(simulated(protocol, int(people))))
        case _:
            main()
