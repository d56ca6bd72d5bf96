"""Right mechanisms are flagged no oftener than alpha says; one mistake, and they would be.

A run is wrong with probability at most alpha = 0.05.  At that very rate 240 runs would show 12 or
more alarms with probability 0.54; but alpha is shared by the two bounds of some ten events, and
both bounds of one must fail together, so that the true rate is far lower (measured at alpha = 0.5:
0.01).  At a rate of 0.01, 12 alarms have probability 7e-6.  The seeds are fixed, so the tests do
not pass or fail by chance.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from sfumato.audit.blackbox import audit
from sfumato.audit.blackbox.bounds import EventTally, judge
from sfumato.audit.blackbox.choosing import choose
from sfumato.audit.blackbox.outcomes import Pool, read_outputs

if TYPE_CHECKING:
    from collections.abc import Callable

    Release = Callable[[int, int], Any]

pytestmark = pytest.mark.full

ALPHA = 0.05


def discrete_laplace(rng: np.random.Generator) -> Release:
    stop = -math.expm1(-1)
    return lambda data, n: data + rng.geometric(stop, n) - rng.geometric(stop, n)


def randomized_response(rng: np.random.Generator) -> Release:
    truth = math.e / (1 + math.e)
    return lambda data, n: np.where(rng.random(n) < truth, data, 1 - data)


def texts_and_nothing(rng: np.random.Generator) -> Release:
    """Three outcomes, one of them None; the two others are e times likelier the one way."""
    shares = np.array([[1, math.e, 1], [math.e, 1, 1]]) / (2 + math.e)
    outcomes = ["yes", "no", None]
    return lambda data, n: [outcomes[i] for i in rng.choice(3, n, p=shares[data])]


def histogram(rng: np.random.Generator) -> Release:
    """Two counts that move by one each, each at half of ε."""
    stop = -math.expm1(-0.5)
    return lambda data, n: data + rng.geometric(stop, (n, 2)) - rng.geometric(stop, (n, 2))


RUNS = {discrete_laplace: 80, randomized_response: 80, texts_and_nothing: 60, histogram: 20}


@pytest.mark.no_cover
def test_right_mechanisms_are_flagged_more_rarely_than_alpha() -> None:
    alarms = runs = 0
    for make, count in RUNS.items():
        release = make(np.random.default_rng(20))
        for _ in range(count):
            alarms += audit(release, 0, 1, epsilon=1, samples=1_200, alpha=ALPHA).violated
            runs += 1
    assert runs == 240
    assert alarms / runs < ALPHA


@pytest.mark.no_cover
def test_equal_distributions_show_nothing_at_all() -> None:
    """At ε = 0 every event is at its boundary, both ways."""
    rng = np.random.default_rng(21)
    alarms = [
        audit(lambda _, n: rng.normal(size=n), 0, 1, epsilon=0, samples=1_200, alpha=ALPHA)
        for _ in range(100)
    ]
    assert sum(each.violated for each in alarms) < 100 * ALPHA


@pytest.mark.no_cover
def test_the_twin_that_tests_on_the_draws_it_chose_by_would_raise_false_alarms() -> None:
    rng = np.random.default_rng(22)
    alarms = sum(violated_on_the_same_draws(rng) for _ in range(15))
    assert alarms / 15 > 2 * ALPHA


def violated_on_the_same_draws(rng: np.random.Generator) -> bool:
    """Whether equal distributions seem to differ if the draws that choose events test them."""
    pool = Pool(read_outputs(rng.normal(size=(1_200, 3))), 600)
    chosen = choose(pool, pool, [], alpha=ALPHA / 16, delta=0.0)
    for event in chosen:
        column = event.region.holds(event.feature.column(pool.sample))
        seen = [int(side.sum()) for side in pool.sides(column)]
        hits, others = seen[event.likelier], seen[1 - event.likelier]
        tally = EventTally("an event", "d0", hits, others, 600)
        if judge(tally, alpha=ALPHA / (2 * len(chosen))).epsilon() > 0:
            return True
    return False


def test_a_right_mechanism_passes_at_the_usual_alpha() -> None:
    for seed, make in enumerate(RUNS):
        report = audit(make(np.random.default_rng(seed)), 0, 1, epsilon=1, samples=20_000)
        assert not report.violated


@pytest.mark.parametrize("make", RUNS)
def test_each_is_flagged_at_half_its_epsilon(make: Any) -> None:
    """The twin of the guarantee: the same mechanisms, claimed to be better than they are."""
    report = audit(make(np.random.default_rng(23)), 0, 1, epsilon=0.5, samples=20_000)
    assert report.violated
    assert report.epsilon < 1
