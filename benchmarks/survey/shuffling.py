"""What shuffled reports guarantee, beside references: `python -m benchmarks.survey.shuffling`.

The references were computed apart from this project, by a sum over the number of clones.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from benchmarks.measure import markdown, milliseconds, save, timed
from sfumato.survey import Survey
from sfumato.survey.collector.shuffling import shuffled

if TYPE_CHECKING:
    from collections.abc import Iterator

NOTE = (
    "ε of all shuffled reports together, for substituting one person's answer, where each report "
    "alone is ε₀-private. Agrees: not below the reference's last digit, and at most 1e-6 of it "
    "above, for ours are upper bounds."
)
TOLERANCE = 1e-6
LAST_DIGIT = 5e-11


@dataclass(frozen=True)
class Known:
    """One line of the references: any randomiser, a coin, and the closed form for both."""

    people: int
    epsilon: float
    delta: float
    clones: float
    coin: float
    closed: float

    def lines(self) -> Iterator[list[str]]:
        """Yield the line of any randomiser, and that of a coin."""
        asked = [f"{self.people:,}", f"{self.epsilon:g}", f"{self.delta:g}"]
        for kind, choices, known in (("any", 3, self.clones), ("coin", 2, self.coin)):
            survey = Survey(_question(choices, self.epsilon))
            found, seconds = timed(partial(self._epsilon, survey))
            shown = [f"{found:.10f}", f"{known:.10f}", _agrees(found, known)]
            yield [*asked, kind, *shown, f"{self.closed:g}", milliseconds(seconds)]

    def _epsilon(self, survey: Survey) -> float:
        return float(shuffled(survey, self.people, delta=self.delta).epsilon(delta=self.delta))


REFERENCES = (
    Known(1_000, 0.5, 1e-6, 0.0705234676, 0.0626865657, 0.2726),
    Known(10_000, 0.5, 1e-6, 0.0204014551, 0.0181174069, 0.0939),
    Known(10_000, 1, 1e-6, 0.0530053165, 0.0432061581, 0.2140),
    Known(100_000, 1, 1e-6, 0.0152820624, 0.0124298975, 0.0726),
    Known(1_000_000, 1, 1e-8, 0.0061254765, 0.0050116208, 0.0268),
    Known(10_000, 2, 1e-6, 0.1550452425, 0.1143996153, 0.5009),
    Known(100_000, 3, 1e-6, 0.0927575381, 0.0656272128, 0.3376),
    Known(1_000_000, 4, 1e-6, 0.0493070744, 0.0342797677, 0.2010),
)


def _question(choices: int, epsilon: float) -> dict[str, dict[str, object]]:
    return {"asked": {"choices": [str(each) for each in range(choices)], "epsilon": epsilon}}


def _agrees(found: float, known: float) -> str:
    return "yes" if known - LAST_DIGIT <= found <= known * (1 + TOLERANCE) else "NO"


def main() -> None:
    """Compute, print and save."""
    header = ["people", "ε₀", "δ", "reports", "sfumato", "reference", "agrees", "closed form", "ms"]
    table = markdown([header, *(line for known in REFERENCES for line in known.lines())])
    text = f"{SAID}\n{table}"
    save("survey-shuffling", "python -m benchmarks survey", text, note=NOTE)


SAID = """\
Any report is hidden among e^-ε₀ clones for each other person, a coin among 2/(e^ε₀ + 1); these are
the bounds of Feldman, McMillan and Talwar (FOCS 2021), whose closed form is beside them.  The
stronger ones that were published later hold for some randomisers only, by their erratum, and are
not used.
"""


if __name__ == "__main__":
    main()
