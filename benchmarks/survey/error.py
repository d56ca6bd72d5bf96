"""How far off the shares are: `python -m benchmarks.survey.error`.

Ours are drawn from seeds, so that they can be had again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.measure import markdown, save
from benchmarks.survey.asking import Answer, ask, has, labels
from benchmarks.survey.ours import reports_of, shares_from
from benchmarks.survey.people import CHOICES, answers_of, question_of, survey_of
from sfumato.sampling import SeededSource

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from sfumato.survey import Survey

    Reals = NDArray[np.float64]
    Whole = NDArray[np.int64]

PEOPLE, SEEDS, PEER_SEEDS = 20_000, 100, 20
EPSILONS = (0.5, 1, 2, 4)
PROTOCOLS = ("auto", "response", "subset", "unary", "hadamard", "hashing")
PLAIN, CUT = "pure-ldp", "multi-freq-ldpy"
#: How many standard errors the difference of two means may be above 0 by chance.
SURE = 4
NOTE = (
    f"{PEOPLE:,} people, {CHOICES} choices, shares as 1/r. Mean square error of a share times the "
    f"number of people: mean over choices and {SEEDS} seeds (peers: {PEER_SEEDS} runs) ± standard "
    "error; lower is better."
)


@dataclass(frozen=True)
class Errors:
    """Mean square errors of several runs, times the number of people."""

    mean: float
    off: float

    @classmethod
    def of(cls, shares: Reals, answers: Whole) -> Errors:
        """Compare the shares of several runs with the true ones."""
        truth = np.bincount(answers, minlength=CHOICES) / len(answers)
        squares = len(answers) * ((shares - truth) ** 2).mean(axis=1)
        return cls(float(squares.mean()), float(squares.std(ddof=1) / math.sqrt(len(squares))))

    def __str__(self) -> str:
        return f"{self.mean:.3g} ± {self.off:.1g}"

    def beaten(self, other: Errors) -> bool:
        """Return whether another is less, and not by chance."""
        return self.mean - other.mean > SURE * math.hypot(self.off, other.off)


def ours(survey: Survey, answers: Whole) -> tuple[Errors, Errors]:
    """Return the errors of ours as they are, and made consistent."""
    drawn = [reports_of(survey, answers, SeededSource(seed)) for seed in range(SEEDS)]
    found = [[shares_from(survey, each, consistent=way) for each in drawn] for way in (False, True)]
    plain, consistent = (Errors.of(np.array(each), answers) for each in found)
    return plain, consistent


def formula(survey: Survey, answers: Whole) -> float:
    """Return what the mean square error is by the protocol's exact law, times the people."""
    protocol, counts = question_of(survey).protocol, np.bincount(answers, minlength=CHOICES)
    exact = sum(protocol.variance(Fraction(int(count), len(answers))) for count in counts)
    return float(exact / CHOICES)


def theirs(peer: str, protocol: str, epsilon: float, answers: Whole) -> Errors | None:
    """Return the errors of a peer, or None where it has none."""
    if not has(peer, protocol):
        return None
    answer = ask(peer, protocol, epsilon, answers, times=PEER_SEEDS)
    return Errors.of(answer.shares, answers) if isinstance(answer, Answer) else None


def lines(epsilon: float, answers: Whole) -> Iterator[list[str]]:
    """Yield the lines of one ε."""
    for protocol in PROTOCOLS:
        survey = survey_of(protocol, epsilon)
        plain, consistent = ours(survey, answers)
        peers = [theirs(peer, protocol, epsilon, answers) for peer in (PLAIN, CUT)]
        shown = ["–" if each is None else str(each) for each in peers]
        verdict = _no_worse((plain, consistent), peers)
        yield [
            f"{epsilon:g}",
            _named(protocol, survey),
            f"{formula(survey, answers):.4g}",
            *(str(plain), shown[0], str(consistent), shown[1]),
            verdict,
        ]


def _named(protocol: str, survey: Survey) -> str:
    return f"auto ({question_of(survey).protocol.name})" if protocol == "auto" else protocol


def _no_worse(found: tuple[Errors, Errors], peers: list[Errors | None]) -> str:
    pairs = [(mine, each) for mine, each in zip(found, peers, strict=True) if each is not None]
    return "–" if not pairs else "NO" if any(mine.beaten(each) for mine, each in pairs) else "yes"


def main() -> None:
    """Measure, print and save."""
    answers = answers_of(PEOPLE)
    header = ["ε", "protocol", "formula", "sfumato", PLAIN, "consistent", CUT, "no worse"]
    table = markdown([header, *(line for each in EPSILONS for line in lines(each, answers))])
    text = f"{_said()}\n{table}"
    save("survey-error", "SFUMATO_PEERS=PYTHON python -m benchmarks survey", text, note=NOTE)


def _said() -> str:
    return f"""\
The peers are {labels()}.
{PLAIN} gives shares without bias, as ours are; {CUT} cuts them at 0 and scales them to the
sum 1, which `consistent=True` does better.  No worse: neither mean is above the peer's beside it by
more than {SURE} standard errors of the difference.
"""


if __name__ == "__main__":
    main()
