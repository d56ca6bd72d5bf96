"""How far off the shares are: `python -m benchmarks.survey.error`.

Ours are drawn from seeds, so that they can be had again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.measure import markdown, save
from benchmarks.survey.asking import Answer, ask, has, labels
from benchmarks.survey.ours import reports_of, shares_from
from benchmarks.survey.people import CHOICES, answers_of, question_of, survey_of
from sfumato.sampling import SeededSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from sfumato.survey import Survey

    Reals = NDArray[np.float64]
    Whole = NDArray[np.int64]

PEOPLE, SEEDS, PEER_SEEDS = 10_000, 100, 10
EPSILONS = (0.5, 1, 2, 4)
PROTOCOLS = ("response", "subset", "unary", "hadamard", "hashing")
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
        return f"{self.mean:.3g} ± {float(f'{self.off:.1g}'):g}"

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
    """Return what the mean square error is by the exact output distribution, times the people."""
    protocol, counts = question_of(survey).protocol, np.bincount(answers, minlength=CHOICES)
    exact = sum(protocol.variance(Fraction(int(count), len(answers))) for count in counts)
    return float(exact / CHOICES)


def theirs(peer: str, protocol: str, epsilon: float, answers: Whole) -> Errors | None:
    """Return the errors of a peer, or None where it has none."""
    if not has(peer, protocol):
        return None
    answer = ask(peer, protocol, epsilon, answers, times=PEER_SEEDS)
    return Errors.of(answer.shares, answers) if isinstance(answer, Answer) else None


@dataclass(frozen=True)
class Compared:
    """One protocol at one ε: ours, as it is and made consistent, and the peer beside each."""

    protocol: str
    formula: float
    ours: tuple[Errors, Errors]
    theirs: tuple[Errors | None, Errors | None]

    @classmethod
    def of(cls, protocol: str, epsilon: float, answers: Whole) -> Compared:
        """Run ours and the peers."""
        survey = survey_of(protocol, epsilon)
        plain, cut = (theirs(peer, protocol, epsilon, answers) for peer in (PLAIN, CUT))
        return cls(protocol, formula(survey, answers), ours(survey, answers), (plain, cut))

    def line(self, epsilon: float) -> list[str]:
        """Return the line of the table."""
        beside = zip(self.ours, self.theirs, strict=True)
        shown = [cell for mine, peer in beside for cell in (str(mine), str(peer or "–"))]
        return [f"{epsilon:g}", self.protocol, f"{self.formula:.4g}", *shown, self._no_worse()]

    def _no_worse(self) -> str:
        beside = zip(self.ours, self.theirs, strict=True)
        worse = [mine.beaten(peer) for mine, peer in beside if peer is not None]
        return "–" if not worse else "NO" if any(worse) else "yes"


def lines(epsilon: float, answers: Whole) -> Iterator[list[str]]:
    """Yield the lines of one ε: first what is chosen for it, beside the best of each peer."""
    compared = [Compared.of(protocol, epsilon, answers) for protocol in PROTOCOLS]
    chosen = question_of(survey_of("auto", epsilon)).protocol.name
    (auto,) = (each for each in compared if each.protocol == chosen)
    best = tuple(_least(each.theirs[place] for each in compared) for place in range(2))
    label = f"**auto**: {chosen}; peers' best"
    yield replace(auto, protocol=label, theirs=(best[0], best[1])).line(epsilon)
    yield from (each.line(epsilon) for each in compared)


def _least(found: Iterable[Errors | None]) -> Errors | None:
    known = [each for each in found if each is not None]
    return min(known, key=lambda each: each.mean, default=None)


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
{PLAIN} gives unbiased shares, as ours are; {CUT} cuts them at 0 and scales them to the
sum 1, so `consistent=True` is beside it.  No worse: neither mean is above the peer's beside it by
more than {SURE} standard errors of the difference.
Above ε = 1 the Hadamard response of {PLAIN} is another one, with blocks; ours stays one sign.
`auto` and, with one number a report as well, `hashing` have less error than either.
Where chance is larger than nearly all shares (`response` up to ε = 1 and, a little, `subset` at
0.5), cutting and scaling makes shares more alike than the nearest consistent ones are, which is
nearer the truth with so few people.
"""


if __name__ == "__main__":
    main()
