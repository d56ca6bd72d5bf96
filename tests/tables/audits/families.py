"""Every aggregate that a private table answers, and how its guarantee is put to the test."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

import sfumato as sf
from sfumato.sampling import SeededSource
from sfumato.tables.plan.steps import FindKeys, Share
from tests.tables.audits.people import FEW, LOWER, NEIGHBOURS, UPPER, visits
from tests.tables.audits.remembering import released, remembering

if TYPE_CHECKING:
    from sfumato.audit import AuditReport
    from sfumato.tables import Plan
    from sfumato.tables.release.answer import ReleasedContent

SWEEP = os.environ.get("SFUMATO_TEST_PROFILE") == "sweep"
#: At 240 draws, half of which choose what to look at, an event that always tells the tables
#: apart proves an ε of 1.9.
DRAWS = 5_000 if SWEEP else 240
EPSILON, DELTA = 1, Fraction(1, 50)
PURE: dict[str, Any] = {"epsilon": EPSILON}
GAUSSIAN: dict[str, Any] = {"epsilon": EPSILON, "delta": DELTA, "noise": "gaussian"}


@dataclass(frozen=True)
class Family:
    """A question, what it may cost, and what is declared of the table.

    Parameters
    ----------
    asked
        The aggregates, by name.
    by
        The columns to group by.
    target
        What it may cost.
    declared
        What is declared otherwise than in the other families.
    worst
        The neighbours by which too little noise is seen best.
    times
        How many times too much is spent by the twin that the full audit must catch.
    swept
        Whether it is left to the full audit, since another family is much the same.
    """

    asked: dict[str, Any]
    by: tuple[str, ...] = ("ward",)
    target: dict[str, Any] = field(default_factory=lambda: PURE)
    declared: dict[str, Any] = field(default_factory=dict)
    worst: str = UPPER
    times: int = 2
    swept: bool = False

    @property
    def protects_people(self) -> bool:
        """Whether one person is protected with all their rows, and not each row by itself."""
        return "unit" not in self.declared

    def plan(self, rows: list[Any], **declared: Any) -> Plan:
        """Return the plan for a table of visits."""
        table = visits(rows, **{**self.declared, **declared})
        return table.group_by(*self.by).agg(**self.asked).plan(**self.target)


def _reaches_ten(block: Any) -> float:
    return 10.0 if (np.asarray(block["x"], dtype=float) >= 10).any() else 0.0


def sampled(aggregate: str, blocks: int, frame: str) -> dict[str, Any]:
    """Return the question whether anybody reaches ten, of blocks of people."""
    asked = sf.tables.sample_aggregate(
        _reaches_ten,
        columns=["x"],
        bounds=(0, 10),
        blocks=blocks,
        aggregate=aggregate,
        default=0,
        frame=frame,
    )
    return {"s": asked}


_OPEN = {"keys": {"city": ["Lyon", "Oslo", "Rome"]}, "limits": {"groups": 1, "rows": 2}}

_BY_ROW = {"unit": "row", "limits": {}}

_CHOICE: dict[str, Any] = {"by": (), "worst": FEW, "times": 8}
_CHOICES = {**_CHOICE, "times": 32}

FAMILIES: dict[str, Family] = {
    "count": Family({"n": sf.count()}),
    "count, Gaussian": Family({"n": sf.count()}, target=GAUSSIAN, times=4),
    "count of a column": Family({"n": sf.count("x")}, by=(), swept=True),
    "people": Family({"p": sf.people()}, times=8),
    "people, Gaussian": Family({"p": sf.people()}, target=GAUSSIAN, times=16, swept=True),
    "sum": Family({"s": sf.sum("x")}),
    "sum of the greatest integers": Family({"s": sf.sum("n")}, by=(), swept=True),
    "mean": Family({"m": sf.mean("x")}, by=(), times=8),
    "mean, Gaussian": Family({"m": sf.mean("x")}, target=GAUSSIAN, times=8, swept=True),
    "mean of a public number of rows": Family(
        {"m": sf.mean("x", rows=24)}, by=(), declared=_BY_ROW, swept=True
    ),
    "variance": Family({"v": sf.variance("x")}, by=(), times=8),
    "standard deviation": Family({"d": sf.std("n")}, by=(), times=8),
    "covariance": Family({"c": sf.tables.covariance("x", "n")}, by=(), times=8),
    "median": Family({"m": sf.median("n", confidence=None)}, **_CHOICE),
    "median with bars": Family({"m": sf.median("n")}, **_CHOICES, swept=True),
    "quantile": Family({"q": sf.quantile("n", 0.9, confidence=None)}, **_CHOICE, swept=True),
    "quantiles": Family(
        {"q": sf.tables.quantiles("n", [0.25, 0.5, 0.75], confidence=None)}, **_CHOICES
    ),
    "quantiles, Gaussian": Family(
        {"q": sf.tables.quantiles("n", [0.25, 0.75], confidence=None)},
        **_CHOICES,
        target=GAUSSIAN,
        swept=True,
    ),
    "minimum": Family({"m": sf.minimum("x")}, by=(), worst=LOWER, times=8),
    "maximum": Family({"m": sf.maximum("x")}, by=(), times=8),
    "histogram": Family({"h": sf.histogram("x", [0, 5, 10])}, by=()),
    "histogram, Gaussian": Family(
        {"h": sf.histogram("x", [0, 5, 10])}, by=(), target=GAUSSIAN, times=4, swept=True
    ),
    "mode": Family({"c": sf.tables.mode("city")}, **_CHOICE),
    "top 2": Family({"c": sf.tables.top_k("city", 2)}, **_CHOICE, swept=True),
    "top 2, exponential": Family(
        {"c": sf.tables.top_k("city", 2, method="exponential")}, **_CHOICE
    ),
    "unknown keys": Family(
        {"n": sf.count()},
        target={"epsilon": EPSILON, "delta": DELTA},
        declared=_OPEN,
        times=16,
    ),
    "unknown keys, Gaussian": Family(
        {"n": sf.count()}, target=GAUSSIAN, declared=_OPEN, times=16, swept=True
    ),
    "automatic bounds": Family({"s": sf.sum("x", bounds="auto")}, by=(), times=16),
    "limits chosen privately": Family({"n": sf.count()}, by=(), declared={"limits": {}}, times=16),
    "limits and bounds, Gaussian": Family(
        {"m": sf.mean("x", bounds="auto")},
        by=(),
        target=GAUSSIAN,
        declared={"limits": {}},
        times=64,
        swept=True,
    ),
    "sample and aggregate, mean": Family(sampled("mean", 8, "pandas"), by=(), times=16),
    "sample and aggregate, median": Family(sampled("median", 2, "arrow"), **_CHOICE),
}


def audited(one: Plan, other: Plan, *, samples: int, seed: int = 1) -> AuditReport:
    """Audit the guarantee of a plan on two tables, by all that is released."""
    guarantee = one.guarantee
    source = SeededSource(seed)

    def release(plan: Plan, n: int) -> list[Any]:
        return [entries(each) for each in released(plan, n, source=source)]

    with remembering():
        return sf.audit(
            release,
            one,
            other,
            epsilon=getattr(guarantee, "exact_epsilon", EPSILON),
            delta=getattr(guarantee, "exact_delta", 0),
            samples=samples,
            seed=seed,
        )


def quiet(one: Plan, other: Plan) -> bool:
    """Whether an audit finds nothing against the guarantee of a plan on two tables."""
    return not audited(one, other, samples=DRAWS).violated


def entries(content: ReleasedContent) -> dict[str, Any]:
    """Return all that was released, entry by entry."""
    found: dict[str, Any] = dict(content.sampled)
    names = ["·".join(map(str, row)) for row in content.keys]
    found |= {f"group {name}": True for name in names}
    for place, column in enumerate(content.sums):
        found |= {f"sum {place} {name}": each for name, each in zip(names, column, strict=True)}
    for place, column in enumerate(content.cells):
        found |= {f"cell {place} {number}": each for number, each in enumerate(column)}
    found |= {f"limit {name}": each.most for name, each in content.limits.items()}
    for name, each in content.bounds.items():
        found |= {f"low {name}": float(each.low), f"high {name}": float(each.high)}
    return found


def neighbours(family: Family, name: str, **declared: Any) -> tuple[Plan, Plan]:
    """Return the plans of a family with and without the rows of one person.

    Where rows are what is protected, it is one row.
    """
    others, added = NEIGHBOURS[name]
    added = added if family.protects_people else added[:1]
    return family.plan(others + added, **declared), family.plan(others, **declared)


def spending(plan: Plan, times: int | Fraction) -> Plan:
    """Return a plan that spends so many times what it says, in every step."""
    return replace(plan, steps=tuple(_spending(each, times) for each in plan.steps))


def _spending(step: Any, times: int | Fraction) -> Any:
    share = step.share
    if share.epsilon is not None:
        return replace(step, share=Share(epsilon=share.epsilon * times))
    return replace(step, share=Share(rho=share.rho * times**2))


def showing_every_group(plan: Plan) -> Plan:
    """Return a plan that finds groups with a δ of nearly 1."""
    steps = [
        replace(each, delta=Fraction(99, 100)) if isinstance(each, FindKeys) else each
        for each in plan.steps
    ]
    return replace(plan, steps=tuple(steps))
