"""Answers are where the plan says: unbiased, and as far off as their intervals tell.

Seeds are fixed.  Each check refuses a right program with a probability of 1e-6 at most, and has a
twin that it must refuse.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, norm

import sfumato as sf
from sfumato.sampling import SeededSource
from sfumato.tables.plan.budget import importance_of
from sfumato.tables.plan.outputs import Output
from sfumato.tables.plan.render import expected_error
from sfumato.tables.release.answer import AnswerColumns, ReleasedContent
from tests.tables.audits.families import spending
from tests.tables.audits.remembering import released, remembering

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.tables import Plan, Query
    from sfumato.tables.plan.measurements import Measurement
    from sfumato.tables.plan.steps import Measure

FALSE_ALARM = 1e-6
CONFIDENCE = 0.95
#: Bars of Gaussian noise and of ratios take longer to compute.
DRAWS, DRAWS_OF_RATIOS = 500, 100


@cache
def patients() -> pd.DataFrame:
    """One to four visits of 400 people, in wards that have nothing to do with how many."""
    rng = np.random.default_rng(7)
    who = np.repeat(np.arange(400), rng.integers(1, 5, 400))
    return pd.DataFrame(
        {
            "id": who,
            "ward": rng.choice(["a", "b"], len(who)),
            "age": rng.integers(20, 90, len(who)),
            "cost": rng.gamma(2.0, 15.0, len(who)).clip(0, 99).round(2),
        }
    )


def asked(limits: dict[str, Any], **aggregates: Any) -> Query:
    bounds = {"age": (0, 110), "cost": (0, 100)}
    keys = {"ward": ["a", "b"]}
    table = sf.table(patients(), unit="id", bounds=bounds, keys=keys, limits=limits)
    return table.group_by("ward").agg(**aggregates)


PURE = (("epsilon", 1),)
GAUSSIAN = (*PURE, ("delta", 1e-6), ("noise", "gaussian"))


@dataclass(frozen=True)
class Truth:
    """An aggregate and what it is without noise, in both wards."""

    aggregate: Any
    of: Any
    target: tuple[tuple[str, Any], ...] = PURE

    @property
    def draws(self) -> int:
        return DRAWS if self.target == PURE else 2 * DRAWS_OF_RATIOS

    @property
    def plan(self) -> Plan:
        return asked({"rows": 4}, v=self.aggregate).plan(**dict(self.target))

    @property
    def value(self) -> NDArray[np.float64]:
        return np.array([float(self.of(ward)) for _, ward in patients().groupby("ward")])


#: Sums: unbiased, and with bars that are exact.
SUMS = {
    "count": Truth(sf.count(), len),
    "count, Gaussian": Truth(sf.count(), len, GAUSSIAN),
    "count, zCDP": Truth(sf.count(), len, (("rho", "1/10"),)),
    "people": Truth(sf.people(), lambda ward: ward["id"].nunique()),
    "sum": Truth(sf.sum("cost"), lambda ward: ward["cost"].sum()),
}
#: What is computed from several sums, or chosen: bars that cover at least.
OTHERS = {
    "mean": Truth(sf.mean("age"), lambda ward: ward["age"].mean()),
    "mean, Gaussian": Truth(sf.mean("age"), lambda ward: ward["age"].mean(), GAUSSIAN),
    "variance": Truth(sf.variance("cost"), lambda ward: ward["cost"].var(ddof=0)),
    "standard deviation": Truth(sf.std("age"), lambda ward: ward["age"].std(ddof=0)),
    "covariance": Truth(
        sf.tables.covariance("age", "cost"),
        lambda ward: ward[["age", "cost"]].cov(ddof=0).iloc[0, 1],
    ),
    "median": Truth(sf.median("age"), lambda ward: ward["age"].median()),
}


@dataclass(frozen=True)
class Answered:
    """Answers of many releases: values and bars, one row a release."""

    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]

    def covered(self, truth: NDArray[np.float64]) -> int:
        """How many bars of all groups hold what is true."""
        return int(np.sum((self.low <= truth) & (truth <= self.high)))


def answers(plan: Plan, drawn_by: Plan | None = None, *, draws: int = DRAWS_OF_RATIOS) -> Answered:
    """Return answers as a plan reads them, drawn by it or by another that is wrong."""
    with remembering():
        contents = released(drawn_by or plan, draws, source=SeededSource(3))
        read = [AnswerColumns.of(plan, each, CONFIDENCE).columns for each in contents]
    return Answered(*(np.array([each[name] for each in read]) for name in ("v", "v_low", "v_high")))


@cache
def drawn(name: str) -> Answered:
    truth = SUMS.get(name)
    return answers(truth.plan, draws=truth.draws) if truth else answers(OTHERS[name].plan)


def is_unbiased(found: Answered, truth: NDArray[np.float64]) -> bool:
    """Whether the mean error is within what the errors themselves allow, in each group."""
    errors = found.value - truth
    reach = norm.isf(FALSE_ALARM / 4) * errors.std(axis=0, ddof=1) / sqrt(len(errors))
    return bool(np.all(np.abs(errors.mean(axis=0)) <= reach))


def covers_enough(found: Answered, truth: NDArray[np.float64]) -> bool:
    return found.covered(truth) >= binom.ppf(FALSE_ALARM, found.value.size, CONFIDENCE)


def covers_no_more(found: Answered, truth: NDArray[np.float64]) -> bool:
    """Whether bars are no wider than needed, but for what rounding to whole numbers may add."""
    return found.covered(truth) <= binom.isf(FALSE_ALARM, found.value.size, CONFIDENCE + 0.01)


@pytest.mark.parametrize("name", SUMS)
def test_sums_are_unbiased(name: str) -> None:
    assert is_unbiased(drawn(name), SUMS[name].value)


def test_twin_a_limit_that_binds_is_biased() -> None:
    plan = asked({"rows": 1}, v=sf.count()).plan(epsilon=1)
    assert not is_unbiased(answers(plan), SUMS["count"].value)


@pytest.mark.parametrize("name", SUMS)
def test_errors_of_sums_are_as_planned(name: str) -> None:
    truth = SUMS[name].value
    assert covers_enough(drawn(name), truth)
    assert covers_no_more(drawn(name), truth)


@pytest.mark.parametrize("name", ["count", "count, Gaussian", "sum"])
@pytest.mark.parametrize("times", [Fraction(1, 2), Fraction(2)], ids=["twice", "half"])
def test_twin_noise_of_another_scale_is_not(name: str, times: Fraction) -> None:
    plan, truth = SUMS[name].plan, SUMS[name].value
    found = answers(plan, spending(plan, times), draws=SUMS[name].draws)
    assert covers_enough(found, truth) == (times > 1)
    assert covers_no_more(found, truth) == (times < 1)


@pytest.mark.parametrize("name", OTHERS)
def test_bars_cover_what_is_computed(name: str) -> None:
    assert covers_enough(drawn(name), OTHERS[name].value)


@pytest.mark.parametrize("name", ["mean", "standard deviation"])
def test_twin_bars_do_not_cover_with_far_more_noise(name: str) -> None:
    truth = OTHERS[name]
    assert not covers_enough(answers(truth.plan, spending(truth.plan, Fraction(1, 8))), truth.value)


@pytest.mark.parametrize("name", ["count", "sum", "mean"])
def test_bars_hold_what_a_limit_that_was_chosen_leaves_out(name: str) -> None:
    """How much somebody has does not depend on the ward, as the bars take it."""
    truth = (SUMS | OTHERS)[name]
    plan = asked({}, v=truth.aggregate).plan(epsilon=1)
    assert plan.choices
    assert covers_enough(answers(plan), truth.value)


def test_twin_without_it_they_do_not() -> None:
    """The same answers, said to leave nothing out under a limit of one row."""
    truth = SUMS["count"]
    plan = asked({"rows": 1}, v=truth.aggregate).plan(epsilon=4)
    assert not covers_enough(answers(plan), truth.value)


def told_error(plan: Plan, place: int) -> float:
    """The error that is expected of one answer."""
    output = plan.outputs[place]
    assert isinstance(output, Output)
    return expected_error(plan, output)


@pytest.mark.parametrize("name", SUMS)
def test_the_error_that_is_expected_is_that_of_the_bars(name: str) -> None:
    """But for a count's, which are rounded to whole numbers."""
    found = answers(SUMS[name].plan, draws=1)
    half = (found.high - found.low) / 2
    assert np.allclose(half, told_error(SUMS[name].plan, 0), rtol=0.02, atol=1.0)


def test_reading_again_gives_the_same() -> None:
    plan = SUMS["count"].plan
    content = released(plan, 1, source=None)[0]
    again = ReleasedContent.from_bytes(content.to_bytes())
    assert AnswerColumns.of(plan, again, 0.9) == AnswerColumns.of(plan, content, 0.9)


def weighted_error(plan: Plan, weights: dict[str, float], shares: dict[Any, Fraction]) -> float:
    """The variance of all answers together, weighted, if measurements had some shares of one."""
    importance = importance_of(plan.outputs, weights)
    power = 1 if plan.target.rho is not None else 2
    return sum(
        importance[step.measurement] / float(shares[_first(step)]) ** power
        for step in plan.measures
    )


def _first(step: Measure) -> Measurement:
    """What a measurement is charged for with."""
    return step.joint[0] if step.joint else step.measurement


@pytest.mark.parametrize("target", [{"epsilon": 1}, {"rho": 1}], ids=["epsilon", "rho"])
@pytest.mark.parametrize("weights", [{}, {"n": 9.0}, {"d": 25.0, "n": 0.1}], ids=str)
def test_the_budget_is_divided_for_the_least_weighted_error(
    target: dict[str, Any], weights: dict[str, float]
) -> None:
    """Against an equal division, and against all that move a tenth from one to another."""
    query = asked({"rows": 4}, n=sf.people(), m=sf.mean("age"), d=sf.std("cost"))
    plan = query.plan(**target, weights=weights or None)
    shares = {_first(each): each.share.amount for each in plan.measures}
    assert sum(shares.values()) == 1
    least = weighted_error(plan, weights, shares)
    equal = dict.fromkeys(shares, Fraction(1, len(shares)))
    assert least < weighted_error(plan, weights, equal)
    for one, other in permutations(shares, 2):
        tenth = shares[one] / 10
        moved = {**shares, one: shares[one] - tenth, other: shares[other] + tenth}
        assert least <= weighted_error(plan, weights, moved) * (1 + 1e-3)


def test_an_aggregate_that_matters_more_is_told_more_exactly() -> None:
    query = asked({"rows": 4}, n=sf.people(), m=sf.mean("age"))
    plans = [query.plan(epsilon=1, weights=each) for each in (None, {"m": 50})]
    errors = [told_error(plan, 1) for plan in plans]
    assert errors[1] < errors[0]
    assert plans[0].guarantee == plans[1].guarantee
