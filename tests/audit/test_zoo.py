"""Every wrong animal of the zoo is caught, and no right one is accused.

Seeds are fixed, so nothing here passes or fails by chance; what chance would do is stated.
"""

from __future__ import annotations

import os
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.stats import beta, binom

from sfumato.audit.blackbox import audit
from sfumato.audit.blackbox.bounds import epsilon_below, probability_above, probability_below
from tests.audit.zoo.animals import RIGHT, WRONG

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.audit.blackbox import AuditReport
    from tests.audit.zoo.animal import Animal, Release, WrongAnimal

pytestmark = pytest.mark.full

ALPHA = 1e-6
#: A sign may be missed, and a count of it be off, with this probability.
RARE = 1e-6
#: More events than an audit tests.
MOST_EVENTS = 40
SECONDS = 60
DRAWS = 100_000
#: Runs on right animals: enough in all to see a rate.
RUNS = 2_000 if os.environ.get("SFUMATO_TEST_PROFILE") == "sweep" else 200
LOOSE = 0.05
#: How likely one run at the loose alpha is to accuse a right animal, at most: where p = 1, only
#: the bounds on q can fail.
ACCUSED = LOOSE / 2


def audited(animal: Animal, release: Release, *, alpha: float) -> AuditReport:
    return audit(
        release,
        animal.d0,
        animal.d1,
        epsilon=animal.epsilon,
        delta=animal.delta,
        samples=animal.samples,
        alpha=alpha,
    )


class Retold:
    """A release that draws once, and after ``again`` gives the same once more, call by call."""

    def __init__(self, release: Release) -> None:
        self.release = release
        self.told: list[tuple[Any, Any]] = []
        self.calls = 0

    def again(self) -> Release:
        self.calls = 0
        return self

    def __call__(self, table: Any, n: int) -> Any:
        if self.calls == len(self.told):
            self.told.append(((table, n), self.release(table, n)))
        asked, outputs = self.told[self.calls]
        assert asked == (table, n)
        self.calls += 1
        return outputs


@cache
def right_reports() -> list[tuple[Animal, dict[float, AuditReport]]]:
    """Audits of all right animals in turn, each with a seed of its own, at both alphas.

    Alpha decides which events are tested, and not what is drawn: the same draws serve both.
    """
    turns = [RIGHT[run % len(RIGHT)] for run in range(RUNS)]
    return [(animal, at_both_alphas(animal, run)) for run, animal in enumerate(turns)]


def at_both_alphas(animal: Animal, seed: int) -> dict[float, AuditReport]:
    draws = Retold(animal.seeded(seed))
    return {alpha: audited(animal, draws.again(), alpha=alpha) for alpha in (ALPHA, LOOSE)}


def accused(alpha: float) -> Counter[str]:
    return Counter(animal.name for animal, reports in right_reports() if reports[alpha].violated)


@pytest.mark.parametrize("animal", WRONG, ids=str)
def test_a_wrong_animal_is_caught(animal: WrongAnimal) -> None:
    report = audited(animal, animal.seeded(1), alpha=ALPHA)
    assert report.violated
    assert report.seconds < SECONDS


@pytest.mark.parametrize("animal", WRONG, ids=str)
def test_its_sign_alone_would_be_missed_once_in_a_million(animal: WrongAnimal) -> None:
    """The power: counts as unlucky as that on both tables still prove more than the claim."""
    sign = animal.sign
    trials = animal.samples // 2 // sign.takes
    hits = int(binom.ppf(RARE / 2, trials, sign.p))
    others = int(binom.isf(RARE / 2, trials, sign.q)) if sign.q else 0
    share = ALPHA / (2 * MOST_EVENTS)
    p, q = probability_below(hits, trials, share), probability_above(others, trials, share)
    assert epsilon_below(p, q, animal.delta) > animal.epsilon


@pytest.mark.parametrize("animal", [each for each in WRONG if each.sign.seen], ids=str)
def test_a_sign_is_as_likely_as_is_said(animal: WrongAnimal) -> None:
    """A right figure is refused with probability 2e-6; most that flatter by a tenth are, too."""
    release, sign = animal.seeded(2), animal.sign
    assert sign.seen is not None
    hits, others = (np.sum(sign.seen(release(table, DRAWS))) for table in (animal.d0, animal.d1))
    assert hits >= binom.ppf(RARE, DRAWS, sign.p)
    assert others <= (binom.isf(RARE, DRAWS, sign.q) if sign.q else 0)


@pytest.mark.no_cover
def test_no_right_animal_is_accused() -> None:
    """An accident in 200 runs has probability 2e-4 at most."""
    assert not accused(ALPHA)


@pytest.mark.no_cover
def test_right_animals_are_rarely_accused_at_a_loose_alpha() -> None:
    """By ``false_alarms`` ten of 200 are accused with probability 0.031 at most."""
    assert accused(LOOSE).total() / RUNS < LOOSE


@pytest.mark.no_cover
def test_the_same_runs_would_see_a_guarantee_of_half_as_much() -> None:
    """The twin: they can accuse.  About half of the right animals spend all of their ε."""
    seen = [each[LOOSE].epsilon > animal.epsilon / 2 for animal, each in right_reports()]
    assert sum(seen) > RUNS / 4


def false_alarms(trials: int, events: int, epsilon: float, delta: float) -> float:
    """How likely one of so many events is to accuse a mechanism, at worst, where p = e^ε q + δ."""
    share, factor = LOOSE / (2 * events), np.exp(epsilon)
    seen = np.arange(trials + 1)
    low, high = clopper_pearson(seen, trials, share)
    needed = np.searchsorted(low - delta, factor * high, side="right")

    def accused_at(q: float) -> Any:
        alarms = binom.sf(needed - 1, trials, min(1.0, factor * q + delta))
        return np.sum(binom.pmf(seen, trials, q) * alarms)

    return float(max(events * accused_at(q) for q in np.geomspace(1e-6, (1 - delta) / factor, 60)))


def clopper_pearson(
    seen: NDArray[Any], trials: int, share: float
) -> tuple[NDArray[Any], NDArray[Any]]:
    low = np.where(seen > 0, beta.ppf(share, np.maximum(seen, 1), trials - seen + 1), 0.0)
    return low, 1 - low[::-1]


@pytest.mark.parametrize(
    ("samples", "epsilon", "delta"), sorted({(x.samples, x.epsilon, x.delta) for x in RIGHT})
)
@pytest.mark.parametrize("events", [1, 2, 8, MOST_EVENTS])
def test_the_chance_of_an_accident(events: int, samples: int, epsilon: float, delta: float) -> None:
    """Both bounds have to fail together, or the one that matters where p is 1."""
    assert false_alarms(samples // 2, events, epsilon, delta) <= ACCUSED
    assert binom.sf(RUNS * LOOSE - 1, RUNS, ACCUSED) < 0.031
