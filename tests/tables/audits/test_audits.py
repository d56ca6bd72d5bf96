"""The guarantee to each person, end to end, by black-box audit of everything that is released.

The chance of a false alarm is 1e-6 in each audit, and seeds are fixed.  An audit of a few hundred
draws sees gross faults only; the full size, of every aggregate on every pair of neighbours, is

    SFUMATO_TEST_PROFILE=sweep python -m pytest tests/tables/audits

which takes an hour or more on one core.

Each family has twins that the same audit must catch: the unit of privacy forgotten, so that no
limit applies to one person; and less noise than is planned for.  Twins of each kind of neighbours
are in ``test_careless.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import sfumato as sf
from sfumato.tables.tree.aggregates import Aggregate
from tests.cases import rings
from tests.tables.audits.families import (
    FAMILIES,
    PURE,
    SWEEP,
    Family,
    neighbours,
    quiet,
    showing_every_group,
    spending,
)
from tests.tables.audits.people import CROWD, LONE, LOWER, NEIGHBOURS, UPPER

if TYPE_CHECKING:
    from sfumato.tables import Plan

CHOSEN = {name: family for name, family in FAMILIES.items() if SWEEP or not family.swept}
#: Rows of people in Python's hands: ten thousand of them take a while.
SAMPLED = [name for name in FAMILIES if name.startswith("sample")]
PAIRS = [
    (name, neighbour)
    for name in CHOSEN
    for neighbour in (NEIGHBOURS if SWEEP else [UPPER if name in SAMPLED else CROWD])
]
QUICK = [each for each in PAIRS if each[0] in ("count", "count, Gaussian", "sum", "unknown keys")]
#: People are not counted without a unit, and a median of few answers hardly moves:
#: their twins are in ``test_careless.py``.
FORGETFUL = [
    name
    for name, family in CHOSEN.items()
    if family.protects_people and "people" not in name and name != SAMPLED[1]
]
#: One family for each kind of noise.
NOISY = (
    list(CHOSEN)
    if SWEEP
    else [
        *("count", "count, Gaussian", "histogram", "median", "mode", "unknown keys"),
        *("automatic bounds", "limits chosen privately", *SAMPLED),
    ]
)
EVERYTHING = Family(
    {
        "n": sf.count(),
        "m": sf.mean("x"),
        "q": sf.minimum("n"),
        "c": sf.tables.mode("city"),
    },
    by=(),
)


def test_every_aggregate_has_a_family() -> None:
    audited = {type(each) for family in FAMILIES.values() for each in family.asked.values()}
    assert {each for each in _kinds(Aggregate) if not each.__subclasses__()} <= audited


def _kinds(kind: type[Aggregate]) -> set[type[Aggregate]]:
    """A kind of aggregates, and all that are of it."""
    return {kind}.union(*map(_kinds, kind.__subclasses__()))


@pytest.mark.parametrize(("name", "neighbour"), rings(PAIRS, first=QUICK))
def test_one_person_is_hidden(name: str, neighbour: str) -> None:
    assert quiet(*neighbours(FAMILIES[name], neighbour))


@pytest.mark.full
@pytest.mark.parametrize("name", NEIGHBOURS)
def test_neighbours_are_hidden_whatever_is_asked(name: str) -> None:
    assert quiet(*neighbours(EVERYTHING, name))


@pytest.mark.full
@pytest.mark.parametrize("name", FORGETFUL)
def test_twin_no_limit_for_a_person_is_caught(name: str) -> None:
    pair = neighbours(FAMILIES[name], UPPER if name in SAMPLED else CROWD, unit="row", limits={})
    assert not quiet(*pair)


@pytest.mark.full
@pytest.mark.parametrize("name", NOISY)
def test_twin_too_little_noise_is_caught(name: str) -> None:
    family = FAMILIES[name]
    times = family.times if SWEEP else 64
    one, other = (spending(each, times) for each in neighbours(family, family.worst))
    assert not quiet(one, other)


def test_a_lone_key_is_hidden_up_to_delta() -> None:
    assert quiet(*neighbours(FAMILIES["unknown keys"], LONE))


def test_twin_a_group_that_is_always_shown_is_caught() -> None:
    pair = neighbours(FAMILIES["unknown keys"], LONE)
    assert not quiet(*map(showing_every_group, pair))


@pytest.mark.parametrize("name", [LOWER, UPPER])
def test_twin_values_that_are_not_clipped_are_caught(name: str) -> None:
    """Wide bounds with the noise of narrow ones, a tenth of it."""
    narrow, wide = (neighbours(_total(name, most), name) for most in (1, 10))
    unclipped = [spending(each, 10) for each in wide]
    assert _noise(unclipped[0]) == pytest.approx(_noise(narrow[0]))
    assert not quiet(*unclipped)
    assert quiet(*narrow)


def _total(name: str, most: int) -> Family:
    """The sum of values, or of how far they are below ten, of which each is at most so much."""
    of, bounds = (sf.col("x"), (0, most)) if name == UPPER else (sf.col("x") - 10, (-most, 0))
    return Family({"s": sf.sum(of, bounds=bounds)}, by=(), target=PURE)


def _noise(plan: Plan) -> float:
    """What the noise of a plan's sum seldom exceeds, in natural units."""
    (step,) = plan.measures
    mechanism = step.mechanism(plan.contribution, 1)
    return mechanism.error(confidence=0.95) * float(step.measurement.step)
