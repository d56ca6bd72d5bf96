"""Many surveys at once, drawn from the exact distributions of the clients' own code."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import binom

import sfumato as sf
from sfumato.survey.client.draws import distribution_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sfumato.survey.client.protocols import Protocol
    from sfumato.survey.client.questions import ChoiceQuestion, NumberQuestion

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]

PROTOCOLS = ("response", "unary", "subset", "hadamard", "hashing", "permanent")
SURVEYS = 1_000


def asked(protocol: str, choices: int, epsilon: object) -> ChoiceQuestion:
    """Return a question with so many choices."""
    given: dict[str, Any] = {"choices": [f"c{place}" for place in range(choices)]}
    lifetime = {"lifetime": 6} if protocol == "permanent" else {}
    survey = sf.Survey({"asked": {**given, "epsilon": epsilon, "protocol": protocol, **lifetime}})
    question = survey.questions["asked"]
    assert isinstance(question, sf.survey.ChoiceQuestion)
    return question


def numbered(epsilon: object, lower: float = 0, upper: float = 1) -> NumberQuestion:
    """Return a question whose answer is a number."""
    survey = sf.Survey({"asked": {"bounds": (lower, upper), "epsilon": epsilon}})
    question = survey.questions["asked"]
    assert isinstance(question, sf.survey.NumberQuestion)
    return question


@dataclass(frozen=True, eq=False)
class Reports:
    """What one answer's report may be: which choices it supports, and how likely that is."""

    supports: Counts
    chances: tuple[Fraction, ...]

    def drawn(self, people: int, surveys: int, source: np.random.Generator) -> Counts:
        """Return for each survey how many of the people support each choice."""
        rounded = np.array([float(each) for each in self.chances])
        counts = source.multinomial(people, rounded / rounded.sum(), size=surveys)
        return np.asarray(counts @ self.supports)


@cache
def reports_of(protocol: Protocol, answer: int) -> Reports:
    """Return the exact distribution of an answer's report."""
    distribution = distribution_of(lambda draws: protocol.randomize(answer, draws))
    supports = [
        [int(protocol.supports(report, choice)) for choice in range(protocol.choices)]
        for report in distribution
    ]
    return Reports(np.array(supports), tuple(distribution.values()))


def supporters(protocol: Protocol, people: Sequence[int], surveys: int, seed: int) -> Counts:
    """Return a row for each survey: how many reports support each choice.

    ``people`` says how many have each answer; they are the same in all surveys.
    """
    source = np.random.default_rng(seed)
    parts = [
        reports_of(protocol, answer).drawn(number, surveys, source)
        for answer, number in enumerate(people)
    ]
    return np.asarray(sum(parts))


def naive(protocol: Protocol, shares: Floats, people: int, confidence: float) -> tuple[Any, Any]:
    """Return the intervals that are often seen: 1.96 standard errors about each estimate."""
    none, every = (float(protocol.variance(Fraction(share))) for share in (0, 1))
    errors = np.sqrt(np.maximum(none + shares * (every - none), 0) / people)
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * errors
    return shares - reach, shares + reach


def too_few(covered: int, surveys: int, confidence: float) -> bool:
    """Return whether so few surveys were covered that intervals cannot keep their confidence.

    False alarm: at most 1e-8 for intervals that do.
    """
    return bool(binom.cdf(covered, surveys, confidence) <= 1e-8)
