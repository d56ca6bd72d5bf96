"""The promise to each person, end to end, by black-box audit of everything that is released.

The chance of a false alarm is 1e-6 in each audit, and seeds are fixed.  An audit of a few hundred
draws sees gross faults only; the full size, of every aggregate on every pair of neighbours, is

    SFUMATO_TEST_PROFILE=sweep python -m pytest tests/tables/audits

Each family has twins that the same audit must catch: the unit of privacy forgotten, so that no
limit applies to one person; and less noise than is planned for.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

import sfumato as sf
from tests.tables.audits.families import (
    FAMILIES,
    PURE,
    Family,
    audited,
    neighbours,
    showing_every_group,
    spending,
)
from tests.tables.audits.people import CROWD, LONE, NEIGHBOURS, UPPER

if TYPE_CHECKING:
    from sfumato.tables import Plan

SWEEP = os.environ.get("SFUMATO_TEST_PROFILE") == "sweep"
#: At 240 draws, half of which choose what to look at, an event that always tells the tables
#: apart proves an ε of 1.9.
DRAWS = 5_000 if SWEEP else 240

CHOSEN = {name: family for name, family in FAMILIES.items() if SWEEP or not family.swept}
#: Rows of people in Python's hands: ten thousand of them take a while.
SAMPLED = [name for name in FAMILIES if name.startswith("sample")]
PAIRS = [
    (name, neighbour)
    for name in CHOSEN
    for neighbour in (NEIGHBOURS if SWEEP else [UPPER if name in SAMPLED else CROWD])
]
#: People are not counted without a unit, and a median of few answers hardly moves.
FORGETFUL = [name for name in CHOSEN if "people" not in name and name != SAMPLED[1]]
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
        "c": sf.mode("city"),
    },
    by=(),
)


def quiet(one: Plan, other: Plan) -> bool:
    return not audited(one, other, samples=DRAWS).violated


@pytest.mark.parametrize(("name", "neighbour"), PAIRS)
def test_one_person_is_hidden(name: str, neighbour: str) -> None:
    assert quiet(*neighbours(FAMILIES[name], neighbour))


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_neighbours_are_hidden_whatever_is_asked(name: str) -> None:
    assert quiet(*neighbours(EVERYTHING, name))


@pytest.mark.parametrize("name", FORGETFUL)
def test_twin_no_limit_for_a_person_is_caught(name: str) -> None:
    pair = neighbours(FAMILIES[name], UPPER if name in SAMPLED else CROWD, unit="row", limits={})
    assert not quiet(*pair)


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


def test_twin_values_that_are_not_clipped_are_caught() -> None:
    """Wide bounds with the noise of narrow ones, a tenth of it."""
    narrow, wide = {"x": (0, 1)}, {"x": (0, 10)}
    family = Family({"s": sf.sum("x")}, by=(), target=PURE)
    pair = neighbours(family, UPPER, bounds=wide)
    promised = neighbours(family, UPPER, bounds=narrow)[0]
    unclipped = [spending(each, 10) for each in pair]
    assert _noise(unclipped[0]) == pytest.approx(_noise(promised))
    assert not quiet(*unclipped)
    assert quiet(*neighbours(family, UPPER, bounds=narrow))


def _noise(plan: Plan) -> float:
    """What the noise of a plan's sum seldom exceeds, in natural units."""
    (step,) = plan.measures
    mechanism = step.mechanism(plan.contribution, 1)
    return mechanism.error(confidence=0.95) * float(step.measurement.step)
